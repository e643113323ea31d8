"""Corners that cannot be, against a walk along the diagonals of a rectangle."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.model import Graph
from flowvision.solvers.corners import corners_of
from flowvision.solvers.cycles import short_cycles
from tests.solvers.graphs import graphs

STRICT = 1_000


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 10**6))
def test_corners_on_diagonals_without_a_dot_cannot_be(rows: int, cols: int, seed: int) -> None:
    """Some cells hold dots, some may stay free: neither of them has to be turned in."""
    random = Random(seed)
    places = [(r, c) for r in range(rows) for c in range(cols)]
    number = {place: n for n, place in enumerate(places)}
    dots = {place for place in places if random.random() < 0.2}
    optional = {place for place in places if random.random() < 0.1} - dots
    graph = boards.square(rows, cols).graph
    edge_of = {frozenset(pair): n for n, pair in enumerate(graph.edges)}
    corners = corners_of(graph, short_cycles(graph), STRICT)
    found = list(corners.impossible({number[p] for p in dots}, {number[p] for p in optional}))
    walked = []
    for r, c in places:
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            diagonal = list(_diagonal((r, c), (down, right), set(places)))
            if not diagonal or not optional.isdisjoint(diagonal):
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
    for strict, first, last in corners_of(graph, short_cycles(graph), STRICT).impossible((), ()):
        assert strict == -STRICT
        assert set(graph.edges[~first]) & set(graph.edges[~last])
