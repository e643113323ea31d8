"""Clauses that guide the search change no answer and no count, on boards of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import Solved, encoding, solve
from flowvision.solvers.counting import Count
from flowvision.solvers.counting import count_solutions as count_by_clauses
from flowvision.solvers.encoding import clauses_of, template_of
from tests.puzzle.shapes import BOARDS
from tests.solvers.counting import check, count_solutions
from tests.solvers.graphs import graphs
from tests.solvers.random_puzzles import random_dots

MANY = 10_000


@pytest.fixture(autouse=True, scope="module")
def every_board_is_large() -> Iterator[None]:
    """So that the clauses are made on boards small enough to count every solution."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "LARGE", 0)
        template_of.cache_clear()
        yield
    template_of.cache_clear()


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), flows=st.integers(1, 4))
def test_answers_are_those_of_counting(board: boards.Board, seed: int, flows: int) -> None:
    """Dots anywhere: none, one or several solutions, strict and free."""
    check(random_dots(board, seed, flows), "sat")


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), flows=st.integers(1, 4))
def test_strict_solutions_are_all_there(board: boards.Board, seed: int, flows: int) -> None:
    """Of random covers, and with strands that may stay free, which may have any colour."""
    random = Random(seed)
    puzzle = random_dots(board, seed, flows) if seed % 2 else random_puzzle(board, seed)[0]
    dots = {dot for pair in puzzle.terminals for dot in pair}
    free = frozenset(n for n in range(board.graph.size) if random.random() < 0.3) - dots
    for optional in (frozenset[int](), free):
        given_puzzle = Puzzle(puzzle.graph, puzzle.terminals, optional)
        counted = count_by_clauses(given_puzzle, MANY, rules="strict")
        assert counted == Count(count_solutions(given_puzzle, True), True, "strict")


@settings(max_examples=100, deadline=None)
@given(graphs().filter(lambda graph: graph.size > 1))
def test_any_graph(graph: Graph) -> None:
    """Two strands may be joined by several edges: one of them is enough to pass no dot by."""
    puzzle = Puzzle(graph, ((0, graph.size - 1),))
    assert isinstance(solve(puzzle), Solved) == (count_solutions(puzzle, False) > 0)


def test_a_free_strand_beside_two_dots() -> None:
    """It has the colour of neither, though there are no others."""
    puzzle = Puzzle(Graph(5, ((0, 1), (2, 3), (0, 4), (4, 2))), ((0, 1), (2, 3)), frozenset({4}))
    outcome = solve(puzzle)
    assert isinstance(outcome, Solved)
    assert (outcome.rules, outcome.unique) == ("strict", True)


def test_they_are_on_large_boards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none on a board with fewer strands."""
    puzzle = random_dots(BOARDS["square"], 1, 2)
    template_of.cache_clear()
    assert clauses_of(puzzle).implied > 0
    template_of.cache_clear()
    monkeypatch.setattr(encoding, "LARGE", puzzle.graph.size + 1)
    assert clauses_of(puzzle).implied == 0
    template_of.cache_clear()


def test_they_are_counted_in_the_evidence() -> None:
    """All kinds of clauses together are all clauses."""
    puzzle = random_dots(BOARDS["holes"], 3, 2)
    evidence = solve(puzzle).evidence
    assert evidence is not None
    formula = clauses_of(puzzle)
    assert sum(count for _, count in evidence.clauses) == len(formula.clauses)
    assert evidence.clauses[-1][1] == formula.implied
