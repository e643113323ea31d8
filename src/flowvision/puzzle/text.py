"""The plain-text form of a puzzle, both ways: for files, tests, bug reports and the terminal.

``docs/puzzle-text.md`` describes all forms. ``Drawn`` holds the same as the JSON contract's ``board``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS, MARKS, Puzzle
from flowvision.puzzle.records import (
    LARGEST,
    ReadPair,
    Record,
    build_record,
    check_size,
    invalid_puzzle,
    shown,
)
from flowvision.words import COMMAND, quoted, times

_SIDE = re.compile(r"(wall|warp)\s+(\d{1,9}),(\d{1,9})/(\d{1,9}),(\d{1,9})$", re.ASCII)
FREE = "free"
"""The first line of a board without rows and columns."""
_NUMBER = r"([0-9]{1,6})"
_CELLS = re.compile(rf"cells\s+{_NUMBER}$")
_DOTS = re.compile(rf"([{LETTERS}])\s+{_NUMBER}\s+{_NUMBER}$")
_SIDES = re.compile(rf"{_NUMBER}\s*:((?:\s*[0-9]{{1,6}}(?=\s|$))*)\s*$")


class Drawn(Struct, frozen=True):
    """A board and its dots as rows of characters, walls and warps as pairs of places."""

    tiling: str
    grid: tuple[str, ...]
    walls: tuple[ReadPair, ...] = ()
    warps: tuple[ReadPair, ...] = ()

    def places_of(self, mark: str) -> tuple[Place, ...]:
        """Return every place that shows ``mark``, in reading order."""
        return tuple((r, c) for r, row in enumerate(self.grid) for c, char in enumerate(row) if char == mark)


def parse(text: str) -> NamedPuzzle:
    """Parse a puzzle in the text form, its flows in the order in which their letters first appear.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    lines = map(_without_comment, text.splitlines())
    first = next((line for line in lines if line not in ("", "#")), "")
    return _parse_free(text) if first == FREE else build(read_drawn(text))


def format_puzzle(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> str:
    """Return a puzzle in the text form, ending in a newline.

    Raises ``PuzzleInvalidError`` beyond 62 flows, and for bridges without rows and columns.
    """
    if board.lattice is None:
        return _format_free(board, puzzle, letters)
    return format_drawn(draw(board, puzzle, letters))


def format_drawn(drawn: Drawn) -> str:
    """Return the text of rows, walls and warps, ending in a newline; they need not be a puzzle."""
    lines = [*(["hex"] if drawn.tiling == "hex" else []), *drawn.grid]
    for word, sides in (("wall", drawn.walls), ("warp", drawn.warps)):
        lines += [f"{word} {side_name(*side)}" for side in sides]
    return "\n".join(lines) + "\n"


def side_name(a: Place, b: Place) -> str:
    """Return two places as ``1,1/1,2``, rows and columns from 1."""
    return "/".join(f"{row + 1},{col + 1}" for row, col in (a, b))


def read_drawn(text: str) -> Drawn:
    """Read the rows, walls and warps of a text. Raises ``PuzzleInvalidError`` for other lines."""
    tiling, grid = "square", list[str]()
    sides: dict[str, list[tuple[Place, Place]]] = {"wall": [], "warp": []}
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        side = _SIDE.match(line)
        if side:
            r0, c0, r1, c1 = (int(part) - 1 for part in side.groups()[1:])
            sides[side[1]].append(((r0, c0), (r1, c1)))
        elif line in ("hex", "square") and not grid:
            tiling = line
        elif not line or (line == "#" and not grid):
            continue
        elif all(char in MARKS for char in line):
            grid.append(line)
        else:
            faults.append(
                f"Line {number} is neither a row of cells nor `wall ROW,COL/ROW,COL` or "
                f"`warp ROW,COL/ROW,COL`: {line[:40]!r}."
            )
    if not grid:
        first = next(filter(None, map(str.strip, text.splitlines())), "")
        raise PuzzleInvalidError(
            f"This text holds no puzzle{f': {quoted(first)} is not a row of cells' if first else ''}.",
            "Write the board row by row, such as `R.G.Y`: two letters for each flow, `.` elsewhere. "
            "All forms: docs/puzzle-text.md.",
        )
    if len({len(row) for row in grid}) > 1:
        faults.append(f"The rows are not equally long: {shown(len(row) for row in grid)}.")
    if faults:
        raise invalid_puzzle(faults)
    return Drawn(tiling, tuple(grid), tuple(sides["wall"]), tuple(sides["warp"]))


def _without_comment(raw: str) -> str:
    """Return a line without its comment; ``#`` without a space is a hole."""
    line = raw.split("//", maxsplit=1)[0].strip()
    return "" if line.startswith("# ") else line


ALL_FILLED = "Is it solved already? Keep only the two ends of every letter, and write `.` in the other cells."
TWO_DOTS = "Each letter appears exactly twice, on the two dots of its flow."


def build(drawn: Drawn) -> NamedPuzzle:
    """Build the board and puzzle of a drawing. Raises ``PuzzleInvalidError`` with every fault."""
    check_size(len(drawn.grid), max(map(len, drawn.grid), default=0))
    faults = _faults_in_drawn(drawn)
    if faults:
        hint = TWO_DOTS if faults == _dot_faults_in(drawn) else None
        raise invalid_puzzle(faults, hint if drawn.places_of(EMPTY) else ALL_FILLED)
    letters = tuple(dict.fromkeys(c for row in drawn.grid for c in row if c in LETTERS))
    ends = [drawn.places_of(letter) for letter in letters]
    record = Record(
        rows=len(drawn.grid),
        cols=len(drawn.grid[0]),
        topology="hex" if drawn.tiling == "hex" else "square",
        pairs=[(a, b) for a, b in ends],
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
    letters = _letters_for(puzzle, letters, "Write a record or a picture instead.")
    cell_of = board.layout.cell_of
    marks = dict.fromkeys(lattice.places, EMPTY)
    marks |= {lattice.places[cell]: BRIDGE for cell in board.layout.bridges}
    marks |= {lattice.places[cell_of[dot]]: letters[flow] for dot, flow in puzzle.dots.items()}
    grid = tuple("".join(marks.get((r, c), HOLE) for c in range(lattice.cols)) for r in range(lattice.rows))
    walls, warps = boards.walls_and_warps(board, lattice)
    return Drawn(lattice.tiling, grid, walls, warps)


def _letters_for(puzzle: Puzzle, letters: Sequence[str] | None, hint: str) -> Sequence[str]:
    flows = len(puzzle.terminals)
    letters = LETTERS[:flows] if letters is None or "?" in letters else letters
    if len(letters) < flows:
        raise PuzzleInvalidError(f"{flows} flows, but only {len(letters)} letters.", hint)
    return letters


def dot_faults(marks: Iterable[tuple[str, str]]) -> list[str]:
    """Return the faults of dots; ``marks``: the name of every cell, and its mark."""
    places: dict[str, list[str]] = {}
    for where, mark in marks:
        if mark in LETTERS:
            places.setdefault(mark, []).append(where)
    faults = [
        f"{letter} appears {times(len(dots))}, not twice: {shown(dots)}."
        for letter, dots in sorted(places.items())
        if len(dots) != 2
    ]
    return faults if places else ["There are no dots."]


def _dot_faults_in(drawn: Drawn) -> list[str]:
    return dot_faults(
        (f"row {r}, column {c}", mark) for r, row in enumerate(drawn.grid, 1) for c, mark in enumerate(row, 1)
    )


def _faults_in_drawn(drawn: Drawn) -> list[str]:
    rows, cols, holes = len(drawn.grid), len(drawn.grid[0]), drawn.places_of(HOLE)
    faults = _dot_faults_in(drawn)
    cells = {(r, c) for r in range(rows) for c in range(cols)}.difference(holes)
    ends = boards.ends_of_lines(rows, cols, holes)
    for word, sides in (("Wall", drawn.walls), ("Warp", drawn.warps)):
        for side in sides:
            if outside := [place for place in side if place not in cells]:
                faults.append(
                    f"{word} {side_name(*side)} names a place without a cell: {COMMAND.place(outside[0])}."
                )
            elif word == "Warp" and tuple(sorted(side)) not in ends:
                faults.append(f"Warp {side_name(*side)} does not join the two ends of a row or a column.")
    return faults


def _parse_free(text: str) -> NamedPuzzle:
    cells, sides, dots = 0, list[tuple[int, int]](), list[tuple[str, int, int]]()
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        if line in ("", "#", FREE):
            continue
        if found := _CELLS.match(line):
            cells = int(found[1])
        elif found := _DOTS.match(line):
            dots.append((found[1], int(found[2]), int(found[3])))
        elif found := _SIDES.match(line):
            sides += [(int(found[1]), int(other)) for other in found[2].split()]
        else:
            forms = "`cells N`, `LETTER CELL CELL` nor `CELL: CELL …`"
            faults.append(f"Line {number} is neither {forms}: {line[:40]!r}.")
    if faults:
        raise invalid_puzzle(faults)
    return build_free(cells, sides, dots)


def build_free(
    count: int, sides: Sequence[tuple[int, int]], dots: Sequence[tuple[str, int, int]]
) -> NamedPuzzle:
    """Build a board without rows and columns, its cells laid apart with lines between them.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    from flowvision.puzzle.free_layout import lay_out  # loads NumPy

    faults = _faults_in_free(count, sides, dots)
    if faults:
        raise invalid_puzzle(faults)
    cells, middles = lay_out(count, sides)
    open_sides = [boards.OpenSide(a, b, at, at) for (a, b), at in zip(sides, middles, strict=True)]
    board = boards.build(cells, open_sides)
    board = replace(board, layout=replace(board.layout, links=True))
    puzzle = Puzzle(board.graph, tuple((a, b) for _, a, b in dots))
    return NamedPuzzle("", board, puzzle, tuple(letter for letter, _, _ in dots))


def _format_free(board: Board, puzzle: Puzzle, letters: Sequence[str] | None) -> str:
    hint = "No written form has more letters for a board without rows and columns."
    letters = _letters_for(puzzle, letters, hint)
    beside: dict[int, list[int]] = {}
    for a, b in open_sides(board):
        beside.setdefault(a, []).append(b)
    lines = [FREE, f"cells {len(board.layout.cells)}"]
    lines += [f"{letter} {a} {b}" for letter, (a, b) in zip(letters, puzzle.terminals, strict=False)]
    lines += [f"{cell}: {' '.join(map(str, sorted(others)))}" for cell, others in sorted(beside.items())]
    return "\n".join(lines) + "\n"


def open_sides(board: Board) -> list[tuple[int, int]]:
    """Return the open sides as pairs of cell numbers, rising. Raises ``PuzzleInvalidError`` for bridges."""
    if board.layout.bridges:
        raise PuzzleInvalidError("A board with bridges, but without rows and columns, has no written form.")
    return sorted((min(pair), max(pair)) for pair in board.graph.edges)


def _faults_in_free(
    count: int, sides: Sequence[tuple[int, int]], dots: Sequence[tuple[str, int, int]]
) -> list[str]:
    if not 1 <= count <= LARGEST:
        return [f"The board has {count:,} cells; write `cells N` with 1 to {LARGEST:,}."]
    named = {cell for pair in (*sides, *((a, b) for _, a, b in dots)) for cell in pair}
    outside = sorted(cell for cell in named if not 0 <= cell < count)
    faults = [f"Cells have numbers from 0 to {count - 1}; there is no {shown(outside)}."] if outside else []
    faults += [f"Cell {a} is listed as its own neighbour." for a, b in sides if a == b]
    faults += [
        f"Letter {letter} has dots {times(number)}; write both in one line."
        for letter, number in sorted(Counter(letter for letter, _, _ in dots).items())
        if number > 1
    ]
    return faults if dots else [*faults, "There are no dots."]
