"""The game's own level lines, both ways.

    size,page,level,flows[,bridges[,holes[,walls]]];path;path;…

``size`` is ``[X_|W_]width[:height][+flags]``: ``X_`` for hexagons, ``W_`` where the ends of every row and
column are neighbours too. Cells are numbered row by row; bridges and holes are joined by ``:``, walls are
``a|b`` joined by ``:`` (on ``W_`` boards also those that close the border). A path is its cells joined by
commas; its ends are the dots. Flags change only the game's drawing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.bounds import LONGEST_NAME, SHOWN, check_size, shown, whole
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.records import RecordFields, build_record, fields_of
from flowvision.words import count_of

_SIZE = re.compile(r"([XW]_)?(\d{1,6})(?::(\d{1,6}))?(?:\+.*)?$", re.ASCII)
_HEAD = re.compile(r"([XW]_)?\d+(:\d+)?(\+[^,;]*)?(,[^,;]*){3,6};\d|([XW]_\d+|\d+:\d+)[^,;]*,")
"""Beginning of a level line; a truncated one is recognised by its size."""


def looks_like_level(line: str) -> bool:
    """Return whether a line begins as a level line does."""
    return _HEAD.match(line.strip()) is not None


def parse_level(line: str) -> NamedPuzzle:
    """Return the puzzle of a level line, named ``page/level``. Raises ``PuzzleInvalidError``."""
    head, *tails = line.strip().rstrip(";").split(";")
    fields = head.split(",")
    size = _SIZE.match(fields[0].strip())
    if size is None or len(fields) < 4:
        raise PuzzleInvalidError(
            f"Not a level line: {line.strip()[:40]!r}. It begins with size,page,level,flows; paths follow."
        )
    kind, cols = size[1], int(size[2])
    rows = int(size[3] or cols)
    check_size(rows, cols)
    try:
        flows = whole(fields[3])
        paths = tuple(tuple(_numbers(tail, ",")) for tail in tails)
        bridges, holes = (_numbers(fields[n], ":") if len(fields) > n else [] for n in (4, 5))
        walls = [_numbers(wall, "|") for wall in fields[6].split(":") if wall] if len(fields) > 6 else []
    except ValueError as error:
        raise PuzzleInvalidError(f"Not a number in the level: {error}.") from None
    faults = _faults(rows * cols, flows, paths, walls)
    if faults:
        raise PuzzleInvalidError(" ".join(faults))

    def place(number: int) -> Place:
        return divmod(number, cols)

    return build_record(
        RecordFields(
            id=f"{fields[1]}/{fields[2]}"[:LONGEST_NAME],
            rows=rows,
            cols=cols,
            topology="hex" if kind == "X_" else "square",
            pairs=[(place(path[0]), place(path[-1])) for path in paths],
            holes=[place(hole) for hole in holes],
            walls=[(place(a), place(b)) for a, b in walls],
            bridges=[place(bridge) for bridge in bridges],
            wrap="both" if kind == "W_" else "none",
        )
    )


def format_level(board: Board, puzzle: Puzzle, solution: Solution, page: int = 1, level: int = 1) -> str:
    """Return the level line of a solved puzzle, without a newline.

    Raises ``PuzzleInvalidError`` for boards without rows and columns, and for some warps of boards two cells
    wide.
    """
    made = fields_of(board, puzzle)
    if made.warps:
        raise PuzzleInvalidError("A level line cannot say which sides of this board are warps.")
    lattice = board.lattice
    assert lattice is not None

    def number(place: Place) -> int:
        return place[0] * lattice.cols + place[1]

    kind = "X_" if made.topology == "hex" else "W_" if made.wrap == "both" else ""
    size = f"{lattice.cols}" if lattice.cols == lattice.rows else f"{lattice.cols}:{lattice.rows}"
    head = [f"{kind}{size}", str(page), str(level), str(len(puzzle.terminals))]
    extra = [
        ":".join(str(number(place)) for place in made.bridges),
        ":".join(str(number(place)) for place in made.holes),
        ":".join(f"{number(a)}|{number(b)}" for a, b in made.walls),
    ]
    while extra and not extra[-1]:
        extra.pop()
    cells = [
        [number(lattice.places[board.layout.cell_of[s]]) for s in path.vertices] for path in solution.paths
    ]
    return ";".join([",".join(head + extra), *(",".join(map(str, path)) for path in cells)])


def _numbers(text: str, by: str) -> list[int]:
    return [whole(part) for part in text.split(by) if part.strip()]


def _faults(
    size: int, flows: int, paths: Sequence[Sequence[int]], walls: Sequence[Sequence[int]]
) -> list[str]:
    faults = []
    if flows != len(paths):
        faults.append(f"The line says {count_of(flows, 'flow')} and gives {count_of(len(paths), 'path')}.")
    faults += [f"Path {n} has fewer than two cells." for n, path in enumerate(paths, 1) if len(path) < 2]
    faults += [
        f"Path {n} has a cell off the board."
        for n, path in enumerate(paths, 1)
        if any(not 0 <= cell < size for cell in path)
    ]
    wrong = [wall for wall in walls if len(wall) != 2]
    if wrong:
        faults.append(f"A wall does not stand between two cells: {shown(wrong)}.")
    return faults[:SHOWN]
