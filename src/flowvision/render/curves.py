"""Lines that paths are drawn along, in cell units. No NumPy: drawings of vectors load without it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from math import dist, hypot
from statistics import median

from flowvision.puzzle.layout import Board, Point, Polyline, point_between
from flowvision.puzzle.model import Path

STEPS = 8
"""Points of the curve at the centre of each cell or side."""
PULLS = 24
"""Rounds in which a measured line is pulled taut; further ones move it by less than a pixel."""
SLACK = 0.1
"""Largest move of a point, in steps of its line: the pipe still covers the measured line."""
BENT = 0.1
"""Sine of the smallest bend (6°) that is not a measuring error."""
EVERY = 3
"""Cells from letter to letter along a pipe."""
ARROW = 0.085
"""Half the width of an arrow, in cell widths."""
TIP = 0.6
"""Half its length, by half its width."""
INK = 0.045
"""Thickness of an arrow's strokes, in cell widths."""


def lines_of(board: Board, path: Path) -> list[Polyline]:
    """Return the polylines of a path through the middles of its cells, a new one after every warp."""
    start = board.layout.cell_at(path.vertices[0])
    lines: list[list[Point]] = [[start.centre]]
    for edge, before in zip(path.edges, path.vertices, strict=False):
        strokes = board.strokes_from(edge, before)
        lines[-1] += strokes[0][1:]
        lines += [list(stroke) for stroke in strokes[1:]]
    return [tuple(line) for line in lines]


def curves_of(board: Board, path: Path, bent: bool) -> list[Polyline]:
    """Return the lines that a pipe follows along a path.

    ``bent``: lines between middles bend at sides (``is_bent``); the pipe then runs in curves.
    """
    lines = lines_of(board, path)
    return [_smooth(line) for line in lines] if bent else lines


def is_bent(board: Board) -> bool:
    """Return true if lines between middles bend at a side: only where cells were measured one by one."""
    if board.lattice is not None or board.layout.links:
        return False
    lines = [strokes[0] for strokes in board.layout.strokes if len(strokes) == 1]
    return any(_bend(*line) for line in lines)


def _bend(start: Point, middle: Point, end: Point) -> bool:
    (x0, y0), (x1, y1) = _step(start, middle), _step(middle, end)
    crossed = x0 * y1 - y0 * x1
    return abs(crossed) > BENT * hypot(x0, y0) * hypot(x1, y1)


def _step(start: Point, end: Point) -> Point:
    return end[0] - start[0], end[1] - start[1]


def _smooth(line: Polyline) -> Polyline:
    """Return a quadratic B-spline through middles of cells and sides, pulled taut."""
    if len(line) < 3:
        return line
    knots = _taut(line)
    halves = [point_between(a, b) for a, b in pairwise(knots)]
    curve = [line[0]]
    between = zip(pairwise(halves), knots[1:-1], strict=True)
    for (before, after), knot in between:
        for step in range(STEPS):
            t = step / STEPS
            start, end = point_between(before, knot, t), point_between(knot, after, t)
            curve.append(point_between(start, end, t))
    return (*curve, halves[-1], line[-1])


def _taut(line: Polyline) -> list[Point]:
    """Shorten a line by moving its inner points a little: measured outlines wobble."""
    slack = SLACK * median(dist(a, b) for a, b in pairwise(line))
    moved = list(line)
    for _ in range(PULLS):
        threes = zip(moved, moved[1:], moved[2:], strict=False)
        pulled = [point_between(at, point_between(before, after)) for before, at, after in threes]
        given = zip(line[1:-1], pulled, strict=True)
        inner = [_within(point, at, slack) for point, at in given]
        moved = [line[0], *inner, line[-1]]
    return moved


def _within(given: Point, at: Point, reach: float) -> Point:
    away = dist(given, at)
    return at if away <= reach else point_between(given, at, reach / away)


def sides_passed(board: Board, path: Path) -> list[tuple[Point, Point]]:
    """Return the points where a path's curve crosses sides, except at warps, each with the next point."""
    strokes = [board.layout.strokes[edge] for edge in path.edges]
    sides = [lines[0][1] for lines in strokes if len(lines) == 1]
    curve, places = _on_curve(board, path, sides)
    return [(curve[place], curve[place + 1]) for place in places]


def middles_passed(board: Board, path: Path) -> list[Point]:
    """Return the middles of a path's curve in its inner cells, without bridges."""
    cells = [board.layout.cell_of[strand] for strand in path.vertices[1:-1]]
    inner = [board.layout.cells[cell].centre for cell in cells if cell not in board.layout.bridges]
    curve, places = _on_curve(board, path, inner)
    return [curve[place] for place in places]


def _on_curve(board: Board, path: Path, points: Sequence[Point]) -> tuple[list[Point], list[int]]:
    """Return a path's curve, and the index of its nearest point to each of these."""
    curve = list(chain.from_iterable(curves_of(board, path, is_bent(board))))
    places = []
    for point in points:
        distances = [dist(at, point) for at in curve]
        places.append(distances.index(min(distances)))
    return curve, places


def arrows_along(board: Board, path: Path, width: float) -> list[Polyline]:
    """Return the arrows along a path, each three points: back, tip, back."""
    arrows: list[Polyline] = []
    every_second = sides_passed(board, path)[::2]
    for point, next_point in every_second:
        at, beyond = complex(*point), complex(*next_point)
        ahead = beyond - at
        half = ARROW * width * ahead / max(abs(ahead), 1e-9)
        back, side = at - TIP * half, 1j * half
        corners = back + side, at + TIP * half, back - side
        arrows.append(tuple((corner.real, corner.imag) for corner in corners))
    return arrows


def bridges_passed(board: Board, path: Path) -> list[tuple[int, tuple[Point, Point, Point]]]:
    """Return each bridge that a path passes: its place along the path, and the line from side to side."""
    layout, passed = board.layout, []
    for place in range(1, len(path.edges)):
        strand = path.vertices[place]
        if layout.cell_of[strand] in layout.bridges:
            start = board.strokes_from(path.edges[place - 1], strand)[0][1]
            end = board.strokes_from(path.edges[place], strand)[0][1]
            passed.append((place, (start, layout.cell_at(strand).centre, end)))
    return passed
