"""Boards of flat-topped hexagons: what was seen of their lattice, and the board cut out of it."""

from __future__ import annotations

from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flowvision.puzzle import boards
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import BoardGeometry, Fit, Side, convex_hull, squares
from flowvision.vision.pixels.line_weight import clarity
from flowvision.vision.pixels.view import Floats, Mask
from flowvision.vision.settings import HEXAGONS

Places = TypeVar("Places", int, NDArray[np.int_])  # one row or column, or many

HEIGHT = sqrt(3) / 2
"""Height of a hexagon with a flat side up, in its widths."""
COLUMN = 0.75
"""Distance of two columns, in widths of a hexagon."""
SIDES = np.array([(0, -2), (sqrt(3), -1), (sqrt(3), 1), (0, 2), (-sqrt(3), 1), (-sqrt(3), -1)]) / 2
"""The way out of each of the six sides: up, and on clockwise. y down."""
CORNERS = np.array(boards.HEXAGON) * (0.25, HEIGHT / 2)
"""(6, 2): the corners of a hexagon, from its middle, in its widths; x first."""


def centre(row: object, col: object) -> Floats:
    """Return (2,) or (N, 2): the middle of a cell or of many, x first; odd columns lie half a cell higher."""
    rows, cols = np.asarray(row, np.float64), np.asarray(col, np.float64)
    return np.stack((0.5 + COLUMN * cols, HEIGHT * (rows + 1 - 0.5 * (cols % 2))), axis=-1)


def neighbours(row: Places, col: Places) -> tuple[tuple[Places, Places], ...]:
    """Return the row and column beyond each of the six sides, in the order of ``SIDES``."""
    is_odd = col % 2  # 1 if the column lies half a cell higher
    above, below = row - is_odd, row + 1 - is_odd
    return (
        (row - 1, col),
        (above, col + 1),
        (below, col + 1),
        (row + 1, col),
        (below, col - 1),
        (above, col - 1),
    )


def outer_sides(cells: Mask) -> Mask:
    """Return (rows, cols, 6): the sides of cells (rows, cols) with no cell beyond."""
    rows, cols = cells.shape
    padded = np.zeros((rows + 2, cols + 2), bool)  # ``numpy.pad`` takes ten times as long
    padded[1:-1, 1:-1] = cells
    beyond = [padded[row + 1, col + 1] for row, col in neighbours(*np.indices(cells.shape))]
    return np.asarray(cells[..., None] & ~np.stack(beyond, axis=-1))


HEXAGON_SQUARE = 0.8  # side of a square of a hexagon's area, in widths of the hexagon


class HexagonFit(Fit, frozen=True, eq=False):
    """A lattice of flat-topped hexagons, the odd columns half a cell higher.

    Cell units: a hexagon is 1.0 wide. ``cells`` (rows, cols): where a cell is. ``strength`` (rows, cols, 6):
    how bright and thick its sides are, from the upper one clockwise, 1.0 for a plain line; ``shown``: whether
    they are seen.
    """

    cells: Mask
    strength: Floats
    shown: Mask
    region: BoardRegion

    @property
    def count(self) -> int:
        """Number of cells."""
        return int(self.cells.sum())

    @property
    def quality(self) -> float:
        """0 to 1: the share of the cells' sides that are seen, less where the outline has gaps.

        A whole lattice ends in the board's outline; where cells of it were missed, it ends in plain lines.
        """
        return float(self.shown[self.cells].mean()) * (1 - self.gaps)

    @property
    def is_sure(self) -> bool:
        """True if enough cells were seen well enough to be hexagons."""
        return self.count >= HEXAGONS.cells_sure and self.quality > HEXAGONS.quality_sure

    @property
    def gaps(self) -> float:
        """Share of outer sides that differ from most: 0 if all are walls or all plain lines; at most 0.5."""
        outer = self.strength[self.outer]
        if not outer.size:
            return 0.0
        thick = float((outer > HEXAGONS.wall_strength_min).mean())
        return min(thick, 1 - thick)

    @property
    def outline(self) -> float:
        """Strength of the outline's fainter parts, 1.0 for a plain line: a tenth of it is fainter."""
        return float(np.percentile(self.strength[self.outer], 10))

    @property
    def outer(self) -> Mask:
        """(rows, cols, 6): which sides of cells have no cell beyond."""
        return outer_sides(self.cells)

    def size_text(self) -> str:
        """Return how many hexagons there are."""
        return f"{self.count} hexagons (score {self.score:.2f})"

    def outline_px(self) -> Floats:
        """Return (N, 2): a polygon round all cells, in pixels of the picture."""
        corners = centre(*np.nonzero(self.cells))[:, None] + CORNERS
        return convex_hull(self.frame.to_px(corners))

    def cut_board(self) -> BoardGeometry:
        """Return the board: strong sides are walls, and places without a cell holes."""
        rows, cols = self.cells.shape
        holes = [(row, col) for row, col in np.argwhere(~self.cells).tolist()]
        walls, sides = [], []
        # Walls are drawn like the outline: if that stands out more than usual, so do they.
        wall_strength = max(HEXAGONS.wall_strength_min, HEXAGONS.wall_of_outline * self.outline)
        places = np.argwhere(self.cells)
        middles_of = centre(*places.T)[:, None] + HEIGHT / 2 * SIDES  # (cells, 6, 2)
        for (row, col), middles in zip(places.tolist(), middles_of.tolist(), strict=True):
            places_beyond = neighbours(row, col)
            for side in (1, 2, 3):  # so each shared side is visited once
                row_beyond, col_beyond = place = places_beyond[side]
                is_on_lattice = 0 <= row_beyond < rows and 0 <= col_beyond < cols
                if not (is_on_lattice and self.cells[place]):
                    continue
                strength = float(self.strength[row, col, side])
                is_open = strength <= wall_strength
                if not is_open:
                    walls.append(((row, col), place))
                x, y = middles[side]
                sides.append(Side((x, y), strength, is_open))
        board = boards.hexagonal(rows, cols, holes, walls)
        shapes = squares(len(board.layout.cells), HEXAGON_SQUARE)
        strengths = np.array([side.strength for side in sides])
        clear = clarity(strengths, wall_strength)
        return BoardGeometry(board, self, shapes, tuple(sides), clear)
