"""How large a dot, a pipe and what goes with them are drawn: one table for every drawing.

Lengths are fractions of a narrow cell's width: twice the distance from a cell's middle to its nearest side.
"""

from __future__ import annotations

from math import hypot

from flowvision.image.picture import Frame
from flowvision.puzzle.layout import DOT_RADIUS, Board, Cell

NARROW_DOT = 0.34
"""Radius of the game's dots in widths of a cell that is narrower than 1.0 (hexagons)."""
SEEN_DOT = 0.345
"""The radius at which a dot in a picture ends: half of its soft edge lies outside."""
DOT_REACH = 0.56
"""No dot of any copy reaches further from its middle."""
DOT_MIDDLE = 0.26
"""What of a dot is left as it was, with its letter; few are smaller."""
PIPE = 0.333
"""Width of the game's own pipes, as measured on screenshots (0.33 to 0.343), and of those that are drawn."""
RIM = 0.025
"""Width of a rim on each side; the pipe within is narrower, so that all look alike."""
BRIDGE_GAP = 0.035
"""The ground that shows on both sides of a pipe where it crosses a bridge."""
LETTER, PIPE_LETTER = 0.4, 0.26
"""Height of letters on dots, where they are as large as the game's, and along pipes."""
LINE = 0.03
"""Thickness of grid lines on boards that are drawn without a screenshot."""


def dot_radius(cell: Cell) -> float:
    """The radius of a dot in this cell, in cell units."""
    return min(DOT_RADIUS, NARROW_DOT * cell_width(cell))


def cell_width(cell: Cell) -> float:
    """Twice the distance from the middle of a cell to its nearest side, in cell units."""
    away = []
    for (ax, ay), (bx, by) in cell.sides:
        length = hypot(bx - ax, by - ay)
        away.append(abs((bx - ax) * (ay - cell.centre[1]) - (ax - cell.centre[0]) * (by - ay)) / length)
    return 2 * min(away)


def usual_width(board: Board) -> float:
    """The median width of a board's cells, in cell units."""
    widths = sorted(cell_width(cell) for cell in board.layout.cells)
    return widths[len(widths) // 2]


def narrow_px_of(board: Board, frame: Frame) -> float:
    """The width of a narrow cell in the middle of the board, in pixels."""
    return frame.narrow_px(board.layout.cells[len(board.layout.cells) // 2].centre)
