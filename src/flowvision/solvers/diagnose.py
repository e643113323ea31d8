"""Why a board cannot be solved, and what small misreading of a board with one solution it may be.

Published levels have exactly one solution in which no path touches itself, and a misread level hardly
ever has one. So the puzzles that differ from a reading by one dot one cell off, or by two dots swapped, and
that do have one, are few, and the true one is among them if the misreading was of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import dist
from time import perf_counter

from flowvision.puzzle.check import place_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Puzzle, Solution
from flowvision.solvers.base import Limits, TimeIsUpError
from flowvision.solvers.sat import SatSearch

NEXT_CELL = 1.25
"""In cell units: neighbours lie 1 apart on squares and 0.87 on hexagons, diagonals 1.41."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A puzzle near to the one that was read, with its only solution."""

    puzzle: Puzzle
    solution: Solution
    strands: tuple[int, ...]
    """The dots of the reading that it changes: one that is moved, or two that are swapped."""
    text: str
    """The change in words."""


@dataclass(frozen=True, slots=True)
class Repairs:
    """The repairs found, best first; ``complete`` is false when time was over before all were tried."""

    found: tuple[Repair, ...]
    complete: bool


def parity_fault(board: Board, puzzle: Puzzle) -> str | None:
    """Why the cells cannot be covered, by counting as on a chessboard; ``None`` when the count says nothing.

    A path between two dots of one shade covers one cell more of that shade, any other path as many of
    both. A dot read one cell off always breaks this. Boards that cannot be shaded in two have no count.
    """
    if puzzle.optional:
        return None
    for part in parts_of(puzzle.graph):
        shade = _shades(puzzle.graph, part[0])
        if shade is None:
            continue
        needed = sum(shade[strand] for strand in part)
        given = sum((shade[a] + shade[b]) // 2 for a, b in puzzle.terminals if a in shade and b in shade)
        if needed != given:
            return (
                f"shaded like a chessboard, the cells outnumber those of the other shade by {abs(needed)}, "
                f"but the dots make up for {given if needed >= 0 else -given}"
            )
    return None


def repairs(
    board: Board,
    puzzle: Puzzle,
    doubts: Mapping[int, float] | None = None,
    limits: Limits | None = None,
) -> Repairs:
    """Every puzzle one dot or one swap away that has exactly one solution without touching paths.

    ``doubts`` says of strands with dots how doubtful their reading is (any scale, larger is more); the
    most doubtful are tried and listed first. Without doubts moved dots come before swapped ones.
    """
    deadline = perf_counter() + (limits or Limits()).seconds
    weights = doubts or {}

    def doubt(change: tuple[Puzzle, tuple[int, ...], str]) -> float:
        return sum(weights.get(strand, 0.0) for strand in change[1]) / len(change[1])

    found = []
    changes = sorted([*_moves(board, puzzle), *_swaps(board, puzzle)], key=doubt, reverse=True)
    try:
        for changed, strands, text in changes:
            solution = None if parity_fault(board, changed) else _only_solution(changed, deadline)
            if solution:
                found.append(Repair(changed, solution, strands, text))
    except TimeIsUpError:
        return Repairs(tuple(found), False)
    return Repairs(tuple(found), True)


def parts_of(graph: Graph) -> list[list[int]]:
    """The strands of every connected part."""
    parts, seen = [], bytearray(graph.size)
    for start in range(graph.size):
        if seen[start]:
            continue
        part, seen[start] = [start], 1
        for strand in part:
            for edge in graph.incident[strand]:
                other = graph.other_end(edge, strand)
                if not seen[other]:
                    seen[other] = 1
                    part.append(other)
        parts.append(part)
    return parts


def _shades(graph: Graph, start: int) -> dict[int, int] | None:
    """+1 or -1 for every strand of a part, neighbours never alike; ``None`` where that cannot be."""
    shade, queue = {start: 1}, [start]
    for strand in queue:
        for edge in graph.incident[strand]:
            other = graph.other_end(edge, strand)
            if other not in shade:
                shade[other] = -shade[strand]
                queue.append(other)
            elif shade[other] == shade[strand]:
                return None
    return shade


def _moves(board: Board, puzzle: Puzzle) -> Iterator[tuple[Puzzle, tuple[int, ...], str]]:
    """Each dot to each free cell next to it, walls or not."""
    cells, cell_of = board.layout.cells, board.layout.cell_of
    taken = {dot for pair in puzzle.terminals for dot in pair} | set(cell_of[len(cells) :])
    for flow, pair in enumerate(puzzle.terminals):
        for end, dot in enumerate(pair):
            here = cells[cell_of[dot]].centre
            for cell in range(len(cells)):
                if cell in taken or dist(cells[cell].centre, here) > NEXT_CELL:
                    continue
                moved = (pair[0], cell) if end else (cell, pair[1])
                text = f"the dot read in {place_name(dot, board)} is in {place_name(cell, board)}"
                yield _with(puzzle, {flow: moved}), (dot,), text


def _swaps(board: Board, puzzle: Puzzle) -> Iterator[tuple[Puzzle, tuple[int, ...], str]]:
    """Each two flows with a dot exchanged: there are two other ways to pair four dots."""
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(puzzle.terminals), 2):
        for x, y, pairs in ((b, d, ((a, d), (c, b))), (b, c, ((a, c), (b, d)))):
            text = (
                f"the dots read in {place_name(x, board)} and {place_name(y, board)} have each other's colour"
            )
            yield _with(puzzle, {i: pairs[0], j: pairs[1]}), (x, y), text


def _with(puzzle: Puzzle, changed: Mapping[int, tuple[int, int]]) -> Puzzle:
    terminals = tuple(changed.get(flow, pair) for flow, pair in enumerate(puzzle.terminals))
    return Puzzle(puzzle.graph, terminals, puzzle.optional)


def _only_solution(puzzle: Puzzle, deadline: float) -> Solution | None:
    """The solution, if there is exactly one under the strict rules."""
    with SatSearch(puzzle, deadline) as search:
        first = search.next_solution("strict")
        if first is None:
            return None
        search.forbid(first)
        return None if search.next_solution("strict") else first.solution
