"""What may explain a region: a lattice of squares or of hexagons, cells of any shape, or circles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.puzzle.layout import Point, Polyline
from flowvision.value import value_type
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.ranks import percentile
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.special.hexagon_geometry import neighbours

FAINT_PERCENTILE = 10
"""Of the outer sides: how many are fainter than what counts as the strength of the outline."""
SPREAD_PERCENTILES = (95, 5)
"""Of the sides that cells share: between these lies their spread."""


@value_type(eq=False)
class HexagonFit:
    """A lattice of flat-topped hexagons, the odd columns half a cell higher.

    Cell units: a hexagon is 1.0 wide. ``cells`` (rows, cols): where a cell is. ``strength`` (rows, cols, 6):
    how bright and thick its sides are, from the upper one clockwise, 1.0 for a plain line; ``shown``: whether
    they are seen. ``thick``: from which strength on a side is part of an outline.
    """

    frame: Frame
    pitch_px: float
    cells: NDArray[np.bool_]
    strength: Floats
    shown: NDArray[np.bool_]
    thick: float
    view: View

    @property
    def count(self) -> int:
        """How many cells there are."""
        return int(self.cells.sum())

    @property
    def quality(self) -> float:
        """0 to 1: the share of the cells' sides that are seen, less where the outline has gaps.

        Where a lattice has lost cells it ends in plain lines, and elsewhere in the outline.
        """
        return float(self.shown[self.cells].mean()) * (1 - self.gaps)

    @property
    def score(self) -> float:
        """0 to 1: how well it explains its region, next to other fits."""
        return self.quality

    def is_sure(self, enough: int, quality: float) -> bool:
        """Whether there are ``enough`` cells, seen with more than ``quality``: nothing else fits as well."""
        return self.count >= enough and self.quality > quality

    @property
    def gaps(self) -> float:
        """The share of outer sides that differ from most: plain lines in an outline, or the reverse."""
        outer = self.strength[self.outer]
        thick = float((outer > self.thick).mean()) if outer.size else 1.0
        return min(thick, 1 - thick)

    @property
    def outline(self) -> float:
        """How strong the fainter parts of the outline are: only a tenth of the outer sides are fainter."""
        return percentile(self.strength[self.outer], FAINT_PERCENTILE)

    @property
    def outer(self) -> NDArray[np.bool_]:
        """(rows, cols, 6): the sides of cells beyond which is no cell."""
        rows, cols = self.cells.shape
        padded = np.zeros((rows + 2, cols + 2), bool)  # ``numpy.pad`` takes ten times as long
        padded[1:-1, 1:-1] = self.cells
        outer = np.zeros(self.strength.shape, bool)
        places = np.indices(self.cells.shape)
        for side, (row, col) in enumerate(neighbours(places[0], places[1])):
            outer[:, :, side] = self.cells & ~padded[row + 1, col + 1]
        return outer


@value_type
class Contact:
    """The side that two cells share: its middle, its length, how thick and bright it is."""

    a: int
    b: int
    middle: Point
    length: float
    strength: float


@value_type(eq=False)
class CellFit:
    """Cells of any shape. Cell units: the median cell has area 1.

    ``shapes`` (cells, 2, 2): symmetric matrices, each of which makes a unit square as long and wide as the
    cell. ``labels`` (h, w): the connected components between the lines of ``view``, numbered from 1.
    """

    cells: int
    centres: tuple[Point, ...]
    outlines: tuple[Polyline, ...]
    shapes: Floats
    contacts: tuple[Contact, ...]
    frame: Frame
    pitch_px: float
    labels: NDArray[np.int32]
    view: View
    explained: float
    """The share of the view's line pixels that lie in or round the cells: 1.0 for a whole board alone."""

    @property
    def quality(self) -> float:
        """0 to 1: how equally bright the sides are, as those of one board, times what it explains."""
        strengths = np.array([contact.strength for contact in self.contacts])
        high, low = (np.percentile(strengths, percentile) for percentile in SPREAD_PERCENTILES)
        spread = float(high - low)
        return self.explained * max(0.0, 1.0 - spread / (2 * float(np.median(strengths))))

    @property
    def score(self) -> float:
        """0 to 1: how well it explains its region, next to other fits."""
        return self.quality


@value_type(eq=False)
class CircleFit:
    """A lattice of squares or oblongs without lines, each with a circle or a pipe in its middle.

    ``circles`` (N, 3): middles and radii, in picture pixels. ``radius``: the median one, of the shorter side
    of a cell.
    """

    rows: int
    cols: int
    frame: Frame
    pitch_px: float
    residual_px: float
    """How far the circles lie from the middles of their cells, root mean square."""
    straightness: float
    """0 to 1: the same as a measure of how sure the lattice is."""
    radius: float
    circles: Floats
    view: View

    @property
    def quality(self) -> float:
        """0 to 1: how straight the circles lie on the lattice."""
        return self.straightness

    @property
    def score(self) -> float:
        """0 to 1: how well it explains its region, next to other fits."""
        return self.quality


Fit = GridFit | HexagonFit | CellFit | CircleFit
"""What may explain a region: a lattice of squares, of hexagons, cells of any shape, or circles."""
