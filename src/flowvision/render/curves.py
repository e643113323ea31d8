"""The lines that paths are drawn along, in cell units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
    strokes = [board.layout.strokes[edge] for edge in path.edges]
    curve, at = _on_curve(board, path, [lines[0][1] for lines in strokes if len(lines) == 1])
    return curve[at], curve[at + 1]


def middles_passed(board: Board, path: Path) -> Floats:
    """Return the middles (N, 2) of a path's curve in its inner cells, without bridges."""
    cells = [board.layout.cell_of[strand] for strand in path.vertices[1:-1]]
    inner = [board.layout.cells[cell].centre for cell in cells if cell not in board.layout.bridges]
    curve, at = _on_curve(board, path, inner)
    return curve[at]


def _on_curve(board: Board, path: Path, points: Sequence[Point]) -> tuple[Floats, NDArray[np.intp]]:
    """Return a path's curve, and the index of its nearest point to each of these."""
    curve = np.concatenate(curves_of(board, path, is_bent(board)))
    away = np.linalg.norm(curve[:, None] - np.reshape(points, (-1, 2)), axis=2)
    return curve, away.argmin(axis=0)


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
