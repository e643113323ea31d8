import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from flowvision.vision.kinds.hexagonal.fit import HexagonFit
from tests import seeing
from tests.drawing import BLACK, LEVEL_5X5, LINE, clone_shot, outlines, screenshot_of
from tests.seeing import find_boards, region_of
from tests.tools.synthetic import THEMES, Style, draw_screenshot

CELLS = np.array([[False, True, False], [True, True, True], [True, True, True]])


@pytest.mark.parametrize(("usual", "other"), [(1.0, 3.0), (3.0, 1.0)])
def test_an_outer_side_of_another_strength_is_a_gap(usual, other):
    """There a cell was lost, or one was added."""
    region, shape = region_of(np.zeros((8, 8, 3), np.uint8)), (*CELLS.shape, 6)
    frame = Frame.of_box(0, 0, 1, 1)
    fit = HexagonFit(CELLS, np.ones(shape), np.ones(shape, bool), region, frame=frame, pitch_px=1.0)
    fit.strength[fit.outer] = usual
    row, col, side = np.argwhere(fit.outer)[0]
    fit.strength[row, col, side] = other
    assert fit.gaps == pytest.approx(1 / fit.outer.sum())
    assert fit.quality == pytest.approx(1 - fit.gaps)


def test_cells_of_any_shape_are_surest_alone():
    bgr = np.pad(screenshot_of(LEVEL_5X5), ((0, 0), (200, 200), (0, 0)))
    alone = fit_cells(region_of(bgr))
    cv2.line(bgr, (30, 20), (30, 560), LINE, 2)
    beside_a_line = fit_cells(region_of(bgr))
    assert len(alone.centres) == len(beside_a_line.centres) == 25
    assert beside_a_line.explained < alone.explained <= 1
    assert beside_a_line.score < alone.score


def test_a_drawn_board_of_hexagons_is_sure():
    fit = fit_hexagons(region_of(outlines(boards.hexagonal(5, 5), Frame.of_box(30, 30, 60, 60))))
    assert fit.count == 25
    assert fit.score > 0.95


RING = [(2, 2), (2, 3), (3, 2), (3, 3)]
"""The middle of a board of six rows and columns."""
WALLS = [((0, 1), (0, 2)), ((4, 4), (5, 4)), ((1, 3), (1, 4)), ((4, 0), (5, 0))]
BOARDS = {
    "plain": boards.square(6, 6),
    "walls": boards.square(6, 6, walls=WALLS),
    "corners": boards.square(6, 6, holes=[(0, 0), (0, 1), (5, 5), (4, 5)], walls=WALLS[2:]),
    "ring": boards.square(6, 6, holes=RING, walls=WALLS),
    "hexagons": boards.hexagonal(5, 5, holes=[(2, 2)], walls=[((1, 1), (2, 1)), ((3, 3), (4, 3))]),
}


def geometry_of(name: str, style: Style) -> BoardGeometry:
    shot = draw_screenshot(BOARDS[name], random_puzzle(BOARDS[name], seed=1)[0], style, seed=2).screenshot
    if name == "hexagons":
        return fit_hexagons(next(find_boards(shot))).cut_board()
    return seeing.geometry_of(shot)


STYLES = [Style(), Style(THEMES["old"], quality=60), Style(THEMES["wide"], dim=0.7)]


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BOARDS)
def test_holes_and_walls_are_read_back(name: str, style: Style) -> None:
    board, geometry = BOARDS[name], geometry_of(name, style)
    assert geometry.board.lattice == board.lattice
    assert walls_and_warps(geometry.board, geometry.board.lattice) == walls_and_warps(board, board.lattice)
    assert 0.9 < geometry.clarity <= 1.0


@pytest.mark.parametrize("is_light", [False, True])
def test_walls_between_dots_are_kept(is_light):
    left_of_walls = ((2, 0), (3, 3))
    bgr = clone_shot(LEVEL_5X5, dot=0.35, ground=BLACK, walls=left_of_walls)
    geometry = seeing.geometry_of(Screenshot(255 - bgr if is_light else bgr))
    walls, _ = walls_and_warps(geometry.board, geometry.board.lattice)
    assert set(walls) == {((r, c), (r, c + 1)) for r, c in left_of_walls}
