from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import TimeIsUpError, Unsolvable, solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.counting import common, continued, count_solutions, differing_strands
from flowvision.solvers.reasons import reasons
from tests import boards as counting
from tests.boards import SMALL_BOARDS, begun, random_dots
from tests.drawing import FIVE, NONE, SEVERAL

boards_of_every_kind = pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))


def all_solutions(puzzle, rules):
    """Every solution, by the engine that shares nothing with SAT."""
    return [step.solution for step in steps(puzzle, rules) if step.solution]


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 3))
def test_counts_agree_with_brute_force(board, seed, flows):
    puzzle = random_dots(board, seed, flows)
    true = counting.count_solutions(puzzle, True) or counting.count_solutions(puzzle, False)
    assert count_solutions(puzzle, 10_000).number == true
    assert count_solutions(puzzle, 10_000, rules="free").number == counting.count_solutions(puzzle, False)
    count = count_solutions(puzzle, 2)
    assert (count.number, count.complete) == (min(true, 2), true <= 2)


@boards_of_every_kind
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 500))
def test_what_is_common_is_in_every_solution(board, seed):
    puzzle, _ = random_puzzle(board, seed)
    found = all_solutions(puzzle, "strict") or all_solutions(puzzle, "free")
    flows = [set(one.flow_of.items()) for one in found]
    assert set(common(puzzle).items()) == set.intersection(*flows)


def test_nothing_is_common_to_no_solutions():
    assert common(parse(NONE).puzzle) is None
    with pytest.raises(TimeIsUpError):
        common(parse(FIVE).puzzle, -1)


def test_a_second_solution_differs_in_the_cells_named():
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
        ("A..\n..A\n...\n", "has 1 cell more of one colour, but paths between these dots would cover 0 more"),
        (".A.\nA..\n...\n", "1 cell more of one colour, but paths between these dots would cover -1 more"),
        ("A.A.\n....\n....\n", "has 0 cells more of one colour"),
    ],
)
def test_a_cheap_reason_is_given(text, reason):
    given = parse(text)
    outcome = solve(given.puzzle, board=given.board)
    assert isinstance(outcome, Unsolvable)
    assert reason in outcome.reason


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 4))
def test_a_reason_is_never_given_for_what_can_be_solved(board, seed, flows):
    puzzle = random_dots(board, seed, flows)
    if reasons(puzzle):
        assert counting.count_solutions(puzzle, False) == 0
    assert reasons(random_puzzle(board, seed)[0]) == []


@pytest.mark.parametrize("seed", range(8))
def test_pipes_of_a_solution_stay(seed):
    board = boards.square(5, 5)
    puzzle, solution = random_puzzle(board, seed, 4)
    drawn = begun(solution, Random(seed))
    known = solve(puzzle)
    found, wrong = continued(puzzle, drawn, known)
    assert faults_in_solution(puzzle, found.solution) == []
    answers = [found.solution] + ([found.second] if found.second else [])
    for answer in answers:
        for path, edges in zip(answer.paths, drawn, strict=True):
            assert edges <= set(path.edges)
    assert wrong == ()


def drawn_over(given, letter, *places):
    """Per flow, the edges between these places, which are drawn in one colour."""
    sides = {frozenset(map(given.board.lattice.places.index, pair)) for pair in pairwise(places)}
    edges = frozenset(n for n, edge in enumerate(given.board.graph.edges) if frozenset(edge) in sides)
    return [edges if other == letter else frozenset() for other in given.letters]


def test_a_pipe_off_the_only_solution_is_named():
    given = parse(FIVE)
    drawn = drawn_over(given, "R", (0, 0), (0, 1))
    found, wrong = continued(given.puzzle, drawn, solve(given.puzzle))
    assert isinstance(found, Unsolvable)
    assert [given.letters[flow] for flow in wrong] == ["R"]


def test_with_several_solutions_another_one_is_found():
    given = parse(SEVERAL)
    known = solve(given.puzzle)
    for flow, path in enumerate(known.second.paths):
        drawn = [frozenset(path.edges if n == flow else ()) for n in range(len(given.letters))]
        found, _ = continued(given.puzzle, drawn, known)
        assert set(path.edges) == set(found.solution.paths[flow].edges)
    drawn = drawn_over(given, "Y", (4, 0), (3, 0), (3, 1), (4, 1))  # it boxes itself in
    pairs = zip(given.letters, known.solution.paths, known.second.paths, strict=True)
    other = next(n for n, (letter, one, two) in enumerate(pairs) if letter != "Y" and one != two)
    drawn[other] = frozenset(known.second.paths[other].edges)
    found, wrong = continued(given.puzzle, drawn, known, 600)
    assert isinstance(found, Unsolvable)
    assert [given.letters[flow] for flow in wrong] == ["Y"]
