"""Lines that paths are drawn along, in cell units, and the times when they grow.

No NumPy: drawings of vectors load without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise
from math import dist, floor, hypot
from statistics import median

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
EVERY = 3
"""Cells from letter to letter along a pipe."""
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
    """Return true if a line turns in the middle of three points."""
    (x0, y0), (x1, y1) = _step(start, middle), _step(middle, end)
    crossed = x0 * y1 - y0 * x1
    return abs(crossed) > BENT * hypot(x0, y0) * hypot(x1, y1)


def _step(start: Point, end: Point) -> Point:
    """Return the vector between two points."""
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
    taut = list(line)
    for _ in range(PULLS):
        inner = []
        for measured, before, point, after in zip(line[1:-1], taut, taut[1:], taut[2:], strict=False):
            pulled = point_between(point, point_between(before, after))
            inner.append(_within(measured, pulled, slack))
        taut = [line[0], *inner, line[-1]]
    return taut


def _within(original: Point, target: Point, reach: float) -> Point:
    """Return the target, or the point on the way to it that is as far from the original as allowed."""
    distance = dist(original, target)
    return target if distance <= reach else point_between(original, target, reach / distance)


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
        distances = [dist(vertex, point) for vertex in curve]
        places.append(distances.index(min(distances)))
    return curve, places


def arrows_along(board: Board, path: Path, width: float) -> list[Polyline]:
    """Return the arrows along a path, each three points: back, tip, back."""
    arrows: list[Polyline] = []
    every_second = sides_passed(board, path)[::2]
    for point, next_point in every_second:
        on_side, beyond = complex(*point), complex(*next_point)
        ahead = beyond - on_side
        half = ARROW * width * ahead / max(abs(ahead), 1e-9)
        back, side = on_side - TIP * half, 1j * half
        corners = back + side, on_side + TIP * half, back - side
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


class Piece(Struct, frozen=True):
    """A part of a flow's path, from ``start`` to ``end``, counted in edges from its first dot."""

    flow: int
    start: float
    end: float


def pieces_of(solution: Solution, order: Sequence[int], edges: Collection[int]) -> tuple[Piece, ...]:
    """Return the runs of these edges along the paths of the flows, in ``order``."""
    runs = [(flow, run) for flow in order for run in solution.paths[flow].runs(edges)]
    return tuple(Piece(flow, *run) for flow, run in runs)


def lines_along(board: Board, path: Path, piece: Piece) -> list[Polyline]:
    """Return the lines of a piece in cell units, a new one after every warp."""
    lines: list[list[Point]] = []
    for number in range(floor(piece.start), len(path.edges)):
        low = max(piece.start - number, 0.0)
        high = min(piece.end - number, 1.0)
        if high <= low:
            break
        strokes = board.strokes_from(path.edges[number], path.vertices[number])
        for line in _cut(strokes, low, high):
            if lines and lines[-1][-1] == line[0]:
                lines[-1] += line[1:]
            else:
                lines.append(list(line))
    return [tuple(line) for line in lines]


def _cut(strokes: Sequence[Polyline], low: float, high: float) -> Iterator[Polyline]:
    """Yield the parts of lines between two shares of their whole length."""
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


FramePlan = tuple[tuple[Piece, ...], int]
"""Pieces that appear in a frame, and its duration in milliseconds."""


class Turn(Struct, frozen=True):
    """Time in which a piece grows, in seconds from the beginning."""

    piece: Piece
    start: float
    end: float

    def time_at(self, place: float) -> float:
        """Return the time when the piece reaches a place along its path."""
        share = (place - self.piece.start) / (self.piece.end - self.piece.start)
        return self.start + (self.end - self.start) * share


def frames_of(pieces: Sequence[Piece]) -> list[FramePlan]:
    """Return frames in which the pieces grow in turn, at one speed; the first shows none."""
    length, count = _length_and_frames(pieces)
    plans: list[FramePlan] = [((), FIRST_MS if count else LAST_MS)]
    for number in range(count):
        low, high = (length * (number + n) / count for n in (0, 1))
        milliseconds = FRAME_MS if number < count - 1 else LAST_MS
        plans.append((tuple(_between(pieces, low, high)), milliseconds))
    return plans


def turns_of(pieces: Sequence[Piece]) -> list[Turn]:
    """Return the time of each piece, for continuous animations."""
    length, count = _length_and_frames(pieces)
    clock = FIRST_MS / 1000
    turns: list[Turn] = []
    for piece in pieces:
        start = clock
        clock += count * FRAME_MS / 1000 / length * (piece.end - piece.start)
        turns.append(Turn(piece, start, clock))
    return turns


def _length_and_frames(pieces: Sequence[Piece]) -> tuple[float, int]:
    """Return the length of all pieces, in edges, and the number of frames in which they grow."""
    length = sum(piece.end - piece.start for piece in pieces)
    return length, min(MAX_FRAMES, round(2 * length))


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    """Yield the parts of pieces between two lengths, counted in edges along all of them in turn."""
    passed_length = 0.0
    for piece in pieces:
        length = piece.end - piece.start
        start, end = max(low - passed_length, 0.0), min(high - passed_length, length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        passed_length += length
