"""What small misreading of a board with one solution a board without one may be.

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
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers.base import Limits, TimeIsUpError
from flowvision.solvers.reasons import parity_fault
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
            solution = None if parity_fault(changed) else _only_solution(changed, deadline)
            if solution:
                found.append(Repair(changed, solution, strands, text))
    except TimeIsUpError:
        return Repairs(tuple(found), False)
    return Repairs(tuple(found), True)


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
