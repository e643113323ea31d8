"""Lines that paths are drawn along, in cell units, and the times when they grow.

A polyline ends at a warp, where the next one begins. A position on a path is counted in edges from its first
dot: 2.5 is between the third and the fourth cell. No NumPy: drawings of vectors load without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise
from math import dist
from statistics import median
from typing import NamedTuple

from msgspec import Struct

from flowvision.puzzle.layout import Board, Point, Polyline, point_between
from flowvision.puzzle.model import Path, Solution

STEPS = 8
"""Points of the curve at the centre of each cell or side."""
PULLS = 24
"""Rounds in which a measured line is pulled taut; further ones move it by less than a pixel."""
SLACK = 0.1
"""Largest move of a point, in steps of its line: the pipe still covers the measured line."""
BENT = 0.1
"""Sine of the smallest bend (6°) that is not a measuring error."""
LETTERED = slice(1, None, 3)
"""Slice of the inner cells of a path with letters: every third."""
ARROW = 0.085
"""Half the width of an arrow, in cell widths."""
TIP = 0.6
"""Half its length, by half its width."""
INK = 0.045
"""Thickness of an arrow's strokes, in cell widths."""
FRAME_MS = 50
"""Twenty frames a second: a GIF shown faster is slowed down by browsers."""
FIRST_MS, LAST_MS = 600, 2500
"""Time for the picture before anything grows, and at the end."""
MAX_FRAMES = 60
"""A larger board is drawn faster, not longer."""


def lines_of(board: Board, path: Path) -> list[Polyline]:
    """Return the polylines of a path: middle of a cell, point on its side, next middle, and so on."""
    start = board.layout.cell_at(path.vertices[0])
    lines: list[Polyline] = [(start.centre,)]
    for edge, before in zip(path.edges, path.vertices, strict=False):
        stroke, *after_warp = board.strokes_from(edge, before)
        lines[-1] += stroke[1:]
        lines += after_warp
    return lines


def curves_of(board: Board, path: Path) -> list[Polyline]:
    """Return the polylines that a pipe follows along a path: its lines, or curves where these bend."""
    lines = lines_of(board, path)
    return [_smooth(line) for line in lines] if is_bent(board) else lines


def is_bent(board: Board) -> bool:
    """Return true if lines between middles bend at a side: only where cells were measured one by one."""
    if board.lattice is not None or board.layout.links:
        return False
    return any(_bend(*strokes[0]) for strokes in board.layout.strokes if len(strokes) == 1)


def _bend(start: Point, middle: Point, end: Point) -> bool:
    """Return true if a line turns in the middle of three points."""
    first = complex(*middle) - complex(*start)
    second = complex(*end) - complex(*middle)
    turn = first.conjugate() * second  # its imaginary part: the product of both lengths and the sine
    return abs(turn.imag) > BENT * abs(first) * abs(second)


def _smooth(line: Polyline) -> Polyline:
    """Return a quadratic B-spline through middles of cells and sides, pulled taut."""
    if len(line) < 3:
        return line
    knots = _taut(line)
    halves = [point_between(a, b) for a, b in pairwise(knots)]
    curve = [line[0]]
    for before, knot, after in zip(halves, knots[1:], halves[1:], strict=False):
        # A Bézier curve from half to half, by de Casteljau's construction.
        for share in (step / STEPS for step in range(STEPS)):
            start, end = point_between(before, knot, share), point_between(knot, after, share)
            curve.append(point_between(start, end, share))
    return (*curve, halves[-1], line[-1])


def _taut(line: Polyline) -> list[Point]:
    """Shorten a line by moving its inner points a little: measured outlines wobble."""
    slack = SLACK * median(dist(a, b) for a, b in pairwise(line))
    taut = list(line)
    for _ in range(PULLS):
        inner = []
        neighbours = zip(taut, taut[1:], taut[2:], strict=False)
        for measured, (before, point, after) in zip(line[1:-1], neighbours, strict=True):
            pulled = point_between(point, point_between(before, after))
            distance = dist(measured, pulled)
            if distance > slack:
                pulled = point_between(measured, pulled, slack / distance)
            inner.append(pulled)
        taut = [line[0], *inner, line[-1]]
    return taut


def sides_passed(board: Board, path: Path) -> list[tuple[Point, Point]]:
    """Return the points where a path's curve crosses sides, each with the curve's next point; no warps."""
    layout = board.layout
    crossings = [layout.crossings(edge)[0] for edge in path.edges if not layout.is_warp(edge)]
    curve, numbers = _on_curve(board, path, crossings)
    return [(curve[number], curve[number + 1]) for number in numbers]


def middles_passed(board: Board, path: Path) -> list[Point]:
    """Return the middles of a path's curve in its inner cells, without bridges."""
    cells = [board.layout.cell_of[strand] for strand in path.vertices[1:-1]]
    inner = [board.layout.cells[cell].centre for cell in cells if cell not in board.layout.bridges]
    curve, numbers = _on_curve(board, path, inner)
    return [curve[number] for number in numbers]


def _on_curve(board: Board, path: Path, points: Sequence[Point]) -> tuple[list[Point], list[int]]:
    """Return all points of a path's curve, and the number of the nearest to each of these."""
    curve = list(chain.from_iterable(curves_of(board, path)))
    numbers = []
    for point in points:
        distances = [dist(vertex, point) for vertex in curve]
        numbers.append(distances.index(min(distances)))
    return curve, numbers


def arrows_along(board: Board, path: Path, width: float) -> list[Polyline]:
    """Return an arrow on every second side that a path passes, each three points: back, tip, back.

    ``width``: of a cell, in cell units.
    """
    arrows: list[Polyline] = []
    for point, next_point in sides_passed(board, path)[::2]:
        on_side = complex(*point)
        ahead = complex(*next_point) - on_side
        half = ARROW * width * ahead / max(abs(ahead), 1e-9)
        back, side = on_side - TIP * half, 1j * half
        corners = back + side, on_side + TIP * half, back - side
        arrows.append(tuple((corner.real, corner.imag) for corner in corners))
    return arrows


class BridgePassed(NamedTuple):
    """A bridge that a path passes at a ``position``; ``line``: from side over middle to side."""

    position: int
    cell: int
    line: Polyline


def bridges_passed(board: Board, path: Path) -> list[BridgePassed]:
    """Return the bridges that a path passes."""
    layout, passed = board.layout, []
    inner = zip(path.vertices[1:], pairwise(path.edges), strict=False)
    for position, (strand, edges) in enumerate(inner, 1):
        cell = layout.cell_of[strand]
        if cell in layout.bridges:
            # Edges lead from the middle of the bridge over one of its sides.
            (_, start, *_), (_, end, *_) = (board.strokes_from(edge, strand)[0] for edge in edges)
            passed.append(BridgePassed(position, cell, (start, layout.cells[cell].centre, end)))
    return passed


class Piece(Struct, frozen=True):
    """A part of a flow's path between two positions on it."""

    flow: int
    start: float
    end: float

    @property
    def length(self) -> float:
        """Number of edges."""
        return self.end - self.start


def pieces_of(solution: Solution, order: Sequence[int], edges: Collection[int]) -> tuple[Piece, ...]:
    """Return the runs of these edges along the paths of the flows, in ``order``."""
    runs = [(flow, run) for flow in order for run in solution.paths[flow].runs(edges)]
    return tuple(Piece(flow, *run) for flow, run in runs)


def lines_along(board: Board, path: Path, piece: Piece) -> list[Polyline]:
    """Return the polylines of a piece."""
    lines: list[Polyline] = []
    for number, edge in enumerate(path.edges):
        start, end = max(piece.start - number, 0.0), min(piece.end - number, 1.0)
        if start >= end:
            continue
        for segment in _cut(board.strokes_from(edge, path.vertices[number]), start, end):
            if lines and lines[-1][-1] == segment[0]:
                lines[-1] += segment[1:]
            else:
                lines.append(segment)
    return lines


def _cut(strokes: Sequence[Polyline], low: float, high: float) -> Iterator[Polyline]:
    """Yield the segments of lines between two shares of their whole length."""
    segments = [ends for line in strokes for ends in pairwise(line)]
    lengths = [dist(*ends) for ends in segments]
    passed_length, full_length = 0.0, sum(lengths)
    for (start, end), length in zip(segments, lengths, strict=True):
        begin = max((low * full_length - passed_length) / length, 0.0)
        stop = min((high * full_length - passed_length) / length, 1.0)
        if begin < stop:
            last = end if stop == 1 else point_between(start, end, stop)
            yield point_between(start, end, begin), last
        passed_length += length


class FramePlan(NamedTuple):
    """Pieces that appear in a frame, and its duration."""

    pieces: tuple[Piece, ...]
    milliseconds: int


class Turn(Struct, frozen=True):
    """Time in which a piece grows, in seconds from the beginning."""

    piece: Piece
    start: float
    end: float

    def time_at(self, position: float) -> float:
        """Return the time when the piece reaches a position on its path."""
        share = (position - self.piece.start) / self.piece.length
        return self.start + (self.end - self.start) * share


def frames_of(pieces: Sequence[Piece]) -> list[FramePlan]:
    """Return frames in which the pieces grow in turn, at one speed; the first shows none."""
    length, count = _length_and_frames(pieces)
    plans = [FramePlan((), FIRST_MS if count else LAST_MS)]
    for number in range(count):
        grown = _between(pieces, length * number / count, length * (number + 1) / count)
        is_last = number == count - 1
        plans.append(FramePlan(tuple(grown), LAST_MS if is_last else FRAME_MS))
    return plans


def turns_of(pieces: Sequence[Piece]) -> list[Turn]:
    """Return the time of each piece, for continuous animations."""
    length, count = _length_and_frames(pieces)
    clock = FIRST_MS / 1000
    turns: list[Turn] = []
    for piece in pieces:
        start = clock
        clock += count * FRAME_MS / 1000 / length * piece.length
        turns.append(Turn(piece, start, clock))
    return turns


def _length_and_frames(pieces: Sequence[Piece]) -> tuple[float, int]:
    """Return the length of all pieces, in edges, and the number of frames in which they grow."""
    length = sum(piece.length for piece in pieces)
    return length, min(MAX_FRAMES, round(2 * length))


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    """Yield the parts of pieces between two lengths, counted in edges along all of them in turn."""
    passed_length = 0.0
    for piece in pieces:
        start, end = max(low - passed_length, 0.0), min(high - passed_length, piece.length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        passed_length += piece.length
