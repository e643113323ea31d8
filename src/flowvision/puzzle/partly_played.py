"""Puzzles partly played: the pipes drawn from dots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from flowvision.puzzle.model import Path, Puzzle, Solution

Stumps = tuple[Path, Path]
"""Pipes from the two dots of a flow, each at least its dot; of a finished flow, its path and its last dot."""


def drawn_starts(puzzle: Puzzle, drawn: Sequence[Collection[int]]) -> tuple[Stumps, ...]:
    """Follow the pipes of every flow from its dots; ``drawn``: per flow, the edges under its colour."""
    dots = puzzle.dots

    def follow(start: int, edges: Collection[int]) -> Path:
        vertices, used = [start], list[int]()
        while True:
            on = [edge for edge in puzzle.graph.incident[vertices[-1]] if edge in edges and edge not in used]
            onward = [(edge, puzzle.graph.other_end(edge, vertices[-1])) for edge in on]
            onward = [(edge, strand) for edge, strand in onward if strand not in vertices]
            if len(onward) != 1 or (len(vertices) > 1 and vertices[-1] in dots):
                return Path(tuple(vertices), tuple(used))
            used.append(onward[0][0])
            vertices.append(onward[0][1])

    made = []
    for (a, b), edges in zip(puzzle.terminals, drawn, strict=True):
        first = follow(a, edges)
        second = Path((b,), ()) if b in first.vertices else follow(b, edges)
        made.append((first, second))
    return tuple(made)


def drawn_solution(puzzle: Puzzle, stumps: Sequence[Stumps]) -> Solution | None:
    """Return the pipes as a solution if they join every pair and cover every cell."""
    if any(first.vertices[-1] != second.vertices[0] for first, second in stumps):
        return None
    covered = {strand for first, _ in stumps for strand in first.vertices}
    is_whole = len(covered) == puzzle.graph.size
    return Solution(tuple(first for first, _ in stumps)) if is_whole else None


State: TypeAlias = Literal["empty", "started", "solved"]
"""``empty``: no pipe is on the board. ``started``: some are, right or wrong. ``solved``: they solve it."""


def state_of(puzzle: Puzzle, drawn: Sequence[Collection[int]]) -> tuple[State, Solution | None]:
    """Return the state of a board, and the solution on it, whose paths may touch themselves.

    ``drawn``: per flow, the edges under its pipes.
    """
    if not any(drawn):
        return "empty", None
    solution = drawn_solution(puzzle, drawn_starts(puzzle, drawn))
    return ("solved", solution) if solution else ("started", None)
