"""Puzzles as JSON records, one a line: rows, columns and pairs as numbers, so any number of flows fits.

    {"id": "7", "rows": 5, "cols": 5, "topology": "square", "pairs": [[[0, 0], [4, 1]], …],
     "holes": [], "walls": [], "bridges": [], "wrap": "none"}

``topology``: ``square`` or ``hex``. ``walls``: pairs of cells without an open side. ``wrap``: ``none``, or
``both`` where the ends of every row and column are neighbours too, unless ``walls`` names the pair.
``warps``: single pairs that are joined over the edge.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct, field, to_builtins

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.bounds import LONGEST_NAME, check_size, shortened, shown, whole
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import letters_for

Pairs = list[tuple[Place, Place]]


class RecordFields(Struct, frozen=True):
    """Fields of a record, named as in the JSON object."""

    id: str
    rows: int
    cols: int
    pairs: Pairs
    topology: str = "square"
    holes: list[Place] = field(default_factory=list)
    walls: Pairs = field(default_factory=list)
    bridges: list[Place] = field(default_factory=list)
    wrap: str = "none"
    warps: Pairs = field(default_factory=list)


def format_record(board: Board, puzzle: Puzzle, name: str = "") -> str:
    """Return the record of a puzzle. Raises ``PuzzleInvalidError`` without rows and columns."""
    made = to_builtins(fields_of(board, puzzle, name))
    if not made["warps"]:
        del made["warps"]
    return json.dumps(made)


def build_record(given: RecordFields) -> NamedPuzzle:
    """Build the puzzle that these fields describe. Raises ``PuzzleInvalidError`` with every fault."""
    faults = _faults(given)
    if faults:
        raise PuzzleInvalidError(" ".join(faults))
    if given.topology == "hex":
        board = boards.hexagonal(given.rows, given.cols, given.holes, given.walls)
    else:
        closed = {frozenset(pair) for pair in given.walls}
        ends = boards.ends_of_lines(given.rows, given.cols, given.holes)
        warps = [pair for pair in ends if frozenset(pair) not in closed] if given.wrap == "both" else []
        inner = [pair for pair in given.walls if not _over_the_edge(*pair, given.rows, given.cols)]
        board = boards.square(
            given.rows, given.cols, given.holes, inner, given.bridges, [*warps, *given.warps]
        )
    assert board.lattice is not None
    number = board.lattice.numbers
    terminals = tuple((number[a], number[b]) for a, b in given.pairs)
    return NamedPuzzle(given.id, board, Puzzle(board.graph, terminals), letters_for(len(terminals)))


def fields_of(board: Board, puzzle: Puzzle, name: str = "") -> RecordFields:
    """Return the fields of a puzzle's record. Raises ``PuzzleInvalidError`` without rows and columns."""
    lattice = board.lattice
    if lattice is None:
        raise PuzzleInvalidError("A board without rows and columns has no record.", "Write it as text.")
    places, cell_of = lattice.places, board.layout.cell_of
    walls, warps = map(list, boards.walls_and_warps(board, lattice))
    wrap = "none"
    if warps:
        ends = boards.ends_of_lines(lattice.rows, lattice.cols, lattice.holes)
        closed = [pair for pair in ends if pair not in warps]
        two_wide = [p for p in ends if not _over_the_edge(*p, lattice.rows, lattice.cols)]
        # On a board two cells wide, a wall of a record closes the inner side and the warp at once.
        if all((pair in closed) == (pair in walls) for pair in two_wide):
            wrap, warps = "both", []
            walls = sorted({*walls, *closed})
    return RecordFields(
        name,
        lattice.rows,
        lattice.cols,
        [(places[cell_of[a]], places[cell_of[b]]) for a, b in puzzle.terminals],
        lattice.tiling,
        lattice.holes,
        walls,
        sorted(places[cell] for cell in cell_of[len(places) :]),
        wrap,
        warps,
    )


def fields_in(record: Any) -> RecordFields:
    """Read the fields of a JSON object. Raises ``PuzzleInvalidError``."""
    if not isinstance(record, dict):
        raise PuzzleInvalidError(f"The record is not an object but {shortened(record)}.")
    try:
        lists = {name: record.get(name) or [] for name in ("holes", "walls", "bridges", "warps")}
        return RecordFields(
            id=name_of(record.get("id", "")),
            rows=whole(record["rows"]),
            cols=whole(record["cols"]),
            pairs=[(_place(a), _place(b)) for a, b in record["pairs"]],
            topology=shortened(record.get("topology") or "square"),
            holes=[_place(hole) for hole in lists["holes"]],
            walls=[(_place(a), _place(b)) for a, b in lists["walls"]],
            bridges=[_place(bridge) for bridge in lists["bridges"]],
            wrap=shortened(record.get("wrap") or "none"),
            warps=[(_place(a), _place(b)) for a, b in lists["warps"]],
        )
    except KeyError as error:
        raise PuzzleInvalidError(f"The record has no {error.args[0]!r}.") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        why = shortened(str(error), 120)
        raise PuzzleInvalidError(f"The record is not of the right form: {why}.") from None


def _faults(given: RecordFields) -> list[str]:
    rows, cols = given.rows, given.cols
    check_size(rows, cols)
    faults = []
    if given.topology not in ("square", "hex"):
        faults.append(f"The topology {given.topology!r} is neither square nor hex.")
    if given.wrap not in ("none", "both"):
        faults.append(f"The wrap {given.wrap!r} is neither none nor both.")
    if given.topology == "hex" and (given.bridges or given.warps or given.wrap == "both"):
        faults.append("Hexagons have no bridges and no warps.")
    holes = set(given.holes)

    def off(place: Place) -> bool:
        return not (0 <= place[0] < rows and 0 <= place[1] < cols) or place in holes

    dots = [dot for pair in given.pairs for dot in pair]
    for what, named in (("Dots", dots), ("Bridges", given.bridges)):
        outside = [place for place in named if off(place)]
        if outside:
            faults.append(f"{what} lie off the board: {shown(outside)}.")
    crossed = sorted(set(dots) & set(given.bridges))
    if crossed:
        faults.append(f"Dots lie on bridges: {shown(crossed)}.")
    if len(given.pairs) > rows * cols:
        faults.append(f"{len(given.pairs):,} pairs of dots do not fit on {rows * cols:,} places.")
    ends = set(boards.ends_of_lines(rows, cols, given.holes))
    wrong = [f"{a} {b}" for a, b in given.warps if (min(a, b), max(a, b)) not in ends]
    if wrong:
        faults.append(f"Warps do not join the two ends of a row or a column: {shown(wrong)}.")
    return faults


def _over_the_edge(a: Place, b: Place, rows: int, cols: int) -> bool:
    """Return whether two places are the ends of a row or column, and not neighbours on the board."""
    (r0, c0), (r1, c1) = sorted((a, b))
    far_row = r0 == r1 and c1 - c0 == cols - 1 > 1
    return far_row or (c0 == c1 and r1 - r0 == rows - 1 > 1)


def _place(value: Any) -> Place:
    row, col = value
    return whole(row), whole(col)


def name_of(value: Any) -> str:
    """Return the name in a record, text or a number, truncated."""
    return shortened(value, LONGEST_NAME) if isinstance(value, str | int | float) else ""
