"""Counts, shared parts, reasons and hints, each against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import Limits, Unsolvable, solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.counting import common, count_solutions, differing_strands
from flowvision.solvers.hints import flow_hint
from flowvision.solvers.reasons import reasons
from tests import boards as counting
from tests.boards import SMALL_BOARDS, random_dots
from tests.drawing import FIVE, NONE, SEVERAL

boards_of_every_kind = pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))


def all_solutions(puzzle, rules):
    """Every solution, by the engine that shares nothing with SAT."""
    return [step.solution for step in steps(puzzle, rules) if step.solution]


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 3))
def test_counts_agree_with_brute_force(board, seed, flows):
    """Strict and free, and cut off at the bound."""
    puzzle = random_dots(board, seed, flows)
    for rules in ("strict", "free"):
        true = counting.count_solutions(puzzle, rules == "strict")
        assert count_solutions(puzzle, 10_000, rules=rules).number == true
        count = count_solutions(puzzle, 2, rules=rules)
        assert (count.number, count.complete) == (min(true, 2), true <= 2)


@boards_of_every_kind
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 500))
def test_what_is_common_is_in_every_solution(board, seed):
    """Exactly the covered strands that all solutions share."""
    puzzle, _ = random_puzzle(board, seed)
    found = all_solutions(puzzle, "strict") or all_solutions(puzzle, "free")
    flows = [set(one.flow_of.items()) for one in found]
    assert set(common(puzzle).items()) == set.intersection(*flows)


def test_nothing_is_common_to_no_solutions():
    """And the limit is an error before there is one."""
    assert common(parse(NONE).puzzle) is None
    with pytest.raises(TimeIsUpError):
        common(parse(FIVE).puzzle, Limits(-1))


def test_a_second_solution_differs_in_the_cells_named():
    """Elsewhere the two are the same."""
    outcome = solve(parse(SEVERAL).puzzle)
    strands = differing_strands(outcome.solution, outcome.second)
    one, other = outcome.solution.flow_of, outcome.second.flow_of
    assert {s for s in one if one[s] != other[s]} <= set(strands)
    assert strands
    assert differing_strands(outcome.solution, outcome.solution) == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ABA\nCDB\nCD.\n", "have no way out"),
        ("A..\n...\n..A\nwall 1,2/1,3\nwall 1,3/2,3\n", "no path can pass"),
        ("A.#A\n..#.\n", "regions that are not joined"),
        ("AA#..\n..#..\n", "has no dots"),
        (
            "A..\n..A\n...\n",
            "the board has 1 cell more of one colour, but paths between these dots would cover as many",
        ),
        (".A.\nA..\n...\n", "would cover 1 more of the other"),
        (
            "A.A.\n....\n....\n",
            "the board has as many cells of both colours, but paths between these dots would cover 1 more",
        ),
    ],
)
def test_a_cheap_reason_is_given(text, reason):
    """With the verdict, in words."""
    given = parse(text)
    outcome = solve(given.puzzle, board=given.board)
    assert isinstance(outcome, Unsolvable)
    assert reason in outcome.reason


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 4))
def test_a_reason_is_never_given_for_what_can_be_solved(board, seed, flows):
    """Reasons are proofs."""
    puzzle = random_dots(board, seed, flows)
    if reasons(puzzle):
        assert counting.count_solutions(puzzle, False) == 0
    assert reasons(random_puzzle(board, seed)[0]) == []


def test_one_flow_is_the_shortest_that_is_left():
    """Or the one asked for."""
    solution = solve(parse(FIVE).puzzle).solution
    lengths = [len(path.edges) for path in solution.paths]
    hint = flow_hint(solution)
    assert len(hint.edges) == min(lengths)
    assert flow_hint(solution, 3).edges == solution.paths[3].edges
    known = {edge for path in solution.paths for edge in path.edges}
    assert flow_hint(solution, known=known).edges == ()
