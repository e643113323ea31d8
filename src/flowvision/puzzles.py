"""Puzzles without a picture: read from files, solved, said as objects; and new ones made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.files import read_bytes
from flowvision.puzzle import boards
from flowvision.puzzle.forms import Misfit, Named, puzzles_in
from flowvision.puzzle.generate import random_puzzle
from flowvision.puzzle.layout import Board
from flowvision.puzzle.text import format_puzzle
from flowvision.render.text import marked_text, solved_text
from flowvision.solvers import GaveUp, Limits, Outcome, Solved, Unsolvable, solve
from flowvision.solvers.answers import common, count_solutions, differing_strands
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.hints import flow_hint, next_steps

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


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """How to solve, and what to say."""

    solver: str = "sat"
    seconds: float = 30.0
    count: int | None = None
    """Count solutions up to this number, and say what they share."""
    hint: str | None = None
    """``next`` for the next steps, ``flow`` for one flow, or a flow's letter; in place of the solution."""


def report(item: Named | Misfit, options: PuzzleOptions) -> PuzzleReport:
    """Solve one puzzle and say what came of it; never raises an error about the puzzle itself."""
    if isinstance(item, Misfit):
        described = {"id": item.name, "status": "invalid", "reason": item.error.message}
        return PuzzleReport(item.name, described, error=item.error)
    try:
        outcome = solve(item.puzzle, options.solver, Limits(options.seconds), board=item.board)
    except PuzzleInvalidError as error:
        # What breaks the rules of a puzzle has no solution: the contract knows no fourth status.
        return PuzzleReport(item.name, _object(item, Unsolvable(0.0, error.message)), error=error)
    described = _object(item, outcome)
    if not isinstance(outcome, Solved):
        return PuzzleReport(item.name, described, error=_error(outcome))
    if options.hint:
        return _hinted(item, outcome, described, options.hint)
    text = _text(item, outcome)
    if options.count:
        counted, shown = _counted(item, options)
        return PuzzleReport(item.name, described | counted, f"{text}\n{shown}")
    return PuzzleReport(item.name, described, text)


def _object(named: Named, outcome: Outcome) -> dict[str, Any]:
    """What ``flowvision puzzle --json`` prints for a puzzle."""
    status = {Solved: "solved", Unsolvable: "unsolvable", GaveUp: "gave-up"}[type(outcome)]
    made: dict[str, Any] = {"id": named.name, "status": status, "unique": None, "paths": []}
    if isinstance(outcome, Solved):
        made["unique"] = outcome.unique
        made["paths"] = [_places(named, path.vertices) for path in outcome.solution.paths]
        made["rules"] = outcome.rules
        if outcome.second:
            made["differs"] = _places(named, differing_strands(outcome.solution, outcome.second))
    elif outcome.reason:
        made["reason"] = outcome.reason
    return made | {"seconds": round(outcome.seconds, 6)}


def _text(named: Named, outcome: Solved) -> str:
    """The solved board as text, and what is known of other solutions."""
    board = solved_text(named.board, named.puzzle, outcome.solution, named.letters)
    known = {
        True: "the only solution",
        False: "one of several solutions",
        None: "other solutions were not ruled out",
    }[outcome.unique]
    if outcome.second:
        known += f" (another differs in {len(differing_strands(outcome.solution, outcome.second))} cells)"
    touching = "; a path touches itself" if outcome.rules == "free" else ""
    return f"{board}\n{known}{touching}, {1000 * outcome.seconds:.1f} ms"


def _error(outcome: Unsolvable | GaveUp) -> FlowvisionError:
    if isinstance(outcome, GaveUp):
        return GaveUpError(f"No answer: {outcome.reason}.")
    why = f": {outcome.reason}." if outcome.reason else "."
    return UnsolvableError(f"The puzzle has no solution{why}", "Check its dots, walls and holes.")


def _counted(named: Named, options: PuzzleOptions) -> tuple[dict[str, Any], str]:
    """How many solutions there are, and the cells that are the same in all of them."""
    limits = Limits(options.seconds)
    count = count_solutions(named.puzzle, options.count or 1, limits)
    counted: dict[str, Any] = {"count": count.number, "count_complete": count.complete}
    number = f"{count.number} solution{'' if count.number == 1 else 's'}"
    shown = number if count.complete else f"at least {number}"
    if count.number < 2:
        return counted, shown
    try:
        shared = common(named.puzzle, limits)
    except TimeIsUpError:
        shared = None
    if shared is None or not shared.complete:
        return counted, f"{shown}; what they share was not found in time"
    counted["common"] = _places(named, sorted(shared.flow_of))
    return counted, f"{shown}; the same in all of them:\n{_marked(named, shared.flow_of, '?')}"


def _hinted(named: Named, outcome: Solved, described: dict[str, Any], kind: str) -> PuzzleReport:
    """Pieces of the solution in place of the whole."""
    if kind == "next":
        hint = next_steps(named.puzzle, outcome.solution)
    elif kind == "flow":
        hint = flow_hint(outcome.solution)
    elif kind in named.letters:
        hint = flow_hint(outcome.solution, named.letters.index(kind))
    else:
        error = PuzzleInvalidError(f"There is no flow {kind!r}.", f"Its flows are {' '.join(named.letters)}.")
        return PuzzleReport(named.name, described | {"paths": []}, error=error)
    edges = named.puzzle.graph.edges
    steps = [
        {"flow": flow, "cells": _places(named, edges[edge])}
        for edge, flow in zip(hint.edges, hint.flows, strict=True)
    ]
    flow_of = {dot: flow for flow, pair in enumerate(named.puzzle.terminals) for dot in pair}
    flow_of |= {s: flow for edge, flow in zip(hint.edges, hint.flows, strict=True) for s in edges[edge]}
    text = f"{_marked(named, flow_of, '.')}\n{hint.why}"
    return PuzzleReport(named.name, described | {"paths": [], "hint": steps, "why": hint.why}, text)


def _marked(named: Named, flow_of: Mapping[int, int], empty: str) -> str:
    """The board with the letters of these strands' flows."""
    cell_of, lattice = named.board.layout.cell_of, named.board.lattice
    marks = {cell_of[strand]: named.letters[flow] for strand, flow in flow_of.items()}
    if lattice is None:
        return " ".join(f"{cell}:{letter}" for cell, letter in sorted(marks.items()))
    return marked_text(lattice, marks, empty)


def _places(named: Named, strands: Iterable[int]) -> list[Any]:
    """Row and column of every strand's cell; its number where there are no rows."""
    cell_of, lattice = named.board.layout.cell_of, named.board.lattice
    return [cell_of[s] if lattice is None else list(lattice.places[cell_of[s]]) for s in strands]


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
