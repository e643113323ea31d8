"""Pieces of paths: which part of which flow, and the lines it is drawn along."""

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
    found = []
    for flow in order:
        start = None
        path = solution.paths[flow].edges
        for place, edge in enumerate((*path, None)):
            if edge is not None and edge in edges:
                start = place if start is None else start
            elif start is not None:
                found.append(Piece(flow, start, place))
                start = None
    return tuple(found)


def whole_paths(solution: Solution) -> tuple[Piece, ...]:
    """All of every path."""
    return tuple(Piece(flow, 0, len(path.edges)) for flow, path in enumerate(solution.paths) if path.edges)


def lines_along(board: Board, path: Path, piece: Piece) -> list[Polyline]:
    """The lines of a piece, in cell units: one, and another one after every warp."""
    lines: list[list[Point]] = []
    for number in range(floor(piece.start), len(path.edges)):
        low, high = max(piece.start - number, 0.0), min(piece.end - number, 1.0)
        if high <= low:
            break
        for line in _cut(_strokes(board, path, number), low, high):
            if lines and lines[-1][-1] == line[0]:
                lines[-1] += line[1:]
            else:
                lines.append(list(line))
    return [tuple(line) for line in lines]


def _strokes(board: Board, path: Path, number: int) -> list[Polyline]:
    """The strokes of an edge in the direction of the path."""
    edge = path.edges[number]
    strokes = board.layout.strokes[edge]
    if board.graph.edges[edge][0] == path.vertices[number]:
        return list(strokes)
    return [line[::-1] for line in strokes[::-1]]


def _cut(strokes: Sequence[Polyline], low: float, high: float) -> Iterator[Polyline]:
    """What lies between two shares of the whole length of some lines."""
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
