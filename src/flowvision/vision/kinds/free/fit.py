"""Cells of any shape that lines enclose, the lattice that they may form, and the board of them."""

from __future__ import annotations

from math import inf, sqrt
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Struct

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Cell, Lattice, Point, Polyline
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import BoardGeometry, Fit, Side, convex_hull
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import GRID

FIRST = 0.5  # pitches from the outermost cell, within which cells are in the first row or column


class Contact(Struct, frozen=True):
    """The side that cells ``a`` and ``b`` share: its middle and its length, in pixels or in cell units.

    ``strength``: how thick and bright it is: brightness times pixels.
    """

    a: int
    b: int
    middle: Point
    length: float
    strength: float


class CellFit(Fit, frozen=True, eq=False):
    """Cells of any shape, and the sides that they share (``contacts``). The median cell has area 1.

    ``shapes`` (cells, 2, 2): symmetric matrices, each of which makes a unit square as long and wide as the
    cell.
    """

    is_regular: ClassVar[bool] = False

    centres: tuple[Point, ...]
    outlines: tuple[Polyline, ...]
    shapes: Floats
    contacts: tuple[Contact, ...]
    region: BoardRegion
    explained: float
    """The share of the view's line pixels that lie in or round the cells: 1.0 for a whole board alone."""
    grain: float
    """The strength of a side one pixel of the view thick: sides that differ by half of it may be equal."""

    @property
    def quality(self) -> float:
        """0 to 1: how equally strong the sides are, as those of one board, times what it explains."""
        strengths = np.array([contact.strength for contact in self.contacts])
        high, low = (np.percentile(strengths, percentile) for percentile in (95, 5))
        spread = max(0.0, float(high - low) - self.grain / 2)
        largest_spread = 2 * float(np.median(strengths))  # of sides that may belong to one board
        return self.explained * max(0.0, 1.0 - spread / largest_spread)

    def size_text(self) -> str:
        """Return how many cells there are."""
        return f"{len(self.centres)} cells of any shape (score {self.score:.2f})"

    def outline_px(self) -> Floats:
        """Return (N, 2): a polygon round all cells, in pixels of the picture."""
        return convex_hull(np.concatenate([self.frame.to_px(outline) for outline in self.outlines]))

    def cut_board(self) -> BoardGeometry:
        """Return the board: cells are open to those that they share a side with."""
        lattice, order = lattice_of(self) or (None, tuple(range(len(self.centres))))
        number_of = {cell: number for number, cell in enumerate(order)}
        cells = [Cell(self.centres[cell], self.outlines[cell]) for cell in order]
        open_sides = []
        for side in self.contacts:
            middle = side.middle
            if lattice is not None:
                # Cells are known better than the ends of their sides, which lines that meet there hide.
                (ax, ay), (bx, by) = self.centres[side.a], self.centres[side.b]
                middle = (ax + bx) / 2, (ay + by) / 2
            open_sides.append(boards.OpenSide(number_of[side.a], number_of[side.b], at_a=middle, at_b=middle))
        usual_strength = float(np.median([side.strength for side in self.contacts]))
        sides = tuple(
            Side(side.middle, side.strength / usual_strength, is_open=True) for side in self.contacts
        )
        board = boards.build(cells, open_sides, lattice=lattice)
        return BoardGeometry(board, self, self.shapes[list(order)], sides)


def lattice_of(fit: CellFit) -> tuple[Lattice, tuple[int, ...]] | None:
    """Return the lattice that the middles of the cells form, and the cells in its order; else ``None``.

    Joined cells are neighbours there: the middles of bricks lie on a lattice of squares as well. Squares or
    oblongs, upright or tilted by less than an eighth of a turn, or flat-topped hexagons.
    """
    centres = np.array(fit.centres)
    steps = np.array([centres[contact.b] - centres[contact.a] for contact in fit.contacts])
    if not len(steps):
        return None
    for place_on_lattice in (_squares, _hexagons, _tilted_squares):
        placed = place_on_lattice(centres, steps)
        if placed.largest_offset > GRID.off_lattice:
            continue
        place_of = [(int(row), int(col)) for row, col in placed.places]  # of each cell
        if len(set(place_of)) != len(place_of):
            continue
        order = sorted(range(len(place_of)), key=place_of.__getitem__)
        rows, cols = (np.max(place_of, axis=0) + 1).tolist()
        lattice = Lattice(placed.tiling, rows, cols, tuple(place_of[cell] for cell in order))
        joined = {frozenset((place_of[contact.a], place_of[contact.b])) for contact in fit.contacts}
        edges = boards.plain_board(lattice).graph.edges
        if joined <= {frozenset((lattice.places[a], lattice.places[b])) for a, b in edges}:
            return lattice, tuple(order)
    return None


class _Placed(NamedTuple):
    """The nearest places (cells, 2), row and column, of cells on a lattice; how far they are off, at most.

    In pitches; infinite if no lattice is formed.
    """

    tiling: Literal["square", "hex"]
    places: Floats
    largest_offset: float


def is_hexagonal(fit: CellFit) -> bool:
    """Return whether the middles of the cells form a lattice of hexagons."""
    lattice_and_order = lattice_of(fit)
    return lattice_and_order is not None and lattice_and_order[0].tiling == "hex"


def _squares(centres: Floats, steps: Floats) -> _Placed:
    """Return the places of cells on an upright lattice of squares or oblongs.

    ``centres`` (cells, 2): their middles. ``steps`` (N, 2): from the middles of cells to those of neighbours.
    """
    is_horizontal = np.abs(steps[:, 0]) > np.abs(steps[:, 1])
    if is_horizontal.all() or not is_horizontal.any():
        return _Placed("square", np.zeros_like(centres), inf)
    pitch = np.array(
        [np.median(np.abs(steps[is_horizontal, 0])), np.median(np.abs(steps[~is_horizontal, 1]))]
    )
    places = (centres - centres.min(axis=0)) / pitch
    # The first row and column are medians, not the places of the outermost cells.
    places -= np.array([np.median(axis[axis < FIRST]) for axis in places.T])
    rounded = np.round(places)
    return _Placed("square", rounded[:, ::-1], float(np.abs(places - rounded).max()))


def _tilted_squares(centres: Floats, steps: Floats) -> _Placed:
    """Return the places of cells on a lattice of squares that is turned; arguments as for ``_squares``."""
    # Four times its angle is the same for all four directions.
    angle = float(np.angle(np.mean(np.exp(4j * np.arctan2(steps[:, 1], steps[:, 0]))))) / 4
    turn = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
    return _squares(centres @ turn, steps @ turn)


def _hexagons(centres: Floats, steps: Floats) -> _Placed:
    """Return the places of cells on a lattice of hexagons; arguments as for ``_squares``.

    Odd columns lie half a cell higher.
    """
    pitch = float(np.median(np.hypot(*steps.T)))
    col_measured = centres[:, 0] / (pitch * sqrt(3) / 2)
    col_measured -= np.median(col_measured[col_measured < col_measured.min() + FIRST])
    cols = np.round(col_measured)
    row_measured = centres[:, 1] / pitch + 0.5 * (cols % 2)
    row_measured -= np.median(row_measured[row_measured < row_measured.min() + FIRST])
    rows = np.round(row_measured)
    largest_offset = max(np.abs(col_measured - cols).max(), np.abs(row_measured - rows).max())
    return _Placed("hex", np.column_stack((rows, cols)), float(largest_offset))
