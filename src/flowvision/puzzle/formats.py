"""Every written form of a puzzle: read, told apart by content, and written.

* our text form, and that of boards without rows and columns (``text.py``);
* JSON records (``records.py``), and the objects that ``flowvision read --json`` prints, one a line;
* the game's level lines (``levels.py``), one a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.puzzle import text as text_form
from flowvision.puzzle.bounds import LONGEST_LINE, load_json, shortened, whole
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.levels import format_level, looks_like_level, parse_level
from flowvision.puzzle.model import Solution
from flowvision.puzzle.records import build_record, fields_in, format_record, name_of
from flowvision.puzzle.text import letters_for
from flowvision.words import whole_number

__all__ = ["WRITTEN_FORMS", "InvalidPuzzle", "letters_for", "puzzles_in", "written"]

WRITTEN_FORMS = ("text", "record", "level")
MAX_LINES = 1_000_000
"""Lines of one puzzle: four for every place of the largest board."""


class InvalidPuzzle(Struct, frozen=True):
    """A line that is not a valid puzzle, with the error."""

    name: str
    error: FlowvisionError


def puzzles_in(text: str, name: str = "") -> Iterator[NamedPuzzle | InvalidPuzzle]:
    """Yield every puzzle of a text, in order; those without a name of their own are called ``name``.

    Raises ``PuzzleInvalidError`` for a text that should hold a single puzzle and does not.
    """
    lines = [line.strip() for line in text.splitlines()]
    first = next(filter(None, lines), "")
    if first.startswith("["):
        raise PuzzleInvalidError(
            "This is a JSON list; puzzles are JSON records, one a line.", "Take them out: `jq -c '.[]' FILE`."
        )
    if first.startswith("{"):
        yield from _each(lines, name, _of_json)
    elif looks_like_level(first):
        yield from _each(lines, name, parse_level)
    elif len(lines) > MAX_LINES:
        raise PuzzleInvalidError(f"{len(lines):,} lines that are neither records nor levels hold no puzzle.")
    else:
        yield replace(text_form.parse(text), name=name)


def written(named: NamedPuzzle, form: str, solution: Solution | None = None) -> str:
    """Return a puzzle in one of ``WRITTEN_FORMS``, without a final newline; ``level`` needs its solution.

    Raises ``PuzzleInvalidError`` where the form cannot express it.
    """
    if form == "text":
        return str(named)
    if form == "record":
        return format_record(named.board, named.puzzle, named.name)
    assert solution is not None
    page, _, level = named.name.partition("/")
    numbers = whole_number(page), whole_number(level)
    page_number, level_number = (1, 1) if None in numbers else numbers
    return format_level(named.board, named.puzzle, solution, page_number or 0, level_number or 0)


def _each(
    lines: list[str], name: str, parse: Callable[[str], NamedPuzzle]
) -> Iterator[NamedPuzzle | InvalidPuzzle]:
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise PuzzleInvalidError(
                    f"The line has {len(line):,} characters; puzzles have at most {LONGEST_LINE:,}."
                )
            yield parse(line)
        except FlowvisionError as error:
            yield InvalidPuzzle(f"{name}:{number}" if name else f"line {number}", error)


def _of_json(line: str) -> NamedPuzzle:
    """Parse a record, or an object of ``flowvision read --json``."""
    given = load_json(line)
    if not isinstance(given, dict) or "board" not in given:
        return build_record(fields_in(given))
    board, name = given["board"], name_of(given.get("file", ""))
    if isinstance(board, dict) and "grid" not in board:
        return replace(_free_puzzle(given), name=name)
    return replace(text_form.build(_drawn_of(board)), name=name)


def _free_puzzle(given: dict[str, Any]) -> NamedPuzzle:
    """Build the puzzle of an object without rows and columns."""
    try:
        board, flows = given["board"], given["flows"]
        sides = [(whole(a), whole(b)) for a, b in board["sides"]]
        ends = [(shortened(flow["letter"]), *flow["ends"]) for flow in flows]
        dots = [(letter, whole(a), whole(b)) for letter, a, b in ends]
        return text_form.build_free(whole(board["cells"]), sides, dots)
    except KeyError as error:
        raise PuzzleInvalidError(f"The object has no {error.args[0]!r}.") from None
    except (TypeError, ValueError) as error:
        raise PuzzleInvalidError(f"The object is not of the right form: {error}.") from None


def _drawn_of(board: Any) -> text_form.Drawn:
    """Read the rows, walls and warps of a ``board`` object."""
    if not isinstance(board, dict):
        raise PuzzleInvalidError(f"The board is not an object but {shortened(board)}.")
    grid, tiling = board["grid"], board.get("tiling", "square")
    if not isinstance(grid, list) or not all(isinstance(row, str) for row in grid):
        raise PuzzleInvalidError("The board's grid is not a list of rows.")
    if tiling not in ("square", "hex"):
        raise PuzzleInvalidError(f"The tiling {shortened(tiling)} is neither square nor hex.")
    try:
        walls, warps = (
            tuple(((whole(a[0]), whole(a[1])), (whole(b[0]), whole(b[1]))) for a, b in board.get(kind) or ())
            for kind in ("walls", "warps")
        )
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise PuzzleInvalidError(f"The board's sides are no pairs of places: {error}.") from None
    return text_form.Drawn(tiling, tuple(grid), walls, warps)
