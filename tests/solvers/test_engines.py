"""Every engine passes the same suite: it agrees with counting, keeps the rules and its limit."""

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import ENGINES, GaveUp, Unsolvable, has_one_strict_solution, solve
from tests.boards import SMALL_BOARDS, random_dots, touches_itself
from tests.boards import count_solutions as count_by_brute_force
from tests.drawing import LEVEL_5X5, SEVERAL, TOUCHING, UNSOLVABLE

EXAMPLES = {"sat": 80, "search": 25}
"""Random puzzles per kind of board."""


def assert_engine_is_right(puzzle: Puzzle, engine: str) -> None:
    """Compare an engine with a count of all solutions, where no path touches itself, and where one may."""
    strict, free = (count_by_brute_force(puzzle, is_strict) for is_strict in (True, False))
    outcome = solve(puzzle, engine)
    if free == 0:
        assert isinstance(outcome, Unsolvable)
        return
    assert outcome.rules == ("strict" if strict else "free")
    assert outcome.unique is ((strict or free) == 1)
    assert (outcome.second is None) == outcome.unique
    assert outcome.second != outcome.solution
    touches = any(touches_itself(puzzle, path.vertices) for path in outcome.solution.paths)
    assert touches == (outcome.rules == "free")


@pytest.mark.sweep(at_landing=12)
@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_with_counting(engine, board):
    @settings(max_examples=EXAMPLES[engine], deadline=None)
    @given(seed=st.integers(0, 2**20), flows=st.integers(1, 4))
    def agrees(seed, flows):
        assert_engine_is_right(random_dots(board, seed, flows), engine)
        assert_engine_is_right(random_puzzle(board, seed)[0], engine)

    agrees()


@pytest.mark.parametrize("engine", ENGINES)
def test_free_graphs_agree_with_counting(engine):
    random = Random(5)
    for _ in range(4 * EXAMPLES[engine]):
        size = random.randint(4, 9)
        edges = tuple(tuple(random.sample(range(size), 2)) for _ in range(random.randint(size, 2 * size)))
        dots = random.sample(range(size), 2 * random.randint(1, 2))
        assert_engine_is_right(
            Puzzle(Graph(size, edges), tuple(zip(dots[::2], dots[1::2], strict=True))), engine
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_parallel_edges_agree_with_counting(engine):
    more_edges_than_strands = Graph(4, (*4 * ((0, 2),), (1, 3)))
    assert_engine_is_right(Puzzle(more_edges_than_strands, ((0, 2), (1, 3))), engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "unique", "rules"),
    [(LEVEL_5X5, True, "strict"), (SEVERAL, False, "strict"), (TOUCHING, False, "free")],
)
def test_known_boards_are_solved(engine, text, unique, rules):
    outcome = solve(parse(text).puzzle, engine)
    assert (outcome.unique, outcome.rules) == (unique, rules)
    assert has_one_strict_solution(outcome) == (unique and rules == "strict")
    unknown = replace(outcome, unique=None)
    assert not has_one_strict_solution(unknown)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_solution_is_proven(engine):
    ring = Puzzle(boards.square(5, 2).graph, ((4, 6), (5, 7), (8, 9)))
    for puzzle in (parse(UNSOLVABLE).puzzle, ring):
        assert isinstance(solve(puzzle, engine), Unsolvable)


def test_an_unknown_engine_is_an_error():
    with pytest.raises(KeyError):
        solve(parse(UNSOLVABLE).puzzle, "sat of another kind")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_limit_ends_in_gave_up(engine):
    puzzle = random_dots(boards.square(30, 30), seed=1, flows=20)
    began = process_time()
    outcome = solve(puzzle, engine, seconds=0.01)
    assert isinstance(outcome, GaveUp)
    assert outcome.reason.startswith("gave up after")
    assert process_time() - began < 60
