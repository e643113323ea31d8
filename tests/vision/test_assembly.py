import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.vision.assembly import assemble
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.settings import PAIRING
from tests.boards import pairs_of, places_of_pairs
from tests.drawing import CORNER, LEVEL_5X5, random_text, screenshot_of
from tests.seeing import dots_on, geometry_of
from tests.tools.synthetic import PHONES, Style, draw_screenshot


def read(bgr):
    """Return the reading of a picture, without a solver."""
    return assemble(pair_dots(dots_on(geometry_of(Screenshot(bgr)))))


def pairs_in(text):
    return places_of_pairs(parse(text))


@pytest.mark.parametrize(
    ("rows", "cols", "pitch"),
    [(5, 5, 100), (8, 5, 70), (12, 14, 40), (15, 15, 36), (18, 15, 24), (5, 12, 44)],
)
def test_a_drawn_board_is_read_back(rows, cols, pitch):
    text = random_text(rows, cols, pairs=min(10, rows * cols // 6), seed=rows)
    reading = read(screenshot_of(text, pitch))
    assert (reading.lattice.rows, reading.lattice.cols) == (rows, cols)
    assert places_of_pairs(reading) == pairs_in(text)
    expected = np.add(CORNER, [(0, 0), (cols * pitch, rows * pitch)])
    assert np.allclose(reading.frame.to_px([(0, 0), (cols, rows)]), expected, atol=2)


def test_a_board_in_perspective_is_rectified():
    text = random_text(8, cols=8, pairs=8, seed=3)
    upright = screenshot_of(text)
    height, width = upright.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    in_photo = np.array([(30, 20), (width - 10, 0), (width - 60, height - 30), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, in_photo)
    assert places_of_pairs(read(cv2.warpPerspective(upright, matrix, (width, height)))) == pairs_in(text)


@pytest.fixture(scope="module")
def clear_pairing():
    """The pairing of a board that is seen well."""
    pairing = pair_dots(dots_on(geometry_of(Screenshot(screenshot_of(LEVEL_5X5)))))
    assert assemble(pairing).confidence > 0.9
    return pairing


def test_a_reading_is_as_sure_as_its_walls(clear_pairing):
    dots = clear_pairing.dots
    geometry = replace(dots.geometry, clarity=0.4)
    unclear_dots = replace(dots, hypothesis=replace(dots.hypothesis, geometry=geometry))
    reading = assemble(replace(clear_pairing, dots=unclear_dots))
    assert (reading.confidence, str(reading.weakest), reading.walls_confidence) == (0.4, "the walls", 0.4)


def test_a_reading_is_as_sure_as_its_faintest_dot(clear_pairing):
    dots, faint, cover = clear_pairing.dots, 3, clear_pairing.dots.cover.copy()
    cover[dots.dots[faint].cell] = 0.7
    reading = assemble(replace(clear_pairing, dots=replace(dots, cover=cover)))
    assert (reading.confidence, str(reading.weakest)) == (0.7, "the dot in row 2, column 3")
    doubt_of = dict(zip(np.ravel(clear_pairing.pairs), np.ravel(reading.dot_doubts), strict=True))
    assert doubt_of.pop(faint) == pytest.approx(0.3)
    assert max(doubt_of.values()) < 0.1


def test_a_reading_is_as_sure_as_its_closest_colours(clear_pairing):
    margin = 1.0
    reading = assemble(replace(clear_pairing, margins=(margin, *clear_pairing.margins[1:])))
    assert reading.confidence == pytest.approx(1 - np.exp(-margin / PAIRING.margin_scale), abs=1e-3)
    assert str(reading.weakest).startswith("the colours of the dots")


@pytest.mark.parametrize("scale", [0.42, 0.5])
def test_a_solved_board_of_small_cells_is_read_from_its_dots(scale: float) -> None:
    """Pipes that outshine the lines look like a lattice half as wide."""
    board = boards.square(15, 15)
    puzzle, solution = random_puzzle(board, seed=1, colours=10)
    style = Style(phone=PHONES["small"], drawn=1.0, tint=0.0, scale=scale)
    reading = solve_image(draw_screenshot(board, puzzle, style, seed=1, solution=solution).screenshot).reading
    assert reading.board.lattice == board.lattice
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)
