import numpy as np
import pytest

from flowvision.vision.grid.side_coverage import (
    SideCoverage,
    grow_block,
    largest_block,
    runs_on,
    side_coverage,
)
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.settings import GridSettings

GRID = GridSettings()


def cover_of(rows, cols, block_rows, block_cols):
    vertical, horizontal = np.zeros((rows, cols + 1)), np.zeros((rows + 1, cols))
    vertical[block_rows, block_cols.start : block_cols.stop + 1] = 1
    horizontal[block_rows.start : block_rows.stop + 1, block_cols] = 1
    return SideCoverage(vertical, horizontal)


def test_the_largest_block_of_framed_cells_is_the_board():
    cover = cover_of(9, 9, slice(2, 7), slice(1, 8))
    cover.vertical[0, :2] = cover.horizontal[:2, 0] = 1
    assert largest_block(cover.framed(0.5)) == (slice(2, 7), slice(1, 8))


def test_a_board_without_its_border_line_grows_by_the_cells_its_lines_reach():
    cover = cover_of(7, 7, slice(1, 6), slice(1, 6))
    cover.horizontal[2:6, 0] = 1
    rows, cols = grow_block((slice(1, 6), slice(1, 6)), cover, GRID)
    assert (rows, cols) == (slice(1, 6), slice(0, 6))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_a_lattice_without_cells_is_no_board(shape):
    """OpenCV aborts on a mask without rows."""
    assert largest_block(np.zeros(shape, bool)) is None


def test_lines_that_go_on_betray_a_lost_column():
    cover = cover_of(7, 8, slice(0, 7), slice(0, 8))
    assert runs_on((slice(0, 7), slice(0, 8)), cover, GRID) == 0
    assert runs_on((slice(0, 7), slice(0, 6)), cover, GRID) == 1


def test_sides_outside_the_view_are_unknown_not_missing():
    strong = np.zeros((100, 100), bool)
    strong[:, 20:100:20] = True
    lattice = Spacing(0.0, 20.0, 6, 1.0, 0.0)
    cover = side_coverage((strong, strong), lattice, lattice, GRID)
    assert np.isnan(cover.vertical[5]).all()
    assert cover.framed(0.5)[4, 1:4].all()


def test_a_pipe_through_a_side_hides_none_of_it():
    strong = np.zeros((120, 120), bool)
    strong[:, 20:120:20] = True
    lattice = Spacing(0.0, 20.0, 5, 1.0, 0.0)
    strong[26:34, 40] = False
    strong[20:30, 60] = False
    cover = side_coverage((strong, strong), lattice, lattice, GRID)
    assert cover.vertical[1, 2] == 1
    assert cover.vertical[1, 3] <= 0.5
