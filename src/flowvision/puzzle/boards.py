"""Builders of boards, from cell outlines, walls, bridges and warps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import atan2, pi, sqrt
from typing import NamedTuple

from flowvision.puzzle.layout import Board, Cell, Lattice, Layout, Place, Point, Polyline
from flowvision.puzzle.model import Graph

Sides = Collection[tuple[Place, Place]]
"""Pairs of cells separated by walls, or joined by warps."""


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
    strands: dict[int, list[tuple[float, int]]] = {}

    def strand(cell: int, at: Point) -> int:
        if cell not in bridges:
            return cell
        (x, y), (cx, cy) = at, cells[cell].centre
        direction = atan2(y - cy, x - cx) % pi
        known = strands.setdefault(cell, [])
        for other, number in known:
            if min(abs(other - direction), pi - abs(other - direction)) < pi / 8:
                return number
        if known:
            cell_of.append(cell)
        known.append((direction, len(cell_of) - 1 if known else cell))
        return known[-1][1]

    edges: list[tuple[int, int]] = []
    strokes: list[tuple[Polyline, ...]] = []
    centres = [cell.centre for cell in cells]
    for a, b, at_a, at_b in sides:
        edges.append((strand(a, at_a), strand(b, at_b)) if bridges else (a, b))
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
    places = _places(rows, cols, holes)
    number, closed = {place: n for n, place in enumerate(places)}, _unordered(walls)
    cells = [
        Cell((c + 0.5, r + 0.5), ((c, r), (c + 1.0, r), (c + 1.0, r + 1.0), (c, r + 1.0))) for r, c in places
    ]
    sides: list[OpenSide] = []
    for cell, (r, c) in enumerate(places):
        for beside, at in (((r, c + 1), (c + 1.0, r + 0.5)), ((r + 1, c), (c + 0.5, r + 1.0))):
            if beside in number and ((r, c), beside) not in closed:
                sides.append(OpenSide(cell, number[beside], at, at))
    sides += [_warp(number, cells, first, last) for first, last in sorted(_unordered(warps))]
    lattice = Lattice("square", rows, cols, places)
    return build(cells, sides, {number[place] for place in bridges}, lattice)


def opened(board: Board, pairs: Iterable[tuple[int, int]]) -> Board:
    """Open the sides between these pairs of neighbouring cells, of one strand each.

    Strands and edges keep their numbers, so solutions stay valid; the new edges follow in order.
    """
    pairs = tuple(pairs)
    centres = board.layout.centres
    ends = [(centres[a], centres[b]) for a, b in pairs]
    strokes = tuple((((x, y), ((x + u) / 2, (y + v) / 2), (u, v)),) for (x, y), (u, v) in ends)
    layout = Layout(board.layout.cells, board.layout.cell_of, board.layout.strokes + strokes)
    return Board(Graph(board.graph.size, board.graph.edges + pairs), layout, board.lattice)


def hexagonal(rows: int, cols: int, holes: Collection[Place] = (), walls: Sides = ()) -> Board:
    """Build a board of flat-topped hexagons, the odd columns half a cell higher than the even ones."""
    places = _places(rows, cols, holes)
    width, height = 1.0, sqrt(3) / 2
    cells = []
    for r, c in places:
        x, y = width / 2 + 0.75 * c, height * (r + 1 - 0.5 * (c % 2))
        dx, dy = width / 4, height / 2
        corners = ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1))
        cells.append(Cell((x, y), tuple((x + i * dx, y + j * dy) for i, j in corners)))
    number = {place: n for n, place in enumerate(places)}
    closed = {frozenset((number[a], number[b])) for a, b in walls if a in number and b in number}
    return build(cells, shared_sides(cells, closed), (), Lattice("hex", rows, cols, places))


def _places(rows: int, cols: int, holes: Collection[Place]) -> tuple[Place, ...]:
    missing = set(holes)
    return tuple((r, c) for r in range(rows) for c in range(cols) if (r, c) not in missing)


def _unordered(sides: Sides) -> set[tuple[Place, Place]]:
    return {(min(a, b), max(a, b)) for a, b in sides}


def _warp(number: dict[Place, int], cells: list[Cell], first: Place, last: Place) -> OpenSide:
    a, b = number[first], number[last]
    (ax, ay), (bx, by) = cells[a].centre, cells[b].centre
    if first[0] == last[0]:
        return OpenSide(a, b, (ax - 0.5, ay), (bx + 0.5, by))
    return OpenSide(a, b, (ax, ay - 0.5), (bx, by + 0.5))


def shared_sides(cells: Sequence[Cell], closed: Collection[frozenset[int]] = ()) -> list[OpenSide]:
    """Return the sides that two outlines share, except those between the pairs in ``closed``."""
    owners: dict[tuple[tuple[int, int], tuple[int, int]], list[int]] = {}
    middles: dict[tuple[tuple[int, int], tuple[int, int]], Point] = {}
    for number, cell in enumerate(cells):
        outline = cell.outline
        corners = [(round(x * 1024), round(y * 1024)) for x, y in outline]
        for n, corner in enumerate(corners):
            after = n + 1 - len(corners)
            key = (corner, corners[after]) if corner < corners[after] else (corners[after], corner)
            if key in owners:
                (x, y), (u, v) = outline[n], outline[after]
                middles[key] = ((x + u) / 2, (y + v) / 2)
                owners[key].append(number)
            else:
                owners[key] = [number]
    return [
        OpenSide(pair[0], pair[1], middles[key], middles[key])
        for key, pair in owners.items()
        if len(pair) == 2 and frozenset(pair) not in closed
    ]


def plain_board(lattice: Lattice) -> Board:
    """Build the board of the same places without walls, bridges or warps."""
    make = square if lattice.tiling == "square" else hexagonal
    return make(lattice.rows, lattice.cols, lattice.holes)


def walls_and_warps(
    board: Board, lattice: Lattice
) -> tuple[tuple[tuple[Place, Place], ...], tuple[tuple[Place, Place], ...]]:
    """Return the walls and the warps of a board."""
    in_order, place_of = sorted(lattice.places), [lattice.places[cell] for cell in board.layout.cell_of]
    walls = {(in_order[a], in_order[b]) for a, b in plain_board(lattice).graph.edges}
    warps = list[tuple[Place, Place]]()
    for (u, v), strokes in zip(board.graph.edges, board.layout.strokes, strict=True):
        first, last = sorted((place_of[u], place_of[v]))
        if len(strokes) > 1:
            warps.append((first, last))
        else:
            walls.discard((first, last))
    return tuple(sorted(walls)), tuple(sorted(warps))


def ends_of_lines(rows: int, cols: int, holes: Collection[Place] = ()) -> list[tuple[Place, Place]]:
    """Return the first and the last cell of every row and column that has both."""
    ends: list[tuple[Place, Place]] = [((r, 0), (r, cols - 1)) for r in range(rows) if cols > 1]
    ends += [((0, c), (rows - 1, c)) for c in range(cols) if rows > 1]
    missing = set(holes)
    return [pair for pair in ends if missing.isdisjoint(pair)]
