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
