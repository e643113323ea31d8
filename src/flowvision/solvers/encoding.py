"""A puzzle as clauses: Booleans for used edges, colours in binary on strands.

Variables: 1 … E for the edges, then one for the strict rules, then ``bits`` for every strand.
Clauses: a dot has exactly one used edge, any other strand two; a used edge makes the colour bits of its
ends equal. Under the strict rules at most two edges of a 4-cycle and one of a 3-cycle are used: a third would
bring a path back beside itself. These local rules make large boards easy.

The literal ``edge + 1`` means that an edge is used, ``~edge``, which is ``-(edge + 1)``, that it is not.

A template holds the clauses that depend on the graph alone; those of the last graphs are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Any

from msgspec import Struct

from flowvision.puzzle.model import Graph, Puzzle

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]
Cycle = tuple[int, ...]
"""Edges from strand to strand, and back to the first."""

Watched = Callable[[Iterable[Any]], Iterable[Any]]
"""Passes on the items of long loops, and may raise to end them; ``iter`` only passes them on."""

CACHED_EDGES = 2_000
"""Edges of the largest graph whose template is cached: larger ones take megabytes."""


class Template(Struct, frozen=True):
    """Clauses of a graph.

    ``strict``: the variable that switches the strict rules on. ``alike``: one colour at both ends of a used
    edge. ``passed``: per strand, the degree of a strand without a dot. ``bits``: per strand, the variables of
    its colour.
    """

    strict: int
    cycles: Clauses
    alike: Clauses
    passed: tuple[Clauses, ...]
    bits: tuple[tuple[int, ...], ...]


def clauses_of(puzzle: Puzzle, watched: Watched = iter) -> tuple[Template, list[Clause]]:
    """Return all clauses of a puzzle, the most restrictive first, so that the solver shortens later ones."""
    count = max(1, (len(puzzle.terminals) - 1).bit_length())
    if len(puzzle.graph.edges) <= CACHED_EDGES:
        template = template_of(puzzle.graph, count)
    else:
        template = _new_template(puzzle.graph, count, watched)
    roles = list(template.passed)
    clauses: list[Clause] = []
    for dot, flow in puzzle.dots.items():
        literals = [edge + 1 for edge in puzzle.graph.incident[dot]]
        roles[dot] = (*combinations([-x for x in literals], 2), tuple(literals))
        for place, bit in enumerate(template.bits[dot]):
            clauses.append((bit if flow >> place & 1 else -bit,))
    clauses += chain(chain.from_iterable(roles), template.cycles, template.alike)
    return template, clauses


def _new_template(graph: Graph, bit_count: int, watched: Watched = iter) -> Template:
    """Return the clauses of a graph for colours of this many bits."""
    strict = len(graph.edges) + 1
    first = strict + 1
    places = range(first, first + graph.size * bit_count, bit_count)
    bits = tuple(tuple(range(place, place + bit_count)) for place in places)
    cycles = [cycle_clauses(strict, cycle) for cycle in watched(short_cycles(graph))]
    alike = tuple(_alike(graph, bits, watched))
    passed = tuple([_two_of(edges) for edges in watched(graph.incident)])
    return Template(strict, tuple(chain.from_iterable(cycles)), alike, passed, bits)


template_of = lru_cache(maxsize=16)(_new_template)
"""The same, cached for the last graphs."""


def _alike(graph: Graph, bits: Sequence[tuple[int, ...]], watched: Watched) -> Iterator[Clause]:
    """Yield two clauses for every edge and bit: not 0 at one end and 1 at the other."""
    for edge, (u, v) in watched(enumerate(graph.edges)):
        for p, q in zip(bits[u], bits[v], strict=True):
            yield ~edge, -p, q
            yield ~edge, p, -q


def cycle_clauses(switch: int, cycle: Cycle) -> Clauses:
    """Allow at most two used edges of four, or one of three, while ``switch`` is true."""
    unused = [~edge for edge in cycle]
    too_many = combinations(unused, len(cycle) - 1)
    return tuple([(-switch, *chosen) for chosen in too_many])


def _two_of(edges: tuple[int, ...]) -> Clauses:
    """Require exactly two used edges: impossible where there are fewer."""
    if len(edges) < 2:
        return ((),)
    used, unused = [edge + 1 for edge in edges], [~edge for edge in edges]
    at_most, at_least = combinations(unused, 3), combinations(used, len(used) - 1)
    return (*at_most, *at_least)


def short_cycles(graph: Graph) -> Iterator[Cycle]:
    """Yield every cycle of three or four distinct strands once."""
    joined = sides_between(graph)
    near: list[set[int]] = [set() for _ in range(graph.size)]
    for u, v in joined:
        near[u].add(v)
        near[v].add(u)
    for a, around in enumerate(near):
        for b, d in combinations([n for n in around if n > a], 2):
            if d in near[b]:
                yield from product(joined[a, b], joined[_rising(b, d)], joined[a, d])
            for c in near[b] & near[d]:
                if c > a:
                    first, last = joined[a, b], joined[a, d]
                    yield from product(first, joined[_rising(b, c)], joined[_rising(c, d)], last)


def sides_between(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """Return the edges between neighbours, the smaller strand first; narrow warp boards have several."""
    joined: dict[tuple[int, int], list[int]] = {}
    for number, (u, v) in enumerate(graph.edges):
        if u != v:
            joined.setdefault(_rising(u, v), []).append(number)
    return joined


def _rising(u: int, v: int) -> tuple[int, int]:
    return (u, v) if u < v else (v, u)
