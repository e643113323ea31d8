"""The lines that paths are drawn along, in cell units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized

import numpy as np

from flowvision.image.picture import Floats
from flowvision.puzzle.layout import Board, Point, Polyline
from flowvision.puzzle.model import Path

STEPS = 8
"""Points of the curve at the centre of each cell or side."""


def lines_of(board: Board, path: Path) -> list[Polyline]:
    """Return the polylines of a path through the middles of its cells, a new one after every warp."""
    lines: list[list[Point]] = [[board.layout.cell_at(path.vertices[0]).centre]]
    for edge, before in zip(path.edges, path.vertices, strict=False):
        strokes = board.strokes_from(edge, before)
        lines[-1] += strokes[0][1:]
        lines += [list(stroke) for stroke in strokes[1:]]
    return [tuple(line) for line in lines]


def curves_of(board: Board, path: Path, bent: bool) -> list[Floats]:
    """Return the lines that a pipe follows along a path, each (N, 2).

    ``bent``: lines between middles bend at sides (``is_bent``); the pipe then runs in curves.
    """
    lines = [np.array(line, np.float64) for line in lines_of(board, path)]
    return [_smooth(line) for line in lines] if bent else lines


def is_bent(board: Board) -> bool:
    """Return true if lines between middles bend at a side: only where cells were measured one by one.

    Less than 6° may be a measuring error.
    """
    if board.lattice is not None or board.layout.links:
        return False
    strokes = [strokes[0] for strokes in board.layout.strokes if len(strokes) == 1]
    if not strokes:
        return False
    before, after = np.moveaxis(np.diff(np.array(strokes, np.float64), axis=1), 1, 0)
    crossed = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    return bool((np.abs(crossed) > 0.1 * lengths).any())


def _smooth(line: Floats) -> Floats:
    """Return a quadratic B-spline through middles of cells and sides, pulled taut."""
    if len(line) < 3:
        return line
    knots = _taut(line)
    halves = (knots[:-1] + knots[1:]) / 2
    before, at, after = halves[:-1], knots[1:-1], halves[1:]
    t = np.arange(STEPS)[:, None, None] / STEPS
    points = (1 - t) ** 2 * before + 2 * t * (1 - t) * at + t**2 * after
    return np.concatenate((line[:1], np.swapaxes(points, 0, 1).reshape(-1, 2), after[-1:], line[-1:]))


def _taut(line: Floats) -> Floats:
    """Shorten a line by moving its inner points a little: measured outlines wobble."""
    moved = line.copy()
    # The pipe still covers the measured line.
    slack = 0.1 * np.median(np.linalg.norm(np.diff(line, axis=0), axis=1))
    for _ in range(24):
        moved[1:-1] += ((moved[:-2] + moved[2:]) / 2 - moved[1:-1]) / 2
        offset = moved - line
        length = np.maximum(np.linalg.norm(offset, axis=1, keepdims=True), 1e-9)
        moved = line + offset * np.minimum(1, slack / length)
    return moved


def sides_passed(board: Board, path: Path) -> tuple[Floats, Floats]:
    """Return the points (N, 2) where a path's curve crosses sides, except at warps, and the next points."""
    passed = [curve[place : place + 2] for curve, place in _stations(board, path, of_sides=True)]
    both = np.array(passed, np.float64).reshape(-1, 2, 2)
    return both[:, 0], both[:, 1]


def middles_passed(board: Board, path: Path) -> Floats:
    """Return the middles (N, 2) of a path's curve in its inner cells, without bridges."""
    layout, bridges = board.layout, board.layout.bridges
    middles = [curve[place] for curve, place in _stations(board, path, of_sides=False)]
    inner = [
        middle
        for middle, strand in zip(middles, path.vertices[1:-1], strict=False)
        if layout.cell_of[strand] not in bridges
    ]
    return np.array(inner, np.float64).reshape(-1, 2)


def bridges_passed(board: Board, path: Path) -> Iterator[tuple[int, tuple[Point, Point, Point]]]:
    """Yield each bridge that a path passes: the index of the strand, and the line from side to side."""
    layout, bridges = board.layout, board.layout.bridges
    for place, strand in enumerate(path.vertices[1:-1], 1):
        if layout.cell_of[strand] in bridges:
            start, end = (board.strokes_from(path.edges[n], strand)[0][1] for n in (place - 1, place))
            yield place, (start, layout.cell_at(strand).centre, end)


def _stations(board: Board, path: Path, of_sides: bool) -> Iterator[tuple[Floats, int]]:
    """Yield the curve, and the index of its point, at the middle of each side, or cell, that a path passes.

    Sides and cells alternate. The first curve passes a side first; later ones begin on the border.
    """
    bent = is_bent(board)
    curves = curves_of(board, path, bent)
    lines: Sequence[Sized] = lines_of(board, path) if bent else curves
    step, first = (STEPS, 1 + STEPS // 2) if bent else (1, 1)
    for number, (curve, line) in enumerate(zip(curves, lines, strict=True)):
        is_side_first = number == 0
        for n in range(int(is_side_first != of_sides), len(line) - 2, 2):
            yield curve, first + step * n
