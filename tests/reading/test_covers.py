import numpy as np
import pytest

from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.reading.beyond import Lattice
from flowvision.reading.covers import block_without_lines, covered_doubt, heaviest_block, with_more_rows
from tests.drawing import FIVE, screenshot_of

SIX = "A....A\n......\n......\n......\n......\nB....B\n"


def lattice(bgr: Bgr, cells: int) -> Lattice:
    pitch = 60.0
    frame = Frame.of_homography(np.array(((pitch, 0, 12), (0, pitch, 140), (0, 0, 1))))
    return Lattice(Screenshot(bgr), cells, cells, (), frame, pitch, "brightest")


def test_the_block_under_a_dialog_is_found() -> None:
    bgr = screenshot_of(SIX)
    bgr[140 + 90 : 140 + 270, 12 + 60 : 12 + 300] = 30
    block = block_without_lines(lattice(bgr, 6))
    assert block is not None
    assert np.abs(block - ((1, 1.5), (5, 4.5))).max() <= 0.5


@pytest.mark.parametrize(
    ("rows", "cols"),
    [((0, 0), (0, 0)), ((-20, 120), (-12, 372)), ((5, 355), (5, 355)), ((62, 178), (62, 178))],
    ids=["nothing", "at an end", "nearly all", "a hole of two by two"],
)
def test_no_block_lies_inside(rows: tuple[int, int], cols: tuple[int, int]) -> None:
    bgr = screenshot_of(SIX)
    bgr[140 + rows[0] : 140 + rows[1], 12 + cols[0] : 12 + cols[1]] = 30
    assert block_without_lines(lattice(bgr, 6)) is None


def test_a_board_ends_where_its_lines_do() -> None:
    bgr = screenshot_of(SIX)
    bgr[140 + 90 : 140 + 270, 12 + 60 : 12 + 300] = 30
    frame = Frame.of_box(12 - 60, 140 - 120, 60, 60)
    wide = Lattice(Screenshot(bgr), 10, 8, (), frame, 60.0, "brightest")
    block = block_without_lines(wide, is_beyond=True)
    assert block is not None
    assert np.abs(block - ((2, 3.5), (6, 6.5))).max() <= 0.5
    assert block_without_lines(wide) is None


@pytest.mark.parametrize("seed", range(5))
def test_no_block_is_heavier(seed: int) -> None:
    table = np.random.default_rng(seed).normal(-0.2, 1, (5, 6))
    (top, left), (bottom, right) = heaviest_block(table)
    sums = [
        table[a:b, c:d].sum()
        for a in range(5)
        for b in range(a + 1, 6)
        for c in range(6)
        for d in range(c + 1, 7)
    ]
    assert table[top:bottom, left:right].sum() == pytest.approx(max(sums))


@pytest.mark.parametrize("hidden", [0, 1])
def test_the_cells_of_rows_below_a_window_are_counted(hidden: int) -> None:
    bgr = screenshot_of(FIVE, 60, (70, 140))
    bgr[140 + 183 : 140 + 183 + 55 * hidden] = 40
    seen = Lattice(Screenshot(bgr), 3, 5, (), Frame.of_box(70, 140, 60, 60), 60.0, "brightest")
    doubt = covered_doubt(with_more_rows(seen, 5))
    assert (doubt.cells if doubt else 0) == 5 * hidden


def test_a_row_at_the_edge_of_the_picture_is_not_covered() -> None:
    bgr = screenshot_of(SIX)[: 140 + 4 * 60 + 55]
    bgr[140 + 4 * 60 + 5 :] = 30
    seen = Lattice(Screenshot(bgr), 4, 6, (), Frame.of_box(12, 140, 60, 60), 60.0, "brightest")
    assert covered_doubt(with_more_rows(seen, 6)) is None
