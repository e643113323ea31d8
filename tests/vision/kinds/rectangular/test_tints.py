"""Cells whose tint hides the lines between them, and lattices carried on over such cells."""

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.kinds.rectangular.lattice import tinted_grids, tints_of, with_tints
from flowvision.vision.pixels.view import view_of
from tests.seeing import SETTINGS, lines_in, whole_picture

PITCH, LEFT, TOP = 60, 30, 40
ROWS, COLS = 6, 5
TINT, PIPE, LINE = (125, 70, 65), (250, 60, 40), (63, 109, 63)


def board_of(tinted: list[tuple[int, int]], has_pipes: bool = True, lines: bool = True) -> Bgr:
    """A lattice on black with some cells tinted as brightly as lines, and no line beside those."""
    bgr = np.zeros((2 * TOP + ROWS * PITCH, 2 * LEFT + COLS * PITCH, 3), np.uint8)
    for row in range(ROWS if lines else 0):
        for col in range(COLS):
            if (row, col) not in tinted:
                x, y = LEFT + col * PITCH, TOP + row * PITCH
                cv2.rectangle(bgr, (x, y), (x + PITCH, y + PITCH), LINE, 2)
    for row, col in tinted:
        x, y = LEFT + col * PITCH, TOP + row * PITCH
        bgr[y : y + PITCH, x : x + PITCH] = TINT
    for row, col in tinted if has_pipes else ():
        middle = (LEFT + col * PITCH + PITCH // 2, TOP + row * PITCH + PITCH // 2)
        cv2.circle(bgr, middle, 21, PIPE, -1, cv2.LINE_AA)
    return bgr


def size_of(bgr: Bgr) -> set[tuple[int, int]]:
    region = whole_picture(Screenshot(bgr), SETTINGS)
    return {(fit.rows, fit.cols) for fit in tinted_grids(lines_in(region), SETTINGS)}


LAST_COLUMN = [(row, COLS - 1) for row in range(ROWS)]
LAST_ROWS = [(row, col) for row in (ROWS - 2, ROWS - 1) for col in range(COLS)]


@pytest.mark.parametrize("tinted", [LAST_COLUMN, LAST_ROWS, LAST_COLUMN + LAST_ROWS])
def test_tinted_rows_and_columns_belong_to_the_lattice(tinted):
    """The lines alone show less; the tints end where the lattice does."""
    assert (ROWS, COLS) in size_of(board_of(tinted))


def test_a_tint_needs_a_pipe():
    """A grey page beside a board is flat too, but nothing stands in the middles of its cells."""
    assert not size_of(board_of(LAST_COLUMN, has_pipes=False))


def test_which_cells_are_tinted():
    """Those that are filled, not those with a frame."""
    view = view_of(Screenshot(board_of(LAST_COLUMN)), None, SETTINGS.lines.view_px)
    frame = Frame.of_box(LEFT, TOP, PITCH, PITCH)
    _, is_tinted = tints_of(view, frame, (ROWS, COLS), SETTINGS.tints)
    assert [tuple(place) for place in np.argwhere(is_tinted).tolist()] == LAST_COLUMN


def test_sides_within_a_tint_count_for_less_than_those_at_its_end():
    """Nothing shows where one tint goes on; its end is as good as a line."""
    view = view_of(Screenshot(board_of(LAST_COLUMN)), None, SETTINGS.lines.view_px)
    cols, rows = Spacing(LEFT, PITCH, COLS, 1.0, 0.0), Spacing(TOP, PITCH, ROWS, 1.0, 0.0)
    nothing = SideCoverage(np.zeros((ROWS, COLS + 1)), np.zeros((ROWS + 1, COLS)))
    shown = with_tints(view, cols, rows, nothing, SETTINGS.tints)
    assert shown is not None
    assert np.allclose(shown.vertical[:, -2:], 1)
    assert np.allclose(shown.horizontal[1:-1, -1], SETTINGS.tints.within)
    assert np.allclose(shown.horizontal[[0, -1], -1], 1)
    assert not shown.vertical[:, :-2].any()


@pytest.mark.parametrize("counts", [(-2, 4), (4, -1), (0, 3), (-1, -1)])
def test_a_lattice_beyond_the_view_has_no_tints(counts):
    """Carried on over a view that it does not reach, it has less than no rows or columns."""
    view = view_of(Screenshot(board_of([(0, 0)])), None, 300)
    cols, rows = (Spacing(900.0, PITCH, count, 1.0, 0.0) for count in counts)
    nothing = SideCoverage(np.zeros((3, 4)), np.zeros((4, 3)))
    assert with_tints(view, cols, rows, nothing, SETTINGS.tints) is None
