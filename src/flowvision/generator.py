"""New puzzles with exactly one solution."""

from __future__ import annotations

import re

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.generate import random_puzzle
from flowvision.puzzle.layout import Board
from flowvision.puzzle.text import format_puzzle
from flowvision.solvers import Solved, solve

SEEDS = 200
"""Puzzles made before one with exactly one solution is given up: nearly every one has."""


def make_puzzle(size: str, colours: int | None, seed: int) -> str:
    """A random puzzle in text form, with exactly one solution and no path that touches itself.

    Raises ``PuzzleInvalidError`` for a size that is none, ``GaveUpError`` when none is found.
    """
    board = board_of(size)
    for attempt in range(SEEDS):
        puzzle, _ = random_puzzle(board, seed * SEEDS + attempt, colours)
        outcome = solve(puzzle)
        if isinstance(outcome, Solved) and outcome.unique and outcome.rules == "strict":
            return format_puzzle(board, puzzle)
    raise GaveUpError(
        f"None of {SEEDS} random puzzles of {size} has exactly one solution.",
        "Ask for more colours: boards with long paths have more solutions.",
    )


def board_of(size: str) -> Board:
    """A plain board of COLSxROWS, 3 to 40 of each. Raises ``PuzzleInvalidError``."""
    parts = re.fullmatch(r"(\d+)x(\d+)", size)
    cols, rows = (int(part) for part in parts.groups()) if parts else (0, 0)
    if not (3 <= cols <= 40 and 3 <= rows <= 40):
        raise PuzzleInvalidError(
            f"The size {size!r} is not COLSxROWS with 3 to 40 of each.", "Say, for instance, `--size 7x9`."
        )
    return boards.square(rows, cols)
