"""Where the graph lies on paper."""

from __future__ import annotations

from collections import Counter
from math import dist

import pytest

from flowvision.puzzle import boards
from tests.boards import SMALL_BOARDS


@pytest.mark.parametrize("kind", SMALL_BOARDS)
def test_the_sides_of_a_cell_go_once_round_it(kind: str) -> None:
    """Each begins where the one before ended, at a corner, and the last ends where the first began."""
    for cell in SMALL_BOARDS[kind].layout.cells:
        assert [start for start, _ in cell.sides] == list(cell.outline)
        assert [end for _, end in cell.sides[:-1]] == [start for start, _ in cell.sides[1:]]
        assert cell.sides[-1][1] == cell.sides[0][0]


@pytest.mark.parametrize("tile", [boards.square, boards.hexagonal])
def test_neighbours_share_one_side_of_equal_length(tile) -> None:
    """As many sides are shared as the board has edges, and no side is shared by three."""
    board = tile(4, 5)
    owners = Counter(
        frozenset((round(x, 6), round(y, 6)) for x, y in side)
        for cell in board.layout.cells
        for side in cell.sides
    )
    assert set(owners.values()) == {1, 2}
    assert sum(count == 2 for count in owners.values()) == len(board.graph.edges)
    lengths = [dist(*side) for cell in board.layout.cells for side in cell.sides]
    assert min(lengths) == pytest.approx(max(lengths))
