"""Short cycles and excluded corners, against a search of every way round and a walk along diagonals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations, product
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
from flowvision.solvers.cycles import corners_of, short_cycles, sides_between
from flowvision.solvers.encoding import clauses_of, template_of
from tests.boards import SMALL_BOARDS, check_engine, count_solutions, graphs, random_dots


@settings(deadline=None)
@given(graphs())
def test_every_short_cycle_is_found_once(graph: Graph) -> None:
    """Those of any three or four strands, by whichever of several edges between two of them."""
    between = [{n for n, pair in enumerate(graph.edges) if set(pair) == {u, v}} for u, v in _pairs(graph)]
    edges_of = dict(zip(map(frozenset, _pairs(graph)), between, strict=True))
    rounds = {
        frozenset(cycle)
        for length in (3, 4)
        for strands in permutations(range(graph.size), length)
        for cycle in product(*[edges_of[frozenset(side)] for side in pairwise((*strands, strands[0]))])
    }
    found = list(short_cycles(graph))
    assert sorted(map(sorted, found)) == sorted(map(sorted, rounds))
    assert all(_is_in_order(graph, cycle) for cycle in found)


def _pairs(graph: Graph) -> list[tuple[int, int]]:
    return [(u, v) for u in range(graph.size) for v in range(u)]


def _is_in_order(graph: Graph, cycle: tuple[int, ...]) -> bool:
    """Whether consecutive edges share an end, also the last and the first."""
    return all(set(graph.edges[a]) & set(graph.edges[b]) for a, b in pairwise((*cycle, cycle[0])))


def test_short_cycles_of_boards() -> None:
    """A 3 × 3 board has four squares; three hexagons in a corner share one triangle."""
    assert len(list(short_cycles(boards.square(3, 3).graph))) == 4
    assert [len(cycle) for cycle in short_cycles(boards.hexagonal(2, 2).graph)].count(3) == 2


@given(graphs())
def test_sides_are_those_between_two_strands(graph: Graph) -> None:
    """Each edge is under its two ends, the smaller first; an edge from a strand to itself is no side."""
    joined = sides_between(graph)
    assert all(u < v for u, v in joined)
    listed = {number: ends for ends, numbers in joined.items() for number in numbers}
    assert listed == {n: (min(e), max(e)) for n, e in enumerate(graph.edges) if e[0] != e[1]}


STRICT = 1_000


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 10**6))
def test_corners_on_diagonals_without_a_dot_cannot_be(rows: int, cols: int, seed: int) -> None:
    """Cells with dots need not be turned in."""
    random = Random(seed)
    places = [(r, c) for r in range(rows) for c in range(cols)]
    number = {place: n for n, place in enumerate(places)}
    dots = {place for place in places if random.random() < 0.2}
    graph = boards.square(rows, cols).graph
    edge_of = {frozenset(pair): n for n, pair in enumerate(graph.edges)}
    corners = corners_of(graph, short_cycles(graph), STRICT)
    found = list(corners.impossible({number[p] for p in dots}))
    walked = []
    for r, c in places:
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            diagonal = list(_diagonal((r, c), (down, right), set(places)))
            if not diagonal:
                continue
            *_, last = diagonal
            is_nook = last[0] in (0, rows - 1) and last[1] in (0, cols - 1)
            if dots.isdisjoint(diagonal[:-1]) and (is_nook or last not in dots):
                edges = [
                    edge_of[frozenset((number[r, c], number[p]))] for p in ((r + down, c), (r, c + right))
                ]
                walked.append((-STRICT, *sorted((~edge for edge in edges), reverse=True)))
    assert sorted(found) == sorted(walked)


def _diagonal(
    place: tuple[int, int], way: tuple[int, int], places: set[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The places beyond one, along a diagonal."""
    r, c = place[0] + way[0], place[1] + way[1]
    while (r, c) in places:
        yield r, c
        r, c = r + way[0], c + way[1]


@given(graphs())
def test_corners_of_any_graph(graph: Graph) -> None:
    """Whatever the graph, every clause is about two edges that meet, and the walk ends."""
    for strict, first, last in corners_of(graph, short_cycles(graph), STRICT).impossible(()):
        assert strict == -STRICT
        assert set(graph.edges[~first]) & set(graph.edges[~last])


MANY = 10_000


@pytest.fixture(autouse=True, scope="module")
def every_board_is_large() -> Iterator[None]:
    """So that the clauses are made on boards small enough to count every solution."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "LARGE", 0)
        template_of.cache_clear()
        yield
    template_of.cache_clear()


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), flows=st.integers(1, 4))
def test_answers_are_those_of_counting(board: boards.Board, seed: int, flows: int) -> None:
    """Dots anywhere: none, one or several solutions, strict and free."""
    check_engine(random_dots(board, seed, flows), "sat")


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), flows=st.integers(1, 4))
def test_strict_solutions_are_all_there(board: boards.Board, seed: int, flows: int) -> None:
    """Of random covers and of dots anywhere."""
    puzzle = random_dots(board, seed, flows) if seed % 2 else random_puzzle(board, seed)[0]
    assert count_by_clauses(puzzle, MANY, rules="strict") == Count(count_solutions(puzzle, True), True)


@settings(max_examples=40, deadline=None)
@given(graphs().filter(lambda graph: graph.size > 1))
def test_any_graph(graph: Graph) -> None:
    """Two strands may be joined by several edges: one of them is enough to pass no dot by."""
    puzzle = Puzzle(graph, ((0, graph.size - 1),))
    assert isinstance(solve(puzzle), Solved) == (count_solutions(puzzle, False) > 0)


def test_they_are_on_large_boards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none on a board with fewer strands."""
    puzzle = random_dots(SMALL_BOARDS["square"], 1, 2)
    template_of.cache_clear()
    assert clauses_of(puzzle).implied > 0
    template_of.cache_clear()
    monkeypatch.setattr(encoding, "LARGE", puzzle.graph.size + 1)
    assert clauses_of(puzzle).implied == 0
    template_of.cache_clear()


def test_they_are_counted_in_the_evidence() -> None:
    """All kinds of clauses together are all clauses."""
    puzzle = random_dots(SMALL_BOARDS["holes"], 3, 2)
    evidence = solve(puzzle).evidence
    assert evidence is not None
    formula = clauses_of(puzzle)
    assert sum(count for _, count in evidence.clauses) == len(formula.clauses)
    assert evidence.clauses[-1][1] == formula.implied
