from itertools import combinations

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.reading.beyond import Lattice
from flowvision.reading.covers import block_without_lines, covered_doubt, heaviest_block, with_more_rows
from tests.drawing import CORNER, LEVEL_5X5, PITCH, screenshot_of

SIX = "A....A\n......\n......\n......\n......\nB....B\n"
LEFT, TOP = CORNER


def lattice(bgr: Bgr, rows: int, cols: int, left: int = LEFT, top: int = TOP) -> Lattice:
    """Return a lattice that was seen on a picture; ``left``, ``top``: its corner in pixels."""
    frame = Frame.of_box(left, top, PITCH, PITCH)
    return Lattice(
        Screenshot(bgr), rows, cols, cells=(), frame=frame, pitch_px=float(PITCH), channel="brightest"
    )


def six_under_dialog() -> Bgr:
    """A board of six, with a dialog from column 1 to 5 and row 1.5 to 4.5."""
    bgr = screenshot_of(SIX)
    bgr[TOP + 90 : TOP + 270, LEFT + 60 : LEFT + 300] = 30
    return bgr


def test_the_block_under_a_dialog_is_found() -> None:
    (left, top), (right, bottom) = block_without_lines(lattice(six_under_dialog(), rows=6, cols=6))
    assert np.abs(np.subtract((left, top, right, bottom), (1, 1.5, 5, 4.5))).max() <= 0.5


@pytest.mark.parametrize(
    ("rows", "cols"),
    [((0, 0), (0, 0)), ((-20, 120), (-12, 372)), ((5, 355), (5, 355)), ((62, 178), (62, 178))],
    ids=["nothing", "at an end", "nearly all", "a hole of two by two"],
)
def test_no_block_lies_inside(rows: tuple[int, int], cols: tuple[int, int]) -> None:
    """``rows``, ``cols``: pixels from the corner of the board between which it is covered."""
    bgr = screenshot_of(SIX)
    bgr[TOP + rows[0] : TOP + rows[1], LEFT + cols[0] : LEFT + cols[1]] = 30
    assert block_without_lines(lattice(bgr, rows=6, cols=6)) is None


def test_a_board_ends_where_its_lines_do() -> None:
    """A lattice that reaches a column and two rows beyond the board at each end has no lines there."""
    wide = lattice(six_under_dialog(), rows=10, cols=8, left=LEFT - PITCH, top=TOP - 2 * PITCH)
    (left, top), (right, bottom) = block_without_lines(wide, is_beyond=True)
    assert np.abs(np.subtract((left, top, right, bottom), (2, 3.5, 6, 6.5))).max() <= 0.5
    assert block_without_lines(wide) is None


@pytest.mark.parametrize("seed", range(5))
def test_no_block_is_heavier(seed: int) -> None:
    rows, cols = 5, 6
    table = np.random.default_rng(seed).normal(-0.2, 1, (rows, cols))
    (top, left), (bottom, right) = heaviest_block(table)
    sums = [
        table[first_row:end_row, first_col:end_col].sum()
        for first_row, end_row in combinations(range(rows + 1), 2)
        for first_col, end_col in combinations(range(cols + 1), 2)
    ]
    assert table[top:bottom, left:right].sum() == pytest.approx(max(sums))


@pytest.mark.parametrize(("covered_px", "cells"), [(0, 0), (55, 5)])
def test_the_cells_of_rows_below_a_window_are_counted(covered_px: int, cells: int) -> None:
    """A lattice of three rows was seen on a board of five, whose fourth row is covered, or is not."""
    left, below_third_row = 70, TOP + 183
    bgr = screenshot_of(LEVEL_5X5, PITCH, (left, TOP))
    bgr[below_third_row : below_third_row + covered_px] = 40
    doubt = covered_doubt(with_more_rows(lattice(bgr, rows=3, cols=5, left=left), rows=5))
    assert (doubt.cells if doubt else 0) == cells


def test_a_row_at_the_edge_of_the_picture_is_not_covered() -> None:
    """The fifth row has no lines, as under a cover, but below a cover there are some."""
    fifth_row = TOP + 4 * PITCH
    bgr = screenshot_of(SIX)[: fifth_row + 55]
    bgr[fifth_row + 5 :] = 30
    assert covered_doubt(with_more_rows(lattice(bgr, rows=4, cols=6), rows=6)) is None


@pytest.mark.parametrize(
    ("is_bright", "cols"),
    [(False, 6), (True, 2), (True, 6)],
    ids=["dim and wide", "bright and short", "bright and wide"],
)
def test_scenery_below_a_wide_board_is_no_row_of_it(is_bright: bool, cols: int) -> None:
    """A soft bar lies where the fifth row would end, or a sharp one crosses that line or lies along it."""
    bgr = screenshot_of("......\n.YR.Y.\n..B...\nR....B\n")
    end_of_fifth_row = TOP + 5 * PITCH
    bar, colour = np.zeros_like(bgr), (200, 200, 200) if is_bright else (120, 0, 0)
    right = LEFT + cols * PITCH
    cv2.line(bar, (LEFT, end_of_fifth_row), (right, end_of_fifth_row), colour, 2 if is_bright else 20)
    bgr = np.maximum(bgr, bar if is_bright else cv2.GaussianBlur(bar, (0, 0), PITCH / 5))
    grids = [grid for rows in (5, 6) for grid in with_more_rows(lattice(bgr, rows=4, cols=6), rows=rows)]
    assert len(grids) == 5
    assert covered_doubt(grids) is None
    assert solve_image(Screenshot(bgr)).doubts == ()
