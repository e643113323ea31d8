"""The board cut out of a fit: its cells, its open sides and its walls."""

from __future__ import annotations

from dataclasses import dataclass

from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import Fit


@dataclass(frozen=True, slots=True, eq=False)
class SideReading:
    """The board cut out of a fit: its cells, its open sides, its walls.

    ``shapes`` (cells, 2, 2): how long and wide every cell is, as in ``CellFit``. ``sides``: the middle of
    every side that was weighed (cell units), how bright and thick it is (1.0: a plain grid line), and whether
    it is open.
    """

    board: Board
    fit: Fit
    shapes: Floats
    sides: tuple[tuple[Point, float, bool], ...]
    clarity: float = 1.0
    """0 to 1: how clearly every side is either a plain line or a wall."""
