"""Puzzles as JSON records, one per line, and the board of every form with rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, json

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, NamedPuzzle
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.words import Hint, listed

LARGEST = 250_000
"""Places of the largest board, far beyond any solver."""
LONGEST_NAME = 200
"""Characters of a puzzle's name; the rest is cut off."""
SHOWN = 8
"""Faults in one message."""

Number = Annotated[int, Meta(ge=0, le=LARGEST)]
ReadPlace = tuple[Number, Number]
ReadPair = tuple[ReadPlace, ReadPlace]
T = TypeVar("T")


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


def load_json(line: str | bytes, kind: type[T]) -> T:
    """Parse a line of JSON. Raises ``PuzzleInvalidError``, also for JSON nested too deeply."""
    try:
        return json.decode(line, type=kind, strict=False)
    except (ValueError, RecursionError) as error:
        raise PuzzleInvalidError(f"Not a JSON record: {error!s:.120}.") from None


def format_record(board: Board, puzzle: Puzzle, name: str = "") -> str:
    """Return the record of a puzzle. Raises ``PuzzleInvalidError`` without rows and columns."""
    return json.format(json.encode(record_of(board, puzzle, name)), indent=0).decode()


def build_record(record: Record) -> NamedPuzzle:
    """Build the puzzle that these fields describe. Raises ``PuzzleInvalidError`` with every fault."""
    check_size(record.rows, record.cols)
    ends = boards.ends_of_lines(record.rows, record.cols, record.holes)
    if faults := _faults(record, ends):
        raise invalid_puzzle(faults)
    if record.topology == "hex":
        board = boards.hexagonal(record.rows, record.cols, record.holes, record.walls)
    else:
        closed = {frozenset(pair) for pair in record.walls}
        warps = [pair for pair in ends if frozenset(pair) not in closed] if record.wrap == "both" else []
        inner = [pair for pair in record.walls if not _over_the_edge(*pair, record.rows, record.cols)]
        board = boards.square(
            record.rows, record.cols, record.holes, inner, record.bridges, [*warps, *record.warps]
        )
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
    places, cell_of = lattice.places, board.layout.cell_of
    walls, warps = boards.walls_and_warps(board, lattice)
    wrap: Literal["none", "both"] = "none"
    if warps:
        ends = boards.ends_of_lines(lattice.rows, lattice.cols, lattice.holes)
        closed = [pair for pair in ends if pair not in warps]
        two_wide = [p for p in ends if not _over_the_edge(*p, lattice.rows, lattice.cols)]
        # On a board two cells wide, a wall of a record closes the inner side and the warp at once.
        if all((pair in closed) == (pair in walls) for pair in two_wide):
            wrap, warps, walls = "both", (), tuple(sorted({*walls, *closed}))
    return Record(
        id=name,
        rows=lattice.rows,
        cols=lattice.cols,
        topology=lattice.tiling,
        pairs=[(places[cell_of[a]], places[cell_of[b]]) for a, b in puzzle.terminals],
        holes=lattice.holes,
        walls=walls,
        bridges=sorted(places[cell] for cell in cell_of[len(places) :]),
        wrap=wrap,
        warps=warps,
    )


def _faults(record: Record, ends: Sequence[ReadPair]) -> list[str]:
    rows, cols, holes = record.rows, record.cols, set(record.holes)
    dots = [dot for pair in record.pairs for dot in pair]
    faults = []
    if record.topology == "hex" and (record.bridges or record.warps or record.wrap == "both"):
        faults.append("Hexagons have no bridges and no warps.")
    for kind, named in (("Dots", dots), ("Bridges", record.bridges)):
        outside = [(r, c) for r, c in named if r >= rows or c >= cols or (r, c) in holes]
        if outside:
            faults.append(f"{kind} are off the board: {shown(outside)}.")
    if crossed := sorted(set(dots) & set(record.bridges)):
        faults.append(f"There are dots on bridges: {shown(crossed)}.")
    if len(record.pairs) > rows * cols:
        faults.append(f"{len(record.pairs):,} pairs of dots do not fit on {rows * cols:,} places.")
    joined = set(ends)
    if wrong := [f"{a} {b}" for a, b in record.warps if (min(a, b), max(a, b)) not in joined]:
        faults.append(f"Warps do not join the two ends of a row or a column: {shown(wrong)}.")
    return faults


def _over_the_edge(a: ReadPlace, b: ReadPlace, rows: int, cols: int) -> bool:
    (r0, c0), (r1, c1) = sorted((a, b))
    far_row = r0 == r1 and c1 - c0 == cols - 1 > 1
    return far_row or (c0 == c1 and r1 - r0 == rows - 1 > 1)


def check_size(rows: int, cols: int) -> None:
    """Raise ``PuzzleInvalidError`` if a board of this size exceeds the limits."""
    if min(rows, cols) < 1 or rows * cols > LARGEST:
        raise PuzzleInvalidError(f"The board has {rows} × {cols} places; 1 to {LARGEST:,} are allowed.")


def shown(faults: Iterable[Any]) -> str:
    """List the first ``SHOWN`` faults, and count the rest."""
    return listed(list(map(str, faults)), SHOWN, ", ")


def invalid_puzzle(faults: Sequence[str], hint: str | Hint | None = None) -> PuzzleInvalidError:
    """Return the error with the first of these faults, the number of others, and a hint."""
    more = [f"And {len(faults) - SHOWN} more."] if len(faults) > SHOWN else []
    return PuzzleInvalidError(" ".join([*faults[:SHOWN], *more]), hint)
