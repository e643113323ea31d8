"""The plain-text form of a puzzle, both ways: for files, tests, bug reports and the terminal.

    # comments and blank lines are skipped
    hex                     (only for hexagons, offset columns; squares need no word)
    R.G.Y
    ..B.O
    .#+..                   . empty   # hole   + bridge   a letter: a dot, each letter twice
    .G.Y.
    .RBO.
    wall 0,0 0,1            the two cells a wall parts: row,column, from 0
    warp 0,0 4,0            the two border cells joined over the edge

``Drawn`` holds the same as the JSON contract's ``board`` object.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.bounds import check_size, invalid_puzzle, shown
from flowvision.puzzle.layout import Board, Place
from flowvision.puzzle.marks import BRIDGE, EMPTY, HOLE, LETTERS, MARKS
from flowvision.puzzle.model import Puzzle
from flowvision.value import value_type
from flowvision.words import times

_SIDE = re.compile(r"(wall|warp)\s+(\d{1,9}),(\d{1,9})\s+(\d{1,9}),(\d{1,9})$", re.ASCII)


@value_type
class Drawn:
    """A board and its dots as rows of characters, walls and warps as pairs of places."""

    tiling: str
    grid: tuple[str, ...]
    walls: tuple[tuple[Place, Place], ...] = ()
    warps: tuple[tuple[Place, Place], ...] = ()

    def places_of(self, mark: str) -> tuple[Place, ...]:
        """Every place that shows ``mark``, in reading order."""
        return tuple((r, c) for r, row in enumerate(self.grid) for c, char in enumerate(row) if char == mark)


@value_type
class TextPuzzle:
    """A puzzle read from text: its board, and the letter of every flow."""

    board: Board
    puzzle: Puzzle
    letters: tuple[str, ...]


def parse(text: str) -> TextPuzzle:
    """The puzzle that a text shows; flows in the order in which their letters first appear.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    return build(read_drawn(text))


def format_puzzle(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> str:
    """The text of a puzzle, ending in a newline; ``parse`` reads it back.

    Raises ``PuzzleInvalidError`` for boards without rows and columns, and beyond 62 flows.
    """
    return format_drawn(draw(board, puzzle, letters))


def format_drawn(drawn: Drawn) -> str:
    """The text of rows, walls and warps, ending in a newline; they need not be a puzzle."""
    lines = [*(["hex"] if drawn.tiling == "hex" else []), *drawn.grid]
    for word, sides in (("wall", drawn.walls), ("warp", drawn.warps)):
        lines += [f"{word} {a[0]},{a[1]} {b[0]},{b[1]}" for a, b in sides]
    return "\n".join(lines) + "\n"


def read_drawn(text: str) -> Drawn:
    """The rows, walls and warps of a text. Raises ``PuzzleInvalidError`` for lines it cannot place."""
    tiling, grid = "square", list[str]()
    sides: dict[str, list[tuple[Place, Place]]] = {"wall": [], "warp": []}
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        side = _SIDE.match(line)
        if side:
            r0, c0, r1, c1 = (int(part) for part in side.groups()[1:])
            sides[side[1]].append(((r0, c0), (r1, c1)))
        elif line in ("hex", "square") and not grid:
            tiling = line
        elif not line or line.startswith(("# ", "//")) or (line == "#" and not grid):
            continue
        elif all(char in MARKS for char in line):
            grid.append(line)
        else:
            faults.append(f"Line {number} is neither a row of cells nor a wall nor a warp: {line[:40]!r}.")
    if not grid:
        faults.append("There are no rows of cells.")
    elif len({len(row) for row in grid}) > 1:
        faults.append(f"The rows are not equally long: {shown(len(row) for row in grid)}.")
    if faults:
        raise invalid_puzzle(faults)
    return Drawn(tiling, tuple(grid), tuple(sides["wall"]), tuple(sides["warp"]))


def build(drawn: Drawn) -> TextPuzzle:
    """The board and puzzle of a drawing. Raises ``PuzzleInvalidError`` with every fault."""
    check_size(len(drawn.grid), max(map(len, drawn.grid), default=0))
    faults = _faults_in_drawn(drawn)
    if faults:
        raise invalid_puzzle(faults)
    rows, cols = len(drawn.grid), len(drawn.grid[0])
    holes, bridges = drawn.places_of(HOLE), drawn.places_of(BRIDGE)
    if drawn.tiling == "hex":
        board = boards.hexagonal(rows, cols, holes, drawn.walls)
    else:
        board = boards.square(rows, cols, holes, drawn.walls, bridges, drawn.warps)
    assert board.lattice is not None
    number = {place: n for n, place in enumerate(board.lattice.places)}
    letters = tuple(dict.fromkeys(c for row in drawn.grid for c in row if c in LETTERS))
    ends = [tuple(number[place] for place in drawn.places_of(letter)) for letter in letters]
    return TextPuzzle(board, Puzzle(board.graph, tuple((a, b) for a, b in ends)), letters)


def draw(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> Drawn:
    """The rows, walls and warps of a puzzle, with these letters for its flows.

    Raises ``PuzzleInvalidError`` for boards without rows and columns, and when letters run out.
    """
    lattice = board.lattice
    if lattice is None:
        raise PuzzleInvalidError(
            "A board without rows and columns has no text form.", "Use the JSON form, which has cell numbers."
        )
    letters = LETTERS[: len(puzzle.terminals)] if letters is None else letters
    if len(letters) < len(puzzle.terminals):
        raise PuzzleInvalidError(
            f"{len(puzzle.terminals)} flows, but only {len(letters)} letters.", "Write a record instead."
        )
    cell_of = board.layout.cell_of
    marks = dict.fromkeys(lattice.places, EMPTY)
    for cell in cell_of[len(lattice.places) :]:
        marks[lattice.places[cell]] = BRIDGE
    for letter, pair in zip(letters, puzzle.terminals, strict=False):
        for dot in pair:
            marks[lattice.places[cell_of[dot]]] = letter
    grid = tuple("".join(marks.get((r, c), HOLE) for c in range(lattice.cols)) for r in range(lattice.rows))
    walls, warps = boards.walls_and_warps(board, lattice)
    return Drawn(lattice.tiling, grid, walls, warps)


def dot_faults(marks: Iterable[str]) -> list[str]:
    """What keeps the dots among the marks of all cells from being those of a puzzle."""
    letters = Counter(mark for mark in marks if mark in LETTERS)
    faults = [
        f"Letter {letter} stands {times(count)}; every letter marks two dots."
        for letter, count in sorted(letters.items())
        if count != 2
    ]
    return faults if letters else ["There are no dots."]


def _faults_in_drawn(drawn: Drawn) -> list[str]:
    rows, cols = len(drawn.grid), len(drawn.grid[0]) if drawn.grid else 0
    faults = []
    if len({len(row) for row in drawn.grid}) > 1:
        return [f"The rows are not equally long: {shown(len(row) for row in drawn.grid)}."]
    if strange := sorted({c for row in drawn.grid for c in row} - set(MARKS)):
        faults.append(f"Cells do not show {shown(map(repr, strange))}.")
    faults += dot_faults(c for row in drawn.grid for c in row)
    holes = set(drawn.places_of(HOLE))
    if drawn.tiling == "hex" and (drawn.places_of(BRIDGE) or drawn.warps):
        faults.append("Hexagons have no bridges and no warps.")
    for word, sides in (("Wall", drawn.walls), ("Warp", drawn.warps)):
        for a, b in sides:
            outside = [p for p in (a, b) if not (0 <= p[0] < rows and 0 <= p[1] < cols) or p in holes]
            if outside:
                faults.append(f"{word} {a} {b} names a place without a cell: {outside[0]}.")
            elif word == "Warp" and not _face_each_other(a, b, rows, cols):
                faults.append(f"Warp {a} {b} does not join the two ends of a row or a column.")
    return faults


def _face_each_other(a: Place, b: Place, rows: int, cols: int) -> bool:
    (r0, c0), (r1, c1) = sorted((a, b))
    return (r0 == r1 and (c0, c1) == (0, cols - 1)) or (c0 == c1 and (r0, r1) == (0, rows - 1))
