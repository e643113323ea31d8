"""What a board that was cut out of a fit says of itself agrees with itself, and with what was drawn."""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.vision.board import find_boards
from flowvision.vision.kinds.fit import BoardGeometry, Side
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from tests import seeing
from tests.seeing import SETTINGS

BOARDS = {
    "squares": boards.square(5, 6, [(0, 0), (2, 3)], [((1, 1), (1, 2)), ((3, 4), (4, 4))]),
    "hexagons": boards.hexagonal(5, 5, [(2, 2)], [((1, 1), (2, 1)), ((3, 3), (4, 3))]),
}


@pytest.fixture(params=BOARDS, scope="module")
def drawn(request: pytest.FixtureRequest) -> tuple[Board, BoardGeometry]:
    """A board and what is read of its screenshot."""
    board = BOARDS[request.param]
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], Style(), 2).screenshot
    if request.param == "squares":
        return board, seeing.sides_of(shot)
    return board, fit_hexagons(next(find_boards(shot, SETTINGS)), SETTINGS).cut_board(SETTINGS)


def shared_sides(board: Board) -> dict[tuple[float, float], frozenset[int]]:
    """The two cells beside every side that two cells share, by its middle."""
    owners: dict[tuple[float, float], list[int]] = defaultdict(list)
    for number, cell in enumerate(board.layout.cells):
        for (ax, ay), (bx, by) in cell.sides:
            owners[round((ax + bx) / 2, 3), round((ay + by) / 2, 3)].append(number)
    return {middle: frozenset(cells) for middle, cells in owners.items() if len(cells) == 2}


def measured_sides(sides: BoardGeometry) -> dict[tuple[float, float], Side]:
    """The sides that were measured, by their middles."""
    return {(round(side.middle[0], 3), round(side.middle[1], 3)): side for side in sides.sides}


def test_a_side_is_open_where_an_edge_crosses_it(drawn: tuple[Board, BoardGeometry]) -> None:
    """Every side that two cells share is measured, once; just those with a wall are closed."""
    board, sides = drawn
    shared, measured = shared_sides(board), measured_sides(sides)
    assert len(measured) == len(sides.sides)
    assert shared.keys() <= measured.keys()
    joined = set(map(frozenset, board.graph.edges))
    crossed = {middle for middle, cells in shared.items() if cells in joined}
    assert crossed == {middle for middle in shared if measured[middle].is_open}


def test_walls_are_stronger_than_lines(drawn: tuple[Board, BoardGeometry]) -> None:
    """The unit is a plain line, of the axis that has the stronger ones; walls are twice as strong."""
    board, sides = drawn
    measured = measured_sides(sides)
    inner = [measured[middle] for middle in shared_sides(board)]
    plain = [side.strength for side in inner if side.is_open]
    walls = [side.strength for side in inner if not side.is_open]
    assert 0.7 < np.median(plain) < 1.15
    assert len(walls) == 2
    assert min(walls) > 2 * max(plain)
    assert 0.9 < sides.clarity <= 1.0


def test_shapes_are_as_large_as_their_cells(drawn: tuple[Board, BoardGeometry]) -> None:
    """A symmetric matrix a cell; it makes a unit square as large as that is (by the shoelace formula)."""
    _, sides = drawn
    cells = sides.board.layout.cells
    assert sides.shapes.shape == (len(cells), 2, 2)
    assert np.array_equal(sides.shapes, np.swapaxes(sides.shapes, 1, 2))
    areas = [abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in cell.sides)) / 2 for cell in cells]
    assert np.linalg.det(sides.shapes) == pytest.approx(np.array(areas), rel=0.03)


def test_it_is_frozen_and_travels(drawn: tuple[Board, BoardGeometry]) -> None:
    """Errors that cross processes hold one; nobody changes what was seen."""
    _, sides = drawn
    with pytest.raises(FrozenInstanceError):
        sides.clarity = 0.0
    copy = pickle.loads(pickle.dumps(sides))
    assert (copy.board, copy.sides, copy.clarity) == (sides.board, sides.sides, sides.clarity)
    assert copy != sides, "two looks are two looks, however alike"


def test_a_side_is_a_plain_value() -> None:
    """Equal where all is equal, and told apart where it is not."""
    side = Side((1.0, 0.5), 1.1, True)
    assert side == Side((1.0, 0.5), 1.1, True)
    assert len({side, side._replace(is_open=False), side._replace(strength=3.0)}) == 3
