"""The lines that paths are drawn along, in cell units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.puzzle.layout import Board, Polyline
from flowvision.puzzle.model import Path

BENT = 0.1
"""Sine of the angle by which lines from middle to middle bend at a side; less may be an error of measure."""
REACH = 0.45
"""Of the way between two sides: how far a curve follows its direction at each; 0.39 would be an arc."""
STEPS = 10
"""Points of a curve a cell."""
STRAY = 0.06
"""Of the way between two sides: how far a curve may pass from the middle of a measured side."""
ROUNDS = 12
"""How often the sides' middles are moved towards their neighbours' middle, by half."""

Floats = NDArray[np.float64]


def lines_of(board: Board, path: Path) -> list[Polyline]:
    """The polylines of a path from middle to middle of its cells: one, and another one after every warp."""
    layout = board.layout
    lines: list[list[tuple[float, float]]] = [[layout.cells[layout.cell_of[path.vertices[0]]].centre]]
    for edge, before in zip(path.edges, path.vertices, strict=False):
        strokes = layout.strokes[edge]
        forward = board.graph.edges[edge][0] == before
        ordered = strokes if forward else tuple(stroke[::-1] for stroke in strokes[::-1])
        lines[-1] += ordered[0][1:]
        lines += [list(stroke) for stroke in ordered[1:]]
    return [tuple(line) for line in lines]


def curves_of(board: Board, path: Path, bent: bool | None = None) -> list[Floats]:
    """The same lines as a pipe follows them, each (N, 2).

    Where lines from middle to middle are straight at every side, as on squares and hexagons, these are
    they. On a board where they bend there, the line runs from side to side in curves without a corner.
    ``bent``: what ``is_bent`` said of the board, where it was asked already.
    """
    lines = [np.array(line, np.float64) for line in lines_of(board, path)]
    bent = is_bent(board) if bent is None else bent
    return [_smooth(line, number > 0) for number, line in enumerate(lines)] if bent else lines


def is_bent(board: Board) -> bool:
    """Whether lines from middle to middle bend at a side anywhere on the board: never on a lattice.

    Nor where cells lie apart: their pipes follow the lines that are drawn between them.
    """
    if board.lattice is not None or board.layout.links:
        return False
    strokes = [strokes[0] for strokes in board.layout.strokes if len(strokes) == 1]
    if not strokes:
        return False
    before, after = np.moveaxis(np.diff(np.array(strokes, np.float64), axis=1), 1, 0)
    crossed = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    return bool((np.abs(crossed) > BENT * lengths).any())


def _smooth(line: Floats, from_border: bool) -> Floats:
    """Middles of cells and sides in turn as a curve through the sides.

    The first line of a path begins in a cell, the others on the border where they come over the edge.
    """
    sides = np.arange(2 if from_border else 1, len(line) - 1, 2)
    if not len(sides):
        return line
    knots = _evened(np.concatenate((line[:1], line[sides], line[-1:])))
    inner = line[sides + 1] - line[sides - 1]
    ways = np.concatenate((knots[1:2] - knots[:1], inner, knots[-1:] - knots[-2:-1]))
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    reach = REACH * np.linalg.norm(np.diff(knots, axis=0), axis=1, keepdims=True)
    bends = knots[:-1], knots[:-1] + reach * ways[:-1], knots[1:] - reach * ways[1:], knots[1:]
    t = np.linspace(0, 1, STEPS, endpoint=False)[:, None, None]
    shares = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
    points = sum(share * bend for share, bend in zip(shares, bends, strict=True))
    return np.concatenate((np.swapaxes(points, 0, 1).reshape(-1, 2), line[-1:]))


def _evened(knots: Floats) -> Floats:
    """The same points, those between moved a little so that they wobble less: measured outlines do."""
    moved = knots.copy()
    stray = STRAY * np.median(np.linalg.norm(np.diff(knots, axis=0), axis=1))
    for _ in range(ROUNDS):
        moved[1:-1] += ((moved[:-2] + moved[2:]) / 2 - moved[1:-1]) / 2
        away = moved - knots
        length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        moved = knots + away * np.minimum(1, stray / length)
    return moved


def sides_passed(board: Board, path: Path) -> tuple[Floats, Floats]:
    """(N, 2) twice: where a path's curve passes from cell to cell, and points a little further along it.

    Where it leaves the board and comes back over the edge is none of them.
    """
    bent = is_bent(board)
    found: list[Floats] = []
    for number, line in enumerate(curves_of(board, path, bent)):
        # Bent lines have a knot every few points; straight ones a side at every other point.
        places = range(STEPS, len(line) - 1, STEPS) if bent else range(2 if number else 1, len(line) - 1, 2)
        found += [line[place : place + 2] for place in places]
    passed = np.array(found, np.float64).reshape(-1, 2, 2)
    return passed[:, 0], passed[:, 1]


def middles_passed(board: Board, path: Path) -> Floats:
    """(N, 2): the middle of a path's way through each of its cells but the first and the last.

    Cells that are crossed twice are left out.
    """
    bent, layout = is_bent(board), board.layout
    crossed = set(layout.cell_of[len(layout.cells) :])
    found: list[Floats] = []
    for number, line in enumerate(curves_of(board, path, bent)):
        places = (
            range(STEPS + STEPS // 2, len(line) - STEPS, STEPS)
            if bent
            else range(1 if number else 2, len(line) - 1, 2)
        )
        found += [line[place] for place in places]
    cells = [layout.cell_of[strand] for strand in path.vertices[1:-1]]
    kept = [point for point, cell in zip(found, cells, strict=False) if cell not in crossed]
    return np.array(kept, np.float64).reshape(-1, 2)
