"""The written form of boards without rows and columns: cells by number, and which of them share a side.

free
cells 5
R 0 4                   a letter and the two cells of its dots
0: 1 2                  a cell and those beside it; each side once, at either of its cells
1: 3
2: 3 4
3: 4
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.bounds import LARGEST, invalid_puzzle, shown
from flowvision.puzzle.free_layout import lay_out
from flowvision.puzzle.layout import Board
from flowvision.puzzle.marks import LETTERS
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import TextPuzzle
from flowvision.value import value_type
from flowvision.words import times

WORD = "free"
"""The first line."""
_NUMBER = r"([0-9]{1,6})"
_CELLS = re.compile(rf"cells\s+{_NUMBER}$")
_DOTS = re.compile(rf"([{LETTERS}])\s+{_NUMBER}\s+{_NUMBER}$")
_SIDES = re.compile(rf"{_NUMBER}\s*:((?:\s*[0-9]{{1,6}}(?=\s|$))*)\s*$")


@value_type
class FreeFields:
    """What the form says: the number of cells, the sides between them, and each letter's dots."""

    cells: int
    sides: Sequence[tuple[int, int]]
    dots: Sequence[tuple[str, int, int]]


def is_free(lines: Iterable[str]) -> bool:
    """Whether lines, stripped and not empty, are of this form."""
    return next((line for line in lines if not _is_comment(line)), "") == WORD


def parse_free(text: str) -> TextPuzzle:
    """The puzzle of a text, its flows in the order of their lines. Raises ``PuzzleInvalidError``."""
    cells, sides, dots = 0, list[tuple[int, int]](), list[tuple[str, int, int]]()
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line == WORD or _is_comment(line):
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
    return build_free(FreeFields(cells, sides, dots))


def build_free(given: FreeFields) -> TextPuzzle:
    """The board and puzzle that these fields describe. Raises ``PuzzleInvalidError`` with every fault.

    Where its cells lie is not known: they are laid apart, and their sides are lines between them.
    """
    faults = _faults(given)
    if faults:
        raise invalid_puzzle(faults)
    cells, middles = lay_out(given.cells, given.sides)
    sides = [boards.OpenSide(a, b, at, at) for (a, b), at in zip(given.sides, middles, strict=True)]
    board = boards.build(cells, sides)
    board = replace(board, layout=replace(board.layout, links=True))
    puzzle = Puzzle(board.graph, tuple((a, b) for _, a, b in given.dots))
    return TextPuzzle(board, puzzle, tuple(letter for letter, _, _ in given.dots))


def format_free(board: Board, puzzle: Puzzle, letters: Sequence[str] | None = None) -> str:
    """The text of a puzzle, ending in a newline; ``parse_free`` reads it back.

    Raises ``PuzzleInvalidError`` for boards with bridges, and beyond 62 flows.
    """
    letters = LETTERS[: len(puzzle.terminals)] if letters is None else letters
    if len(letters) < len(puzzle.terminals):
        raise PuzzleInvalidError(
            f"{len(puzzle.terminals)} flows, but only {len(letters)} letters.",
            "No written form has more for a board without rows and columns.",
        )
    beside: dict[int, list[int]] = {}
    for a, b in open_sides(board):
        beside.setdefault(a, []).append(b)
    lines = [WORD, f"cells {len(board.layout.cells)}"]
    lines += [f"{letter} {a} {b}" for letter, (a, b) in zip(letters, puzzle.terminals, strict=False)]
    lines += [f"{cell}: {' '.join(map(str, sorted(others)))}" for cell, others in sorted(beside.items())]
    return "\n".join(lines) + "\n"


def open_sides(board: Board) -> list[tuple[int, int]]:
    """The open sides between cells, as pairs of their numbers, rising.

    Raises ``PuzzleInvalidError`` for boards with bridges, whose cells have two ways through them.
    """
    if len(board.layout.cell_of) > len(board.layout.cells):
        raise PuzzleInvalidError("A board with bridges, but without rows and columns, has no written form.")
    return sorted((min(pair), max(pair)) for pair in board.graph.edges)


def _faults(given: FreeFields) -> list[str]:
    if not 1 <= given.cells <= LARGEST:
        return [f"A board of {given.cells:,} cells; say `cells N` with 1 to {LARGEST:,}."]
    faults = []
    pairs = [*given.sides, *((a, b) for _, a, b in given.dots)]
    named = {cell for pair in pairs for cell in pair}
    outside = sorted(cell for cell in named if not 0 <= cell < given.cells)
    if outside:
        faults.append(f"The cells have numbers from 0 to {given.cells - 1}; there is no {shown(outside)}.")
    faults += [f"Cell {a} is named as lying beside itself." for a, b in given.sides if a == b]
    letters = Counter(letter for letter, _, _ in given.dots)
    faults += [
        f"Letter {letter} has dots {times(count)}; one line says both."
        for letter, count in sorted(letters.items())
        if count > 1
    ]
    if not given.dots:
        faults.append("There are no dots.")
    return faults


def _is_comment(line: str) -> bool:
    return line == "#" or line.startswith(("# ", "//"))
