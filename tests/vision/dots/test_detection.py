from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from flowvision.errors import DotsError, OddDotsError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.vision.dots.detection import Dots, Pairing, in_round_cells
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.kinds.fit import DotModel, squares
from flowvision.vision.pixels.view import ring as ring_of
from tests import seeing
from tests.drawing import COLOURS, FIVE, random_text, screenshot_of
from tests.tools import copies

CORNER = (12, 140)


def dots_of(bgr: Bgr, model: DotModel | None = None) -> Dots:
    return seeing.dots_on(seeing.geometry_of(Screenshot(bgr)), model)


def middle(row: float, col: float, pitch: int) -> tuple[int, int]:
    return CORNER[0] + round((col + 0.5) * pitch), CORNER[1] + round((row + 0.5) * pitch)


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(5, 5, 80), (7, 9, 50), (12, 9, 30)])
def test_dots_are_found_in_their_cells_and_colours(rows, cols, pitch):
    text = random_text(rows, cols, pairs=8, seed=pitch)
    letters = "".join(text.split())
    seen = dots_of(screenshot_of(text, pitch))
    found = seen.dots
    rgb = np.array([[dot.rgb for dot in found]], np.float32) / 255
    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0]
    assert np.array([dot.lab for dot in found]) == pytest.approx(lab, abs=1.5)
    assert {dot.cell for dot in found} == {cell for cell, letter in enumerate(letters) if letter != "."}
    for dot in found:
        assert np.abs(np.subtract(dot.rgb, COLOURS[letters[dot.cell]])).max() <= 2
        assert dot.centre_px == pytest.approx(middle(*divmod(dot.cell, cols), pitch), abs=1.5)
    assert seen.usual_radius_px == pytest.approx(0.35 * pitch, rel=0.03)


@pytest.mark.parametrize("pitch", [30, 60, 100])
def test_pipes_are_no_dots(pitch):
    bgr = screenshot_of(FIVE, pitch)
    line = np.array([middle(*place, pitch) for place in ((0, 0), (2, 0), (2, 1), (2, 2), (3, 2))])
    cv2.polylines(bgr, [line], False, COLOURS["R"][::-1], pitch // 3, cv2.LINE_AA)
    cv2.circle(bgr, line[-1].tolist(), pitch // 4, COLOURS["R"][::-1], -1, cv2.LINE_AA)
    held = {cell for cell, letter in enumerate("".join(FIVE.split())) if letter != "."}
    assert {dot.cell for dot in dots_of(bgr).dots} == held


def test_a_dot_with_a_pipe_is_a_dot():
    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        bgr = screenshot_of("R...R\n.....\n..G..\n.....\nG....\n", 60)
        ends = middle(2, 2, 60), middle(2 + down, 2 + right, 60)
        cv2.line(bgr, *ends, COLOURS["G"][::-1], 20, cv2.LINE_AA)
        assert {dot.cell for dot in dots_of(bgr).dots} == {0, 4, 12, 20}


def test_known_cells_hold_a_dot_whatever_their_colour():
    known = frozenset({0, 2, 5, 6})
    found = dots_of(screenshot_of(FIVE), DotModel(0.283, cells=known))
    assert {dot.cell for dot in found.dots} == known


@pytest.mark.parametrize(
    ("text", "error", "count"),
    [
        (random_text(5, 5, pairs=0), DotsError, 0),
        ("R....\n.....\n....R\n", DotsError, 2),
        (FIVE.replace("R", ".", 1), OddDotsError, 9),
    ],
)
def test_what_was_found_goes_with_the_error(text, error, count):
    with pytest.raises(error) as caught:
        dots_of(screenshot_of(text))
    assert isinstance(caught.value.evidence, Dots)
    assert len(caught.value.evidence.dots) == count
    assert caught.value.evidence.faces().shape[0] == count


@pytest.mark.parametrize("size", [(60, 60), (60, 110), (140, 50)])
@pytest.mark.parametrize("radius", [0.2, 0.4])
def test_rings_are_round_in_the_picture(size, radius):
    frame, centres = Frame.of_box(10, 20, *size), np.array([(0.5, 0.5), (1.5, 0.5), (0.5, 1.5)])
    board = SimpleNamespace(layout=SimpleNamespace(centres=centres))
    geometry = SimpleNamespace(board=board, fit=SimpleNamespace(frame=frame), shapes=squares(3))
    rings = in_round_cells(geometry, ring_of(radius, 24))
    for centre, ring in zip(centres, rings, strict=True):
        away = np.linalg.norm(frame.to_px(centre + ring) - frame.to_px([centre]), axis=1)
        assert away == pytest.approx(radius * min(size))


TEXTS = [FIVE, random_text(7, 9, pairs=8, seed=3), random_text(12, 9, pairs=10, seed=4)]


def margins_of(dots: Dots, pairing: Pairing) -> list[float]:
    """How much nearer each dot's partner is than any dot of another pair, dot by dot."""
    lab = np.array([dot.lab for dot in dots.dots])
    away = np.linalg.norm(lab[:, None] - lab, axis=2)
    partner = {one: other for a, b in pairing.pairs for one, other in ((a, b), (b, a))}
    strangers = [np.delete(away[n], (n, partner[n])).min() for n in range(len(lab))]
    return [float(nearest - away[n, partner[n]]) for n, nearest in enumerate(strangers)]


@pytest.mark.parametrize("text", TEXTS)
def test_a_pairing_names_every_dot_once(text: str) -> None:
    dots = dots_of(screenshot_of(text))
    pairing = pair_dots(dots)
    letters = "".join(text.split())
    assert sorted(dot for pair in pairing.pairs for dot in pair) == list(range(len(dots.dots)))
    for (a, b), colour in zip(pairing.pairs, pairing.palette, strict=True):
        assert letters[dots.dots[a].cell] == letters[dots.dots[b].cell]
        assert np.abs(np.subtract(colour, COLOURS[letters[dots.dots[a].cell]])).max() <= 2
    assert pairing.margins == pytest.approx(margins_of(dots, pairing))
    assert not pairing.lettered


def test_wide_pipes_over_rings_of_nearly_their_colour_are_no_dots():
    given, _, bgr = copies.case(930041)
    assert copies.outcome_of(given, bgr) == "right"
