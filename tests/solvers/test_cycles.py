"""Short cycles, against a search that tries every way round."""

from __future__ import annotations

from itertools import pairwise, permutations, product

from hypothesis import given, settings

from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph
from flowvision.solvers.cycles import short_cycles, sides_between
from tests.solvers.graphs import graphs


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
