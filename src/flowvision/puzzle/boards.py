"""Builders of boards, from cell outlines, walls, bridges and warps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import atan2, pi, sqrt
from typing import NamedTuple

from flowvision.puzzle.layout import (
    Board,
    Cell,
    Lattice,
    Layout,
    Place,
    Point,
    Polyline,
    SidePlaces,
    middle_of,
)
from flowvision.puzzle.model import Graph

Sides = Collection[SidePlaces]
"""Pairs of cells separated by walls, or joined by warps."""


SAME_WAY = pi / 8
"""Largest angle between two directions of one way over a bridge."""
HEXAGON = ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1))
"""Corners of a hexagon, in quarters of its width and halves of its height from its middle."""
PointKey = tuple[int, int]
"""A point in 1,024ths of a cell unit: equal for the same point of two cells."""


class OpenSide(NamedTuple):
    """An open side: a path leaves ``a`` and enters ``b`` at the same point, unless the side is a warp."""

    a: int
    b: int
    at_a: Point
    at_b: Point


def build(
    cells: Sequence[Cell],
    sides: Iterable[OpenSide],
    bridges: Collection[int] = (),
    lattice: Lattice | None = None,
) -> Board:
    """Join cells by open sides; a cell in ``bridges`` gets one strand for each pair of opposite sides."""
    cell_of = list(range(len(cells)))
    strands: dict[int, list[tuple[float, int]]] = {}  # of each bridge: a direction below pi, its strand

    def strand(cell: int, crossing: Point) -> int:
        """Return the strand of a cell through this point of its outline; a new one of a bridge if need be."""
        if cell not in bridges:
            return cell
        (x, y), (cx, cy) = crossing, cells[cell].centre
        direction = atan2(y - cy, x - cx) % pi
        strands_here = strands.setdefault(cell, [])
        for other, number in strands_here:
            turn = abs(other - direction)
            if min(turn, pi - turn) < SAME_WAY:
                return number
        new_strand = cell
        if strands_here:
            new_strand = len(cell_of)
            cell_of.append(cell)
        strands_here.append((direction, new_strand))
        return new_strand

    edges: list[tuple[int, int]] = []
    strokes: list[tuple[Polyline, ...]] = []
    centres = [cell.centre for cell in cells]
    for a, b, at_a, at_b in sides:
        ends = (strand(a, at_a), strand(b, at_b)) if bridges else (a, b)
        edges.append(ends)
        if at_a == at_b:
            strokes.append(((centres[a], at_a, centres[b]),))
        else:
            strokes.append(((centres[a], at_a), (at_b, centres[b])))
    layout = Layout(tuple(cells), tuple(cell_of), tuple(strokes))
    return Board(Graph(len(cell_of), tuple(edges)), layout, lattice)


def square(
    rows: int,
    cols: int,
    holes: Collection[Place] = (),
    walls: Sides = (),
    bridges: Collection[Place] = (),
    warps: Sides = (),
) -> Board:
    """Build a board of squares; ``holes``: places without a cell, ``warps``: cells joined over the edge."""
    closed, joined = frozenset(_lower_first(walls)), frozenset(_lower_first(warps))
    return _square_board(rows, cols, frozenset(holes), closed, frozenset(bridges), joined)


@lru_cache(maxsize=64)
def _square_board(
    rows: int,
    cols: int,
    holes: frozenset[Place],
    walls: frozenset[SidePlaces],
    bridges: frozenset[Place],
    warps: frozenset[SidePlaces],
) -> Board:
    """Build a board of squares; walls and warps have their lower place first."""
    lattice = Lattice("square", rows, cols, _places(rows, cols, holes))
    number, cells = lattice.numbers, list(map(_square_at, lattice.places))
    sides: list[OpenSide] = []
    for cell, (r, c) in enumerate(lattice.places):
        right = (r, c + 1), (c + 1.0, r + 0.5)
        below = (r + 1, c), (c + 0.5, r + 1.0)
        for beside, middle in (right, below):
            if beside in number and ((r, c), beside) not in walls:
                sides.append(OpenSide(cell, number[beside], middle, middle))
    sides += [_warp(number, cells, first, last) for first, last in sorted(warps)]
    return build(cells, sides, {number[place] for place in bridges}, lattice)


def _square_at(place: Place) -> Cell:
    """Return the square cell at a place."""
    top, left = place
    right, bottom = left + 1.0, top + 1.0
    outline = (left, top), (right, top), (right, bottom), (left, bottom)
    return Cell((left + 0.5, top + 0.5), outline)


def opened(board: Board, pairs: Iterable[tuple[int, int]]) -> Board:
    """Open the sides between these pairs of neighbouring cells, of one strand each.

    Strands and edges keep their numbers, so solutions stay valid; the new edges follow in order.
    """
    pairs = tuple(pairs)
    centres = board.layout.centres
    ends = [(centres[a], centres[b]) for a, b in pairs]
    strokes = tuple(((start, middle_of(start, end), end),) for start, end in ends)
    layout = Layout(board.layout.cells, board.layout.cell_of, board.layout.strokes + strokes)
    return Board(Graph(board.graph.size, board.graph.edges + pairs), layout, board.lattice)


def hexagonal(rows: int, cols: int, holes: Collection[Place] = (), walls: Sides = ()) -> Board:
    """Build a board of flat-topped hexagons, the odd columns half a cell higher than the even ones."""
    lattice = Lattice("hex", rows, cols, _places(rows, cols, holes))
    number, cells = lattice.numbers, list[Cell]()
    width, height = 1.0, sqrt(3) / 2
    dx, dy = width / 4, height / 2
    for r, c in lattice.places:
        x = width / 2 + 0.75 * c
        y = height * (r + 1 - 0.5 * (c % 2))
        outline = [(x + i * dx, y + j * dy) for i, j in HEXAGON]
        cells.append(Cell((x, y), tuple(outline)))
    between_cells = (side for side in walls if number.keys() >= set(side))
    closed = {frozenset((number[a], number[b])) for a, b in between_cells}
    return build(cells, shared_sides(cells, closed), lattice=lattice)


def _places(rows: int, cols: int, holes: Collection[Place]) -> tuple[Place, ...]:
    """Return the places with a cell, in reading order."""
    missing = set(holes)
    return tuple(place for place in product(range(rows), range(cols)) if place not in missing)


def _lower_first(sides: Sides) -> set[SidePlaces]:
    """Return the pairs of places, each with the lower place first."""
    return {(min(a, b), max(a, b)) for a, b in sides}


def _warp(number: dict[Place, int], cells: list[Cell], first: Place, last: Place) -> OpenSide:
    """Return the open side of a warp, which leaves both cells over the border."""
    a, b = number[first], number[last]
    (ax, ay), (bx, by) = cells[a].centre, cells[b].centre
    is_in_one_row = first[0] == last[0]
    if is_in_one_row:
        return OpenSide(a, b, (ax - 0.5, ay), (bx + 0.5, by))
    return OpenSide(a, b, (ax, ay - 0.5), (bx, by + 0.5))


def shared_sides(cells: Sequence[Cell], closed: Collection[frozenset[int]] = ()) -> list[OpenSide]:
    """Return the sides that two outlines share, except those between the pairs in ``closed``."""
    cells_at: dict[tuple[PointKey, ...], list[int]] = {}  # by the ends of a side
    middles: dict[tuple[PointKey, ...], Point] = {}
    for number, cell in enumerate(cells):
        for start, end in cell.sides:
            ends = tuple(sorted((point_key(start), point_key(end))))
            cells_at.setdefault(ends, []).append(number)
            middles[ends] = middle_of(start, end)
    shared = []
    for ends, numbers in cells_at.items():
        if len(numbers) == 2 and frozenset(numbers) not in closed:
            first, second = numbers
            shared.append(OpenSide(first, second, middles[ends], middles[ends]))
    return shared


def point_key(point: Point) -> PointKey:
    """Return a key of a point that is equal where two cells meet."""
    return round(point[0] * 1024), round(point[1] * 1024)


def plain_board(lattice: Lattice) -> Board:
    """Build the board of the same places without walls, bridges or warps."""
    make = square if lattice.tiling == "square" else hexagonal
    return make(*lattice.size, lattice.holes)


def walls_and_warps(board: Board, lattice: Lattice) -> tuple[tuple[SidePlaces, ...], tuple[SidePlaces, ...]]:
    """Return the walls and the warps of a board."""
    in_order = sorted(lattice.places)  # as a plain board numbers them; this board may not
    place_of = [lattice.places[cell] for cell in board.layout.cell_of]
    without_walls = plain_board(lattice)
    walls = {(in_order[a], in_order[b]) for a, b in without_walls.graph.edges}
    warps: list[SidePlaces] = []
    for edge, (u, v) in enumerate(board.graph.edges):
        first, last = sorted((place_of[u], place_of[v]))
        if board.layout.is_warp(edge):
            warps.append((first, last))
        else:
            walls.discard((first, last))
    return tuple(sorted(walls)), tuple(sorted(warps))


def ends_of_lines(rows: int, cols: int, holes: Collection[Place] = ()) -> list[SidePlaces]:
    """Return the first and the last cell of every row and column that has both."""
    last_row, last_col, missing = rows - 1, cols - 1, set(holes)
    of_rows = [((r, 0), (r, last_col)) for r in range(rows)]
    of_columns = [((0, c), (last_row, c)) for c in range(cols)]
    pairs = ((first, last) for first, last in of_rows + of_columns if first != last)
    return [pair for pair in pairs if missing.isdisjoint(pair)]
