"""Base of all kinds of boards: a fit, the board cut out of it, and a model of its dots.

A fit has cell units of its own, x to the right and y down, which its frame maps to the picture.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.image.picture import Frame
from flowvision.log import made_of
from flowvision.puzzle.layout import Board, Place, Point
from flowvision.vision.board import BoardRegion
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.settings import DOTS


class DotModel(Struct, frozen=True):
    """Appearance of a board's dots, and the cells that hold one.

    ``ring``: radius of the annulus that a dot fills with one colour, in cell widths: inside every dot, clear
    of letters and pipes. ``cells``: those with a dot of any size; ``None``: the annulus tells.
    ``contrast``: what it stands out from the ground by, at least; in Lab. ``is_guess``: a refusal is not
    about it.
    """

    ring: float
    cells: frozenset[int] | None = None
    contrast: float = DOTS.contrast
    is_guess: bool = False


class Side(NamedTuple):
    """A measured side of a cell; ``middle`` in cell units, ``strength`` 1.0 for a plain grid line.

    ``completeness``: share of the places along it that are as strong as a wall; ``None``: not measured.
    """

    middle: Point
    strength: float
    is_open: bool
    completeness: float | None = None

    @property
    def places(self) -> tuple[Place, Place]:
        """The two places that it separates, on a board of squares; at the border one of them is outside."""
        x, y = self.middle
        row, col = int(y), int(x)
        is_vertical = x == col
        return (row, col - 1) if is_vertical else (row - 1, col), (row, col)


class Fit(Struct, frozen=True, eq=False, kw_only=True):
    """Cells of one kind that may explain a region: what every kind has. Abstract.

    ``frame``: maps cell units to pixels of the picture. ``pitch_px``: width of a cell there. ``strategy``:
    name of the strategy that found it.
    """

    is_lattice: ClassVar[bool] = False  # rows and columns between lines: such boards come first
    is_regular: ClassVar[bool] = True  # False where cells were found one by one

    frame: Frame
    pitch_px: float
    strategy: str = ""

    source = made_of("region")

    @property
    @abstractmethod
    def region(self) -> BoardRegion:
        """Region that it explains."""

    @property
    @abstractmethod
    def quality(self) -> float:
        """0 to 1: how well its cells were seen."""

    @abstractmethod
    def size_text(self) -> str:
        """Return the number of cells in words."""

    @abstractmethod
    def outline_px(self) -> Floats:
        """Return the corners of a polygon round all cells, (N, 2) in pixels of the picture."""

    @abstractmethod
    def cut_board(self) -> BoardGeometry:
        """Cut the board out: which cells exist, and which of their sides are walls."""

    @property
    def score(self) -> float:
        """0 to 1: how well it explains its region, compared with other fits."""
        return self.quality

    @property
    def view(self) -> View:
        """The pixels in which it was fitted."""
        return self.region.view

    @property
    def is_given(self) -> bool:
        """True where the user gave rows and columns, and they were spread over the region."""
        return False

    @property
    def is_open(self) -> bool:
        """True where lines continue past its cells: it may be a part of a board."""
        return False

    @property
    def gaps(self) -> float:
        """Share of its outline that looks like its inner lines: it may be a part of a board."""
        return 0.0

    @property
    def size(self) -> tuple[int, int] | None:
        """Rows and columns of squares; ``None`` where it has other cells."""
        return None

    def placed(self, frame: Frame) -> Fit:
        """Return the cells elsewhere in the picture."""
        return replace(self, frame=frame)

    def found_by(self, strategy: str) -> Fit:
        """Return the fit with the name of the strategy that found it."""
        return replace(self, strategy=strategy)


class RowsAndColumns(Fit, frozen=True, eq=False):
    """A fit of squares or oblongs in ``rows`` and ``cols``."""

    rows: int
    cols: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    def outline_px(self) -> Floats:
        """Return its corners, (4, 2), clockwise from the top left."""
        return self.frame.to_px([(0, 0), (self.cols, 0), (self.cols, self.rows), (0, self.rows)])

    def size_text(self) -> str:
        """Return rows and columns, in words."""
        return f"{self.rows} rows × {self.cols} columns (score {self.score:.2f})"


class BoardGeometry(Struct, frozen=True, eq=False):
    """The board cut out of a fit: its cells and its walls.

    ``shapes`` (cells, 2, 2): symmetric matrices, each of which makes a unit square as long and wide as the
    cell. ``sides``: those that were measured. ``clarity``: 0 to 1, how clearly every side is open or a wall.
    """

    board: Board
    fit: Fit
    shapes: Floats
    sides: tuple[Side, ...]
    clarity: float = 1.0

    source = made_of("fit")


def squares(count: int, side: float = 1.0) -> Floats:
    """Return (count, 2, 2): shapes of cells as wide as high; ``side``: of a square of a cell's area."""
    return np.tile(side * np.eye(2), (count, 1, 1))


def convex_hull(points_px: Floats) -> Floats:
    """Return (N, 2): the corners of the convex polygon round points (M, 2)."""
    return np.asarray(cv2.convexHull(points_px.astype(np.float32)), np.float64).reshape(-1, 2)
