"""From used edges to paths: what the edge-based engines share."""

from __future__ import annotations

from collections.abc import Iterable

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.value import value_type


@value_type
class Trace:
    """The paths from dot to dot, and the loops that no dot lies on."""

    paths: tuple[Path, ...]
    loops: tuple[Path, ...]
    """Each as a path whose first strand comes again at the end."""

    @property
    def solution(self) -> Solution:
        """The paths alone."""
        return Solution(self.paths)


def trace(puzzle: Puzzle, used: Iterable[int]) -> Trace:
    """Follow the used edges, of which every dot has one and every other strand two or none."""
    edges, size = puzzle.graph.edges, puzzle.graph.size
    one, two = [-1] * size, [-1] * size
    for edge in used:
        for strand in edges[edge]:
            if one[strand] < 0:
                one[strand] = edge
            else:
                two[strand] = edge
    seen = bytearray(size)

    def walk(start: int) -> Path:
        vertices, along, here, edge = [start], list[int](), start, one[start]
        seen[start] = 1
        while edge >= 0:
            u, v = edges[edge]
            here = v if here == u else u
            vertices.append(here)
            along.append(edge)
            if here == start:
                break
            seen[here] = 1
            edge = two[here] if one[here] == edge else one[here]
        return Path(tuple(vertices), tuple(along))

    paths = tuple([walk(start) for start, _ in puzzle.terminals])
    loops = tuple([walk(start) for start in range(size) if one[start] >= 0 and not seen[start]])
    return Trace(paths, loops)


def touches_of(puzzle: Puzzle, paths: Iterable[Path]) -> list[tuple[int, ...]]:
    """Where paths touch themselves, at most one place of each: the edges from the one strand to the other.

    A path touches itself where two of its strands are neighbours and not consecutive.
    """
    size = puzzle.graph.size
    flow_of, place_of = [-1] * size, [0] * size
    along: list[tuple[int, ...]] = []
    for flow, path in enumerate(paths):
        along.append(path.edges)
        for place, strand in enumerate(path.vertices):
            flow_of[strand], place_of[strand] = flow, place
    found: dict[int, tuple[int, ...]] = {}
    for u, v in puzzle.graph.edges:
        flow = flow_of[u]
        if flow == flow_of[v] and not -1 <= place_of[u] - place_of[v] <= 1 and flow >= 0:
            first, last = sorted((place_of[u], place_of[v]))
            found.setdefault(flow, along[flow][first:last])
    return list(found.values())
