"""What small misreading of a board with one solution a board without one may be.

Published levels have exactly one solution in which no path touches itself, and a misread level hardly
ever has one. So the puzzles that differ from a reading by one dot one cell off, or by two dots swapped, and
that do have one, are few, and the true one is among them if the misreading was of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from math import dist
from time import perf_counter

from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import Limits, Solved
from flowvision.solvers.collector import CollectorPaused
from flowvision.solvers.deadline import TimeIsUpError
from flowvision.solvers.parity import shading_of
from flowvision.solvers.sat import SatSearch
from flowvision.value import value_type

NEXT_CELL = 1.25
"""In cell units: neighbours lie 1 apart on squares and 0.87 on hexagons, diagonals 1.41."""
QUICK = Limits(1.0)
"""Four times what the largest boards of the game take."""


@value_type
class Change:
    """Flow ``flow`` was read with a dot on strand ``read``; the dot lies on strand ``meant``."""

    flow: int
    read: int
    meant: int


@value_type
class Repair:
    """A puzzle near to the one that was read, with its only solution."""

    puzzle: Puzzle
    outcome: Solved
    changes: tuple[Change, ...]
    """One for a dot that is moved, two for dots that are swapped."""
    text: str
    """The change as a sentence."""


@value_type
class Repairs:
    """The repairs found, best first; ``complete`` is false when time was over before all were tried."""

    found: tuple[Repair, ...]
    complete: bool


def repairs(
    board: Board,
    puzzle: Puzzle,
    doubts: Mapping[int, float] | None = None,
    limits: Limits = QUICK,
) -> Repairs:
    """Every puzzle one dot or one swap away that has exactly one solution without touching paths.

    ``doubts`` says of strands with dots how doubtful their reading is (any scale, larger is more); the
    most doubtful are tried and listed first. Without doubts moved dots come before swapped ones. Takes up
    to 0.3 s at 15 × 15, and never much longer than the limit: then ``complete`` is false.
    """
    deadline = perf_counter() + limits.seconds
    found: list[Repair] = []
    try:
        with CollectorPaused():
            for changes in _ranked(board, puzzle, doubts or {}, deadline):
                changed = _changed(puzzle, changes)
                outcome = only_solution(changed, deadline)
                if outcome:
                    found.append(Repair(changed, outcome, changes, _sentence(changes, board)))
    except TimeIsUpError:
        return Repairs(tuple(found), False)
    return Repairs(tuple(found), True)


def _ranked(
    board: Board, puzzle: Puzzle, doubts: Mapping[int, float], deadline: float
) -> list[tuple[Change, ...]]:
    """The changes after which cells of both shades can be covered, the most doubtful dots first."""
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
    """Each dot to each free cell next to it, walls or not."""
    cells, cell_of = board.layout.cells, board.layout.cell_of
    taken = {dot for pair in puzzle.terminals for dot in pair} | set(cell_of[len(cells) :])
    for flow, pair in enumerate(puzzle.terminals):
        for dot in pair:
            here = cells[cell_of[dot]].centre
            for cell in range(len(cells)):
                if cell not in taken and dist(cells[cell].centre, here) < NEXT_CELL:
                    yield (Change(flow, dot, cell),)


def _swaps(puzzle: Puzzle) -> Iterator[tuple[Change, ...]]:
    """Each two flows with a dot exchanged: there are two other ways to pair four dots."""
    for (i, (_, b)), (j, (c, d)) in combinations(enumerate(puzzle.terminals), 2):
        for other in (d, c):
            yield (Change(i, b, other), Change(j, other, b))


def _changed(puzzle: Puzzle, changes: tuple[Change, ...]) -> Puzzle:
    terminals = list(puzzle.terminals)
    for change in changes:
        a, b = terminals[change.flow]
        terminals[change.flow] = (change.meant, b) if a == change.read else (a, change.meant)
    return Puzzle(puzzle.graph, tuple(terminals), puzzle.optional)


def _sentence(changes: tuple[Change, ...], board: Board) -> str:
    change = changes[0]
    read, meant = (position_name(strand, board) for strand in (change.read, change.meant))
    if len(changes) == 1:
        return f"The dot read in {read} may lie in {meant}."
    return f"The dots in {read} and in {meant} may have each other's colour."


def only_solution(puzzle: Puzzle, deadline: float) -> Solved | None:
    """The solution, if there is exactly one under the strict rules. Raises ``TimeIsUpError``."""
    began = perf_counter()
    with SatSearch(puzzle, deadline) as search:
        first = search.next_solution("strict")
        if first is None:
            return None
        search.forbid(first)
        if search.next_solution("strict"):
            return None
    return Solved(first.solution, perf_counter() - began, True, "strict")
