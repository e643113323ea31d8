"""What workers do with puzzles: every function here runs in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

from flowvision.contract import cells_of, hint_object, invalid_puzzle_object
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.formats import NamedPuzzle
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.puzzle_tools.report import PuzzleOptions, report
from flowvision.solvers import GaveUp, Limits, Solved, solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.base import Rules, TimeIsUpError
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import difficulty
from flowvision.solvers.hints import FlowNames, hint_of, words_of
from flowvision.solvers.sat import SatSearch
from flowvision.web.written import puzzle_object, puzzle_of

MOST_STEPS = 100_000
"""Steps of a search that is watched: twenty minutes at a hundred a second."""
MARGIN = 0.8
"""Share of a job's time that solvers get: the rest is for the answer, so that no process has to be ended."""
KINDS = {"grow": 0, "back": 1, "solved": 2}


def solve_puzzle(text: str, count: int, repair: bool, seconds: float) -> dict[str, Any]:
    """The object of ``flowvision puzzle --json``, with the puzzle itself as it was understood."""
    try:
        named = puzzle_of(text)
    except FlowvisionError as error:
        return invalid_puzzle_object("", error) | {"hint": error.command_words.hint}
    options = PuzzleOptions(seconds=seconds * MARGIN, count=count or None, repair=repair)
    made = report(named, options)
    described = made.described | {"puzzle": puzzle_object(named)}
    if made.error:
        words = made.error.command_words
        described["message"], described["hint"] = words.message, words.hint
    return described


def solutions_of(text: str, count: int, seconds: float) -> dict[str, Any]:
    """Up to so many ``solutions``, each as paths; ``complete``: there are no more."""
    named = puzzle_of(text)
    _check(named)
    found: list[Any] = []
    try:
        for _, solution in solutions(named.puzzle, Limits(seconds * MARGIN)):
            if len(found) == count:
                return {"solutions": found, "complete": False}
            found.append([cells_of(named.board, path.vertices) for path in solution.paths])
    except TimeIsUpError:
        return {"solutions": found, "complete": False}
    return {"solutions": found, "complete": True}


def hint_for(
    text: str, kind: str, known: Iterable[Any], names: Sequence[str], seconds: float
) -> dict[str, Any]:
    """The hint of a kind, as for ``hint_of``.

    ``known``: steps drawn already, pairs of cells. ``names``: of the flows' colours, in place of letters.
    Raises ``FlowvisionError`` without a solution.
    """
    named = puzzle_of(text)
    outcome = _solved(named, seconds * MARGIN / 2)
    drawn = _edges_of(named, known)
    hint = hint_of(named.puzzle, outcome.solution, named.letters, kind, drawn, Limits(seconds * MARGIN / 2))
    flows = FlowNames("?" * len(named.letters) if names else named.letters, names)
    words = words_of(hint, named.puzzle, named.board, flows)
    return hint_object(named.board, hint, words) | {"unique": outcome.unique}


def search_steps(text: str, seconds: float) -> dict[str, Any]:
    """The backtracking search up to its first solution, as three lists, and what Minisat did beside it.

    ``kinds``: 0 a path grows, 1 it draws back, 2 solved.
    """
    named = puzzle_of(text)
    _check(named)
    end = perf_counter() + seconds * MARGIN / 2
    rules: Rules = "strict"
    ended = "no solution in which no path touches itself"
    kinds, flows, cells = list[int](), list[int](), list[int]()
    for step in steps(named.puzzle, rules):
        kinds.append(KINDS[step.kind])
        flows.append(step.flow)
        cells.append(named.board.layout.cell_of[step.strand])
        if step.solution or len(kinds) >= MOST_STEPS or perf_counter() > end:
            ended = "solved" if step.solution else "out of time"
            break
    return {
        "kinds": kinds,
        "flows": flows,
        "cells": cells,
        "ended": ended,
        "minisat": _effort(named, seconds * MARGIN / 2),
    }


def generate(
    size: str, tiling: str, colours: int, seed: int, counts: dict[str, int], grade: str, seconds: float
) -> dict[str, Any]:
    """A puzzle with exactly one solution, and that; ``grade``: how hard it is to be, empty for any."""
    end = perf_counter() + seconds
    shape = shape_of(size, tiling, **counts)
    named, solution = new_puzzle(shape, seed, colours or None, grade or None, seconds * MARGIN)
    return {
        "puzzle": puzzle_object(named),
        "unique": True,
        "paths": [cells_of(named.board, path.vertices) for path in solution.paths],
        "difficulty": _grade(named, Solved(solution, 0.0, True, "strict"), end - perf_counter()),
    }


def _grade(named: NamedPuzzle, outcome: Solved, seconds: float) -> str | None:
    """How hard a puzzle is for a person; ``None`` where that takes too long to say."""
    try:
        return difficulty(named.puzzle, outcome.solution, Limits(seconds)).grade
    except TimeIsUpError:
        return None


def _check(named: NamedPuzzle) -> None:
    faults = faults_in_puzzle(named.puzzle, named.board)
    if faults:
        raise PuzzleInvalidError(" ".join(faults))


def _solved(named: NamedPuzzle, seconds: float) -> Solved:
    """The outcome of a puzzle that has a solution. Raises ``FlowvisionError`` for others."""
    outcome = solve(named.puzzle, limits=Limits(seconds), board=named.board)
    if isinstance(outcome, Solved):
        return outcome
    if isinstance(outcome, GaveUp):
        raise GaveUpError(f"No answer: {outcome.reason}.")
    why = f": {outcome.reason}." if outcome.reason else "."
    raise UnsolvableError(f"The puzzle has no solution{why}", "Check its dots, walls and holes.")


def _effort(named: NamedPuzzle, seconds: float) -> dict[str, Any]:
    """What Minisat needed for the first solution."""
    began = perf_counter()
    try:
        with SatSearch(named.puzzle, began + seconds) as search:
            found = search.next_solution("strict") or search.next_solution("free")
            made: dict[str, Any] = search.effort()
    except TimeIsUpError:
        return {}
    return made | {"solved": found is not None, "seconds": round(perf_counter() - began, 6)}


def _edges_of(named: NamedPuzzle, known: Iterable[Any]) -> set[int]:
    """The edges between these pairs of cells, of the flow's own strands. Raises ``PuzzleInvalidError``."""
    lattice, cell_of = named.board.lattice, named.board.layout.cell_of
    edge_of: dict[frozenset[int], int] = {
        frozenset((cell_of[u], cell_of[v])): edge for edge, (u, v) in enumerate(named.puzzle.graph.edges)
    }
    number = {} if lattice is None else {place: cell for cell, place in enumerate(lattice.places)}
    found = set()
    try:
        for pair in known:
            a, b = (cell if lattice is None else number[int(cell[0]), int(cell[1])] for cell in pair)
            found.add(edge_of[frozenset((a, b))])
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        raise PuzzleInvalidError("A known step does not join two neighbouring cells of the board.") from None
    return found
