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
from flowvision.vision.settings import DOTS
from tests import seeing
from tests.boards import LEVEL_5X5_DOTS
from tests.drawing import COLOURS, LEVEL_5X5, cell_middle, random_text, screenshot_of


def dots_of(bgr: Bgr, model: DotModel | None = None) -> Dots:
    return seeing.dots_on(seeing.geometry_of(Screenshot(bgr)), model)


def cells_with_dots(bgr: Bgr, model: DotModel | None = None) -> set[int]:
    return {dot.cell for dot in dots_of(bgr, model).dots}


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(5, 5, 80), (7, 9, 50), (12, 9, 30)])
def test_dots_are_found_in_their_cells_and_colours(rows, cols, pitch):
    text = random_text(rows, cols, pairs=8, seed=pitch)
    letters = "".join(text.split())
    dots = dots_of(screenshot_of(text, pitch))
    assert {dot.cell for dot in dots.dots} == {cell for cell, letter in enumerate(letters) if letter != "."}
    for dot in dots.dots:
        assert np.abs(np.subtract(dot.rgb, COLOURS[letters[dot.cell]])).max() <= 2
        assert dot.centre_px == pytest.approx(cell_middle(*divmod(dot.cell, cols), pitch), abs=1.5)
    assert dots.usual_radius_px == pytest.approx(0.35 * pitch, rel=0.03)


@pytest.mark.parametrize("pitch", [30, 60, 100])
def test_pipes_are_no_dots(pitch):
    bgr = screenshot_of(LEVEL_5X5, pitch)
    path = np.array([cell_middle(*place, pitch) for place in ((0, 0), (2, 0), (2, 1), (2, 2), (3, 2))])
    cv2.polylines(bgr, [path], False, COLOURS["R"][::-1], pitch // 3, cv2.LINE_AA)
    cv2.circle(bgr, path[-1].tolist(), pitch // 4, COLOURS["R"][::-1], -1, cv2.LINE_AA)
    assert cells_with_dots(bgr) == LEVEL_5X5_DOTS


@pytest.mark.parametrize(("down", "right"), [(0, 1), (1, 0), (0, -1), (-1, 0)])
def test_a_dot_with_a_pipe_is_a_dot(down, right):
    bgr = screenshot_of("R...R\n.....\n..G..\n.....\nG....\n")
    cv2.line(bgr, cell_middle(2, 2), cell_middle(2 + down, 2 + right), COLOURS["G"][::-1], 20, cv2.LINE_AA)
    assert cells_with_dots(bgr) == {0, 4, 12, 20}


def test_known_cells_hold_a_dot_whatever_their_colour():
    known = frozenset({0, 2, 5, 6})  # two with a dot, two without
    assert cells_with_dots(screenshot_of(LEVEL_5X5), DotModel(ring=DOTS.ring, cells=known)) == known


@pytest.mark.parametrize(
    ("text", "error", "count"),
    [
        (random_text(5, cols=5, pairs=0), DotsError, 0),
        ("R....\n.....\n....R\n", DotsError, 2),
        (LEVEL_5X5.replace("R", ".", 1), OddDotsError, 9),
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
    """Also where cells are not."""
    frame, centres = Frame.of_box(10, 20, *size), np.array([(0.5, 0.5), (1.5, 0.5), (0.5, 1.5)])
    board = SimpleNamespace(layout=SimpleNamespace(centres=centres))
    geometry = SimpleNamespace(board=board, fit=SimpleNamespace(frame=frame), shapes=squares(3))
    rings = in_round_cells(geometry, ring_of(radius, 24))
    for centre, ring in zip(centres, rings, strict=True):
        radii_px = np.linalg.norm(frame.to_px(centre + ring) - frame.to_px([centre]), axis=1)
        assert radii_px == pytest.approx(radius * min(size))


TEXTS = [LEVEL_5X5, random_text(7, cols=9, pairs=8, seed=3), random_text(12, cols=9, pairs=10, seed=4)]


def margins_of(dots: Dots, pairing: Pairing) -> list[float]:
    """Return, dot by dot, how much nearer its partner's colour is than that of any dot of another pair."""
    lab = np.array([dot.lab for dot in dots.dots])
    distances = np.linalg.norm(lab[:, None] - lab, axis=2)
    partner_of = dict(pairing.pairs) | {b: a for a, b in pairing.pairs}
    nearest_others = [np.delete(distances[dot], (dot, partner_of[dot])).min() for dot in range(len(lab))]
    return [float(other - distances[dot, partner_of[dot]]) for dot, other in enumerate(nearest_others)]


@pytest.mark.parametrize("text", TEXTS)
def test_margins_of_a_pairing_are_those_of_its_dots(text: str) -> None:
    dots = dots_of(screenshot_of(text))
    pairing = pair_dots(dots)
    assert pairing.margins == pytest.approx(margins_of(dots, pairing))


@pytest.mark.parametrize(("contrast", "count"), [(DOTS.contrast, 8), (DOTS.faint, 10)])
def test_dots_on_a_tint_of_nearly_their_colour_are_faint(contrast: float, count: int) -> None:
    """Two of the ten dots become grey on grey."""
    bgr, grey = screenshot_of(LEVEL_5X5), 150
    for row, col in ((1, 4), (4, 3)):
        x, y = cell_middle(row, col)
        bgr[y - 28 : y + 29, x - 28 : x + 29] = grey - 18
        cv2.circle(bgr, (x, y), 21, (grey,) * 3, -1, cv2.LINE_AA)
    assert len(dots_of(bgr, DotModel(ring=DOTS.ring, contrast=contrast)).dots) == count
