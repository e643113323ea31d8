"""The sides of cells that were measured one by one: neighbours' outlines do not quite meet."""

from __future__ import annotations

from math import hypot

from flowvision.puzzle.layout import Board, Cell, Point

SideLine = tuple[Point, Point]

ALIKE = 1.3
"""Sides of two neighbours that differ in length by less are one side, seen twice."""
CORNER = 0.15
"""Of the longest side: what is shorter is a corner that was measured as cut off."""


def measured_sides(board: Board) -> tuple[list[SideLine], list[SideLine]]:
    """The open sides, each once, and those that no path crosses.

    Between neighbours a side lies half-way between the two that were measured; where one neighbour is longer,
    as where a large cell has two small ones beside it, it is the shorter of the two.
    """
    layout = board.layout
    open_sides: list[SideLine] = []
    crossed: set[tuple[int, int]] = set()
    for (u, v), strokes in zip(board.graph.edges, board.layout.strokes, strict=True):
        if len(strokes) > 1:
            continue
        cells = layout.cell_of[u], layout.cell_of[v]
        numbers = [_nearest(layout.cells[cell], strokes[0][1]) for cell in cells]
        crossed |= set(zip(cells, numbers, strict=True))
        first, second = (
            layout.cells[cell].sides[number] for cell, number in zip(cells, numbers, strict=True)
        )
        open_sides.append(_between(first, second))
    closed = [
        side
        for index, cell in enumerate(layout.cells)
        for number, side in enumerate(cell.sides)
        if (index, number) not in crossed
    ]
    least = CORNER * max((_length(side) for side in open_sides + closed), default=0.0)
    return open_sides, [side for side in closed if _length(side) > least]


def _length(side: SideLine) -> float:
    (ax, ay), (bx, by) = side
    return hypot(bx - ax, by - ay)


def _nearest(cell: Cell, point: Point) -> int:
    """The number of the side of a cell that passes nearest to a point."""
    away = [_away(point, side) for side in cell.sides]
    return away.index(min(away))


def _away(point: Point, side: SideLine) -> float:
    """The distance of a point from a line between two points."""
    (px, py), ((ax, ay), (bx, by)) = point, side
    dx, dy = bx - ax, by - ay
    along = max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / max(dx * dx + dy * dy, 1e-12)))
    return hypot(px - ax - along * dx, py - ay - along * dy)


def _between(first: SideLine, second: SideLine) -> SideLine:
    """Half-way between two lines, or the shorter one where they are not alike."""
    lengths = _length(first), _length(second)
    if max(lengths) > ALIKE * min(lengths):
        return first if lengths[0] < lengths[1] else second
    (a, b), (c, d) = first, second
    if hypot(a[0] - c[0], a[1] - c[1]) > hypot(a[0] - d[0], a[1] - d[1]):
        c, d = d, c
    return ((a[0] + c[0]) / 2, (a[1] + c[1]) / 2), ((b[0] + d[0]) / 2, (b[1] + d[1]) / 2)
