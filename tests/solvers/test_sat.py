"""SAT: its cuts are sound, its limit holds; what all engines promise is in test_engines.py."""

from __future__ import annotations

from itertools import islice
from math import inf
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import GaveUp, Limits, Solved, Unsolvable, solve
from flowvision.solvers.lazy import Trace
from flowvision.solvers.sat import SatSearch
from flowvision.solvers.search import steps
from tests.solvers.random_puzzles import random_dots

ROOMY = {
    "square": boards.square(5, 5),
    "walls": boards.square(5, 4, walls=[((1, 1), (1, 2))]),
    "hex": boards.hexagonal(4, 4),
}
"""Boards on which paths can touch themselves further away than in a square."""


@pytest.mark.parametrize("board", ROOMY.values(), ids=list(ROOMY))
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000))
def test_a_cut_rules_out_what_touches_itself_and_no_strict_solution(board, seed):
    """Every clause is untrue of the answer it was made for, and true of the strict solution."""
    puzzle, strict = random_puzzle(board, seed, 2)
    free = islice((step.solution for step in steps(puzzle, "free") if step.solution), 20)
    with SatSearch(puzzle, inf) as search:
        for found in free:
            touching = Trace(found.paths, ())
            for cut in search.cuts(touching, "strict"):
                assert not holds(cut, touching.solution, search.strict)
                assert holds(cut, strict, search.strict)


def holds(clause, solution, strict):
    """Whether a clause is true of a solution under the strict rules."""
    true = {edge + 1 for path in solution.paths for edge in path.edges} | {strict}
    return any(literal in true if literal > 0 else -literal not in true for literal in clause)


def test_optional_strands_may_stay_free():
    """A board that need not be covered is solved without them."""
    graph = boards.square(1, 5).graph
    outcome = solve(Puzzle(graph, ((0, 2),), frozenset({3, 4})))
    assert isinstance(outcome, Solved)
    assert outcome.solution.paths[0].vertices == (0, 1, 2)
    assert isinstance(solve(Puzzle(graph, ((0, 2),))), Unsolvable)


def test_the_limit_holds_while_clauses_are_made():
    """On a board that takes far longer to write down than the limit."""
    puzzle = random_dots(boards.square(150, 150), 1, 200)
    began = process_time()
    assert isinstance(solve(puzzle, limits=Limits(0.01)), GaveUp)
    assert process_time() - began < 20  # of this process alone: machines are busy


def test_a_faulty_puzzle_is_refused():
    """Every fault in one message."""
    with pytest.raises(PuzzleInvalidError, match="2 dots"):
        solve(Puzzle(Graph(3, ((0, 1), (1, 2))), ((0, 0),)))
