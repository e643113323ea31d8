from collections import defaultdict

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.vision.board import find_boards
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from flowvision.vision.kinds.hexagonal.fit import HexagonFit
from tests import seeing
from tests.drawing import BLACK, FIVE, copy_of, outlines, screenshot_of
from tests.seeing import region_of
from tests.tools.synthetic import THEMES, Style, draw_screenshot

CELLS = np.array([[False, True, False], [True, True, True], [True, True, True]])


@pytest.mark.parametrize(("thick", "other"), [(1.0, 3.0), (3.0, 1.0)])
def test_a_lost_cell_is_a_gap_in_the_outline(thick, other):
    region, shape = region_of(np.zeros((8, 8, 3), np.uint8)), (*CELLS.shape, 6)
    fit = HexagonFit(
        CELLS, np.ones(shape), np.ones(shape, bool), region, frame=Frame.of_box(0, 0, 1, 1), pitch_px=1.0
    )
    fit.strength[fit.outer] = thick
    row, col, side = np.argwhere(fit.outer)[0]
    fit.strength[row, col, side] = other
    assert fit.gaps == pytest.approx(1 / fit.outer.sum())
    assert fit.quality == pytest.approx(1 - fit.gaps)


def test_cells_of_any_shape_are_surest_alone():
    bgr = np.pad(screenshot_of(FIVE), ((0, 0), (200, 200), (0, 0)))
    alone = fit_cells(region_of(bgr))
    cv2.line(bgr, (30, 20), (30, 560), (63, 109, 63), 2)
    beside = fit_cells(region_of(bgr))
    assert len(alone.centres) == len(beside.centres) == 25
    assert beside.explained < alone.explained <= 1
    assert beside.score < alone.score


def test_a_drawn_board_of_hexagons_is_sure():
    fit = fit_hexagons(region_of(outlines(boards.hexagonal(5, 5), Frame.of_box(30, 30, 60, 60))))
    assert fit.count == 25
    assert fit.score > 0.95


RING = [(2, 2), (2, 3), (3, 2), (3, 3)]
"""The middle of a board of six rows and columns."""
WALLS = [((0, 1), (0, 2)), ((4, 4), (5, 4)), ((1, 3), (1, 4)), ((4, 0), (5, 0))]
BOARDS = {
    "plain": boards.square(6, 6),
    "walls": boards.square(6, 6, (), WALLS),
    "corners": boards.square(6, 6, [(0, 0), (0, 1), (5, 5), (4, 5)], WALLS[2:]),
    "ring": boards.square(6, 6, RING, WALLS),
    "hexagons": boards.hexagonal(5, 5, [(2, 2)], [((1, 1), (2, 1)), ((3, 3), (4, 3))]),
}


def shared_sides(board: Board) -> dict[tuple[float, float], frozenset[int]]:
    """The two cells beside every side that two cells share, by its middle."""
    owners: dict[tuple[float, float], list[int]] = defaultdict(list)
    for number, cell in enumerate(board.layout.cells):
        for (ax, ay), (bx, by) in cell.sides:
            owners[round((ax + bx) / 2, 3), round((ay + by) / 2, 3)].append(number)
    return {middle: frozenset(cells) for middle, cells in owners.items() if len(cells) == 2}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("style", [Style(), Style(THEMES["old"], quality=60), Style(THEMES["wide"], dim=0.7)])
@pytest.mark.parametrize("name", BOARDS)
def test_holes_walls_and_open_sides_are_read_back(name: str, style: Style) -> None:
    board = BOARDS[name]
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], style, 2).screenshot
    is_hex = name == "hexagons"
    geometry = fit_hexagons(next(find_boards(shot))).cut_board() if is_hex else seeing.geometry_of(shot)
    assert geometry.board.lattice == board.lattice
    assert walls_and_warps(geometry.board, geometry.board.lattice) == walls_and_warps(board, board.lattice)
    assert 0.9 < geometry.clarity <= 1.0
    measured = {(round(side.middle[0], 3), round(side.middle[1], 3)): side for side in geometry.sides}
    joined, inner = set(map(frozenset, board.graph.edges)), shared_sides(board)
    assert len(measured) == len(geometry.sides)
    assert all(measured[middle].is_open == (cells in joined) for middle, cells in inner.items())
    plain, walls = (
        [measured[middle].strength for middle, cells in inner.items() if (cells in joined) == is_open]
        for is_open in (True, False)
    )
    assert 0.7 < np.median(plain) < 1.15
    assert min(walls, default=9) > 2 * max(plain)


@pytest.mark.parametrize("light", [False, True])
def test_walls_between_dots_are_kept(light):
    places = ((2, 0), (3, 3))
    bgr = copy_of(FIVE, 0.35, ground=BLACK, walls=places)
    geometry = seeing.geometry_of(Screenshot(255 - bgr if light else bgr))
    walls, _ = walls_and_warps(geometry.board, geometry.board.lattice)
    assert set(walls) == {((r, c), (r, c + 1)) for r, c in places}
