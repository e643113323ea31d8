"""How a solution appears bit by bit: pieces of paths, their lines, and when each grows. Data alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import floor, hypot

from flowvision.puzzle.layout import Board, Point, Polyline
from flowvision.puzzle.model import Path, Solution
from flowvision.value import value_type


@value_type
class Piece:
    """A part of a flow's path, from ``start`` to ``end``, counted in edges from its first dot."""

    flow: int
    start: float
    end: float


def pieces_of(solution: Solution, order: Sequence[int], edges: Collection[int]) -> tuple[Piece, ...]:
    """The runs of these edges along the paths of the flows, flow by flow in ``order``."""
    return tuple(Piece(flow, *run) for flow in order for run in solution.paths[flow].runs(edges))


def lines_along(board: Board, path: Path, piece: Piece) -> list[Polyline]:
    """The lines of a piece, in cell units: one, and another one after every warp."""
    lines: list[list[Point]] = []
    for number in range(floor(piece.start), len(path.edges)):
        low, high = max(piece.start - number, 0.0), min(piece.end - number, 1.0)
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
    """The parts of lines between two shares of their whole length."""
    lengths = [[hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(line)] for line in strokes]
    whole = sum(map(sum, lengths))
    at, first, last = 0.0, low * whole, high * whole
    for line, steps in zip(strokes, lengths, strict=True):
        points: list[Point] = []
        for (ax, ay), (bx, by), step in zip(line, line[1:], steps, strict=False):
            begin, stop = max((first - at) / step, 0.0), min((last - at) / step, 1.0)
            if begin < stop:
                if not points:
                    points.append((ax + begin * (bx - ax), ay + begin * (by - ay)))
                points.append((bx, by) if stop == 1 else (ax + stop * (bx - ax), ay + stop * (by - ay)))
            at += step
        if points:
            yield tuple(points)


FRAME_MS = 50
"""Twenty frames a second: a GIF shown faster is slowed down by browsers."""
MOST_FRAMES = 60
"""While paths grow: three seconds. A larger board is drawn faster, not longer."""
FRAMES_AN_EDGE = 2
"""On small boards: a step from cell to cell takes a tenth of a second."""
FIRST_MS, LAST_MS = 600, 2500
"""How long the picture is shown before anything grows, and when all is there."""


@value_type
class FramePlan:
    """The pieces that appear in a frame, and how long the frame is shown."""

    grown: tuple[Piece, ...]
    milliseconds: int


@value_type
class Turn:
    """When a piece grows: its first and last moment, in seconds from the beginning."""

    piece: Piece
    start: float
    end: float


@value_type
class Timeline:
    """Pieces that grow one after the other, all at one pace; in the first frame none is there yet."""

    pieces: tuple[Piece, ...]
    most_frames: int = MOST_FRAMES

    @property
    def edges(self) -> float:
        """The length of all pieces."""
        return sum(piece.end - piece.start for piece in self.pieces)

    @property
    def count(self) -> int:
        """How many frames things grow in."""
        return min(self.most_frames, round(FRAMES_AN_EDGE * self.edges))

    def frames(self) -> tuple[FramePlan, ...]:
        """Every frame, in order."""
        plans = [FramePlan((), FIRST_MS if self.count else LAST_MS)]
        for number in range(self.count):
            low, high = (self.edges * (number + n) / self.count for n in (0, 1))
            shown = FRAME_MS if number < self.count - 1 else LAST_MS
            plans.append(FramePlan(tuple(_between(self.pieces, low, high)), shown))
        return tuple(plans)

    def turns(self) -> tuple[Turn, ...]:
        """When each piece grows, for drawings that move continuously."""
        pace = self.count * FRAME_MS / 1000 / self.edges if self.pieces else 0.0
        clock, made = FIRST_MS / 1000, []
        for piece in self.pieces:
            until = clock + pace * (piece.end - piece.start)
            made.append(Turn(piece, clock, until))
            clock = until
        return tuple(made)


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    """The parts of pieces between two places, the pieces being laid end to end."""
    at = 0.0
    for piece in pieces:
        length = piece.end - piece.start
        start, end = max(low - at, 0.0), min(high - at, length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        at += length
