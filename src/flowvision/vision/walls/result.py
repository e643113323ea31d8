"""The board cut out of a fit: its cells, its walls, and how its sides were seen."""

from __future__ import annotations

from typing import NamedTuple

from flowvision.puzzle.layout import Board, Point
from flowvision.value import value_type
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import Fit


class Side(NamedTuple):
    """A side of a cell as it was measured.

    ``middle``: in cell units. ``strength``: brightness times thickness, 1.0 for a plain grid line.
    ``completeness``: of the places along it the share that is as strong as a wall, 0 to 1. ``None``: it was
    not measured place by place.
    """

    middle: Point
    strength: float
    is_open: bool
    completeness: float | None = None


@value_type(eq=False)
class SideReading:
    """The board cut out of a fit: its cells and its walls.

    ``shapes`` (cells, 2, 2): how long and wide every cell is, as in ``CellFit``. ``sides``: those that were
    measured.
    """

    board: Board
    fit: Fit
    shapes: Floats
    sides: tuple[Side, ...]
    clarity: float = 1.0
    """0 to 1: how clearly every side is either a plain line or a wall."""
