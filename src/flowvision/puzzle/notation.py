"""Shared by the written forms: limits, comments, letters, and faults in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import LETTERS, Puzzle
from flowvision.words import Hint, listed, times

LARGEST = 250_000
"""Places of the largest board, far beyond any solver."""
SHOWN = 8
"""Faults in one message."""
FREE = "free"
"""The first line of a board without rows and columns."""


def check_size(rows: int, cols: int) -> None:
    """Raise ``PuzzleInvalidError`` if a board of this size exceeds the limits."""
    if min(rows, cols) < 1 or rows * cols > LARGEST:
        raise PuzzleInvalidError(f"The board has {rows} × {cols} places; 1 to {LARGEST:,} are allowed.")


def without_comment(raw: str) -> str:
    """Return a line without its comment; ``#`` without a space is a hole."""
    line = raw.split("//", maxsplit=1)[0].strip()
    return "" if line.startswith("# ") else line


def letters_or_raise(puzzle: Puzzle, letters: Sequence[str] | None, hint: str) -> Sequence[str]:
    """Return the letters of the flows, from A on if one of them is not known (``?``) or none are given.

    Raises ``PuzzleInvalidError`` with the hint if there are too few.
    """
    flows = len(puzzle.terminals)
    letters = LETTERS[:flows] if letters is None or "?" in letters else letters
    if len(letters) < flows:
        raise PuzzleInvalidError(f"{flows} flows, but only {len(letters)} letters.", hint)
    return letters


def open_sides(board: Board) -> list[tuple[int, int]]:
    """Return the open sides as pairs of cell numbers, rising. Raises ``PuzzleInvalidError`` for bridges."""
    if board.layout.bridges:
        raise PuzzleInvalidError("A board with bridges, but without rows and columns, has no written form.")
    return sorted((min(pair), max(pair)) for pair in board.graph.edges)


def dot_faults(marks: Iterable[tuple[str, str]]) -> list[str]:
    """Return the faults of dots; ``marks``: the name of every cell, and its mark."""
    places: dict[str, list[str]] = {}
    for where, mark in marks:
        if mark in LETTERS:
            places.setdefault(mark, []).append(where)
    if not places:
        return ["There are no dots."]
    faults = []
    for letter, dots in sorted(places.items()):
        if len(dots) != 2:
            faults.append(f"{letter} appears {times(len(dots))}, not twice: {shown(dots)}.")
    return faults


def shown(faults: Iterable[object]) -> str:
    """List the first ``SHOWN`` faults, and count the rest."""
    words = list(map(str, faults))
    return listed(words, SHOWN, "; " if any("," in word for word in words) else ", ")


def invalid_puzzle(faults: Sequence[str], hint: str | Hint | None = None) -> PuzzleInvalidError:
    """Return the error with the first of these faults, the number of others, and a hint."""
    sentences = list(faults[:SHOWN])
    if len(faults) > SHOWN:
        sentences.append(f"And {len(faults) - SHOWN} more.")
    return PuzzleInvalidError(" ".join(sentences), hint)
