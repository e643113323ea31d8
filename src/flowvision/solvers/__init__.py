"""Puzzle in, outcome out: engines by name, and a referee for every answer."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.check import faults_in_puzzle, faults_in_solution
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import (
    SECONDS,
    GaveUp,
    Outcome,
    Rules,
    Solved,
    Unsolvable,
    has_one_strict_solution,
    solve_lazily,
)

ENGINES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "sat": ("sat", "SatSearch", {}),
    "search": ("backtracking", "StepSearch", {}),
    "cpsat": ("integer", "CpSearch", {"distances": False}),
    "cpsat-mtz": ("integer", "CpSearch", {"distances": True}),
    "milp": ("integer", "MilpSearch", {}),
}
"""Module, class and options of each engine; loaded when first used."""

__all__ = [
    "ENGINES", "GaveUp", "Outcome", "Rules", "Solved", "Unsolvable",
    "has_one_strict_solution", "solve",
]  # fmt: skip


def solve(
    puzzle: Puzzle,
    solver: str = "sat",
    seconds: float = SECONDS,
    prove_unique: bool = True,
    board: Board | None = None,
) -> Outcome:
    """Solve a puzzle with the engine of that name; with its ``board``, faults name rows and columns.

    Raises ``PuzzleInvalidError`` for an invalid puzzle, ``KeyError`` for an unknown engine, and
    ``AssertionError``, a bug, if an answer does not pass the referee.
    """
    if not isinstance(puzzle, Puzzle):
        given = type(puzzle).__name__
        raise TypeError(
            f"A Puzzle is solved here, not {given}: solve_image takes pictures, parse_puzzle text."
        )
    faults = faults_in_puzzle(puzzle, board)
    if faults:
        raise PuzzleInvalidError(" ".join(faults))
    module, search, options = ENGINES[solver]
    open_search = partial(getattr(import_module(f"flowvision.solvers.{module}"), search), **options)
    return refereed(puzzle, board, solver, solve_lazily(open_search, puzzle, seconds, prove_unique))


def refereed(puzzle: Puzzle, board: Board | None, solver: str, outcome: Outcome) -> Outcome:
    """Referee an outcome; add a cheap reason where there is no solution."""
    if isinstance(outcome, Unsolvable):
        from flowvision.solvers.reasons import reasons

        return replace(outcome, reason="; ".join(reasons(puzzle, board)))
    if isinstance(outcome, Solved):
        for solution in (outcome.solution, outcome.second):
            wrong = [] if solution is None else faults_in_solution(puzzle, solution)
            if wrong:
                raise AssertionError(f"The engine {solver} broke the rules: {' '.join(wrong)}")
    return outcome
