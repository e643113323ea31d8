"""What every kind of board has in common: a fit, the board cut out of it, and what its dots look like.

A new kind is a class of its own, derived from ``Fit``, which other modules need not know. Some checks,
causes of refusals and debug pictures look at one kind alone, and pass the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.puzzle.layout import Board, Place, Point
from flowvision.value import made_of
from flowvision.vision.board import BoardRegion
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.settings import DotSettings, Settings


class DotModel(Struct, frozen=True):
    """What the dots of a board look like, and which cells may hold one.

    ``ring``: the radius of the annulus that a dot fills with one colour, in cell widths: inside
    every dot, and clear of letters and pipes. ``background``: where the colour round a dot is sampled: on a
    ``wider ring``, outside any dot of the game, in the ``corners`` of the cell, where dots may reach its
    sides, or along its ``outline``, where cells are of any shape. ``known``: numbers of cells that hold a dot
    whatever their annulus shows, for it was found by other means, such as circles. ``known_only``: no other
    cell holds a dot; otherwise those do whose annulus shows one. ``by_size``: pipes may fill the annulus as
    well, so that only the largest discs are dots.
    """

    ring: float
    background: Literal["wider ring", "corners", "outline"] = "wider ring"
    known: frozenset[int] = frozenset()
    known_only: bool = False
    by_size: bool = False


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

    @property
    def places(self) -> tuple[Place, Place]:
        """The two places that it parts, on a board of squares; at the border one of them lies beyond."""
        x, y = self.middle
        row, col = int(y), int(x)
        return (row, col - 1) if x == col else (row - 1, col), (row, col)


class DebugShape(Struct, frozen=True, eq=False):
    """What a debug picture shows of a fit, in pixels of the picture.

    ``seen``, ``unseen``: lines (N, 2) of the cells that belong to the board, and of others. ``links``: lines
    between neighbours. ``circles`` (N, 3): middles and radii. ``labels`` (h, w): the regions of the fit's
    view, numbered from 1, where cells are such regions.
    """

    title: str
    caption: str
    seen: tuple[Floats, ...] = ()
    unseen: tuple[Floats, ...] = ()
    links: tuple[Floats, ...] = ()
    circles: Floats | None = None
    labels: NDArray[np.int32] | None = None


NEAR = 0.3
"""Cells: where corners of two lattices are nearer to one another, they show the same board."""


class Fit:
    """What may explain a region: cells of one kind, where they lie, and how well they were seen."""

    __slots__ = ()

    if TYPE_CHECKING:  # each a field of some kinds, and computed by others

        @property
        def frame(self) -> Frame:
            """Cell units to pixels of the picture."""

        @property
        def pitch_px(self) -> float:
            """The width of a cell, in pixels of the picture."""

        @property
        def region(self) -> BoardRegion:
            """What it explains."""

        @property
        def strategy(self) -> str:
            """The name of what was tried to find it."""

        @property
        def quality(self) -> float:
            """0 to 1: how well its cells were seen."""

    source = made_of("region")

    @property
    def score(self) -> float:
        """0 to 1: how well it explains its region, next to other fits."""
        return self.quality

    @property
    def view(self) -> View:
        """The pixels in which it was fitted."""
        return self.region.view

    @property
    def is_lattice(self) -> bool:
        """Whether it has rows and columns between lines, as the game itself; such boards come first."""
        return False

    @property
    def is_given(self) -> bool:
        """Whether its rows and columns were given, and spread over the region rather than seen there."""
        return False

    @property
    def is_regular(self) -> bool:
        """Whether its cells were found as a lattice; ``False`` where they were found one by one."""
        return True

    @property
    def is_open(self) -> bool:
        """Whether lines go on beyond it: it may be a part of a board."""
        return False

    @property
    def shows_border(self) -> bool:
        """Whether its border was looked for where it lies, rather than carried on to."""
        return True

    @property
    def size(self) -> tuple[int, int] | None:
        """Rows and columns of squares; ``None`` where it has other cells."""
        return None

    def placed(self, frame: Frame) -> Fit:
        """The cells elsewhere in the picture."""
        return cast("Fit", replace(cast(Any, self), frame=frame))

    def found_by(self, strategy: str) -> Fit:
        """The fit with the name of the strategy that found it."""
        return cast("Fit", replace(cast(Any, self), strategy=strategy))

    def size_text(self) -> str:
        """How many cells there are, in words."""
        raise NotImplementedError

    def outline_px(self) -> Floats:
        """(N, 2): the corners of a polygon round all of its cells, in pixels of the picture."""
        raise NotImplementedError

    def cut_board(self, settings: Settings) -> BoardGeometry:
        """The board cut out: which cells exist, and which of their sides are walls."""
        raise NotImplementedError

    def usual_dots(self, settings: DotSettings) -> DotModel:
        """What dots of the game look like in such cells."""
        raise NotImplementedError

    def debug_shape(self) -> DebugShape:
        """What a debug picture shows of it."""
        raise NotImplementedError


class RowsAndColumns(Fit):
    """A fit of squares or oblongs in ``rows`` and ``cols``."""

    __slots__ = ()
    rows: int
    cols: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    def outline_px(self) -> Floats:
        """(4, 2): its corners in pixels of the picture, clockwise from the top left."""
        return self.frame.to_px([(0, 0), (self.cols, 0), (self.cols, self.rows), (0, self.rows)])

    def lies_at(self, size: tuple[int, int], corners_px: Floats) -> bool:
        """Whether it has this size (rows, columns), and these corners (4, 2), clockwise."""
        away = self.frame.to_cells(corners_px) - self.frame.to_cells(self.outline_px())
        return self.size == size and bool(np.abs(away).max() < NEAR)

    def lines_px(self) -> tuple[Floats, ...]:
        """The lines of rows and columns, (2, 2) each, in pixels of the picture."""
        to_px, rows, cols = self.frame.to_px, self.rows, self.cols
        horizontal = [to_px([(0, r), (cols, r)]) for r in range(rows + 1)]
        return (*horizontal, *(to_px([(c, 0), (c, rows)]) for c in range(cols + 1)))


class BoardGeometry(Struct, frozen=True, eq=False):
    """The board cut out of a fit: its cells and its walls.

    ``shapes`` (cells, 2, 2): symmetric matrices, each of which makes a unit square as long and wide as the
    cell. ``sides``: those that were measured.
    """

    board: Board
    fit: Fit
    shapes: Floats
    sides: tuple[Side, ...]
    clarity: float = 1.0
    """0 to 1: how clearly every side is either a plain line or a wall."""

    source = made_of("fit")


def squares(count: int, side: float = 1.0) -> Floats:
    """(count, 2, 2): the shapes of cells that are as wide as high; ``side``: of a square of a cell's area."""
    return np.tile(side * np.eye(2), (count, 1, 1))


def convex_hull(points_px: Floats) -> Floats:
    """(N, 2): the corners of the convex polygon round points (M, 2)."""
    return np.asarray(cv2.convexHull(points_px.astype(np.float32)), np.float64).reshape(-1, 2)
