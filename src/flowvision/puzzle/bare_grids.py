"""Bare grids: numbers or words with spaces between them, each twice.

``.``, ``-``, ``_`` or ``0`` stand for an empty cell, ``#`` for a hole. Before a grid, or before each of
several, its width and height may stand.
"""

from __future__ import annotations

import re

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.bounds import check_size, no_puzzle, shortened, shown
from flowvision.puzzle.records import RecordFields
from flowvision.value import value_type
from flowvision.words import times

EMPTY_WORDS = frozenset({".", "-", "_", "0"})
_SIZE = re.compile(r"(\d{1,6})\s+(\d{1,6})$", re.ASCII)
_ROW = re.compile(r"[\w.#-]+(\s+[\w.#-]+)+")

Lines = list[tuple[int, str]]
"""Lines that are not empty, stripped, and their numbers."""


@value_type
class BareGrid:
    """The rows of words of a grid, and the line it begins at; no rows where they do not fit its size."""

    line: int
    rows: list[list[str]]


def bare_grids(lines: Lines) -> list[BareGrid]:
    """The grids of a text; none when the text is of another form."""
    if not lines:
        return []
    if _SIZE.match(lines[0][1]):
        grids = _sized(lines)
        if any(grid.rows for grid in grids):
            return grids
    if all(_ROW.fullmatch(line) for _, line in lines):
        return [BareGrid(lines[0][0], [line.split() for _, line in lines])]
    return []


def _sized(lines: Lines) -> list[BareGrid]:
    """Grids that begin with their size; where one does not fit, the next that does is looked for."""
    grids, at, lost = list[BareGrid](), 0, False
    while at < len(lines):
        rows = _rows_at(lines, at)
        if rows:
            grids.append(BareGrid(lines[at][0], rows))
            at, lost = at + len(rows) + 1, False
            continue
        size = _SIZE.match(lines[at][1])
        if size and not int(size[2]) and grids and not lost:  # such as 0 0, after the last one
            break
        if not lost:
            grids.append(BareGrid(lines[at][0], []))
        at, lost = at + 1, True
    return grids


def _rows_at(lines: Lines, at: int) -> list[list[str]]:
    """The rows of a grid whose size stands there; none when there are none of that size."""
    size = _SIZE.match(lines[at][1])
    width, height = (int(size[1]), int(size[2])) if size else (0, 0)
    if not width or not 0 < height <= len(lines) - at - 1:
        return []
    rows = []
    for _, line in lines[at + 1 : at + 1 + height]:
        words = _words(line, width)
        if len(words) != width:
            return []
        rows.append(words)
    return rows


def _words(line: str, width: int) -> list[str]:
    """The cells of a row: words with spaces between them, or single characters."""
    words = line.split()
    return list(line) if len(words) == 1 and width > 1 else words


def fields_of_rows(rows: list[list[str]], name: str) -> RecordFields:
    """The fields of a grid's record. Raises ``PuzzleInvalidError`` where it is no puzzle."""
    if not rows:
        raise PuzzleInvalidError("The rows do not have the width and height given before them.")
    if len({len(row) for row in rows}) > 1:
        raise PuzzleInvalidError(f"The rows are not equally long: {shown(len(row) for row in rows)}.")
    check_size(len(rows), len(rows[0]))
    places: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if word not in EMPTY_WORDS:
                places.setdefault(word, []).append((r, c))
    holes = places.pop("#", [])
    wrong = [
        f"{shortened(word)} appears {times(len(dots))}" for word, dots in places.items() if len(dots) != 2
    ]
    if wrong and len(wrong) == len(places) and all(map(str.isalpha, places)):  # words of a sentence
        raise no_puzzle(" ".join(rows[0]))
    if wrong:
        raise PuzzleInvalidError(f"Every number marks two dots: {shown(wrong)}.")
    pairs = [(dots[0], dots[1]) for dots in places.values()]
    return RecordFields(name, len(rows), len(rows[0]), pairs, holes=holes)
