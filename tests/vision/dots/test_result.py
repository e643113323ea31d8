"""What dots and pairs say of themselves agrees with itself, and with what was drawn."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import cv2
import numpy as np
import pytest

from flowvision.errors import AmbiguousColoursError, OddDotsError
from flowvision.image.picture import Screenshot
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing, find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.kinds.fit import DotModel
from tests import seeing
from tests.drawing import COLOURS, FIVE, random_text, screenshot_of
from tests.seeing import SETTINGS

TEXTS = [FIVE, random_text(7, 9, pairs=8, seed=3), random_text(12, 9, pairs=10, seed=4)]


def look(text: str) -> tuple[Dots, int]:
    """The dots of a board, and how many cells it has."""
    sides = seeing.sides_of(Screenshot(screenshot_of(text)))
    dots = find_dots(DotHypothesis(sides, sides.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
    return dots, len(sides.board.layout.cells)


def margins_of(dots: Dots, pairing: Pairing) -> list[float]:
    """How much nearer each dot's partner is than any dot of another pair, dot by dot."""
    partner = {one: other for a, b in pairing.pairs for one, other in ((a, b), (b, a))}
    margins = []
    for n, dot in enumerate(dots.dots):
        away = [float(np.linalg.norm(np.subtract(dot.lab, other.lab))) for other in dots.dots]
        strangers = [away[m] for m in range(len(away)) if m not in (n, partner[n])]
        margins.append(min(strangers) - away[partner[n]])
    return margins


@pytest.mark.parametrize("text", TEXTS)
def test_every_cell_was_looked_at(text: str) -> None:
    """Not those with dots alone: what was seen of the others tells how clear the difference is."""
    dots, cells = look(text)
    evidence, held = dots.evidence, [dot.cell for dot in dots.dots]
    assert evidence.contrast.shape == evidence.cover.shape == (cells,)
    assert ((evidence.cover >= 0) & (evidence.cover <= 1)).all()
    assert (evidence.contrast >= 0).all()
    assert held == sorted(set(held))
    empty = np.setdiff1d(np.arange(cells), held)
    assert evidence.contrast[held].min() > 2 * evidence.contrast[empty].max()


@pytest.mark.parametrize("text", TEXTS)
def test_lab_is_that_of_the_colour(text: str) -> None:
    """By OpenCV's own conversion: L from 0 to 100, a and b around 0."""
    dots, _ = look(text)
    rgb = np.array([[dot.rgb for dot in dots.dots]], np.float32) / 255
    expected = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0]
    assert np.array([dot.lab for dot in dots.dots]) == pytest.approx(expected, abs=1.5)


def test_faces_are_sampled_when_they_are_asked_for() -> None:
    """Squares of equal size, one a dot; flat where no letter is drawn, and the same each time."""
    dots, _ = look(FIVE)
    faces = dots.evidence.faces()
    assert faces.shape[0] == len(dots.dots)
    assert faces.shape[1] == faces.shape[2]
    assert np.abs(faces).max() <= 2
    assert np.array_equal(faces, dots.evidence.faces())


@pytest.mark.parametrize("text", TEXTS)
def test_a_pairing_names_every_dot_once(text: str) -> None:
    """Pairs of equal letters, the colour of each, and for every dot how much nearer its partner is."""
    dots, _ = look(text)
    pairing = pair_dots(dots, SETTINGS.pairing)
    letters = "".join(text.split())
    assert sorted(dot for pair in pairing.pairs for dot in pair) == list(range(len(dots.dots)))
    for (a, b), colour in zip(pairing.pairs, pairing.palette, strict=True):
        assert letters[dots.dots[a].cell] == letters[dots.dots[b].cell]
        assert np.abs(np.subtract(colour, COLOURS[letters[dots.dots[a].cell]])).max() <= 2
    assert pairing.margins == pytest.approx(margins_of(dots, pairing))
    assert pairing.margin == min(pairing.margins)
    assert not pairing.lettered


def test_results_come_with_the_error_that_refuses_them() -> None:
    """An odd dot, and colours too close: what was found is shown all the same."""
    with pytest.raises(OddDotsError) as odd:
        look(FIVE.replace("R", ".", 1))
    assert isinstance(odd.value.evidence, Dots)
    assert len(odd.value.evidence.dots) == 9
    dots, _ = look(FIVE)
    alike = Dots(tuple(replace(dot, lab=dots.dots[0].lab) for dot in dots.dots), dots.evidence, None)
    with pytest.raises(AmbiguousColoursError) as close:
        pair_dots(alike, SETTINGS.pairing)
    assert isinstance(close.value.evidence, Pairing)
    assert close.value.evidence.margin < SETTINGS.pairing.margin


def test_a_model_is_a_value() -> None:
    """Two that look for the same are one; none is changed after it was taken."""
    model = DotModel("usual", 0.3)
    assert model == DotModel("usual", 0.3, "wider ring", frozenset(), False)
    assert len({model, DotModel("usual", 0.3), replace(model, known=frozenset({3}))}) == 2
    with pytest.raises(FrozenInstanceError):
        model.ring = 0.2
