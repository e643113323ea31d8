"""Small misreadings that explain a board without exactly one solution.

Published levels have exactly one solution in which no path touches itself, and a misread level hardly
ever has one. So the puzzles that differ from a reading by one dot one cell off, or by two dots swapped, and
that do have one, are few, and the true one is among them if the misreading was of that kind.

Where a button was taken for a dot, or a dot was missed and the wrong two were paired, the other flows are
right, and their board has a solution once the flow that should not be there is gone: ``omissions``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations
from math import dist
from time import perf_counter

from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import CollectorPaused, Limits, Solved, TimeIsUpError
from flowvision.solvers.reasons import shading_of
from flowvision.solvers.sat import SatSearch
from flowvision.value import value_type

NEXT_CELL = 1.25
"""Longest move of a dot, in cell units: neighbours lie 1 apart (hexagons 0.87), diagonals 1.41."""
REPAIR_LIMIT = Limits(1.0)
"""Four times the time of the game's largest boards."""
OMISSION_LIMIT = Limits(0.3)
"""Added to the time of a refusal; each flow takes a few milliseconds."""


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
    """The repairs found, best first; ``complete`` is false when the time ran out before all were tried."""

    found: tuple[Repair, ...]
    complete: bool


def repairs(
    board: Board, puzzle: Puzzle, doubts: Mapping[int, float] | None = None, limits: Limits = REPAIR_LIMIT
) -> Repairs:
    """Every puzzle one dot or one swap away that has exactly one solution without touching paths.

    ``doubts`` says of strands with dots how doubtful their reading is (any scale, larger is more); the
    most doubtful are tried and listed first. Without doubts moved dots come before swapped ones. Takes up
    to 0.3 s at 15 × 15, and never much longer than the limit: then ``complete`` is false.
    """
    deadline, found, is_complete = perf_counter() + limits.seconds, list[Repair](), False
    with suppress(TimeIsUpError), CollectorPaused():
        for changes in _ranked(board, puzzle, doubts or {}, deadline):
            changed = _changed(puzzle, changes)
            if outcome := only_solution(changed, deadline):
                found.append(Repair(changed, outcome, changes, _sentence(changes, board)))
        is_complete = True
    return Repairs(tuple(found), is_complete)


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
    layout, dots = board.layout, puzzle.dots
    taken = dots.keys() | layout.bridges
    for dot, flow in dots.items():
        here = layout.cell_at(dot).centre
        for number, cell in enumerate(layout.cells):
            if number not in taken and dist(cell.centre, here) < NEXT_CELL:
                yield (Change(flow, dot, number),)


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


@value_type
class Omissions:
    """The flows found, in order; ``complete`` is false when the time ran out before all were tried."""

    flows: tuple[int, ...]
    complete: bool


def omissions(puzzle: Puzzle, limits: Limits = OMISSION_LIMIT) -> Omissions:
    """Every flow without which the puzzle has exactly one solution in which no path touches itself."""
    deadline, found, is_complete = perf_counter() + limits.seconds, list[int](), False
    shading = shading_of(puzzle.graph)
    with suppress(TimeIsUpError), CollectorPaused():
        for flow in range(len(puzzle.terminals)):
            rest = puzzle.terminals[:flow] + puzzle.terminals[flow + 1 :]
            fewer = replace(puzzle, terminals=rest)
            if perf_counter() > deadline:
                raise TimeIsUpError
            if rest and not shading.fault(fewer) and only_solution(fewer, deadline):
                found.append(flow)
        is_complete = True
    return Omissions(tuple(found), is_complete)
