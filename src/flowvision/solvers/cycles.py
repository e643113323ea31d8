"""The short cycles of a graph: where three or four strands lie round a corner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from flowvision.puzzle.model import Graph

Cycle = tuple[int, ...]
"""The edges from strand to strand, and back to the first."""


def short_cycles(graph: Graph) -> Iterator[Cycle]:
    """The edge numbers of every cycle of three or four distinct strands, each once."""
    joined = sides_between(graph)
    near: list[set[int]] = [set() for _ in range(graph.size)]
    for u, v in joined:
        near[u].add(v)
        near[v].add(u)
    for a, around in enumerate(near):
        for b, d in combinations([n for n in around if n > a], 2):
            if d in near[b]:
                side = (b, d) if b < d else (d, b)
                yield from product(joined[a, b], joined[side], joined[a, d])
            for c in near[b] & near[d]:
                if c > a:
                    side, other = (b, c) if b < c else (c, b), (c, d) if c < d else (d, c)
                    yield from product(joined[a, b], joined[side], joined[other], joined[a, d])


def sides_between(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """The edges between every two neighbours, the smaller strand first; several on narrow warp boards."""
    joined: dict[tuple[int, int], list[int]] = {}
    for number, (u, v) in enumerate(graph.edges):
        if u != v:
            joined.setdefault((u, v) if u < v else (v, u), []).append(number)
    return joined
