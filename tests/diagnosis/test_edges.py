import warnings

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.diagnosis.cells import covered_cells
from flowvision.image.picture import Screenshot
from flowvision.vision.kinds.free.finding import fit_cells
from tests.drawing import FIVE, screenshot_of
from tests.seeing import dots_at, dots_on, geometry_of, region_of


def test_nothing_is_hidden_between_two_boards() -> None:
    board = screenshot_of("R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n")[140 - 45 : 140 + 300 + 45]
    assert solve_image(np.concatenate((board, board))).size == (6, 5)


def test_nothing_covers_a_board_full_of_dots() -> None:
    geometry = geometry_of(Screenshot(screenshot_of("RGBY\nYOMB\nCPWR\n")))
    dots = dots_on(geometry)
    assert len(dots.dots) == len(geometry.board.layout.cells)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not covered_cells(geometry, dots).outlines_px


@pytest.mark.parametrize(
    ("half_px", "grey", "covered"), [(25, 200, (12,)), (19, 200, ()), (25, 44, (12,)), (25, 30, ())]
)
def test_what_fills_a_cell_up_to_its_lines_covers_it(
    half_px: int, grey: int, covered: tuple[int, ...]
) -> None:
    """A cell is 60 px wide, an empty one black."""
    bgr = screenshot_of(FIVE)
    dots, (x, y) = dots_on(geometry_of(Screenshot(bgr.copy()))), (12 + 150, 140 + 150)
    bgr[y - half_px : y + half_px, x - half_px : x + half_px] = grey
    found = covered_cells(geometry_of(Screenshot(bgr)), dots)
    assert found.cells == covered
    assert found.block == (((2, 2), (2, 2)) if covered else ())


def test_cells_of_which_no_two_are_alike_have_no_rows() -> None:
    bgr, places = np.zeros((420, 420, 3), np.uint8), (50, 110, 210, 370)
    for at in places:
        cv2.line(bgr, (at, 50), (at, 370), (200, 200, 200), 4)
        cv2.line(bgr, (50, at), (370, at), (200, 200, 200), 4)
    geometry = fit_cells(region_of(bgr)).cut_board()
    assert len(geometry.board.layout.cells) == 9
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not covered_cells(geometry, dots_at((150.0, 350.0))).outlines_px
