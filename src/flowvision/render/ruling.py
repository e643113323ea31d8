"""Lines of a board without a picture: sides, walls, warps and bridges, and their colours.

All lines are in cell units. A side is crossed where an edge leads over it to the neighbour, and warped where
one leads through a warp. Others are closed: borders, and walls between two cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import dist
from typing import NamedTuple

from msgspec import Struct

from flowvision.colours import Rgb
from flowvision.puzzle.boards import PointKey, point_key
from flowvision.puzzle.layout import Board, Cell, Point, Polyline, middle_of

SideLine = tuple[Point, Point]
"""A straight line along a side, or a part of one, in cell units."""

MARGIN = 0.2
"""Margin around the board, in cell units; openings of warps reach into it."""
OUTLINE = 2.5
"""Width of outlines and walls, in widths of a grid line; measured: two to three."""
RAIL = 1.5
"""Width of the rails of a bridge, in widths of a grid line."""
RAIL_POINTS = ((-0.42, 0.38), (-0.3, 0.27), (0.3, 0.27), (0.42, 0.38))
"""The lower rail, from the middle of its cell, in cell units."""
OPENING = 0.18
"""Length of the lines that lead out of the board at a warp, in cell units."""
CUT_CORNER = 0.15
"""Longest side of a cell that is a corner cut off, in lengths of the longest side."""


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


class Ruling(NamedTuple):
    """Lines of one colour, and their width in widths of a grid line."""

    lines: Sequence[Polyline]
    colour: Rgb
    width: float


class _Sides(NamedTuple):
    """Lines along the sides of cells: thin ones where paths can cross, thick ones where they cannot."""

    thin: list[SideLine]
    thick: list[SideLine]


def ruling_of(board: Board, style: BoardStyle) -> list[Ruling]:
    """Return the lines of a board, in drawing order."""
    sides = [side for cell in board.layout.cells for side in cell.sides]
    middles = {point_key(middle_of(*side)) for side in sides}
    crossed, warped = _points_passed(board)
    is_measured = board.lattice is None and not crossed <= middles  # cell by cell: sides do not coincide
    thin, thick = _measured_sides(board) if is_measured else _shared_sides(board, sides, crossed, warped)
    bridges = [board.layout.cells[cell] for cell in sorted(board.layout.bridges)]
    rails = [rail for bridge in bridges for rail in _rails_of(bridge)]
    return [
        Ruling(thin, style.line, width=1.0),
        Ruling(thick, style.wall, OUTLINE),
        Ruling(rails, style.wall, RAIL),
    ]


def _points_passed(board: Board) -> tuple[set[PointKey], set[PointKey]]:
    """Return the points at which edges cross sides, and those at which warps leave the board, as keys."""
    crossed: set[PointKey] = set()
    warped: set[PointKey] = set()
    for edge in range(len(board.layout.strokes)):
        points = warped if board.layout.is_warp(edge) else crossed
        points |= set(map(point_key, board.layout.crossings(edge)))
    return crossed, warped


def _shared_sides(
    board: Board, sides: Sequence[SideLine], crossed: set[PointKey], warped: set[PointKey]
) -> _Sides:
    """Return the lines of cells whose sides coincide.

    ``crossed``, ``warped``: middles of sides that lead to a neighbour, and through a warp.
    """
    middles = [point_key(middle_of(*side)) for side in sides]
    cells_at, lattice = Counter(middles), board.squares
    # The frame of a full rectangle without warps is thin.
    is_plain = lattice is not None and not warped and not lattice.holes
    thin: list[SideLine] = []
    thick: list[SideLine] = []
    for middle, side in dict(zip(middles, sides, strict=True)).items():
        is_border = cells_at[middle] == 1
        if middle in crossed or (is_plain and is_border):
            thin.append(side)
        elif middle in warped:
            thin += _opening_of(side, board)
        else:
            thick.append(side)
    return _Sides(thin, thick)


def _opening_of(side: SideLine, board: Board) -> list[SideLine]:
    """Return the two lines that lead out of the board from a side, upright or level, with a warp."""
    (start_x, start_y), (end_x, _) = side
    xs, ys = zip(*board.layout.corners, strict=True)
    dx = dy = 0.0
    if start_x == end_x:
        dx = OPENING if start_x > (min(xs) + max(xs)) / 2 else -OPENING
    else:
        dy = OPENING if start_y > (min(ys) + max(ys)) / 2 else -OPENING
    return [((x, y), (x + dx, y + dy)) for x, y in side]


def _rails_of(cell: Cell) -> list[Polyline]:
    """Return the two curved rails that mark a bridge."""
    x, y = cell.centre
    lower = tuple((x + dx, y + dy) for dx, dy in RAIL_POINTS)
    upper = tuple((x + dx, y - dy) for dx, dy in RAIL_POINTS)
    return [upper, lower]


def _measured_sides(board: Board) -> _Sides:
    """Return the lines of cells that were measured one by one.

    Neighbours share the shorter one of their two sides. Closed sides that cut off a corner have no line.
    """
    layout = board.layout
    crossed_sides: list[SideLine] = []
    closed_by_cell = [list(cell.sides) for cell in layout.cells]
    for edge, ends in enumerate(board.graph.edges):
        if not layout.is_warp(edge):
            (crossing, _), sides = layout.crossings(edge), list[SideLine]()
            for cell in (layout.cell_of[end] for end in ends):
                side = _side_through(layout.cells[cell], crossing)
                sides.append(side)
                if side in closed_by_cell[cell]:
                    closed_by_cell[cell].remove(side)
            crossed_sides.append(min(sides, key=_length))
    closed_sides = list(chain.from_iterable(closed_by_cell))
    shortest = CUT_CORNER * max(map(_length, crossed_sides + closed_sides), default=0.0)
    return _Sides(crossed_sides, [side for side in closed_sides if _length(side) > shortest])


def _length(side: SideLine) -> float:
    return dist(*side)


def _side_through(cell: Cell, point: Point) -> SideLine:
    """Return the side of a cell that a point lies on, or next to."""

    def detour(side: SideLine) -> float:
        start, end = side
        return dist(start, point) + dist(point, end) - dist(start, end)

    return min(cell.sides, key=detour)
