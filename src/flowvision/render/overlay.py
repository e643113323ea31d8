"""The solution drawn over the screenshot, on a copy unless told otherwise."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board, Polyline
from flowvision.puzzle.model import Path, Solution
from flowvision.render.paint import disc, ink_on, lifted, put_back, stroke, text

PIPE_WIDTH = 0.30
"""Of a narrow cell's width; the game's own pipes are 0.33 wide: a little less leaves the dots to be seen."""
CASING = 0.035
"""Of the same: a dark edge on both sides, so that a pipe shows on any ground."""
DOT = 0.345
"""Of the same: the game's dots. They lie over the casing, and so stand out as the ends of a path."""
KEPT_DOT = 0.26
"""Of the same: the middle of a dot stays as it was, with its letter; the smallest dots are as large."""
WOBBLE = 0.03
"""Of the same: what is straight up to so much is drawn straight; cells of free boards are measured."""
LETTER = 0.4
"""Of the same: the height of the letters, which are then as large as the game's."""
BLACK = Rgb(0, 0, 0)


def draw_solution(
    bgr: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    palette: Sequence[Rgb],
    flows: Collection[int] | None = None,
    letters: Sequence[str] | None = None,
) -> Bgr:
    """A copy of the picture with the paths on it, each in its colour; only ``flows`` where given.

    ``letters``, one a flow, are written into the dots for those who cannot tell the colours apart.
    """
    return draw_over(bgr.copy(), board, solution, frame, palette, flows, letters)


def draw_over(
    canvas: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    palette: Sequence[Rgb],
    flows: Collection[int] | None = None,
    letters: Sequence[str] | None = None,
) -> Bgr:
    """The same on the picture itself, for whoever needs it no more as it was."""
    narrow_px = frame.narrow_px(board.layout.cells[len(board.layout.cells) // 2].centre)
    width_px, cased_px = PIPE_WIDTH * narrow_px, (PIPE_WIDTH + 2 * CASING) * narrow_px
    shown = [flow for flow in range(len(solution.paths)) if flows is None or flow in flows]
    lines = [
        (_straightened(frame.to_px(line), narrow_px), palette[flow])
        for flow in shown
        for line in lines_of(board, solution.paths[flow])
    ]
    ends = [
        (flow, frame.to_px(board.layout.cells[board.layout.cell_of[strand]].centre)[0].tolist())
        for flow in shown
        for strand in (solution.paths[flow].vertices[0], solution.paths[flow].vertices[-1])
    ]
    whole, middle = ([lifted(canvas, at, size * narrow_px) for _, at in ends] for size in (DOT, KEPT_DOT))
    for line, _ in lines:
        stroke(canvas, line, BLACK, cased_px)
    for dot in whole:
        put_back(canvas, dot)
    for line, colour in lines:
        stroke(canvas, line, colour, width_px)
    for flow in shown:
        for over in _over_bridges(board, solution.paths[flow]):
            stroke(canvas, frame.to_px(over), BLACK, cased_px)
            stroke(canvas, frame.to_px(over), palette[flow], width_px)
    for (flow, centre), dot in zip(ends, middle, strict=True):
        put_back(canvas, dot)
        if letters is not None:
            disc(canvas, centre, KEPT_DOT * narrow_px, palette[flow])
            text(canvas, centre, letters[flow], LETTER * narrow_px, ink_on(palette[flow]), "mm")
    return canvas


def _straightened(line_px: NDArray[np.float64], narrow_px: float) -> NDArray[np.float32]:
    """Only the corners of a polyline: fewer strokes, and no wobble."""
    corners = cv2.approxPolyDP(line_px.astype(np.float32), WOBBLE * narrow_px, False)
    return np.asarray(corners, np.float32).reshape(-1, 2)


def lines_of(board: Board, path: Path) -> list[Polyline]:
    """The polylines of a path, in cell units: one, and another one after every warp."""
    layout = board.layout
    lines: list[list[tuple[float, float]]] = [[layout.cells[layout.cell_of[path.vertices[0]]].centre]]
    for edge, before in zip(path.edges, path.vertices, strict=False):
        strokes = layout.strokes[edge]
        forward = board.graph.edges[edge][0] == before
        ordered = strokes if forward else tuple(stroke[::-1] for stroke in strokes[::-1])
        lines[-1] += ordered[0][1:]
        lines += [list(stroke) for stroke in ordered[1:]]
    return [tuple(line) for line in lines]


def _over_bridges(board: Board, path: Path) -> list[Polyline]:
    """The pieces of a path over bridge cells, where it is the upper strand."""
    layout = board.layout
    bridges = set(layout.cell_of[len(layout.cells) :])
    pieces: list[Polyline] = []
    for place, strand in enumerate(path.vertices):
        if strand in bridges and 0 < place < len(path.edges):
            centre = layout.cells[strand].centre
            before, after = (_towards(layout.strokes[path.edges[n]], centre) for n in (place - 1, place))
            pieces.append((before, centre, after))
    return pieces


def _towards(strokes: Sequence[Polyline], centre: tuple[float, float]) -> tuple[float, float]:
    """Where the stroke that ends at ``centre`` crosses the cell's side."""
    for line in strokes:
        if line[0] == centre:
            return line[1]
        if line[-1] == centre:
            return line[-2]
    return centre
