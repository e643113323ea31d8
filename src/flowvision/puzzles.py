"""Puzzles without a picture: read from files, solved, said as objects; and new ones made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.files import read_bytes
from flowvision.puzzle import boards
from flowvision.puzzle.forms import Misfit, Named, puzzles_in
from flowvision.puzzle.generate import random_puzzle
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.puzzle.text import format_puzzle
from flowvision.render.text import solved_text
from flowvision.solvers import GaveUp, Limits, Outcome, Solved, Unsolvable, solve

SEEDS = 200
"""Puzzles made before one with exactly one solution is given up: nearly every one has."""


def read_puzzles(source: str) -> Iterator[Named | Misfit]:
    """The puzzles of a file (``-``: standard input), in any written form.

    A line that is no puzzle comes as a ``Misfit``. Raises ``FlowvisionError`` when nothing can be read.
    """
    text = read_bytes(source).decode("utf-8", "replace")
    return puzzles_in(text, "" if source == "-" else Path(source).name)


@dataclass(frozen=True, slots=True)
class PuzzleReport:
    """What to say about one puzzle: the object of the contract, and text or an error."""

    name: str
    described: dict[str, Any]
    text: str = ""
    error: FlowvisionError | None = None


def report(item: Named | Misfit, solver: str, seconds: float) -> PuzzleReport:
    """Solve one puzzle and say what came of it; never raises a ``FlowvisionError``."""
    if isinstance(item, Misfit):
        described = {"id": item.name, "status": "invalid", "reason": item.error.message}
        return PuzzleReport(item.name, described, error=item.error)
    try:
        outcome = solve(item.puzzle, solver, Limits(seconds), board=item.board)
    except PuzzleInvalidError as error:
        # What breaks the rules of a puzzle has no solution: the contract knows no fourth status.
        described = _object(item, Unsolvable(0.0, error.message))
        return PuzzleReport(item.name, described, error=error)
    return PuzzleReport(item.name, _object(item, outcome), _text(item, outcome), _error(outcome))


def _object(named: Named, outcome: Outcome) -> dict[str, Any]:
    """What ``flowvision puzzle --json`` prints for a puzzle."""
    status = {Solved: "solved", Unsolvable: "unsolvable", GaveUp: "gave-up"}[type(outcome)]
    made: dict[str, Any] = {"id": named.name, "status": status, "unique": None, "paths": []}
    if isinstance(outcome, Solved):
        made |= {"unique": outcome.unique, "paths": _paths(named.board, outcome.solution)}
        made["rules"] = outcome.rules
    elif outcome.reason:
        made["reason"] = outcome.reason
    return made | {"seconds": round(outcome.seconds, 6)}


def _text(named: Named, outcome: Outcome) -> str:
    """The solved board as text, and what is known of other solutions."""
    if not isinstance(outcome, Solved):
        return ""
    board = solved_text(named.board, named.puzzle, outcome.solution, named.letters)
    known = {
        True: "the only solution",
        False: "one of several solutions",
        None: "other solutions were not ruled out",
    }
    touching = "; a path touches itself" if outcome.rules == "free" else ""
    return f"{board}\n{known[outcome.unique]}{touching}, {1000 * outcome.seconds:.1f} ms"


def _error(outcome: Outcome) -> FlowvisionError | None:
    if isinstance(outcome, Unsolvable):
        why = f": {outcome.reason}" if outcome.reason else "."
        return UnsolvableError(f"The puzzle has no solution{why}", "Check its dots, walls and holes.")
    if isinstance(outcome, GaveUp):
        return GaveUpError(f"No answer: {outcome.reason}.")
    return None


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


def line_of(made: dict[str, Any]) -> str:
    """One line of JSON."""
    return json.dumps(made, ensure_ascii=False)


def _paths(board: Board, solution: Solution) -> list[list[Any]]:
    cell_of, lattice = board.layout.cell_of, board.lattice
    return [
        [cell_of[s] if lattice is None else list(lattice.places[cell_of[s]]) for s in path.vertices]
        for path in solution.paths
    ]
