"""The puzzle as a graph: what solvers and the referee work on.

A vertex is a *strand*: one way through a cell. A plain cell has one strand, a bridge cell one for
each pair of opposite sides. An edge joins two strands across an open side; its number is its
identity, so two strands may be joined by several edges.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

LETTERS = "RBGYOCMNPWALTEIKDFHJQSUVXZabcdefghijklmnopqrstuvwxyz0123456789"
"""Letters of flows in the game's order; a puzzle with more flows has no text form."""

EMPTY, HOLE, BRIDGE = ".", "#", "+"
MARKS = LETTERS + EMPTY + HOLE + BRIDGE
"""Characters of a row of cells in text."""


def letters_for(count: int) -> tuple[str, ...]:
    """Return letters for the flows of a board, ``?`` when they run out."""
    return tuple(LETTERS[:count]) + ("?",) * (count - len(LETTERS))


class Graph(Struct, frozen=True):
    """``size`` strands numbered from 0, and the edges between them."""

    size: int
    edges: tuple[tuple[int, int], ...]
    incident: tuple[tuple[int, ...], ...] = ()
    """Per strand, the numbers of its edges, rising."""

    def __post_init__(self) -> None:
        incident: list[list[int]] = [[] for _ in range(self.size)]
        for number, (u, v) in enumerate(self.edges):
            incident[u].append(number)
            incident[v].append(number)
        force_setattr(self, "incident", tuple(map(tuple, incident)))

    def other_end(self, edge: int, strand: int) -> int:
        """Return the strand that ``edge`` joins to ``strand``."""
        u, v = self.edges[edge]
        return v if strand == u else u

    def neighbours(self) -> list[list[int]]:
        """Return, per strand, the other strands that edges join it to, rising."""
        neighbours = []
        for strand, edges in enumerate(self.incident):
            others = {self.other_end(edge, strand) for edge in edges}
            neighbours.append(sorted(others - {strand}))
        return neighbours


class Puzzle(Struct, frozen=True):
    """A graph and its pairs of dots, one pair a flow; every strand is to be covered."""

    graph: Graph
    terminals: tuple[tuple[int, int], ...]

    @property
    def dots(self) -> dict[int, int]:
        """Strands with dots, in order, and the flow of each."""
        return {dot: flow for flow, pair in enumerate(self.terminals) for dot in pair}


class Path(Struct, frozen=True):
    """A walk from dot to dot: its strands, and the edges between them."""

    vertices: tuple[int, ...]
    edges: tuple[int, ...]

    @property
    def ends(self) -> tuple[int, int]:
        """Strands of its two dots."""
        return self.vertices[0], self.vertices[-1]

    def part(self, start: int, end: int) -> Path:
        """Return the piece between two of its strands, counted from the first."""
        return Path(self.vertices[start : end + 1], self.edges[start:end])

    def runs(self, edges: Collection[int]) -> list[tuple[int, int]]:
        """Return the start and end, as of ``part``, of each run of its edges that are in ``edges``."""
        runs, start = [], 0
        for is_inside, run in groupby(self.edges, edges.__contains__):
            end = start + len(list(run))
            if is_inside:
                runs.append((start, end))
            start = end
        return runs

    def pieces(self, edges: Collection[int]) -> list[Path]:
        """Return the unbroken pieces that these of its edges form."""
        return [self.part(*run) for run in self.runs(edges)]


class Solution(Struct, frozen=True):
    """One path per flow, in the order of ``Puzzle.terminals``."""

    paths: tuple[Path, ...]

    @property
    def edges(self) -> frozenset[int]:
        """Edges of all paths."""
        return frozenset(edge for path in self.paths for edge in path.edges)

    @property
    def flow_of(self) -> dict[int, int]:
        """Flow of each covered strand."""
        return {strand: flow for flow, path in enumerate(self.paths) for strand in path.vertices}


DrawnEdges = Sequence[Collection[int]]
"""Per flow, the edges under its pipes in a picture."""
Stumps = tuple[Path, Path]
"""The pipes from the two dots of a flow, each at least the dot; if they meet, the path and its last dot."""


def drawn_starts(puzzle: Puzzle, drawn: DrawnEdges) -> tuple[Stumps, ...]:
    """Follow the pipes of every flow from its dots, each up to a dot, a loose end or a fork."""
    dots, graph = puzzle.dots, puzzle.graph

    def follow(start: int, edges: Collection[int]) -> Path:
        """Walk from a dot along these edges, while there is one way on."""
        vertices, passed_edges = [start], list[int]()
        while True:
            end = vertices[-1]
            edges_here = [edge for edge in graph.incident[end] if edge in edges]
            ways = [(edge, graph.other_end(edge, end)) for edge in edges_here]
            onward = [(edge, strand) for edge, strand in ways if strand not in vertices]
            is_at_goal = end in dots and len(vertices) > 1
            if is_at_goal or len(onward) != 1:
                return Path(tuple(vertices), tuple(passed_edges))
            ((edge, strand),) = onward
            passed_edges.append(edge)
            vertices.append(strand)

    stumps = []
    for (a, b), edges in zip(puzzle.terminals, drawn, strict=True):
        first = follow(a, edges)
        second = Path((b,), ()) if b in first.vertices else follow(b, edges)
        stumps.append((first, second))
    return tuple(stumps)


State: TypeAlias = Literal["empty", "started", "solved"]
"""``empty``: no pipe is on the board. ``started``: some are, right or wrong. ``solved``: they solve it."""


def state_of(puzzle: Puzzle, drawn: DrawnEdges) -> tuple[State, Solution | None]:
    """Return the state of a board, and the solution on it, whose paths may touch themselves."""
    if not any(drawn):
        return "empty", None
    stumps = drawn_starts(puzzle, drawn)
    covered = {strand for first, _ in stumps for strand in first.vertices}
    are_joined = all(first.ends == pair for (first, _), pair in zip(stumps, puzzle.terminals, strict=True))
    if not are_joined or len(covered) < puzzle.graph.size:
        return "started", None
    return "solved", Solution(tuple(first for first, _ in stumps))
