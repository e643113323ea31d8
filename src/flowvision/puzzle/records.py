"""Puzzles as JSON records, one a line: rows, columns and pairs as numbers, so any number of flows fits.

    {"id": "7", "rows": 5, "cols": 5, "topology": "square", "pairs": [[[0, 0], [4, 1]], …],
     "holes": [], "walls": [], "bridges": [], "wrap": "none"}

``topology``: ``square`` or ``hex``. ``walls``: pairs of cells that are no neighbours. ``wrap``: ``none``, or
``both`` where the ends of every row and column are neighbours too, unless ``walls`` names the pair.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Place
from flowvision.puzzle.model import Puzzle


@dataclass(frozen=True, slots=True)
class Record:
    """A puzzle with its name."""

    id: str
    board: Board
    puzzle: Puzzle


def parse_record(line: str) -> Record:
    """The puzzle of one line of JSON. Raises ``PuzzleInvalidError`` that names what is missing or wrong."""
    try:
        record = json.loads(line)
        rows, cols = int(record["rows"]), int(record["cols"])
        pairs = [(_place(a), _place(b)) for a, b in record["pairs"]]
        holes = [_place(hole) for hole in record.get("holes", [])]
        walls = [(_place(a), _place(b)) for a, b in record.get("walls", [])]
        bridges = [_place(bridge) for bridge in record.get("bridges", [])]
    except json.JSONDecodeError as error:
        raise PuzzleInvalidError(f"Not a JSON record: {error}.") from None
    except KeyError as error:
        raise PuzzleInvalidError(f"The record has no {error.args[0]!r}.") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise PuzzleInvalidError(f"The record is not of the right form: {error}.") from None
    if not (1 <= rows <= 500 and 1 <= cols <= 500):
        raise PuzzleInvalidError(f"A board of {rows} × {cols}; from 1 to 500 rows and columns are read.")
    if record.get("topology", "square") == "hex":
        board = boards.hexagonal(rows, cols, holes, walls)
    else:
        warps = _warps(rows, cols, holes, walls) if record.get("wrap") == "both" else []
        inner = [pair for pair in walls if not _over_the_edge(*pair, rows, cols)]
        board = boards.square(rows, cols, holes, inner, bridges, warps)
    return Record(str(record.get("id", "")), board, _puzzle(board, pairs))


def _puzzle(board: Board, pairs: list[tuple[Place, Place]]) -> Puzzle:
    assert board.lattice is not None
    number = {place: n for n, place in enumerate(board.lattice.places)}
    outside = [str(dot) for pair in pairs for dot in pair if dot not in number]
    if outside:
        raise PuzzleInvalidError(f"Dots lie off the board: {', '.join(outside)}.")
    return Puzzle(board.graph, tuple((number[a], number[b]) for a, b in pairs))


def _warps(
    rows: int, cols: int, holes: list[Place], walls: list[tuple[Place, Place]]
) -> list[tuple[Place, Place]]:
    closed = {frozenset(pair) for pair in walls}
    ends: list[tuple[Place, Place]] = [((r, 0), (r, cols - 1)) for r in range(rows)]
    ends += [((0, c), (rows - 1, c)) for c in range(cols)]
    return [pair for pair in ends if frozenset(pair) not in closed and not set(pair) & set(holes)]


def _over_the_edge(a: Place, b: Place, rows: int, cols: int) -> bool:
    """Whether two places are the ends of a row or column, and no neighbours on the board."""
    (r0, c0), (r1, c1) = sorted((a, b))
    far_row = r0 == r1 and c1 - c0 == cols - 1 > 1
    return far_row or (c0 == c1 and r1 - r0 == rows - 1 > 1)


def _place(value: Any) -> Place:
    row, col = value
    return int(row), int(col)
