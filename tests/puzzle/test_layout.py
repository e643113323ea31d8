from collections import Counter
from math import dist

import pytest

from flowvision.puzzle import boards


@pytest.mark.parametrize("tile", [boards.square, boards.hexagonal])
def test_neighbours_share_one_side_of_equal_length(tile) -> None:
    board = tile(4, 5)
    cells_beside = Counter(
        frozenset((round(x, 6), round(y, 6)) for x, y in side)
        for cell in board.layout.cells
        for side in cell.sides
    )
    assert set(cells_beside.values()) == {1, 2}
    assert sum(count == 2 for count in cells_beside.values()) == len(board.graph.edges)
    lengths = [dist(*side) for cell in board.layout.cells for side in cell.sides]
    assert min(lengths) == pytest.approx(max(lengths))


def test_bridges_are_the_cells_of_two_strands() -> None:
    middle = 4
    assert boards.square(3, 3, bridges=[(1, 1)]).layout.bridges == {middle}


@pytest.mark.parametrize(
    ("board", "cell", "directions"),
    [
        (boards.square(3, 3), 4, {"up", "right", "down", "left"}),
        (boards.square(3, 3, warps=[((0, 1), (2, 1))]), 1, {"up", "right", "down", "left"}),
        (boards.hexagonal(3, 3), 4, {"up", "up-right", "down-right", "down", "down-left", "up-left"}),
    ],
)
def test_edges_leave_a_cell_in_directions(board, cell: int, directions: set[str]) -> None:
    assert {board.direction_of(edge, cell) for edge in board.graph.incident[cell]} == directions


def test_a_direction_leads_to_the_cell_on_that_side() -> None:
    board = boards.square(3, 3)
    beside = {board.direction_of(edge, 4): board.graph.other_end(edge, 4) for edge in board.graph.incident[4]}
    assert beside == {"up": 1, "left": 3, "right": 5, "down": 7}
