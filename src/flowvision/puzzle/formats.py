"""Read and write every form of ``docs/puzzle-text.md``; the form is detected by content.

The text form draws the board, a record is a JSON object in a line, a level is a line ``size,page,…;path;…``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.puzzle.check import check_size, invalid_puzzle, shown
from flowvision.puzzle.free import build_free
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.text import (
    LONGEST_NAME,
    Drawn,
    Number,
    Record,
    build_record,
    format_drawn,
    format_puzzle,
    format_record,
    load_json,
    parse,
    record_of,
)
from flowvision.words import count_of, quoted, whole_number

WRITTEN_FORMS = ("text", "record", "level")
MAX_LINES, LONGEST_LINE = 1_000_000, 16_000_000
"""Limits: lines of one puzzle, four per place of the largest board; characters of a record or level."""
MAX_FAULTS = 3
"""Lines in a row whose faults are listed one by one; with more the file is damaged, or no list of puzzles."""
_SIZE = re.compile(r"([XW]_)?(\d{1,6})(?::(\d{1,6}))?(?:\+.*)?$", re.ASCII)
REQUIRED_FIELDS = 4
"""Fields that every level line has; those of bridges, holes and walls may be absent."""
_HEAD = re.compile(r"([XW]_)?\d+(:\d+)?(\+[^,;]*)?(,[^,;]*){3,6};\d|([XW]_\d+|\d+:\d+)[^,;]*,")
"""Beginning of a level line; a truncated one is recognized by its size."""


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
    if first.startswith(("{", "[")):
        yield from _each(lines, name, _of_json)
    elif _HEAD.match(first):
        yield from _each(lines, name, parse_level)
    elif len(lines) > MAX_LINES:
        raise PuzzleInvalidError(f"This text has {len(lines):,} lines, too many for one puzzle.")
    else:
        yield replace(parse(text), name=name)


def written(named: NamedPuzzle, form: str, solution: Solution | None = None) -> str:
    """Return a puzzle in one of ``WRITTEN_FORMS``, without a final newline; ``level`` needs its solution.

    Raises ``PuzzleInvalidError`` where the form cannot express it.
    """
    if form == "text":
        return format_puzzle(named.board, named.puzzle, named.letters).rstrip("\n")
    if form == "record":
        return format_record(named.board, named.puzzle, named.name)
    assert solution is not None
    page, level = map(whole_number, named.name.partition("/")[::2])
    if page is None or level is None:  # a name other than PAGE/LEVEL
        page = level = 1
    return format_level(named.board, named.puzzle, solution, page, level)


def _each(
    lines: list[str], name: str, parse_line: Callable[[str], NamedPuzzle]
) -> Iterator[NamedPuzzle | InvalidPuzzle]:
    """Parse lines of one puzzle each; one fault stands for many damaged lines in a row.

    ``name``: of the file, for the places of faults.
    """
    faults, count_in_row = list[InvalidPuzzle](), 0
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise PuzzleInvalidError(
                    f"The line has {len(line):,} characters; puzzles have at most {LONGEST_LINE:,}."
                )
            parsed = parse_line(line)
        except FlowvisionError as error:
            count_in_row += 1
            if count_in_row <= MAX_FAULTS:
                place = f"{name}:{number}" if name else f"line {number}"
                faults.append(InvalidPuzzle(place, error))
            continue
        yield from _in_short(faults, count_in_row)
        faults, count_in_row = [], 0
        yield parsed
    yield from _in_short(faults, count_in_row)


def _in_short(faults: list[InvalidPuzzle], count: int) -> list[InvalidPuzzle]:
    """Return the faults of ``count`` lines in a row; of a damaged file a single one."""
    if count <= MAX_FAULTS:
        return faults
    first = faults[0].error
    error = PuzzleInvalidError(f"{count:,} lines from here on are no puzzles. The first: {first.message}")
    return [InvalidPuzzle(faults[0].name, error)]


class _ReadBoard(Drawn, frozen=True):
    """A board with rows and columns, else its ``cells`` and ``sides``."""

    tiling: Literal["square", "hex", "free"] = "square"
    grid: tuple[str, ...] = ()
    cells: Number = 0
    sides: list[tuple[Number, Number]] | None = None


class _Read(Struct):
    board: _ReadBoard | None = None
    file: str = ""
    flows: Raw = Raw(b"[]")


class _Flow(Struct):
    letter: Annotated[str, Meta(max_length=1)]
    ends: tuple[Number, Number]


def _of_json(line: str) -> NamedPuzzle:
    """Return the puzzle of a record, or of a line that ``--json`` printed."""
    answer = load_json(line, _Read)
    if (board := answer.board) is None:
        return build_record(load_json(line, Record))
    if board.sides is None:
        return replace(parse(format_drawn(board)), name=answer.file[:LONGEST_NAME])
    flows = load_json(answer.flows, list[_Flow])
    named = build_free(board.cells, board.sides, [(flow.letter, *flow.ends) for flow in flows])
    return replace(named, name=answer.file[:LONGEST_NAME])


def parse_level(line: str) -> NamedPuzzle:
    """Return the puzzle of a level line, named ``page/level``. Raises ``PuzzleInvalidError``."""
    head, *tails = line.strip().rstrip(";").split(";")
    fields = head.split(",")
    size = _SIZE.match(fields[0].strip())
    if size is None or len(fields) < REQUIRED_FIELDS:
        raise PuzzleInvalidError(
            f"Not a level line: {line.strip()[:40]!r}. It begins with size,page,level,flows; paths follow."
        )
    kind, cols = size[1], int(size[2])
    rows = int(size[3] or cols)
    check_size(rows, cols)
    absent = [""] * 3
    page, level, flow_count, bridge_cells, hole_cells, wall_pairs, *_ = fields[1:] + absent
    # A field holds no comma, so that it is one number, or none if it is empty.
    (flows,) = _numbers(flow_count, ",") or [0]
    paths = [_numbers(tail, ",") for tail in tails]
    bridges = _numbers(bridge_cells, ":")
    holes = _numbers(hole_cells, ":")
    walls = [_numbers(wall, "|") for wall in wall_pairs.split(":") if wall]
    if faults := _faults(flows, paths, walls):
        raise invalid_puzzle(faults)

    def place(number: int) -> Place:
        """Return the row and column of a number in reading order, holes counted."""
        return divmod(number, cols)

    # Without faults, paths have two cells or more, and walls exactly two.
    record = Record(
        id=f"{page}/{level}",
        rows=rows,
        cols=cols,
        pairs=[(place(first), place(last)) for first, *_, last in paths],
        holes=list(map(place, holes)),
        walls=[(place(a), place(b)) for a, b in walls],
        bridges=list(map(place, bridges)),
    )
    if kind == "X_":
        record = replace(record, topology="hex")
    elif kind == "W_":
        record = replace(record, wrap="both")
    return build_record(record)


def format_level(board: Board, puzzle: Puzzle, solution: Solution, page: int = 1, level: int = 1) -> str:
    """Return the level line of a solved puzzle, without a newline.

    Raises ``PuzzleInvalidError`` for boards without rows and columns, and for some warps of boards two cells
    wide.
    """
    record = record_of(board, puzzle)
    if record.warps:
        raise PuzzleInvalidError("A level line cannot say which sides of this board are warps.")
    lattice = board.lattice
    assert lattice is not None

    def number(place: Place) -> str:
        """Return the number of a place in reading order, holes counted."""
        row, col = place
        return str(row * lattice.cols + col)

    kind = "X_" if record.topology == "hex" else "W_" if record.wrap == "both" else ""
    rows = "" if lattice.cols == lattice.rows else f":{lattice.rows}"
    bridges = ":".join(map(number, record.bridges))
    holes = ":".join(map(number, record.holes))
    walls = ":".join("|".join(map(number, wall)) for wall in record.walls)
    numbers = map(str, (page, level, len(puzzle.terminals)))
    head = [f"{kind}{lattice.cols}{rows}", *numbers, bridges, holes, walls]
    while not head[-1]:
        head.pop()
    lines = [",".join(head)]
    for path in solution.paths:
        places = [lattice.places[board.layout.cell_of[strand]] for strand in path.vertices]
        lines.append(",".join(map(number, places)))
    return ";".join(lines)


def _numbers(text: str, by: str) -> list[int]:
    """Return the whole numbers in a text that are separated by ``by``."""
    numbers = list[int]()
    for word in filter(None, map(str.strip, text.split(by))):
        number = whole_number(word)
        if number is None:
            raise PuzzleInvalidError(f"Not a number in the level: {quoted(word)}.")
        numbers.append(number)
    return numbers


def _faults(flows: int, paths: Sequence[Sequence[int]], walls: Sequence[Sequence[int]]) -> list[str]:
    """Return the faults in the numbers of a level line."""
    faults = []
    if flows != len(paths):
        path_count = count_of(len(paths), "path")
        faults.append(f"The line says {count_of(flows, 'flow')} and gives {path_count}.")
    short = [number for number, path in enumerate(paths, 1) if len(path) < 2]
    faults += [f"Path {number} has fewer than two cells." for number in short]
    if wrong := [wall for wall in walls if len(wall) != 2]:
        faults.append(f"A wall is not between two cells: {shown(wrong)}.")
    return faults
