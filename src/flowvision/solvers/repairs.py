"""Cheap reasons why a puzzle has no solution, and small misreadings that explain it.

Cells are shaded like a chessboard: a path between two dots of one shade covers one cell more of that shade,
any other path as many of both. A dot read one cell off always breaks the count.

Published levels have exactly one strict solution; misread levels hardly ever do. Of the puzzles that differ
from a reading by one moved dot or one swap, few have one; the true puzzle is among them if that was the
misreading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, combinations
from math import dist
from time import perf_counter

from msgspec import Struct

from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.solvers import GaveUp, Solved, TimeIsUpError, has_one_strict_solution, solve_lazily
from flowvision.solvers.sat import SatSearch
from flowvision.words import count_of, listed


def reasons(puzzle: Puzzle, board: Board | None = None) -> list[str]:
    """Return every cheap reason, in words."""
    graph = puzzle.graph
    partner = {a: b for pair in puzzle.terminals for a, b in (pair, pair[::-1])}
    near = graph.neighbours()
    enclosed = [
        position_name(dot, board)
        for dot in sorted(partner)
        if all(other in partner and other != partner[dot] for other in near[dot])
    ]
    found = []
    if enclosed:
        subject, verb = ("dots", "have") if enclosed[1:] else ("dot", "has")
        found.append(f"the {subject} in {listed(enclosed)} {verb} no way out")
    found += [
        f"no path can pass {position_name(strand, board)}: it has {count_of(len(near[strand]), 'open side')}"
        for strand in range(graph.size)
        if strand not in partner and len(near[strand]) < 2
    ]
    shading = shading_of(graph)
    part_of = shading.part_of
    found += [
        f"the dots in {position_name(a, board)} and {position_name(b, board)} lie in regions that are not "
        "joined"
        for a, b in puzzle.terminals
        if part_of[a] != part_of[b]
    ]
    with_dots = {part_of[dot] for dot in partner}
    found += [
        f"the region of {count_of(len(part), 'cell')} around {position_name(part[0], board)} has no dots"
        for n, part in enumerate(shading.parts)
        if n not in with_dots
    ]
    parity = shading.fault(puzzle)
    return [*found, parity] if parity else found


class Shading(Struct, frozen=True):
    """The two shades of a graph: 1 or -1 per strand, neighbours never alike; 0 in a part where that fails.

    ``parts``: the strands of each connected part; ``part_of``: per strand, the number of its part.
    """

    parts: tuple[tuple[int, ...], ...]
    part_of: tuple[int, ...]
    shade: tuple[int, ...]

    def fault(self, puzzle: Puzzle) -> str | None:
        """Explain an uneven count; ``None`` where it is even, or unknown."""
        gains = [0] * len(self.parts)
        for a, b in puzzle.terminals:
            if self.part_of[a] == self.part_of[b]:
                gains[self.part_of[a]] += (self.shade[a] + self.shade[b]) // 2
        for part, covered in zip(self.parts, gains, strict=True):
            needed = sum(self.shade[strand] for strand in part)
            if needed != covered:
                sign = -1 if needed < 0 else 1
                return (
                    "coloured like a chessboard, the board has "
                    f"{count_of(sign * needed, 'cell')} more of one colour, but paths between these dots "
                    f"would cover {sign * covered:,} more of it"
                )
        return None


def shading_of(graph: Graph) -> Shading:
    """Shade every connected part of a graph."""
    parts: list[tuple[int, ...]] = []
    part_of, shade = [-1] * graph.size, [0] * graph.size
    for start in range(graph.size):
        if part_of[start] >= 0:
            continue
        part, is_two_coloured = [start], True
        part_of[start], shade[start] = len(parts), 1
        for strand in part:
            for edge in graph.incident[strand]:
                other = graph.other_end(edge, strand)
                if part_of[other] < 0:
                    part_of[other], shade[other] = len(parts), -shade[strand]
                    part.append(other)
                else:
                    is_two_coloured = is_two_coloured and shade[other] != shade[strand]
        if not is_two_coloured:
            for strand in part:
                shade[strand] = 0
        parts.append(tuple(part))
    return Shading(tuple(parts), tuple(part_of), tuple(shade))


class Change(Struct, frozen=True):
    """A dot of ``flow`` that was read on the strand ``read`` but belongs on the strand ``meant``."""

    flow: int
    read: int
    meant: int


class Repair(Struct, frozen=True):
    """A similar puzzle with its only solution; one change for a moved dot, two for swapped ones.

    ``text``: the change as a sentence.
    """

    puzzle: Puzzle
    outcome: Solved
    changes: tuple[Change, ...]
    text: str


class Repairs(Struct, frozen=True):
    """Repairs, best first; with ``complete`` false, time ran out."""

    found: tuple[Repair, ...]
    complete: bool


def repairs(
    board: Board, puzzle: Puzzle, doubts: Mapping[int, float] | None = None, seconds: float = 1.0
) -> Repairs:
    """Return the puzzles one dot or one swap away that have exactly one strict solution.

    ``doubts``: per dot, on any scale; changes of the most doubtful dots come first, then moves before swaps.
    Takes up to 0.3 s at 15 × 15.
    """
    deadline, found, is_complete = perf_counter() + seconds, list[Repair](), False
    with suppress(TimeIsUpError):
        for changes in _ranked(board, puzzle, doubts or {}, deadline):
            changed = _changed(puzzle, changes)
            if outcome := only_solution(changed, deadline):
                found.append(Repair(changed, outcome, changes, _sentence(changes, board)))
        is_complete = True
    return Repairs(tuple(found), is_complete)


def _ranked(
    board: Board, puzzle: Puzzle, doubts: Mapping[int, float], deadline: float
) -> list[tuple[Change, ...]]:
    """Return the changes after which cells of both shades can be covered, the most doubtful first."""
    shading = shading_of(puzzle.graph)
    possible = []
    for changes in chain(_moves(board, puzzle), _swaps(puzzle)):
        if perf_counter() > deadline:
            raise TimeIsUpError
        if not shading.fault(_changed(puzzle, changes)):
            possible.append(changes)

    def doubt(changes: tuple[Change, ...]) -> float:
        return sum(doubts.get(change.read, 0.0) for change in changes) / len(changes)

    return sorted(possible, key=doubt, reverse=True)


def _moves(board: Board, puzzle: Puzzle) -> Iterator[tuple[Change, ...]]:
    layout, dots = board.layout, puzzle.dots
    taken = dots.keys() | layout.bridges
    for dot, flow in dots.items():
        here = layout.cell_at(dot).centre
        for number, cell in enumerate(layout.cells):
            # Neighbours lie 1 apart (hexagons 0.87), diagonals 1.41.
            if number not in taken and dist(cell.centre, here) < 1.25:
                yield (Change(flow, dot, number),)


def _swaps(puzzle: Puzzle) -> Iterator[tuple[Change, ...]]:
    for (i, (_, b)), (j, (c, d)) in combinations(enumerate(puzzle.terminals), 2):
        for other in (d, c):
            yield (Change(i, b, other), Change(j, other, b))


def _changed(puzzle: Puzzle, changes: tuple[Change, ...]) -> Puzzle:
    terminals = list(puzzle.terminals)
    for change in changes:
        a, b = terminals[change.flow]
        terminals[change.flow] = (change.meant, b) if a == change.read else (a, change.meant)
    return Puzzle(puzzle.graph, tuple(terminals))


def _sentence(changes: tuple[Change, ...], board: Board) -> str:
    change = changes[0]
    read, meant = (position_name(strand, board) for strand in (change.read, change.meant))
    if len(changes) == 1:
        return f"The dot read in {read} may be in {meant}."
    return f"The dots in {read} and in {meant} may be swapped."


def only_solution(puzzle: Puzzle, deadline: float) -> Solved | None:
    """Return the solution if there is exactly one strict solution. Raises ``TimeIsUpError``."""
    outcome = solve_lazily(SatSearch, puzzle, deadline - perf_counter(), rules="strict")
    if isinstance(outcome, GaveUp) or (isinstance(outcome, Solved) and outcome.unique is None):
        raise TimeIsUpError
    return outcome if has_one_strict_solution(outcome) else None
