"""What lies beside a board: the rest of it, or another one."""

from itertools import pairwise

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.errors import FlowvisionError, OddDotsError
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.reading.partial_board import (
    are_same_cells,
    has_odd_cells,
    is_part,
    is_uneven,
    joins_boards,
    lacks_cells,
)
from flowvision.vision.assembly import Reading
from flowvision.vision.board import box_of, find_boards
from tests.boards import BOARDS
from tests.drawing import FIVE, PART, reading_of, screenshot_of
from tests.seeing import SETTINGS, dots_at, fits_of

ASKED = SETTINGS.reading, SETTINGS.dots


def test_two_dots_of_the_same_lattice_beyond_a_board_make_it_a_part():
    """In the middle of cells further right, below or above; one may be a button, others lie anywhere."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    right, below, inside, astray = (12 + 4.5 * 60, 170), (42, 140 + 6.5 * 60), (42, 170), (12 + 4.1 * 60, 170)
    assert is_part(reading, dots_at(inside, right, below), *ASKED)
    assert is_part(reading, dots_at(inside, right, (right[0], 230)), *ASKED)
    assert not is_part(reading, dots_at(right, inside), *ASKED)
    assert not is_part(reading, dots_at(inside, right, astray, (astray[0], 230)), *ASKED)
    assert not is_part(reading, dots_at(right, below, (right[0], 230)), *ASKED)  # of another board
    assert not is_part(reading, dots_at(), *ASKED)


@pytest.mark.parametrize("pitch", [60, 80])
def test_the_rest_of_a_misread_board_is_not_passed_over(pitch):
    """A finger covers a dot, so the board is misread; in one light only three of its columns show."""
    bgr = screenshot_of(FIVE, pitch)
    lines = (bgr == (63, 109, 63)).all(axis=2)
    lines[:, : 12 + 3 * pitch + 3] = False
    bgr[lines] = (63, 109, 0)
    cv2.circle(bgr, (12 + int(4.55 * pitch), 140 + int(0.55 * pitch)), pitch // 3, (150, 170, 220), -1)
    with pytest.raises(OddDotsError):
        read_image(bgr)


def test_a_board_lies_in_a_box():
    """From its first line to its last, in whole pixels, as far as the picture goes."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    whole, cropped = (Screenshot(np.zeros((height, 400, 3), np.uint8)) for height in (500, 420))
    assert box_of(reading.board, reading.frame, whole) == (12, 140, 180, 300)
    assert box_of(reading.board, reading.frame, cropped) == (12, 140, 180, 280)


def test_cells_are_lacking_where_the_same_dots_have_fewer():
    """All dots must be there, at the same places of the picture; one board has cells that the other lacks."""
    whole, merged = reading_of("R..\n...\n..R\n"), reading_of("R..\n..#\n..R\n")
    assert lacks_cells(merged, whole)
    assert not lacks_cells(whole, merged)
    assert not lacks_cells(whole, whole)
    assert not lacks_cells(reading_of("R..\n..#\n.R.\n"), whole)
    assert not lacks_cells(merged, reading_of("R.G\n...\nG.R\n"))
    assert not lacks_cells(reading_of("R..\n..#\n..R\n", corner=(80, 140)), whole)
    taller = reading_of("...\nR..\n...\n..R\n")
    lower = reading_of("R..\n...\n..R\n", corner=(12, 200))
    assert len(taller.board.layout.cells) > len(lower.board.layout.cells)
    assert not lacks_cells(lower, taller)


def uneven(rows: list[float], cols: list[float]) -> Reading:
    """A board of cells found one by one, with such steps from row to row and column to column."""
    empty = "." * (len(cols) - 1)
    whole = reading_of(f"R{empty}\n" + f".{empty}\n" * (len(rows) - 2) + f"{empty}R\n")
    x, y = np.cumsum(cols), np.cumsum(rows)
    cells = tuple(
        replace(cell, centre=(float(x[col]), float(y[row])))
        for cell, (row, col) in zip(whole.board.layout.cells, whole.board.lattice.places, strict=True)
    )
    layout = replace(whole.board.layout, cells=cells)
    return replace(whole, board=replace(whole.board, layout=layout, lattice=None))


def test_half_a_row_too_many_makes_a_board_uneven():
    """Also half a row too few, and columns alike; rows that become narrower little by little do not."""
    even = [1.0] * 6
    assert not is_uneven(uneven(even, even))
    assert is_uneven(uneven([1, 1, 0.75, 0.75, 1, 1], even))
    assert is_uneven(uneven(even, [1, 1, 1.5, 1, 1, 1]))
    assert not is_uneven(uneven([1, 0.93, 0.87, 0.81, 0.76, 0.71], even))
    assert not is_uneven(reading_of("R..\n...\n..R\n"))


def merged(text: str, *places: tuple[int, int]) -> Reading:
    """A board of cells found one by one, of which those in these rows and columns are one."""
    whole = reading_of(text)
    assert whole.board.lattice is not None
    cells = [*whole.board.layout.cells]
    of_one = [cells[whole.board.lattice.places.index(place)] for place in places]
    corners = np.concatenate([np.array(cell.outline) for cell in of_one])
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    large = replace(of_one[0], centre=((x0 + x1) / 2, (y0 + y1) / 2))
    large = replace(large, outline=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    made = boards.build([large, *(cell for cell in cells if cell not in of_one)], [])
    return replace(whole, board=made)


def test_cells_of_a_lattice_that_are_one_are_merged():
    """What lies over the lines between them made one of two and more; boards of other cells have none."""
    assert has_odd_cells(merged(FIVE, (2, 2), (3, 2)))
    assert has_odd_cells(merged(FIVE, (1, 1), (1, 2), (1, 3)))
    assert has_odd_cells(merged(FIVE, (1, 1), (1, 2), (2, 1), (2, 2)))
    assert not has_odd_cells(merged(FIVE, (2, 2)))
    for board in (board for board in BOARDS.values() if board.lattice is None):
        assert not has_odd_cells(replace(reading_of(FIVE), board=board))


@pytest.mark.parametrize(
    ("shares", "is_cut"), [((0.2, 0.8), True), ((0.35, 0.65), True), ((0.5, 0.5), True), ((0.8,), False)]
)
def test_a_cell_of_a_lattice_may_be_cut_in_two(shares: tuple[float, ...], is_cut: bool):
    """The paths through both parts may be right, but no level has such cells; 0.8 of one is one."""
    whole = reading_of(FIVE)
    *cells, last = whole.board.layout.cells
    (x0, y0), (x1, y1) = np.min(last.outline, axis=0), np.max(last.outline, axis=0)
    ends = x0 + (x1 - x0) * np.cumsum((0, *shares))
    parts = [
        replace(last, centre=((a + b) / 2, last.centre[1]), outline=((a, y0), (b, y0), (b, y1), (a, y1)))
        for a, b in pairwise(ends.tolist())
    ]
    assert has_odd_cells(replace(whole, board=boards.build([*cells, *parts], []))) == is_cut


@pytest.mark.parametrize(
    ("pitch", "row", "col", "slope", "at", "bright", "step"),
    [(90, 3, 4, 0.4, 3, 140, 1), (60, 1, 0, -0.6, 1.5, 120, 64)],
)
def test_a_hair_through_a_cell_makes_no_two_cells_under_glare(
    pitch: int, row: int, col: int, slope: float, at: float, bright: int, step: int
):
    """Glare (``slope``, ``at``, ``bright``) hides the lattice, so that cells are found one by one."""
    bgr = screenshot_of(FIVE, pitch)
    x, y = 12 + col * pitch, 140 + row * pitch
    cv2.line(bgr, (x, round(y + 0.43 * pitch)), (x + pitch, round(y + 0.57 * pitch)), (120, 120, 120), 1)
    down, right = np.mgrid[: bgr.shape[0], : bgr.shape[1]]
    glare = bright * np.clip(1 - np.abs(right + slope * down - at * pitch) / (0.6 * pitch), 0, 1)
    lit = np.clip(bgr + glare[..., None], 0, 255).astype(np.uint8) // step * step
    checked = read_image(lit)
    assert checked.reading.lattice is not None
    assert checked.reading.puzzle.terminals == reading_of(FIVE).puzzle.terminals


def test_the_same_cells_are_at_the_same_places():
    """As many, and in the picture."""
    own = reading_of(FIVE)
    assert are_same_cells(own, reading_of(FIVE, corner=(15, 143)))
    assert not are_same_cells(own, reading_of(FIVE, corner=(72, 140)))
    assert not are_same_cells(own, reading_of(PART))


@pytest.mark.parametrize("pitch", [60, 90])
def test_rows_beyond_half_a_row_are_said(pitch: int):
    """Two captures put together, half a row too few between: what is above has a solution of its own."""
    whole = screenshot_of("B..Y.\nG....\nY.GB.\n.....\n.R.R.\n.....\n", pitch)
    bgr = np.delete(whole, range(140 + 3 * pitch + pitch // 2, 140 + 4 * pitch), axis=0)
    try:
        checked = read_image(bgr)
    except FlowvisionError:
        return
    assert checked.reading.lattice.rows == 4
    assert any(doubt.code == "perhaps-cut" for doubt in checked.doubts)


@pytest.mark.parametrize(
    ("text", "are_two"),
    [("R..G..\n......\n..R..G\n", True), ("R....R\n......\nG....G\n", False), ("R..\n...\n..R\n", False)],
)
def test_two_boards_are_not_one(text: str, are_two: bool):
    """Cells of a lattice and of another one beside it, no pair of dots on both."""
    shot = Screenshot(screenshot_of("R..\n...\n..R\n"))
    lattice = next(fits_of(next(find_boards(shot, SETTINGS)))).cut_board(SETTINGS)
    assert joins_boards(reading_of(text), lattice) == are_two
