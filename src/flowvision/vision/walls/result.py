"""The board cut out of a fit: its cells, its open sides and its walls."""

from __future__ import annotations

from dataclasses import dataclass

from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import Fit


@dataclass(frozen=True, slots=True, eq=False)
class SideReading:
    """The board cut out of a fit: its cells, its open sides, its walls.

    ``shapes`` (cells, 2, 2): how long and wide every cell is, as in ``CellFit``. ``dot_ring``: the radius,
    in widths of a narrow cell, that lies inside every dot and clear of what is drawn in it. ``sides``: the
    middle of every side that was weighed (cell units), how bright and thick it is (1.0: a plain grid line),
    and whether it is open.
    """

    board: Board
    fit: Fit
    shapes: Floats
    dot_ring: float
    sides: tuple[tuple[Point, float, bool], ...]
    clarity: float = 1.0
    """0 to 1: how clearly every side is either a plain line or a wall."""
    held: frozenset[int] | None = None
    """The cells that hold a dot, where that was seen already; these may reach to the sides of their cells."""
    others: bool = False
    """Whether other cells than ``held`` may hold one."""
