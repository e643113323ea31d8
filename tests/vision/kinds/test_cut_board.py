"""The board that is cut out of a fit has the cells and the walls that were drawn."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import THEMES
from flowvision.vision.board import find_boards, whole_picture
from flowvision.vision.kinds.circles.fit import CircleFit
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from tests import seeing
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS
from tests.vision.dots.copies import BLACK, copy_of

RING = [(2, 2), (2, 3), (3, 2), (3, 3)]
"""The middle of a board of six rows and columns."""
WALLS = [((0, 1), (0, 2)), ((4, 4), (5, 4)), ((1, 3), (1, 4)), ((4, 0), (5, 0))]
SQUARES = {
    "plain": boards.square(6, 6),
    "walls": boards.square(6, 6, (), WALLS),
    "corners": boards.square(6, 6, [(0, 0), (0, 1), (5, 5), (4, 5)], WALLS[2:]),
    "ring": boards.square(6, 6, RING, WALLS),
}
HEXAGONS = {
    "plain": boards.hexagonal(5, 5),
    "hole": boards.hexagonal(5, 5, [(2, 2)]),
    "walls": boards.hexagonal(5, 5, (), [((1, 1), (2, 1)), ((3, 3), (4, 3))]),
}


@pytest.mark.parametrize("style", [Style(), Style(THEMES["old"], quality=60), Style(THEMES["wide"], dim=0.7)])
@pytest.mark.parametrize("name", SQUARES)
def test_holes_and_walls_of_squares_are_read_back(name, style):
    """In several themes, after JPEG and while it fades in."""
    board = SQUARES[name]
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], style, 2).screenshot
    sides = seeing.sides_of(shot)
    assert sides.board.lattice == board.lattice
    assert walls_and_warps(sides.board, sides.board.lattice) == walls_and_warps(board, board.lattice)
    assert sides.clarity > SETTINGS.rims.clarity


@pytest.mark.parametrize("name", HEXAGONS)
def test_holes_and_walls_of_hexagons_are_read_back(name):
    """Every side that two cells share is measured once."""
    board = HEXAGONS[name]
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], Style(), 2).screenshot
    sides = fit_hexagons(next(find_boards(shot, SETTINGS)), SETTINGS).cut_board(SETTINGS)
    assert sides.board.lattice == board.lattice
    assert sides.board.graph == board.graph
    assert sum(side.is_open for side in sides.sides) == len(board.graph.edges)
    assert len({side.middle for side in sides.sides}) == len(sides.sides)


@pytest.mark.parametrize("light", [False, True])
def test_walls_between_dots_are_kept(light):
    """Bright ones on dark ground, and dark ones on a light one."""
    places = ((2, 0), (3, 3))
    bgr = copy_of(FIVE, 0.35, ground=BLACK, walls=places)
    sides = seeing.sides_of(Screenshot(255 - bgr if light else bgr))
    walls, _ = walls_and_warps(sides.board, sides.board.lattice)
    assert set(walls) == {((r, c), (r, c + 1)) for r, c in places}


def test_cells_found_one_by_one_are_the_cells_of_the_lattice():
    """Two ways of looking at one board see the same board."""
    region = next(find_boards(Screenshot(screenshot_of(FIVE)), SETTINGS))
    lattice, free = (
        next(seeing.fits_of(region)).cut_board(SETTINGS),
        fit_cells(region, SETTINGS).cut_board(SETTINGS),
    )
    assert free.board.lattice == lattice.board.lattice
    assert free.board.graph == lattice.board.graph
    assert all(side.is_open for side in free.sides)


def test_a_board_without_lines_has_no_walls():
    """Its cells are all there, and open to one another."""
    region = whole_picture(Screenshot(np.zeros((300, 400, 3), np.uint8)), SETTINGS.lines)
    fit = CircleFit(3, 4, Frame.of_box(0, 0, 100, 100), 100.0, 0.0, 1.0, 0.3, np.zeros((12, 3)), region)
    sides = fit.cut_board(SETTINGS)
    assert sides.board == boards.square(3, 4)
    assert sides.shapes.shape == (12, 2, 2)
    assert sides.sides == ()
