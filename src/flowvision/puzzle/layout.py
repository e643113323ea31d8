"""Layout of a graph, in cell units: one cell is 1.0 wide; x grows to the right, y downwards."""

from __future__ import annotations

from itertools import product
from math import atan2, hypot, pi
from typing import Literal

from msgspec import Struct

from flowvision.puzzle.model import Graph, Puzzle

Point = tuple[float, float]
Polyline = tuple[Point, ...]
Place = tuple[int, int]
"""Row and column of a cell, both from 0."""
SidePlaces = tuple[Place, Place]
"""The cells on both sides of a wall, or that a warp joins."""
Key = Place | int
"""Name of a cell: its place, or its number from 0 on a board without rows and columns."""

DOT_RADIUS = 0.35
"""Radius of a dot in cell widths, in every version of the game."""

DIRECTIONS = ("right", "down-right", "down", "down-left", "left", "up-left", "up", "up-right")
"""Clockwise, an eighth of a turn apart."""


def middle_of(a: Point, b: Point) -> Point:
    """Return the point in the middle between two others."""
    (ax, ay), (bx, by) = a, b
    return (ax + bx) / 2, (ay + by) / 2


def point_between(a: Point, b: Point, share: float = 0.5) -> Point:
    """Return the point after a share of the way from one point to another."""
    (ax, ay), (bx, by) = a, b
    return ax + share * (bx - ax), ay + share * (by - ay)


def distance_from_line(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point from the line through two others."""
    (x, y), (start_x, start_y) = point, start
    dx, dy = end[0] - start_x, end[1] - start_y
    twice_area = dx * (y - start_y) - dy * (x - start_x)
    return abs(twice_area) / hypot(dx, dy)


class Cell(Struct, frozen=True):
    """Centre and corners of a cell, in order round it."""

    centre: Point
    outline: Polyline

    @property
    def sides(self) -> tuple[tuple[Point, Point], ...]:
        """The two ends of every side."""
        following = self.outline[1:] + self.outline[:1]
        return tuple(zip(self.outline, following, strict=True))


class Lattice(Struct, frozen=True):
    """Rows and columns of a board; ``places``: the place of every cell, in reading order.

    ``hex``: flat-topped hexagons, the odd columns half a cell higher than the even ones.
    """

    tiling: Literal["square", "hex"]
    rows: int
    cols: int
    places: tuple[Place, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    @property
    def numbers(self) -> dict[Place, int]:
        """Number of the cell at every place."""
        return {place: number for number, place in enumerate(self.places)}

    @property
    def holes(self) -> list[Place]:
        """The places without a cell, in reading order."""
        occupied = set(self.places)
        places = product(range(self.rows), range(self.cols))
        return [place for place in places if place not in occupied]


class Layout(Struct, frozen=True):
    """Cells of a board, and lines of paths over them.

    ``cell_of``: per strand, its cell. Strand ``i`` lies in cell ``i``; the second strands of bridge cells
    follow. ``strokes``: per edge, one polyline from cell to cell, or two stubs for a warp. ``links``: the
    cells lie apart, and lines between them are their open sides.
    """

    cells: tuple[Cell, ...]
    cell_of: tuple[int, ...]
    strokes: tuple[tuple[Polyline, ...], ...]
    links: bool = False

    @property
    def centres(self) -> list[Point]:
        """Centres of the cells."""
        return [cell.centre for cell in self.cells]

    @property
    def corners(self) -> list[Point]:
        """Corners of all cells."""
        return [corner for cell in self.cells for corner in cell.outline]

    @property
    def bridges(self) -> frozenset[int]:
        """Cells that two paths may cross."""
        return frozenset(self.cell_of[len(self.cells) :])

    def cell_at(self, strand: int) -> Cell:
        """Return the cell of a strand."""
        return self.cells[self.cell_of[strand]]

    def is_warp(self, edge: int) -> bool:
        """Return true for an edge over the border of the board, from end to end."""
        return len(self.strokes[edge]) > 1

    def crossings(self, edge: int) -> tuple[Point, Point]:
        """Return where an edge leaves its first cell, and enters its second: one point, except at warps."""
        strokes = self.strokes[edge]
        return strokes[0][1], strokes[-1][-2]


class Board(Struct, frozen=True):
    """A graph and its layout; ``lattice`` is ``None`` for boards without rows and columns."""

    graph: Graph
    layout: Layout
    lattice: Lattice | None = None

    def strokes_from(self, edge: int, strand: int) -> tuple[Polyline, ...]:
        """Return the line of an edge, or its two stubs, from one of its strands to the other."""
        strokes = self.layout.strokes[edge]
        if self.graph.edges[edge][0] == strand:
            return strokes
        return tuple(stroke[::-1] for stroke in strokes[::-1])

    def direction_of(self, edge: int, strand: int) -> str:
        """Name the nearest of eight directions in which an edge leaves the cell of a strand."""
        (x, y), (side_x, side_y) = self.strokes_from(edge, strand)[0][:2]
        turn = atan2(side_y - y, side_x - x) / (2 * pi)
        return DIRECTIONS[round(8 * turn) % 8]

    def key_of(self, strand: int) -> Key:
        """Return the name of the cell of a strand."""
        cell = self.layout.cell_of[strand]
        return cell if self.lattice is None else self.lattice.places[cell]

    @property
    def squares(self) -> Lattice | None:
        """The lattice, if it is one of squares."""
        return self.lattice if self.lattice is not None and self.lattice.tiling == "square" else None


class NamedPuzzle(Struct, frozen=True):
    """A puzzle, its name, and the letters of its flows (``?`` when they run out)."""

    name: str
    board: Board
    puzzle: Puzzle
    letters: tuple[str, ...]
