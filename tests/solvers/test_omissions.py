"""The flow without which a board has exactly one solution is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowvision.puzzle import boards
from flowvision.solvers import Limits, has_one_strict_solution, solve
from flowvision.solvers.omissions import omissions
from tests.solvers.test_repairs import unique_puzzle

AMPLE = Limits(600.0)


@pytest.mark.parametrize("seed", range(4))
def test_those_are_found_that_solving_without_each_finds(seed):
    """A pair of dots more than a board with one solution has: among others, that pair is found."""
    board = boards.square(6, 6)
    puzzle = unique_puzzle(board, seed, 4)
    taken = {dot for pair in puzzle.terminals for dot in pair}
    free = [cell for cell in range(36) if cell not in taken]
    more = replace(puzzle, terminals=(*puzzle.terminals, (free[0], free[-1])))
    one_less = [
        replace(more, terminals=tuple(pair for pair in more.terminals if pair != left_out))
        for left_out in more.terminals
    ]
    expected = tuple(n for n, fewer in enumerate(one_less) if has_one_strict_solution(solve(fewer)))
    found = omissions(more, AMPLE)
    assert found.complete
    assert found.flows == expected
    assert len(puzzle.terminals) in found.flows


def test_the_limit_holds():
    """Without time nothing is found, and that is said."""
    assert not omissions(unique_puzzle(boards.square(6, 6), 1, 4), Limits(0.0)).complete


def test_the_only_flow_is_not_left_out():
    """A board without flows is none."""
    board = boards.square(2, 2)
    puzzle = replace(unique_puzzle(boards.square(6, 6), 1, 4), graph=board.graph, terminals=((0, 1),))
    assert omissions(puzzle, AMPLE).flows == ()
