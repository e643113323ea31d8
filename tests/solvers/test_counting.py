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
from tests.boards import SMALL_BOARDS, begun, random_dots
from tests.boards import count_solutions as count_by_brute_force
from tests.drawing import LEVEL_5X5, SEVERAL, UNSOLVABLE

boards_of_every_kind = pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))


def all_solutions(puzzle, rules):
    """Return every solution, by the engine that shares nothing with SAT."""
    return [step.solution for step in steps(puzzle, rules) if step.solution]


def test_a_search_without_guesses_gives_a_reason_for_every_step():
    assert {step.why for step in steps(parse(LEVEL_5X5).puzzle, "strict") if step.kind == "grow"} == {
        "the only way"
    }


def test_a_search_says_where_it_guesses_and_why_it_goes_back():
    found = list(steps(parse(SEVERAL).puzzle, "strict"))
    assert {step.why for step in found} == {
        "the only way",
        "every other way fails",
        "",
        "no way on",
        "every way on failed",
    }
    for before, step in pairwise(found):
        if step.kind == "back":
            assert (step.why == "every way on failed") == (before.kind == "back")


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 3))
def test_counts_agree_with_brute_force(board, seed, flows):
    puzzle = random_dots(board, seed, flows)
    strict, free = (count_by_brute_force(puzzle, is_strict) for is_strict in (True, False))
    number = strict or free
    assert count_solutions(puzzle, bound=10_000).number == number
    assert count_solutions(puzzle, bound=10_000, rules="free").number == free
    up_to_two = count_solutions(puzzle, bound=2)
    assert (up_to_two.number, up_to_two.complete) == (min(number, 2), number <= 2)


@boards_of_every_kind
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 500))
def test_what_is_common_is_in_every_solution(board, seed):
    puzzle, _ = random_puzzle(board, seed)
    solutions = all_solutions(puzzle, "strict") or all_solutions(puzzle, "free")
    flows_of_strands = [set(solution.flow_of.items()) for solution in solutions]
    assert set(common(puzzle).items()) == set.intersection(*flows_of_strands)


def test_nothing_is_common_to_no_solutions():
    assert common(parse(UNSOLVABLE).puzzle) is None


def test_the_time_for_what_is_common_is_limited():
    with pytest.raises(TimeIsUpError):
        common(parse(LEVEL_5X5).puzzle, seconds=-1)


def test_a_second_solution_differs_in_the_cells_named():
    outcome = solve(parse(SEVERAL).puzzle)
    named = set(differing_strands(outcome.solution, outcome.second))
    flow_of, second_flow_of = outcome.solution.flow_of, outcome.second.flow_of
    assert named >= {strand for strand in flow_of if flow_of[strand] != second_flow_of[strand]}
    assert named
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
    named = parse(text)
    outcome = solve(named.puzzle, board=named.board)
    assert isinstance(outcome, Unsolvable)
    assert reason in outcome.reason


@boards_of_every_kind
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**20), flows=st.integers(1, 4))
def test_a_reason_is_never_given_for_what_can_be_solved(board, seed, flows):
    maybe_solvable = random_dots(board, seed, flows)
    if reasons(maybe_solvable):
        assert count_by_brute_force(maybe_solvable, strict=False) == 0
    solvable, _ = random_puzzle(board, seed)
    assert reasons(solvable) == []


@pytest.mark.parametrize("seed", range(8))
def test_pipes_of_a_solution_stay(seed):
    puzzle, solution = random_puzzle(boards.square(5, 5), seed, colours=4)
    drawn = begun(solution, Random(seed))
    outcome, wrong = continued(puzzle, drawn, solve(puzzle))
    assert wrong == ()
    assert faults_in_solution(puzzle, outcome.solution) == []
    for answer in filter(None, (outcome.solution, outcome.second)):
        for path, edges in zip(answer.paths, drawn, strict=True):
            assert edges <= set(path.edges)


def drawn_over(named, letter, *places):
    """Return, by flow, the edges between these places, on which a pipe of one flow is drawn."""
    sides = {frozenset(map(named.board.lattice.places.index, pair)) for pair in pairwise(places)}
    edges = frozenset(n for n, edge in enumerate(named.board.graph.edges) if frozenset(edge) in sides)
    return [edges if other == letter else frozenset() for other in named.letters]


def test_a_pipe_off_the_only_solution_is_named():
    named = parse(LEVEL_5X5)
    drawn = drawn_over(named, "R", (0, 0), (0, 1))
    outcome, wrong = continued(named.puzzle, drawn, solve(named.puzzle))
    assert isinstance(outcome, Unsolvable)
    assert [named.letters[flow] for flow in wrong] == ["R"]


def test_pipes_of_another_solution_stay():
    named = parse(SEVERAL)
    known = solve(named.puzzle)
    for flow, path in enumerate(known.second.paths):
        drawn = [frozenset(path.edges if n == flow else ()) for n in range(len(named.letters))]
        outcome, _ = continued(named.puzzle, drawn, known)
        assert set(outcome.solution.paths[flow].edges) == set(path.edges)


def test_a_pipe_off_every_solution_is_named():
    named = parse(SEVERAL)
    known = solve(named.puzzle)
    red, blue = map(named.letters.index, "RB")
    drawn = drawn_over(named, "B", (2, 1), (2, 0), (3, 0), (3, 1))  # it boxes itself in
    drawn[red] = frozenset(known.second.paths[red].edges)
    assert known.solution.paths[red] != known.second.paths[red]
    outcome, wrong = continued(named.puzzle, drawn, known, seconds=600)
    assert isinstance(outcome, Unsolvable)
    assert wrong == (blue,)
