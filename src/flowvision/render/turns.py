"""Pieces of paths, their lines, and the time when each appears."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import dist, floor

from msgspec import Struct

from flowvision.puzzle.layout import Board, Point, Polyline, point_between
from flowvision.puzzle.model import Path, Solution

FRAME_MS = 50
"""Twenty frames a second: a GIF shown faster is slowed down by browsers."""
FIRST_MS, LAST_MS = 600, 2500
"""Time for the picture before anything grows, and at the end."""
MAX_FRAMES = 60
"""A larger board is drawn faster, not longer."""


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
    segments = [ends for line in strokes for ends in pairwise(line)]
    lengths = [dist(*ends) for ends in segments]
    at, whole = 0.0, sum(lengths)
    for (start, end), length in zip(segments, lengths, strict=True):
        begin = max((low * whole - at) / length, 0.0)
        stop = min((high * whole - at) / length, 1.0)
        if begin < stop:
            last = end if stop == 1 else point_between(start, end, stop)
            yield point_between(start, end, begin), last
        at += length


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
    length = sum(piece.end - piece.start for piece in pieces)
    return length, min(MAX_FRAMES, round(2 * length))


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    at = 0.0
    for piece in pieces:
        length = piece.end - piece.start
        start, end = max(low - at, 0.0), min(high - at, length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        at += length
