"""The solution drawn over the screenshot, on a copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from flowvision.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board, Polyline
from flowvision.puzzle.model import Path, Solution
from flowvision.render.paint import stroke

PIPE_WIDTH = 0.30
"""Of the pitch; the game's own pipes are 0.33 wide: a little less leaves the dots to be seen."""
CASING = 0.035
"""Of the pitch: a dark edge on both sides, so that a pipe shows on any ground."""
KEPT_DOT = 0.26
"""Of the pitch: the middle of a dot stays as it was, with its letter; the smallest dots are as large."""
BLACK = Rgb(0, 0, 0)


def draw_solution(
    bgr: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    palette: Sequence[Rgb],
    flows: Collection[int] | None = None,
) -> Bgr:
    """A copy of the picture with the paths on it, each in its colour; only ``flows`` where given."""
    canvas = bgr.copy()
    pitch_px = frame.pitch_px(board.layout.cells[len(board.layout.cells) // 2].centre)
    width_px, cased_px = PIPE_WIDTH * pitch_px, (PIPE_WIDTH + 2 * CASING) * pitch_px
    shown = [
        (path, colour)
        for flow, (path, colour) in enumerate(zip(solution.paths, palette, strict=True))
        if flows is None or flow in flows
    ]
    lines = [(frame.to_px(line), colour) for path, colour in shown for line in lines_of(board, path)]
    for line, _ in lines:
        stroke(canvas, line, BLACK, cased_px)
    for line, colour in lines:
        stroke(canvas, line, colour, width_px)
    for path, colour in shown:
        for over in _over_bridges(board, path):
            stroke(canvas, frame.to_px(over), BLACK, cased_px)
            stroke(canvas, frame.to_px(over), colour, width_px)
    for path, _ in shown:
        for end in (path.vertices[0], path.vertices[-1]):
            centre = frame.to_px(board.layout.cells[board.layout.cell_of[end]].centre)[0]
            _restore(canvas, bgr, centre.tolist(), KEPT_DOT * pitch_px)
    return canvas


def _restore(canvas: Bgr, original: Bgr, centre: Sequence[float], radius_px: float) -> None:
    """Put the original pixels back in a disc."""
    height, width = canvas.shape[:2]
    x0, y0 = (max(0, int(c - radius_px)) for c in centre)
    x1, y1 = min(width, int(centre[0] + radius_px) + 2), min(height, int(centre[1] + radius_px) + 2)
    if x0 >= x1 or y0 >= y1:
        return
    disc = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.circle(disc, (round(centre[0]) - x0, round(centre[1]) - y0), round(radius_px), 255, -1)
    cv2.copyTo(original[y0:y1, x0:x1], disc, canvas[y0:y1, x0:x1])


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
