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
from flowvision.puzzle.generate import random_puzzle
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.records import parse_record
from flowvision.puzzle.text import LETTERS, format_puzzle, parse
from flowvision.render.text import solved_text
from flowvision.solvers import GaveUp, Limits, Outcome, Solved, Unsolvable, solve

SEEDS = 200
"""Puzzles made before one with exactly one solution is given up: nearly every one has."""


@dataclass(frozen=True, slots=True)
class Named:
    """A puzzle and what to call it: its record's id, or its file."""

    name: str
    board: Board
    puzzle: Puzzle
    letters: tuple[str, ...]


def read_puzzles(source: str) -> Iterator[Named | tuple[str, FlowvisionError]]:
    """The puzzles of a file (``-``: standard input): one in text form, or JSON records, one a line.

    A line that is no puzzle comes as its name and error. Raises ``FlowvisionError`` when nothing can be read.
    """
    text = read_bytes(source).decode("utf-8", "replace")
    if not text.lstrip().startswith("{"):
        given = parse(text)
        yield Named("" if source == "-" else Path(source).name, given.board, given.puzzle, given.letters)
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = parse_record(line)
        except FlowvisionError as error:
            yield f"{source}:{number}", error
            continue
        count = len(record.puzzle.terminals)
        letters = tuple(LETTERS[n] if n < len(LETTERS) else "?" for n in range(count))
        yield Named(record.id, record.board, record.puzzle, letters)


def outcome_object(named: Named, outcome: Outcome) -> dict[str, Any]:
    """What ``flowvision puzzle --json`` prints for a puzzle."""
    status = {Solved: "solved", Unsolvable: "unsolvable", GaveUp: "gave-up"}[type(outcome)]
    made: dict[str, Any] = {"id": named.name, "status": status, "unique": None, "paths": []}
    if isinstance(outcome, Solved):
        made["unique"] = outcome.unique
        made["rules"] = outcome.rules
        made["paths"] = _paths(named.board, outcome.solution)
    made["seconds"] = round(outcome.seconds, 6)
    return made


def outcome_text(named: Named, outcome: Outcome) -> str:
    """The solved board as text, and what is known of other solutions.

    Raises ``UnsolvableError`` or ``GaveUpError`` when there is no solution to show.
    """
    if isinstance(outcome, Unsolvable):
        raise UnsolvableError("The puzzle has no solution.", "Check its dots, walls and holes.")
    if isinstance(outcome, GaveUp):
        raise GaveUpError(f"No answer: {outcome.reason}.")
    board = solved_text(named.board, named.puzzle, outcome.solution, named.letters)
    known = {
        True: "the only solution",
        False: "one of several solutions",
        None: "other solutions were not ruled out",
    }
    touching = "; a path touches itself" if outcome.rules == "free" else ""
    return f"{board}\n{known[outcome.unique]}{touching}, {1000 * outcome.seconds:.1f} ms"


def solve_named(named: Named, solver: str, seconds: float) -> Outcome:
    """The outcome of one puzzle."""
    return solve(named.puzzle, solver, Limits(seconds))


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
