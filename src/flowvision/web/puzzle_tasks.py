"""Work on puzzles, done in the processes of ``workers/``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any

from flowvision.contract import cells_of, error_object, hint_object
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.puzzle_tools.report import PuzzleOptions, report
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import difficulty
from flowvision.solvers.hints import FlowNames, hint_of, words_of
from flowvision.web.queries import GeneratingQuery, Place, PuzzleQuery, checked, puzzle_in
from flowvision.web.written import PAGE, puzzle_object, puzzle_of

MAX_STEPS = 100_000
"""Steps of a search that is watched."""
MARGIN = 0.8
"""Share of a job's time that solvers get: the rest is for the answer, so that no process is killed."""
KINDS = {"grow": 0, "back": 1, "solved": 2}
Query = Mapping[str, str]


def solve_puzzle(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the object of ``flowvision puzzle --json``, with the puzzle as it was understood.

    ``count``: solutions to count; ``repair``: look for changes that leave exactly one.
    """
    text, wishes = puzzle_in(body, query)
    try:
        named = puzzle_of(text)
    except FlowvisionError as error:
        return error_object("", error) | {"error": PAGE.error_object(error)}
    limit = MARGIN * min(seconds, wishes.limit)
    result = report(named, PuzzleOptions(seconds=limit, count=wishes.count or None, repair=wishes.repair))
    described = result.described | {"puzzle": puzzle_object(named)}
    return described | ({"error": PAGE.error_object(result.error)} if result.error else {})


def solutions_of(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return up to ``count`` ``solutions``, each as paths; ``complete``: there are no more."""
    named, wishes = _valid(body, query)
    found: list[Any] = []
    try:
        for solution in solutions(named.puzzle, MARGIN * min(seconds, wishes.limit)):
            if len(found) == (wishes.count or 100):
                return {"solutions": found, "complete": False}
            found.append([cells_of(named.board, path.vertices) for path in solution.paths])
    except TimeIsUpError:
        return {"solutions": found, "complete": False}
    return {"solutions": found, "complete": True}


def hint_for(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the hint of a ``kind``, as for ``hint_of``, beside the steps known already.

    ``names``: of the flows' colours, in place of letters. Raises ``FlowvisionError`` without a solution.
    """
    text, wishes = puzzle_in(body, query)
    named, half = puzzle_of(text), MARGIN * min(seconds, wishes.limit) / 2
    outcome = solved(named, half)
    drawn = _edges_of(named, wishes.known)
    hint = hint_of(named.puzzle, outcome.solution, named.letters, wishes.kind, drawn, half)
    names = tuple(filter(None, wishes.names.split(",")))
    flows = FlowNames("?" * len(named.letters) if names else named.letters, names)
    words = words_of(hint, named.puzzle, named.board, flows)
    return hint_object(named.board, hint, words)


def search_steps(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the backtracking search up to its first solution, as three lists, and the effort of Minisat.

    ``kinds``: 0 a path grows, 1 it draws back, 2 solved.
    """
    named, wishes = _valid(body, query)
    half = MARGIN * min(seconds, wishes.limit) / 2
    end = perf_counter() + half
    ended = "no solution in which no path touches itself"
    kinds, flows, cells = list[int](), list[int](), list[int]()
    for step in steps(named.puzzle, "strict"):
        kinds.append(KINDS[step.kind])
        flows.append(step.flow)
        cells.append(named.board.layout.cell_of[step.strand])
        if step.solution or len(kinds) >= MAX_STEPS or perf_counter() > end:
            ended = "solved" if step.solution else "out of time"
            break
    return {"kinds": kinds, "flows": flows, "cells": cells, "ended": ended, "minisat": _effort(named, half)}


def generate(_: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return a puzzle with exactly one solution, and its difficulty if found in time."""
    wishes = checked(query, GeneratingQuery)
    limit = min(seconds, wishes.limit)
    end = perf_counter() + limit
    counts = {name: getattr(wishes, name) for name in ("holes", "walls", "bridges", "warps")}
    shape = shape_of(wishes.size, wishes.tiling, **counts)
    colours, level = wishes.colours or None, wishes.difficulty or None
    named, solution = new_puzzle(shape, wishes.seed, colours, level, limit * MARGIN)
    try:
        grade = difficulty(named.puzzle, solution, end - perf_counter()).grade
    except TimeIsUpError:
        grade = None
    return {"puzzle": puzzle_object(named), "difficulty": grade}


def _valid(body: bytes, query: Query) -> tuple[NamedPuzzle, PuzzleQuery]:
    text, wishes = puzzle_in(body, query)
    named = puzzle_of(text)
    if faults := faults_in_puzzle(named.puzzle, named.board):
        raise PuzzleInvalidError(" ".join(faults))
    return named, wishes


def solved(named: NamedPuzzle, seconds: float) -> Solved:
    """Return the outcome of a puzzle that has a solution. Raises ``FlowvisionError`` for others."""
    outcome = solve(named.puzzle, seconds=seconds, board=named.board)
    if isinstance(outcome, Solved):
        return outcome
    if isinstance(outcome, GaveUp):
        raise GaveUpError(f"No answer: {outcome.reason}.")
    why = f": {outcome.reason}." if outcome.reason else "."
    raise UnsolvableError(f"The puzzle has no solution{why}", "Check its dots, walls and holes.")


def _effort(named: NamedPuzzle, seconds: float) -> dict[str, Any]:
    outcome = solve(named.puzzle, seconds=seconds, prove_unique=False)
    if isinstance(outcome, GaveUp) or outcome.evidence is None:
        return {}
    decisions, conflicts = outcome.evidence.decisions, outcome.evidence.conflicts
    return {"decisions": decisions, "conflicts": conflicts, "seconds": round(outcome.seconds, 6)}


def _edges_of(named: NamedPuzzle, known: Iterable[tuple[Place, Place]]) -> set[int]:
    lattice, cell_of = named.board.lattice, named.board.layout.cell_of
    edges = {frozenset((cell_of[u], cell_of[v])): n for n, (u, v) in enumerate(named.puzzle.graph.edges)}
    number = {} if lattice is None else {place: cell for cell, place in enumerate(lattice.places)}
    try:
        return {
            edges[frozenset(number[at] if isinstance(at, tuple) else at for at in pair)] for pair in known
        }
    except KeyError:
        raise PuzzleInvalidError("A known step does not join two neighbouring cells of the board.") from None
