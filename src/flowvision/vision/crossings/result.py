"""What is seen of bridges and warps, and a board that has them."""

from __future__ import annotations

from flowvision.puzzle.layout import Board, Place
from flowvision.value import value_type
from flowvision.vision.dots.detection import Pairing
from flowvision.vision.pixels.view import Floats

Way = tuple[int, int]
"""Rows down and columns to the right, of one step."""
Gate = tuple[Place, Way]
"""A cell and a way out of it."""


@value_type(eq=False)
class CrossingEvidence:
    """What is seen of bridges and warps on a board, with the pairs of dots that its pipes may join.

    ``warps``: the two gates that each joins over the edge. ``ends``: both ends of every row and column, where
    no border is seen and all of them may be open; else empty. ``inked`` (cells,): the share of each cell's
    inside that is covered by thin lines, 0 to 1.
    """

    pairing: Pairing
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Gate, Gate], ...]
    ends: tuple[tuple[Gate, Gate], ...]
    inked: Floats


@value_type(eq=False)
class Crossings:
    """The board with its bridges and warps.

    ``bridges``: their places. ``warps``: the two places that each joins over the edge. ``inked``: as in
    ``CrossingEvidence``.
    """

    pairing: Pairing
    board: Board
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Place, Place], ...]
    inked: Floats
    seen: bool = True
    """False where the warps are assumed: no border is seen at all, so every end may be open."""

    @property
    def source(self) -> Pairing:
        """Which dots belong together."""
        return self.pairing
