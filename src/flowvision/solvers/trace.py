"""From used edges to paths: what the edge-based engines share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flowvision.puzzle.model import Path, Puzzle, Solution


@dataclass(frozen=True, slots=True)
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
    graph = puzzle.graph
    left: list[list[int]] = [[] for _ in range(graph.size)]
    for edge in used:
        u, v = graph.edges[edge]
        left[u].append(edge)
        left[v].append(edge)

    def walk(start: int) -> Path:
        vertices, edges, here = [start], list[int](), start
        while left[here]:
            edge = left[here].pop()
            here = graph.other_end(edge, here)
            left[here].remove(edge)
            vertices.append(here)
            edges.append(edge)
            if here == start:
                break
        return Path(tuple(vertices), tuple(edges))

    paths = tuple(walk(start) for start, _ in puzzle.terminals)
    loops = tuple(walk(start) for start in range(graph.size) if left[start])
    return Trace(paths, loops)
