"""Where the graph lies on paper.

Cell units: one cell is 1.0 wide; x grows to the right, y downwards. Drawing needs nothing but this.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from flowvision.puzzle.model import Graph
from flowvision.value import value_type

Point = tuple[float, float]
Polyline = tuple[Point, ...]
Place = tuple[int, int]
"""Row and column of a cell, both from 0."""
Key = Place | int
"""The name of a cell: its place, or its number from 0 on a board without rows and columns."""


DOT_RADIUS = 0.35
"""Radius of a dot in cell widths, in every version of the game."""


@value_type
class Cell:
    """One cell of a board: its middle and its corners, in order round it."""

    centre: Point
    outline: Polyline

    @property
    def sides(self) -> tuple[tuple[Point, Point], ...]:
        """The two ends of every side, in the order of the corners."""
        return tuple(zip(self.outline, self.outline[1:] + self.outline[:1], strict=True))


@value_type
class Lattice:
    """The rows and columns of a board that has them.

    ``hex``: flat-topped hexagons, the odd columns half a cell higher than the even ones.
    """

    tiling: Literal["square", "hex"]
    rows: int
    cols: int
    places: tuple[Place, ...] = field(repr=False)
    """The place of every cell, by cell number, in reading order."""

    @property
    def numbers(self) -> dict[Place, int]:
        """The number of the cell at every place."""
        return {place: number for number, place in enumerate(self.places)}

    @property
    def holes(self) -> list[Place]:
        """The places without a cell, in reading order."""
        there = set(self.places)
        return [(r, c) for r in range(self.rows) for c in range(self.cols) if (r, c) not in there]


@value_type(repr=False)
class Layout:
    """The cells of a board and how to draw a path over them."""

    cells: tuple[Cell, ...]
    cell_of: tuple[int, ...]
    """Per strand, the number of its cell. Strand ``i`` lies in cell ``i`` for every ``i < len(cells)``;
    the second strands of bridge cells follow."""
    strokes: tuple[tuple[Polyline, ...], ...]
    """Per edge, the line from cell to cell: one polyline, or two stubs for a warp."""
    links: bool = False
    """Whether the cells lie apart, so that their open sides are drawn as lines between them."""

    def __repr__(self) -> str:
        """How many cells there are."""
        return f"<Layout: {len(self.cells)} cells>"

    @property
    def centres(self) -> list[Point]:
        """The middles of the cells."""
        return [cell.centre for cell in self.cells]

    @property
    def corners(self) -> list[Point]:
        """The corners of all cells, one cell after the other."""
        return [corner for cell in self.cells for corner in cell.outline]

    @property
    def bridges(self) -> frozenset[int]:
        """The numbers of the cells that two paths may cross."""
        return frozenset(self.cell_of[len(self.cells) :])

    def cell_at(self, strand: int) -> Cell:
        """The cell that a strand lies in."""
        return self.cells[self.cell_of[strand]]


@value_type
class Board:
    """A graph and its layout; ``lattice`` is ``None`` for boards without rows and columns."""

    graph: Graph
    layout: Layout
    lattice: Lattice | None = None

    def strokes_from(self, edge: int, strand: int) -> tuple[Polyline, ...]:
        """The line of an edge, or its two stubs, from one of its strands to the other."""
        strokes = self.layout.strokes[edge]
        is_first = self.graph.edges[edge][0] == strand
        return strokes if is_first else tuple(stroke[::-1] for stroke in strokes[::-1])

    def key_of(self, strand: int) -> Key:
        """The name of the cell that a strand lies in; the first strand of a cell has its number."""
        cell = self.layout.cell_of[strand]
        return cell if self.lattice is None else self.lattice.places[cell]

    @property
    def squares(self) -> Lattice | None:
        """Its rows and columns, where these are of squares."""
        return self.lattice if self.lattice is not None and self.lattice.tiling == "square" else None
