"""Every written form of a puzzle: read, told apart by content, and written.

* our text form (``text.py``), and that of boards without rows and columns (``free_text.py``);
* JSON records (``records.py``), and the objects that ``flowvision read --json`` prints, one a line;
* the game's level lines (``levels.py``), one a line;
* bare grids: numbers or words with spaces between them, each twice, ``.``, ``-``, ``_`` or ``0`` for an empty
  cell, ``#`` for a hole; before a grid, or before each of several, its width and height may stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.puzzle import text as text_form
from flowvision.puzzle.free_text import FreeFields, build_free, format_free, is_free, parse_free
from flowvision.puzzle.layout import Board
from flowvision.puzzle.levels import format_level, looks_like_level, parse_level
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.records import (
    Record,
    RecordFields,
    build_record,
    fields_of,
    format_record,
    parse_record,
)
from flowvision.words import times

FORMS = ("text", "record", "level", "grid")
"""The forms that are written."""
EMPTY_WORDS = frozenset({".", "-", "_", "0"})
_SIZE = re.compile(r"(\d+)\s+(\d+)$")


@dataclass(frozen=True, slots=True)
class NamedPuzzle:
    """A puzzle, what to call it, and the letters to show its flows by (``?`` when they run out)."""

    name: str
    board: Board
    puzzle: Puzzle
    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvalidPuzzle:
    """A line that should be a puzzle and is none, and why."""

    name: str
    error: FlowvisionError


def puzzles_in(text: str, name: str = "") -> Iterator[NamedPuzzle | InvalidPuzzle]:
    """Every puzzle of a text, in order; those without a name of their own are called ``name``.

    Raises ``PuzzleInvalidError`` when a text that holds a single puzzle does not hold one.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    first = lines[0][1] if lines else ""
    if is_free([line for _, line in lines]):
        free = parse_free(text)
        yield NamedPuzzle(name, free.board, free.puzzle, free.letters)
        return
    if first.startswith("{"):
        yield from _each(lines, name, _of_json)
    elif looks_like_level(first):
        yield from _each(lines, name, lambda line: _named(parse_level(line).record))
    elif bare := _bare_grids([line for _, line in lines]):
        for number, rows in enumerate(bare, 1):
            label = name if len(bare) == 1 else f"{name}:{number}"
            yield _named(build_record(_fields_of_rows(rows, label)))
    else:
        given = text_form.parse(text)
        yield NamedPuzzle(name, given.board, given.puzzle, given.letters)


def written(named: NamedPuzzle, form: str, solution: Solution | None = None) -> str:
    """A puzzle in one of ``FORMS``, without a final newline; ``level`` needs its solution.

    Raises ``PuzzleInvalidError`` for what the form cannot say.
    """
    if form == "text":
        letters = None if "?" in named.letters else named.letters
        if named.board.lattice is None:
            return format_free(named.board, named.puzzle, letters).rstrip("\n")
        return text_form.format_puzzle(named.board, named.puzzle, letters).rstrip("\n")
    if form == "record":
        return format_record(named.board, named.puzzle, named.name)
    if form == "grid":
        return _format_grid(named.board, named.puzzle)
    assert solution is not None
    page, _, level = named.name.partition("/")
    number = (int(page), int(level)) if page.isdecimal() and level.isdecimal() else (1, 1)
    return format_level(named.board, named.puzzle, solution, *number)


def _format_grid(board: Board, puzzle: Puzzle) -> str:
    """Width and height, then the numbers of the pairs, from 1."""
    given = fields_of(board, puzzle)
    if given.topology == "hex" or given.walls or given.bridges or given.warps or given.wrap != "none":
        raise PuzzleInvalidError(
            "A bare grid cannot say hexagons, walls, bridges or warps.", "Write it as text or as a record."
        )
    rows = [["."] * given.cols for _ in range(given.rows)]
    for r, c in given.holes:
        rows[r][c] = "#"
    for number, pair in enumerate(given.pairs, 1):
        for r, c in pair:
            rows[r][c] = str(number)
    return "\n".join([f"{given.cols} {given.rows}", *(" ".join(row) for row in rows)])


def _each(
    lines: list[tuple[int, str]], name: str, parse: Callable[[str], NamedPuzzle]
) -> Iterator[NamedPuzzle | InvalidPuzzle]:
    for number, line in lines:
        try:
            yield parse(line)
        except FlowvisionError as error:
            yield InvalidPuzzle(f"{name}:{number}" if name else f"line {number}", error)


def _named(record: Record) -> NamedPuzzle:
    return NamedPuzzle(record.id, record.board, record.puzzle, letters_for(len(record.puzzle.terminals)))


def letters_for(count: int) -> tuple[str, ...]:
    """Letters for so many flows, ``?`` when they run out."""
    return tuple(text_form.LETTERS[n] if n < len(text_form.LETTERS) else "?" for n in range(count))


def _of_json(line: str) -> NamedPuzzle:
    """A record, or what ``flowvision read --json`` says of a screenshot."""
    try:
        given = json.loads(line)
    except json.JSONDecodeError:
        given = None
    if not isinstance(given, dict) or "board" not in given:
        return _named(parse_record(line))
    board = given["board"]
    if "grid" not in board:
        free = build_free(_free_fields(given))
        return NamedPuzzle(str(given.get("file", "")), free.board, free.puzzle, free.letters)
    walls, warps = (
        tuple(((a[0], a[1]), (b[0], b[1])) for a, b in board.get(kind, [])) for kind in ("walls", "warps")
    )
    drawn = text_form.Drawn(board["tiling"], tuple(board["grid"]), walls, warps)
    made = text_form.build(drawn)
    return NamedPuzzle(str(given.get("file", "")), made.board, made.puzzle, made.letters)


def _free_fields(given: dict[str, Any]) -> FreeFields:
    """The cells, sides and dots of what is said of a board without rows and columns."""
    try:
        board, flows = given["board"], given["flows"]
        sides = [(int(a), int(b)) for a, b in board["sides"]]
        ends = [(str(flow["letter"]), *flow["ends"]) for flow in flows]
        dots = [(letter, int(a), int(b)) for letter, a, b in ends]
        return FreeFields(int(board["cells"]), sides, dots)
    except KeyError as error:
        raise PuzzleInvalidError(f"The object has no {error.args[0]!r}.") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise PuzzleInvalidError(f"The object is not of the right form: {error}.") from None


def _bare_grids(lines: list[str]) -> list[list[list[str]]]:
    """The grids of words, as rows of words; none when the text is of another form."""
    if not lines or not (_SIZE.match(lines[0]) or all(" " in line or "\t" in line for line in lines)):
        return []
    grids, left = [], list(lines)
    while left:
        size = _SIZE.match(left[0])
        height = int(size[2]) if size else 0
        words = [_words(line, int(size[1])) if size else line.split() for line in left[1 : height + 1]]
        if size and height and len(words) == height and all(len(row) == int(size[1]) for row in words):
            grids.append(words)
            del left[: height + 1]
        elif size and not height and grids:
            break
        elif grids or not all(re.fullmatch(r"[\w.#-]+(\s+[\w.#-]+)+", line) for line in left):
            return []
        else:
            return [[line.split() for line in left]]
    return grids


def _words(line: str, width: int) -> list[str]:
    """The cells of a row: words with spaces between them, or single characters."""
    words = line.split()
    return list(line) if len(words) == 1 and width > 1 else words


def _fields_of_rows(rows: list[list[str]], name: str) -> RecordFields:
    if len({len(row) for row in rows}) > 1:
        widths = ", ".join(str(len(row)) for row in rows)
        raise PuzzleInvalidError(f"The rows are not equally long: {widths}.")
    places: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if word not in EMPTY_WORDS:
                places.setdefault(word, []).append((r, c))
    holes = places.pop("#", [])
    wrong = [f"{word} stands {times(len(dots))}" for word, dots in places.items() if len(dots) != 2]
    if wrong:
        raise PuzzleInvalidError(f"Every number marks two dots: {'; '.join(wrong)}.")
    pairs = [(dots[0], dots[1]) for dots in places.values()]
    return RecordFields(name, len(rows), len(rows[0]), pairs, holes=holes)
