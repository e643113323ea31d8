import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.vision.grid import side_coverage
from flowvision.vision.grid.spacing import Spacing


def cover_of(rows, cols, block_rows, block_cols):
    """Return a lattice on which only the sides in and round a block are seen."""
    vertical, horizontal = np.zeros((rows, cols + 1)), np.zeros((rows + 1, cols))
    vertical[block_rows, block_cols.start : block_cols.stop + 1] = 1
    horizontal[block_rows.start : block_rows.stop + 1, block_cols] = 1
    return side_coverage.SideCoverage(vertical, horizontal)


def test_the_largest_block_of_framed_cells_is_the_board():
    cover = cover_of(9, 9, slice(2, 7), slice(1, 8))
    cover.vertical[0, :2] = cover.horizontal[:2, 0] = 1
    assert side_coverage.largest_block(cover.framed(0.5)) == (slice(2, 7), slice(1, 8))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_a_lattice_without_cells_is_no_board(shape):
    """OpenCV aborts on a mask without rows."""
    assert side_coverage.largest_block(np.zeros(shape, bool)) is None


EVEN_LINES = Spacing(start=0.0, pitch=20.0, count=5, score=1.0, residual=0.0)


def test_sides_outside_the_view_are_unknown_not_missing():
    strong = np.zeros((100, 100), bool)
    strong[:, 20:100:20] = True
    six_cells = replace(EVEN_LINES, count=6)  # the view holds five
    cover = side_coverage.side_coverage((strong, strong), six_cells, six_cells)
    assert np.isnan(cover.vertical[5]).all()
    assert cover.framed(0.5)[4, 1:4].all()


def test_a_pipe_through_a_side_hides_none_of_it():
    strong = np.zeros((120, 120), bool)
    strong[:, 20:120:20] = True
    strong[26:34, 40] = False  # the middle of a side, where a pipe passes
    strong[20:30, 60] = False  # half of another from its end
    cover = side_coverage.side_coverage((strong, strong), EVEN_LINES, EVEN_LINES)
    assert cover.vertical[1, 2] == 1
    assert cover.vertical[1, 3] <= 0.5


BLOCK = (slice(1, 5), slice(1, 6))
"""Four rows and five columns, with four lines between its columns."""


@pytest.mark.parametrize(
    ("shown", "lines", "share", "grows"),
    [(0.72, 4, 1.0, True), (0.68, 4, 0.0, False), (1.0, 3, 0.75, True), (1.0, 2, 0.5, False)],
)
def test_a_block_grows_where_most_lines_run_on(shown, lines, share, grows):
    """``shown``: the part of each line that is seen beside the next row."""
    cover = cover_of(6, 7, *BLOCK)
    cover.vertical[5, 2 : 2 + lines] = shown
    assert side_coverage.runs_on(BLOCK, cover) == share
    assert side_coverage.grow_block(BLOCK, cover) == (slice(1, 6 if grows else 5), slice(1, 6))


@pytest.mark.parametrize(("count", "last"), [(2, 5), (3, 6)])
def test_an_outer_row_of_few_cells_is_trimmed(count, last):
    cover = cover_of(8, 7, slice(1, 5), slice(1, 6))
    cover.vertical[5, 1 : 2 + count] = cover.horizontal[6, 1 : 1 + count] = 1.0
    assert side_coverage.trim_block((slice(1, 6), slice(1, 6)), cover) == (slice(1, last), slice(1, 6))
