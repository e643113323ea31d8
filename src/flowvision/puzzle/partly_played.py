"""Puzzles partly played: the pipes drawn from dots, and the puzzle that is left when they stay."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from flowvision.puzzle.model import Graph, Path, Puzzle, Solution

Stumps = tuple[Path, Path]
"""Pipes from the two dots of a flow, each at least its dot; of a finished flow, its path and its last dot."""


class Rest(Struct, frozen=True):
    """The puzzle that is left, with dots at the heads of the pipes and without the cells that they cover.

    ``strands``, ``edges``, ``flows``: numbers in the whole puzzle; flows that are not finished.
    """

    puzzle: Puzzle
    strands: tuple[int, ...]
    edges: tuple[int, ...]
    flows: tuple[int, ...]


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


def rest_of(puzzle: Puzzle, stumps: Sequence[Stumps]) -> Rest:
    """Return the puzzle that is left to solve."""
    done = [first.vertices[-1] == second.vertices[0] for first, second in stumps]
    heads = {path.vertices[-1] for pair, end in zip(stumps, done, strict=True) if not end for path in pair}
    gone = {strand for pair in stumps for path in pair for strand in path.vertices} - heads
    strands = tuple(strand for strand in range(puzzle.graph.size) if strand not in gone)
    number = {strand: n for n, strand in enumerate(strands)}
    kept = [(n, edge) for n, edge in enumerate(puzzle.graph.edges) if gone.isdisjoint(edge)]
    flows = tuple(flow for flow, end in enumerate(done) if not end)
    left = Puzzle(
        Graph(len(strands), tuple((number[u], number[v]) for _, (u, v) in kept)),
        tuple((number[stumps[k][0].vertices[-1]], number[stumps[k][1].vertices[-1]]) for k in flows),
    )
    return Rest(left, strands, tuple(n for n, _ in kept), flows)


def drawn_solution(puzzle: Puzzle, stumps: Sequence[Stumps]) -> Solution | None:
    """Return the pipes as a solution if they join every pair and cover every cell."""
    if any(first.vertices[-1] != second.vertices[0] for first, second in stumps):
        return None
    covered = {strand for first, _ in stumps for strand in first.vertices}
    is_whole = len(covered) == puzzle.graph.size
    return Solution(tuple(first for first, _ in stumps)) if is_whole else None


def whole_solution(stumps: Sequence[Stumps], rest: Rest, found: Solution) -> Solution:
    """Join the drawn pipes and the paths between their heads."""
    between = dict(zip(rest.flows, found.paths, strict=True))
    paths = []
    for flow, (first, second) in enumerate(stumps):
        if flow not in between:
            paths.append(first)
            continue
        middle, end = between[flow], second.reversed
        if rest.strands[middle.vertices[0]] != first.vertices[-1]:
            middle = middle.reversed
        strands = [rest.strands[strand] for strand in middle.vertices]
        edges = [rest.edges[edge] for edge in middle.edges]
        vertices = (*first.vertices[:-1], *strands, *end.vertices[1:])
        paths.append(Path(vertices, (*first.edges, *edges, *end.edges)))
    return Solution(tuple(paths))


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
