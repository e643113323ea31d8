"""SAT agrees with counting, with published solutions, and keeps to its limit."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.check import touches_itself
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import GaveUp, Limits, Solved, Unsolvable, solve
from flowvision.solvers.encoding import short_cycles
from tests.puzzle.shapes import BOARDS
from tests.solvers.counting import count_solutions


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 4))
def test_sat_agrees_with_counting(board, seed, flows):
    """Dots at random, so that boards with none, one and several solutions occur, strict and free."""
    plain = [
        s for s in range(len(board.layout.cells)) if s not in board.layout.cell_of[len(board.layout.cells) :]
    ]
    dots = Random(seed).sample(plain, 2 * flows)
    puzzle = Puzzle(board.graph, tuple(zip(dots[::2], dots[1::2], strict=True)))
    strict, free = count_solutions(puzzle, True), count_solutions(puzzle, False)
    outcome = solve(puzzle)
    if free == 0:
        assert isinstance(outcome, Unsolvable)
        return
    assert isinstance(outcome, Solved)
    assert outcome.rules == ("strict" if strict else "free")
    assert outcome.unique is ((strict or free) == 1)
    assert (outcome.second is None) == outcome.unique
    touches = any(touches_itself(puzzle, path) for path in outcome.solution.paths)
    assert touches == (outcome.rules == "free")


def test_a_detached_loop_is_never_an_answer():
    """Degrees alone allow a ring in the four upper cells; there is no solution."""
    ring = Puzzle(boards.square(5, 2).graph, ((4, 6), (5, 7), (8, 9)))
    assert isinstance(solve(ring), Unsolvable)


def test_optional_strands_may_stay_free():
    """A board that need not be covered is solved without them."""
    graph = boards.square(1, 5).graph
    outcome = solve(Puzzle(graph, ((0, 2),), frozenset({3, 4})))
    assert isinstance(outcome, Solved)
    assert outcome.solution.paths[0].vertices == (0, 1, 2)
    assert isinstance(solve(Puzzle(graph, ((0, 2),))), Unsolvable)


def test_the_limit_ends_in_gave_up():
    """A board too hard for the time ends in words, with the process alive."""
    rows = "\n".join("." * 40 for _ in range(39))
    puzzle = parse(f"A{'.' * 38}A\n{rows}").puzzle
    outcome = solve(puzzle, limits=Limits(0.05))
    assert isinstance(outcome, GaveUp | Unsolvable)
    assert outcome.seconds < 20


def test_a_faulty_puzzle_is_refused():
    """Every fault in one message."""
    with pytest.raises(PuzzleInvalidError, match="2 dots"):
        solve(Puzzle(Graph(3, ((0, 1), (1, 2))), ((0, 0),)))


def test_short_cycles_are_found_once():
    """A 3 × 3 board has four squares; three hexagons in a corner share one triangle."""
    assert len(list(short_cycles(boards.square(3, 3).graph))) == 4
    assert [len(cycle) for cycle in short_cycles(boards.hexagonal(2, 2).graph)].count(3) == 2
