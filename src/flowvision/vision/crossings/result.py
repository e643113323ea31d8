"""A board with its bridges and warps."""

from __future__ import annotations

from dataclasses import dataclass

from flowvision.puzzle.layout import Board, Place
from flowvision.vision.pixels.view import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """The board with its bridges and warps.

    ``bridges``: their places. ``warps``: the two places that each joins over the edge. ``inked``: per
    cell, the share of its inside that stands out from it as a line does.
    """

    board: Board
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Place, Place], ...]
    inked: Floats
    seen: bool = True
    """False where no border is seen at all, so that every end may be open."""
