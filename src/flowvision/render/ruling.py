"""Lines of a board without a picture: sides, walls, warps and bridges, and their colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import dist

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

Ruling = list[tuple[Sequence[Polyline], Rgb, float]]
"""Lines, their colour, and their width in widths of a grid line, in drawing order."""


def ruling_of(board: Board, style: BoardStyle) -> Ruling:
    """Return the lines of a board.

    A side without an edge is a border, or a wall between two cells. On cells measured one by one, all of
    these are borders.
    """
    sides = [side for cell in board.layout.cells for side in cell.sides]
    middles = {point_key(middle_of(*side)) for side in sides}
    crossed, warped = _points_passed(board)
    if board.lattice is None and not crossed <= middles:
        thin, thick = _measured_sides(board)
    else:
        thin, thick = _shared_sides(board, sides, crossed, warped)
    bridges = [board.layout.cells[cell] for cell in sorted(board.layout.bridges)]
    rails = [rail for bridge in bridges for rail in _rails_of(bridge)]
    return [(thin, style.line, 1.0), (thick, style.wall, OUTLINE), (rails, style.wall, RAIL)]


def _points_passed(board: Board) -> tuple[set[PointKey], set[PointKey]]:
    """Return the points at which edges cross sides, and those at which warps leave the board."""
    crossed: set[PointKey] = set()
    warped: set[PointKey] = set()
    for first, *others in board.layout.strokes:
        if others:
            warped |= {point_key(first[-1]), point_key(others[0][0])}
        else:
            crossed.add(point_key(first[1]))
    return crossed, warped


def _shared_sides(
    board: Board, sides: Sequence[SideLine], crossed: set[PointKey], warped: set[PointKey]
) -> tuple[list[SideLine], list[SideLine]]:
    """Return the thin and the thick sides of cells whose sides coincide."""
    middles = [point_key(middle_of(*side)) for side in sides]
    owners, lattice = Counter(middles), board.squares
    # The frame of a full rectangle without warps is thin.
    is_plain = lattice is not None and not warped and not lattice.holes
    thin: list[SideLine] = []
    thick: list[SideLine] = []
    for middle, side in dict(zip(middles, sides, strict=True)).items():
        if middle in crossed or (is_plain and owners[middle] == 1):
            thin.append(side)
        elif middle in warped:
            thin += _opening_of(side, board)
        else:
            thick.append(side)
    return thin, thick


def _opening_of(side: SideLine, board: Board) -> list[SideLine]:
    """Return the two lines that lead out of the board at a warp."""
    start, end = side
    axis = 0 if start[0] == end[0] else 1
    positions = [corner[axis] for corner in board.layout.corners]
    middle = (min(positions) + max(positions)) / 2
    out = OPENING if start[axis] > middle else -OPENING
    dx, dy = (out, 0.0) if axis == 0 else (0.0, out)
    return [((x, y), (x + dx, y + dy)) for x, y in side]


def _rails_of(cell: Cell) -> list[Polyline]:
    """Return the two curved rails that mark a bridge."""
    x, y = cell.centre
    lower = tuple((x + dx, y + dy) for dx, dy in RAIL_POINTS)
    upper = tuple((x + dx, y - dy) for dx, dy in RAIL_POINTS)
    return [upper, lower]


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
            crossing = strokes[0][1]
            passed = [(cell, _nearest(layout.cells[cell], crossing)) for cell in cells]
            crossed.update(passed)
            sides = [layout.cells[cell].sides[number] for cell, number in passed]
            open_sides.append(min(sides, key=lambda side: dist(*side)))
    closed: list[SideLine] = []
    for index, cell in enumerate(layout.cells):
        closed += [side for number, side in enumerate(cell.sides) if (index, number) not in crossed]
    shortest = CUT_CORNER * max((dist(*side) for side in open_sides + closed), default=0.0)
    return open_sides, [side for side in closed if dist(*side) > shortest]


def _nearest(cell: Cell, point: Point) -> int:
    """Return the number of the side of a cell that a point lies on, or next to."""

    def detour(side: SideLine) -> float:
        start, end = side
        return dist(start, point) + dist(point, end) - dist(start, end)

    detours = [detour(side) for side in cell.sides]
    return detours.index(min(detours))
