from collections.abc import Iterator
from itertools import combinations, count, pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.solvers import TimeIsUpError, sat
from flowvision.solvers.sat import Clause, Watched, clauses_of, short_cycles, sides_between
from tests.boards import SMALL_BOARDS, random_dots


def by_hand(puzzle: Puzzle) -> list[Clause]:
    """Return every clause, rule by rule and strand by strand; in no order."""
    graph, bits = puzzle.graph, max(1, (len(puzzle.terminals) - 1).bit_length())
    strict = len(graph.edges) + 1
    colour = [[strict + 1 + strand * bits + bit for bit in range(bits)] for strand in range(graph.size)]
    dots = puzzle.dots
    clauses: list[Clause] = []
    for strand, edges in enumerate(graph.incident):
        used = [edge + 1 for edge in edges]
        if strand in dots:
            flow = dots[strand]
            clauses += [(bit if flow >> place & 1 else -bit,) for place, bit in enumerate(colour[strand])]
            clauses += [tuple(-edge for edge in two) for two in combinations(used, 2)] + [tuple(used)]
            continue
        clauses += [tuple(-edge for edge in three) for three in combinations(used, 3)]
        clauses += (
            [tuple(all_but_one) for all_but_one in combinations(used, len(used) - 1)]
            if len(used) > 1
            else [()]
        )
    for edge, (u, v) in enumerate(graph.edges):
        for p, q in zip(colour[u], colour[v], strict=True):
            clauses += [(-edge - 1, -p, q), (-edge - 1, p, -q)]
    for cycle in short_cycles(graph):
        for all_but_one in combinations(cycle, len(cycle) - 1):
            clauses.append((-strict, *[-edge - 1 for edge in all_but_one]))
    return clauses


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Make graphs of up to six strands, also with loops and with several edges between two strands."""
    size = draw(st.integers(1, 6))
    ends = st.integers(0, size - 1)
    return Graph(size, tuple(draw(st.lists(st.tuples(ends, ends), max_size=12))))


def as_sets(clauses: list[Clause]) -> list[list[int]]:
    return sorted(sorted(clause) for clause in clauses)


@settings(max_examples=60, deadline=None)
@given(graphs().filter(lambda graph: graph.size > 1))
def test_the_clauses_of_any_graph(graph: Graph) -> None:
    puzzle = Puzzle(graph, ((0, graph.size - 1),))
    _, clauses = clauses_of(puzzle)
    assert as_sets(clauses) == as_sets(by_hand(puzzle))


def test_a_large_graph_has_the_same_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_dots(SMALL_BOARDS["mixed"], seed=1, flows=2)
    _, usual = clauses_of(puzzle)
    monkeypatch.setattr(sat, "CACHED_EDGES", 0)
    _, uncached = clauses_of(puzzle)
    assert uncached == usual


def test_the_limit_holds_in_every_step() -> None:
    puzzle, never = Puzzle(boards.square(60, 60).graph, ((0, 1),)), 10**9
    looks = count()
    clauses_of(puzzle, ends_after(never, looks))
    total = next(looks)
    assert total > 50
    for last in (0, total // 2, total - 1):
        with pytest.raises(TimeIsUpError):
            clauses_of(puzzle, ends_after(last, count()))


def ends_after(last: int, looks: Iterator[int]) -> Watched:
    """Return what looks at the clock now and then, and raises after some looks."""

    def watched(items):
        for number, item in enumerate(items):
            if number % 64 == 0 and next(looks) >= last:
                raise TimeIsUpError
            yield item

    return watched


@settings(deadline=None)
@given(graphs())
def test_every_short_cycle_is_found_once_with_its_edges_in_order(graph: Graph) -> None:
    edges_of = {
        frozenset((u, v)): {n for n, pair in enumerate(graph.edges) if set(pair) == {u, v}}
        for u, v in combinations(range(graph.size), 2)
    }
    expected = {
        frozenset(cycle)
        for length in (3, 4)
        for strands in permutations(range(graph.size), length)
        for cycle in product(*[edges_of[frozenset(side)] for side in pairwise((*strands, strands[0]))])
    }
    cycles = list(short_cycles(graph))
    assert sorted(map(sorted, cycles)) == sorted(map(sorted, expected))
    for a, b in ((a, b) for cycle in cycles for a, b in pairwise((*cycle, cycle[0]))):
        assert set(graph.edges[a]) & set(graph.edges[b])


@given(graphs())
def test_sides_are_those_between_two_strands(graph: Graph) -> None:
    joined = sides_between(graph)
    assert all(u < v for u, v in joined)
    ends_of_edge = {edge: ends for ends, edges in joined.items() for edge in edges}
    assert ends_of_edge == {
        n: tuple(sorted(ends)) for n, ends in enumerate(graph.edges) if ends[0] != ends[1]
    }
