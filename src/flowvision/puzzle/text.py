"""Written puzzles with rows and columns: the plain-text form, and JSON records, one per line.

``docs/puzzle-text.md`` describes all forms. ``Drawn`` holds the same as the JSON contract's ``board``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, MsgspecError, Struct, json
from msgspec.structs import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.check import LARGEST, check_size, dot_faults, invalid_puzzle, shown
from flowvision.puzzle.free import FREE, format_free, letters_or_raise, parse_free, without_comment
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS, MARKS, Puzzle, letters_for
from flowvision.words import COMMAND, quoted

LONGEST_NAME = 200
"""Characters of a puzzle's name; the rest is cut off."""

Number = Annotated[int, Meta(ge=0, le=LARGEST)]
ReadPlace = tuple[Number, Number]
ReadPair = tuple[ReadPlace, ReadPlace]
T = TypeVar("T")

_SIDE = re.compile(r"(wall|warp)\s+(\d{1,9}),(\d{1,9})/(\d{1,9}),(\d{1,9})$", re.ASCII)
ALL_FILLED = "Is it solved already? Keep only the two ends of every letter, and write `.` in the other cells."
TWO_DOTS = "Each letter appears exactly twice, on the two dots of its flow."


class Record(Struct, frozen=True, kw_only=True):
    """Fields of a record, named as in the JSON object."""

    id: str | int | float = ""
    rows: Number
    cols: Number
    topology: Literal["square", "hex"] = "square"
    pairs: Sequence[ReadPair]
    holes: Sequence[ReadPlace] = ()
    walls: Sequence[ReadPair] = ()
    bridges: Sequence[ReadPlace] = ()
    wrap: Literal["none", "both"] = "none"
    warps: Sequence[ReadPair] = ()


class Drawn(Struct, frozen=True):
    """A board and its dots as rows of characters, walls and warps as pairs of places."""

    tiling: str
    grid: tuple[str, ...]
    walls: tuple[ReadPair, ...] = ()
    warps: tuple[ReadPair, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.grid), len(self.grid[0])

    @property
    def marks(self) -> dict[Place, str]:
        """The character at every place, in reading order."""
        marks: dict[Place, str] = {}
        for r, row in enumerate(self.grid):
            marks |= {(r, c): mark for c, mark in enumerate(row)}
        return marks

    def places_of(self, mark: str) -> tuple[Place, ...]:
        """Return every place that shows ``mark``, in reading order."""
        return tuple(place for place, character in self.marks.items() if character == mark)


def parse(text: str) -> NamedPuzzle:
    """Parse a puzzle in the text form, its flows in the order in which their letters first appear.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    lines = map(without_comment, text.splitlines())
    # A ``#`` alone above the board is a comment without words, no hole.
    first = next((line for line in lines if line not in ("", "#")), "")
    if first != FREE:
        return build(read_drawn(text))
    return parse_free(text)


def format_puzzle(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> str:
    """Return a puzzle in the text form, ending in a newline.

    Raises ``PuzzleInvalidError`` beyond 62 flows, and for bridges without rows and columns.
    """
    if board.lattice is None:
        return format_free(board, puzzle, letters)
    return format_drawn(draw(board, puzzle, letters))


def format_drawn(drawn: Drawn) -> str:
    """Return the text of rows, walls and warps, ending in a newline; they need not be a puzzle."""
    lines = [*(["hex"] if drawn.tiling == "hex" else []), *drawn.grid]
    for word, sides in (("wall", drawn.walls), ("warp", drawn.warps)):
        lines += [f"{word} {side_name(*side)}" for side in sides]
    return "\n".join(lines) + "\n"


def side_name(a: Place, b: Place) -> str:
    """Return two places as ``1,1/1,2``, rows and columns from 1."""
    return f"{_from_one(a)}/{_from_one(b)}"


def _from_one(place: Place) -> str:
    """Return a place as ``1,1``, row and column from 1."""
    row, col = place
    return f"{row + 1},{col + 1}"


def read_drawn(text: str) -> Drawn:
    """Read the rows, walls and warps of a text. Raises ``PuzzleInvalidError`` for other lines."""
    tiling = "square"
    grid: list[str] = []
    walls: list[ReadPair] = []
    warps: list[ReadPair] = []
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = without_comment(raw)
        if side := _SIDE.match(line):
            (walls if side[1] == "wall" else warps).append(_places_in(side))
        elif line in ("hex", "square") and not grid:
            tiling = line
        elif not line or (line == "#" and not grid):  # above the board a comment without words
            continue
        elif all(char in MARKS for char in line):
            grid.append(line)
        else:
            faults.append(
                f"Line {number} is neither a row of cells nor `wall ROW,COL/ROW,COL` or "
                f"`warp ROW,COL/ROW,COL`: {line[:40]!r}."
            )
    if not grid:
        raise _without_rows(text)
    lengths = [len(row) for row in grid]
    if len(set(lengths)) > 1:
        faults.append(f"The rows are not equally long: {shown(lengths)}.")
    if faults:
        raise invalid_puzzle(faults)
    return Drawn(tiling, tuple(grid), tuple(walls), tuple(warps))


def _places_in(side: re.Match[str]) -> ReadPair:
    """Return the two places of a written side, from 0."""
    _, *numbers = side.groups()
    r0, c0, r1, c1 = (int(number) - 1 for number in numbers)
    return (r0, c0), (r1, c1)


def _without_rows(text: str) -> PuzzleInvalidError:
    """Return the error for a text without a row of cells."""
    first = next(filter(None, map(str.strip, text.splitlines())), "")
    reason = f": {quoted(first)} is not a row of cells" if first else ""
    return PuzzleInvalidError(
        f"This text holds no puzzle{reason}.",
        "Write the board row by row, such as `R.G.Y`: two letters for each flow, `.` elsewhere. "
        "All forms: docs/puzzle-text.md.",
    )


def build(drawn: Drawn) -> NamedPuzzle:
    """Build the board and puzzle of a drawing. Raises ``PuzzleInvalidError`` with every fault."""
    check_size(len(drawn.grid), max(map(len, drawn.grid), default=0))
    faults = _faults_in_drawn(drawn)
    if faults:
        hint = TWO_DOTS if faults == _dot_faults_in(drawn) else None
        raise invalid_puzzle(faults, hint if drawn.places_of(EMPTY) else ALL_FILLED)
    letters = tuple(dict.fromkeys(mark for mark in drawn.marks.values() if mark in LETTERS))
    pairs = [(a, b) for a, b in map(drawn.places_of, letters)]
    rows, cols = drawn.size
    record = Record(
        rows=rows,
        cols=cols,
        topology="hex" if drawn.tiling == "hex" else "square",
        pairs=pairs,
        holes=drawn.places_of(HOLE),
        walls=drawn.walls,
        bridges=drawn.places_of(BRIDGE),
        warps=drawn.warps,
    )
    return replace(build_record(record), letters=letters)


def draw(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> Drawn:
    """Return the drawing of a puzzle on a lattice. Raises ``PuzzleInvalidError`` beyond 62 flows."""
    lattice = board.lattice
    assert lattice is not None
    letters = letters_or_raise(puzzle, letters, "Write a record or a picture instead.")
    marks = dict.fromkeys(lattice.places, EMPTY)
    marks |= {lattice.places[cell]: BRIDGE for cell in board.layout.bridges}
    for dot, flow in puzzle.dots.items():
        marks[lattice.places[board.layout.cell_of[dot]]] = letters[flow]
    grid = []
    for r in range(lattice.rows):
        row = [marks.get((r, c), HOLE) for c in range(lattice.cols)]
        grid.append("".join(row))
    walls, warps = boards.walls_and_warps(board, lattice)
    return Drawn(lattice.tiling, tuple(grid), walls, warps)


def _dot_faults_in(drawn: Drawn) -> list[str]:
    return dot_faults((COMMAND.place(place), mark) for place, mark in drawn.marks.items())


def _faults_in_drawn(drawn: Drawn) -> list[str]:
    """Return every fault of dots, walls and warps."""
    faults = _dot_faults_in(drawn)
    cells = {place for place, mark in drawn.marks.items() if mark != HOLE}
    ends = boards.ends_of_lines(*drawn.size, drawn.places_of(HOLE))
    sides = [("Wall", side) for side in drawn.walls] + [("Warp", side) for side in drawn.warps]
    for word, side in sides:
        name = f"{word} {side_name(*side)}"
        if outside := [place for place in side if place not in cells]:
            faults.append(f"{name} names a place without a cell: {COMMAND.place(outside[0])}.")
        elif word == "Warp" and tuple(sorted(side)) not in ends:
            faults.append(f"{name} does not join the two ends of a row or a column.")
    return faults


def load_json(line: str | bytes, kind: type[T]) -> T:
    """Parse a line of JSON. Raises ``PuzzleInvalidError``, also for JSON nested too deeply."""
    try:
        return json.decode(line, type=kind, strict=False)
    except (MsgspecError, ValueError, RecursionError) as error:  # the first was no ValueError before 0.20
        raise PuzzleInvalidError(f"Not a JSON record: {error!s:.120}.") from None


def format_record(board: Board, puzzle: Puzzle, name: str = "") -> str:
    """Return the record of a puzzle. Raises ``PuzzleInvalidError`` without rows and columns."""
    return json.format(json.encode(record_of(board, puzzle, name)), indent=0).decode()


def build_record(record: Record) -> NamedPuzzle:
    """Build the puzzle that these fields describe. Raises ``PuzzleInvalidError`` with every fault."""
    check_size(record.rows, record.cols)
    ends = boards.ends_of_lines(record.rows, record.cols, record.holes)
    if faults := _faults_in_record(record, ends):
        raise invalid_puzzle(faults)
    if record.topology == "hex":
        board = boards.hexagonal(record.rows, record.cols, record.holes, record.walls)
    else:
        closed = {frozenset(pair) for pair in record.walls}
        warps = [pair for pair in ends if frozenset(pair) not in closed] if record.wrap == "both" else []
        warps += record.warps
        inner = [pair for pair in record.walls if not _over_the_edge(*pair, record.rows, record.cols)]
        board = boards.square(record.rows, record.cols, record.holes, inner, record.bridges, warps)
    assert board.lattice is not None
    number = board.lattice.numbers
    terminals = tuple((number[a], number[b]) for a, b in record.pairs)
    name = str(record.id)[:LONGEST_NAME]
    return NamedPuzzle(name, board, Puzzle(board.graph, terminals), letters_for(len(terminals)))


def record_of(board: Board, puzzle: Puzzle, name: str = "") -> Record:
    """Return the fields of a puzzle's record. Raises ``PuzzleInvalidError`` without rows and columns."""
    lattice = board.lattice
    if lattice is None:
        raise PuzzleInvalidError("A board without rows and columns has no record.", "Write it as text.")
    place_of = [lattice.places[cell] for cell in board.layout.cell_of]
    pairs = [(place_of[a], place_of[b]) for a, b in puzzle.terminals]
    walls, warps = boards.walls_and_warps(board, lattice)
    wrap: Literal["none", "both"] = "none"
    if warps:
        ends = boards.ends_of_lines(*lattice.size, lattice.holes)
        closed = [pair for pair in ends if pair not in warps]
        two_wide = [pair for pair in ends if not _over_the_edge(*pair, *lattice.size)]
        # On a board two cells wide, a wall of a record closes the inner side and the warp at once.
        if all((pair in closed) == (pair in walls) for pair in two_wide):
            wrap, warps, walls = "both", (), tuple(sorted({*walls, *closed}))
    return Record(
        id=name,
        rows=lattice.rows,
        cols=lattice.cols,
        topology=lattice.tiling,
        pairs=pairs,
        holes=lattice.holes,
        walls=walls,
        bridges=sorted(place_of[len(lattice.places) :]),
        wrap=wrap,
        warps=warps,
    )


def _faults_in_record(record: Record, ends: Sequence[ReadPair]) -> list[str]:
    """Return every fault of a record; ``ends``: of its rows and columns."""
    dots = [dot for pair in record.pairs for dot in pair]
    faults = []
    if record.topology == "hex" and (record.bridges or record.warps or record.wrap == "both"):
        faults.append("Hexagons have no bridges and no warps.")
    for kind, named in (("Dots", dots), ("Bridges", record.bridges)):
        if outside := [place for place in named if _is_off(place, record)]:
            faults.append(f"{kind} are off the board: {shown(outside)}.")
    if crossed := sorted(set(dots) & set(record.bridges)):
        faults.append(f"There are dots on bridges: {shown(crossed)}.")
    room = record.rows * record.cols
    if (pairs := len(record.pairs)) > room:
        faults.append(f"{pairs:,} pairs of dots do not fit on {room:,} places.")
    joined = set(map(frozenset, ends))
    wrong = [f"{a} {b}" for a, b in record.warps if {a, b} not in joined]
    if wrong:
        faults.append(f"Warps do not join the two ends of a row or a column: {shown(wrong)}.")
    return faults


def _is_off(place: ReadPlace, record: Record) -> bool:
    """Return true for a place outside the board, or a hole in it."""
    row, column = place
    return row >= record.rows or column >= record.cols or place in record.holes


def _over_the_edge(a: ReadPlace, b: ReadPlace, rows: int, cols: int) -> bool:
    """Return true for the two ends of a row or a column that are not neighbours on the board as well."""
    (r0, c0), (r1, c1) = sorted((a, b))
    if r0 == r1:
        return c1 - c0 == cols - 1 > 1
    return c0 == c1 and r1 - r0 == rows - 1 > 1
