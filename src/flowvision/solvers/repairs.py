"""Small misreadings that explain why a puzzle has no solution.

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
from flowvision.puzzle.model import Puzzle
from flowvision.solvers import GaveUp, Solved, TimeIsUpError, has_one_strict_solution, solve_lazily
from flowvision.solvers.reasons import shading_of
from flowvision.solvers.sat import SatSearch


class Change(Struct, frozen=True):
    """A dot of ``flow`` that was read on the strand ``read`` but belongs on the strand ``meant``."""

    flow: int
    read: int
    meant: int


Changes = tuple[Change, ...]


class Repair(Struct, frozen=True):
    """A similar puzzle with its only solution; one change for a moved dot, two for swapped ones.

    ``text``: the change as a sentence.
    """

    puzzle: Puzzle
    outcome: Solved
    changes: Changes
    text: str


class Repairs(Struct, frozen=True):
    """Repairs, best first; with ``complete`` false, time ran out."""

    found: tuple[Repair, ...]
    complete: bool


def repairs(
    board: Board, puzzle: Puzzle, doubts: Mapping[int, float] | None = None, seconds: float = 1.0
) -> Repairs:
    """Return the puzzles one dot or one swap away that have exactly one strict solution.

    ``doubts``: per strand of a dot, on any scale; changes of the most doubtful dots come first, then moves
    before swaps. Takes up to 0.3 s at 15 × 15.
    """
    deadline, working, is_complete = perf_counter() + seconds, list[Repair](), False
    with suppress(TimeIsUpError):
        for changes in _ranked(board, puzzle, doubts or {}, deadline):
            changed = _changed(puzzle, changes)
            if outcome := only_solution(changed, deadline):
                working.append(Repair(changed, outcome, changes, _sentence(changes, board)))
        is_complete = True
    return Repairs(tuple(working), is_complete)


def _ranked(board: Board, puzzle: Puzzle, doubts: Mapping[int, float], deadline: float) -> list[Changes]:
    """Return the changes after which cells of both shades can be covered, the most doubtful first.

    ``doubts``: per strand of a dot; ``deadline``: of ``perf_counter``. Raises ``TimeIsUpError``.
    """
    shading = shading_of(puzzle.graph)
    possible = []
    for changes in chain(_moves(board, puzzle), _swaps(puzzle)):
        if perf_counter() > deadline:
            raise TimeIsUpError
        if not shading.fault(_changed(puzzle, changes)):
            possible.append(changes)

    def doubt(changes: Changes) -> float:
        """Return the mean doubt of the dots that change."""
        return sum(doubts.get(change.read, 0.0) for change in changes) / len(changes)

    return sorted(possible, key=doubt, reverse=True)


def _moves(board: Board, puzzle: Puzzle) -> Iterator[Changes]:
    """Yield each dot moved to each free neighbouring cell."""
    layout, dots = board.layout, puzzle.dots
    occupied = dots.keys() | layout.bridges
    for dot, flow in dots.items():
        centre = layout.cell_at(dot).centre
        for number, cell in enumerate(layout.cells):
            # Neighbours lie 1 apart (hexagons 0.87), diagonals 1.41.
            if number not in occupied and dist(cell.centre, centre) < 1.25:
                yield (Change(flow, dot, number),)


def _swaps(puzzle: Puzzle) -> Iterator[Changes]:
    """Yield each two dots of different flows swapped.

    The first dot of the first flow stays: to swap it makes the same pairs as to swap the other two dots.
    """
    for (flow, (_, dot)), (other_flow, pair) in combinations(enumerate(puzzle.terminals), 2):
        for other in reversed(pair):
            yield (Change(flow, dot, other), Change(other_flow, other, dot))


def _changed(puzzle: Puzzle, changes: Changes) -> Puzzle:
    """Return the puzzle with these changes."""
    terminals = list(puzzle.terminals)
    for change in changes:
        pair = terminals[change.flow]
        first, second = (change.meant if dot == change.read else dot for dot in pair)
        terminals[change.flow] = first, second
    return Puzzle(puzzle.graph, tuple(terminals))


def _sentence(changes: Changes, board: Board) -> str:
    """Return the repair in words: one dot elsewhere, or two dots swapped."""
    first, *others = changes
    read_place, meant_place = (position_name(strand, board) for strand in (first.read, first.meant))
    if not others:
        return f"The dot read in {read_place} may be in {meant_place}."
    return f"The dots in {read_place} and in {meant_place} may be swapped."


def only_solution(puzzle: Puzzle, deadline: float) -> Solved | None:
    """Return the solution if there is exactly one strict solution. Raises ``TimeIsUpError``.

    ``deadline``: of ``perf_counter``.
    """
    outcome = solve_lazily(SatSearch, puzzle, deadline - perf_counter(), rules="strict")
    if isinstance(outcome, GaveUp) or (isinstance(outcome, Solved) and outcome.unique is None):
        raise TimeIsUpError
    return outcome if has_one_strict_solution(outcome) else None
