"""What the strict rules mean for corners: nested corners lead along a diagonal to a dot, or nowhere.

Where a path turns round a square, from its strand ``a`` to both neighbours, the other two edges of the
square are not used. So the strand opposite ``a`` has only its other edges left: it holds a dot, or a path
turns there as well, in the next square of the diagonal. Without a dot on the way to the end of the diagonal
there can be no corner. The clauses of a puzzle imply that, but to find it takes a search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

from flowvision.puzzle.model import Graph
from flowvision.solvers.cycles import Cycle
from flowvision.solvers.deadline import Clock, no_clock, watched
from flowvision.value import value_type

Pair = tuple[int, int]


@value_type
class Corners:
    """Every way to turn round a square of a graph, by number."""

    clauses: tuple[tuple[int, int, int], ...]
    """That there is no such corner while the strict rules are on."""
    strands: tuple[int, ...]
    """Where a path would turn; -1 where more than four edges meet."""
    outer: tuple[int, ...]
    """The corner that would imply this one, unless a dot lies here; -1 where there is none."""
    ends: tuple[tuple[int, int, int], ...]
    """Corners that leave the strand facing them too few edges, that strand, and how many it has left."""

    def impossible(self, dots: Collection[int], optional: Collection[int]) -> Iterable[tuple[int, int, int]]:
        """The clauses against corners that imply one for which there is no room."""
        ended = {*dots, *optional, -1}
        todo = [n for n, facing, left in self.ends if facing not in ended or (not left and facing in dots)]
        for corner in todo:
            yield self.clauses[corner]
            if self.strands[corner] not in ended and self.outer[corner] >= 0:
                todo.append(self.outer[corner])


def corners_of(graph: Graph, cycles: Iterable[Cycle], strict: int, check_clock: Clock = no_clock) -> Corners:
    """The corners round all cycles of four edges; ``strict``: the variable of the strict rules."""
    pairs: list[Pair] = []
    for cycle in watched(cycles, check_clock):
        if len(cycle) == 4:
            a, b, c, d = cycle
            pairs += (
                (a, d) if a < d else (d, a),
                (a, b) if a < b else (b, a),
                (b, c) if b < c else (c, b),
                (c, d) if c < d else (d, c),
            )
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
