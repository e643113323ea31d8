"""Lines of a board without a picture: sides, walls, warps and bridges, and their colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import dist

from msgspec import Struct

from flowvision.colours import Rgb
from flowvision.puzzle.layout import Board, Cell, Point, Polyline

SideLine = tuple[Point, Point]
"""A straight line along a side, or a part of one, in cell units."""

MARGIN = 0.2
"""Margin around the board, in cell units; openings of warps reach into it."""
OUTLINE = 2.5
"""Width of outlines and walls, in widths of a grid line; measured: two to three."""
RAIL = 1.5
"""Width of the rails of a bridge, in widths of a grid line."""


class BoardStyle(Struct, frozen=True):
    """Colours and sizes of a board; the game draws walls and outlines twice as bright as lines.

    ``cell_px``: width of a cell, smaller where the picture would exceed ``max_px``.
    """

    ground: Rgb = Rgb(0, 0, 0)
    line: Rgb = Rgb(96, 96, 96)
    wall: Rgb = Rgb(192, 192, 192)
    cell_px: int = 120
    max_px: int = 1200


SCREEN = BoardStyle()
PAPER = BoardStyle(Rgb(255, 255, 255), Rgb(150, 150, 150), Rgb(40, 40, 40), cell_px=165, max_px=2126)
"""Style for printing: a white ground saves ink, and a pen covers grey lines. At 300 dots per inch cells are
14 mm wide and boards at most 180 mm, to fit A4 and US Letter with margins of 15 mm."""

Ruling = list[tuple[Sequence[Polyline], Rgb, float]]
"""Lines, their colour, and their width in widths of a grid line, in drawing order."""


def ruling_of(board: Board, style: BoardStyle) -> Ruling:
    """Return the lines of a board.

    A side without an edge is a border, or a wall between two cells. On cells measured one by one, all of
    these are borders.
    """
    crossed: set[tuple[int, int]] = set()
    warped: set[tuple[int, int]] = set()
    for strokes in board.layout.strokes:
        if len(strokes) == 1:
            crossed.add(_key(strokes[0][1]))
        else:
            warped |= {_key(strokes[0][-1]), _key(strokes[1][0])}
    ends = [side for cell in board.layout.cells for side in cell.sides]
    middles = [_key(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)) for start, end in ends]
    if board.lattice is None and not crossed <= set(middles):
        thin, thick = _measured_sides(board)
    else:
        thin, thick = list[SideLine](), list[SideLine]()
        owners, lattice, openings = Counter(middles), board.squares, warped - crossed
        # The frame of a full rectangle without warps is thin.
        is_plain = lattice is not None and not warped and not lattice.holes
        for middle, side in dict(zip(middles, ends, strict=True)).items():
            if middle in openings:
                thin += _opening_of(side, board)
            else:
                is_thin = middle in crossed or (is_plain and owners[middle] == 1)
                (thin if is_thin else thick).append(side)
    rails = [rail for cell in sorted(board.layout.bridges) for rail in _rails_of(board.layout.cells[cell])]
    return [(thin, style.line, 1.0), (thick, style.wall, OUTLINE), (rails, style.wall, RAIL)]


def _opening_of(side: SideLine, board: Board) -> list[SideLine]:
    start, end = side
    axis = 0 if start[0] == end[0] else 1
    positions = [corner[axis] for corner in board.layout.corners]
    out = 0.18 if start[axis] > (min(positions) + max(positions)) / 2 else -0.18
    dx, dy = (out, 0.0) if axis == 0 else (0.0, out)
    return [((x, y), (x + dx, y + dy)) for x, y in side]


def _rails_of(cell: Cell) -> list[Polyline]:
    x, y = cell.centre
    return [
        tuple((x + dx, y + dy * sign) for dx, dy in ((-0.42, 0.38), (-0.3, 0.27), (0.3, 0.27), (0.42, 0.38)))
        for sign in (-1, 1)
    ]


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 1024), round(point[1] * 1024)


def _measured_sides(board: Board) -> tuple[list[SideLine], list[SideLine]]:
    """Return the open and the closed sides of cells that were measured one by one.

    Neighbours share the shorter one of their two sides.
    """
    layout = board.layout
    open_sides: list[SideLine] = []
    crossed: set[tuple[int, int]] = set()
    for ends, strokes in zip(board.graph.edges, layout.strokes, strict=True):
        if len(strokes) == 1:
            cells = [layout.cell_of[end] for end in ends]
            passed = [(cell, _nearest(layout.cells[cell], strokes[0][1])) for cell in cells]
            crossed.update(passed)
            sides = [layout.cells[cell].sides[number] for cell, number in passed]
            open_sides.append(min(sides, key=lambda side: dist(*side)))
    closed = [
        side
        for index, cell in enumerate(layout.cells)
        for number, side in enumerate(cell.sides)
        if (index, number) not in crossed
    ]
    # Shorter sides are corners that were cut off.
    shortest = 0.15 * max((dist(*side) for side in open_sides + closed), default=0.0)
    return open_sides, [side for side in closed if dist(*side) > shortest]


def _nearest(cell: Cell, point: Point) -> int:
    detours = [dist(start, point) + dist(point, end) - dist(start, end) for start, end in cell.sides]
    return detours.index(min(detours))
