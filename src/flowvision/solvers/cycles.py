"""Short cycles of a graph, and the corners of paths that the strict rules exclude round them.

Under the strict rules a path that turns at a square, from its strand ``a`` to both neighbours, leaves the
other two edges of the square unused. So the opposite strand has only its other edges left: it holds a dot, or
a path turns there too, in the next square of the diagonal. A diagonal without a dot excludes the corner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, product

from msgspec import Struct

from flowvision.puzzle.model import Graph, Puzzle
from flowvision.solvers.base import Clock, no_clock, watched

Cycle = tuple[int, ...]
"""Edges from strand to strand, and back to the first."""


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
                side = (b, d) if b < d else (d, b)
                yield from product(joined[a, b], joined[side], joined[a, d])
            for c in near[b] & near[d]:
                if c > a:
                    side, other = (b, c) if b < c else (c, b), (c, d) if c < d else (d, c)
                    yield from product(joined[a, b], joined[side], joined[other], joined[a, d])


def sides_between(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """Return the edges between neighbours, the smaller strand first; narrow warp boards have several."""
    joined: dict[tuple[int, int], list[int]] = {}
    for number, (u, v) in enumerate(graph.edges):
        if u != v:
            joined.setdefault((u, v) if u < v else (v, u), []).append(number)
    return joined


class Corners(Struct, frozen=True):
    """Every way to turn at a square of a graph, by number.

    ``clauses``: each excludes a corner under the strict rules. ``strands``: where the path turns, -1 where
    more than four edges meet. ``outer``: the corner that implies this one unless a dot lies here, or -1.
    ``ends``: corners that leave the opposite strand too few edges, that strand, and the edges it has left.
    """

    clauses: tuple[tuple[int, int, int], ...]
    strands: tuple[int, ...]
    outer: tuple[int, ...]
    ends: tuple[tuple[int, int, int], ...]

    def impossible(self, dots: Collection[int]) -> Iterable[tuple[int, int, int]]:
        """Return the clauses against corners that lead to one without room."""
        ended = {*dots, -1}
        todo = [n for n, facing, left in self.ends if facing not in ended or (not left and facing in dots)]
        for corner in todo:
            yield self.clauses[corner]
            if self.strands[corner] not in ended and self.outer[corner] >= 0:
                todo.append(self.outer[corner])


def corners_of(graph: Graph, cycles: Iterable[Cycle], strict: int, check_clock: Clock = no_clock) -> Corners:
    """Return the corners of all cycles of four edges; ``strict``: the variable of the strict rules."""
    pairs: list[tuple[int, int]] = []
    for cycle in watched(cycles, check_clock):
        if len(cycle) == 4:
            a, b, c, d = cycle
            pairs += [(min(e, f), max(e, f)) for e, f in ((a, d), (a, b), (b, c), (c, d))]
    numbers = dict(zip(pairs, range(len(pairs)), strict=True))
    strands, outer, ends = [-1] * len(pairs), [-1] * len(pairs), list[tuple[int, int, int]]()
    # Of four corners round a square, the third faces the first, and the fourth the second: ``corner ^ 2``.
    for strand, edges in watched(enumerate(graph.incident), check_clock):
        if len(edges) == 4:
            e, f, g, h = edges
            for one, other in (((e, f), (g, h)), ((e, g), (f, h)), ((e, h), (f, g))):
                here, across = numbers.get(one, -1), numbers.get(other, -1)
                if here >= 0:
                    strands[here] = strand
                if across >= 0:
                    strands[across] = strand
                    if here >= 0:
                        outer[here], outer[across] = across ^ 2, here ^ 2
        elif len(edges) < 4:
            for pair in combinations(edges, 2):
                here = numbers.get(pair, -1)
                if here >= 0:
                    strands[here] = strand
                    ends.append((here ^ 2, strand, len(edges) - 2))
    clauses = tuple([(-strict, ~a, ~b) for a, b in pairs])
    return Corners(clauses, tuple(strands), tuple(outer), tuple(ends))


def implied_clauses(
    puzzle: Puzzle, corners: Corners, strict: int, bits: Sequence[Sequence[int]]
) -> Iterator[tuple[int, ...]]:
    """Yield clauses against corners without a dot on their diagonal, and paths beside their own dot."""
    graph, dots = puzzle.graph, puzzle.dots
    yield from corners.impossible(dots)
    for dot, flow in dots.items():
        between: dict[int, list[int]] = {}
        for edge in graph.incident[dot]:
            between.setdefault(graph.other_end(edge, dot), []).append(edge + 1)
        for strand, edges in between.items():
            if strand != dot:
                other = [-bit if flow >> place & 1 else bit for place, bit in enumerate(bits[strand])]
                yield (-strict, *edges, *other)
