"""Boards without rows and columns: their text form, and a layout of their cells on a circle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import cos, pi, sin

from msgspec.structs import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.check import LARGEST, invalid_puzzle, shown
from flowvision.puzzle.layout import Board, Cell, NamedPuzzle, Point, middle_of
from flowvision.puzzle.model import LETTERS, Puzzle
from flowvision.words import times

Sides = Sequence[tuple[int, int]]
"""The open sides of a board: the numbers of the cells on both sides of each."""
Dots = Sequence[tuple[str, int, int]]
"""The letter of each flow, and the cells of its two dots."""

RADIUS, CORNERS = 0.45, 24
"""Radius of a cell, in cell units, and corners of the regular polygon that is drawn."""
APART = 1.3
"""Distance of two neighbours on the circle, in cell units."""
ROUND_CELLS = 500
"""Cells of the largest board whose cells are drawn round; on larger ones they are squares."""
FREE = "free"
"""The first line of a board without rows and columns."""
FORMS = "`cells N`, `LETTER CELL CELL` nor `CELL: CELL …`"
_NUMBER = r"([0-9]{1,6})"
_CELLS = re.compile(rf"cells\s+{_NUMBER}$")
_DOTS = re.compile(rf"([{LETTERS}])\s+{_NUMBER}\s+{_NUMBER}$")
_SIDES = re.compile(rf"{_NUMBER}\s*:((?:\s*[0-9]{{1,6}}(?=\s|$))*)\s*$")


def parse_free(text: str) -> NamedPuzzle:
    """Parse a board without rows and columns. Raises ``PuzzleInvalidError`` with every fault."""
    cells = 0
    sides: list[tuple[int, int]] = []
    dots: list[tuple[str, int, int]] = []
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = without_comment(raw)
        if line in ("", "#", FREE):
            continue
        if match := _CELLS.match(line):
            cells = int(match[1])
        elif match := _DOTS.match(line):
            letter, a, b = match.groups()
            dots.append((letter, int(a), int(b)))
        elif match := _SIDES.match(line):
            cell, others = match.groups()
            sides += [(int(cell), int(other)) for other in others.split()]
        else:
            faults.append(f"Line {number} is neither {FORMS}: {line[:40]!r}.")
    if faults:
        raise invalid_puzzle(faults)
    return build_free(cells, sides, dots)


def without_comment(raw: str) -> str:
    """Return a line without its comment; ``#`` without a space is a hole."""
    line = raw.split("//", maxsplit=1)[0].strip()
    return "" if line.startswith("# ") else line


def build_free(count: int, sides: Sides, dots: Dots) -> NamedPuzzle:
    """Build a board without rows and columns, its cells laid apart with lines between them.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    faults = _faults_in_free(count, sides, dots)
    if faults:
        raise invalid_puzzle(faults)
    cells, middles = lay_out(count, sides)
    sides_and_middles = zip(sides, middles, strict=True)
    board = boards.build(
        cells, (boards.OpenSide(a, b, at_a=middle, at_b=middle) for (a, b), middle in sides_and_middles)
    )
    board = replace(board, layout=replace(board.layout, links=True))
    puzzle = Puzzle(board.graph, tuple((a, b) for _, a, b in dots))
    return NamedPuzzle("", board, puzzle, tuple(letter for letter, _, _ in dots))


def format_free(board: Board, puzzle: Puzzle, letters: Sequence[str] | None) -> str:
    """Return the text form. Raises ``PuzzleInvalidError`` beyond 62 flows, and for bridges."""
    hint = "No written form has more letters for a board without rows and columns."
    letters = letters_or_raise(puzzle, letters, hint)
    beside: dict[int, list[int]] = {}
    for a, b in open_sides(board):
        beside.setdefault(a, []).append(b)
    lines = [FREE, f"cells {len(board.layout.cells)}"]
    for letter, (a, b) in zip(letters, puzzle.terminals, strict=False):
        lines.append(f"{letter} {a} {b}")
    for cell, others in sorted(beside.items()):
        numbers = " ".join(map(str, sorted(others)))
        lines.append(f"{cell}: {numbers}")
    return "\n".join(lines) + "\n"


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


def _faults_in_free(count: int, sides: Sides, dots: Dots) -> list[str]:
    """Return every fault of a board without rows and columns."""
    if not 1 <= count <= LARGEST:
        return [f"The board has {count:,} cells; write `cells N` with 1 to {LARGEST:,}."]
    faults = []
    pairs = [*sides, *((a, b) for _, a, b in dots)]
    outside = {cell for pair in pairs for cell in pair if not 0 <= cell < count}
    if outside:
        last = count - 1
        faults.append(f"Cells have numbers from 0 to {last}; there is no {shown(sorted(outside))}.")
    faults += [f"Cell {a} is listed as its own neighbour." for a, b in sides if a == b]
    for letter, number in sorted(Counter(letter for letter, _, _ in dots).items()):
        if number > 1:
            faults.append(f"Letter {letter} has dots {times(number)}; write both in one line.")
    return faults if dots else [*faults, "There are no dots."]


def lay_out(count: int, sides: Sides) -> tuple[list[Cell], list[Point]]:
    """Return the cells of a board, and per side the middle of its line.

    Lines between cells that are not neighbours on the circle bend inwards, away from other cells.
    """
    places = [_on_circle(number, count) for number in range(count)]
    middles = []
    for a, b in sides:
        inward = 1.0 if (a - b) % count in (1, count - 1) else 0.5
        x, y = middle_of(places[a], places[b])
        middles.append((inward * x, inward * y))
    corners = CORNERS if count <= ROUND_CELLS else 4
    turns = [2 * pi * (corner + 0.5) / corners for corner in range(corners)]
    rim = [(RADIUS * cos(turn), RADIUS * sin(turn)) for turn in turns]
    cells = []
    for x, y in places:
        outline = tuple((x + dx, y + dy) for dx, dy in rim)
        cells.append(Cell((x, y), outline))
    return cells, middles


def _on_circle(number: int, count: int) -> Point:
    """Return the place of a cell on a circle on which neighbours are ``APART``."""
    radius = APART / (2 * sin(pi / count)) if count > 1 else 0.0
    angle = 2 * pi * number / count
    return radius * sin(angle), -radius * cos(angle)
