"""The solution drawn over the screenshot, on a copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board, Polyline
from flowvision.puzzle.model import Path, Solution

PIPE_WIDTH = 0.30
"""Of the pitch; the game's own pipes are 0.33 wide: a little less leaves the dots to be seen."""
CASING = 0.035
"""Of the pitch: a dark edge on both sides, so that a pipe shows on any ground."""
SUBPIXEL_BITS = 4
"""Coordinates are drawn to 1/16 of a pixel."""


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
    width_px = PIPE_WIDTH * _pitch_px(board, frame)
    casing_px = CASING * _pitch_px(board, frame)
    drawn = [
        (lines, palette[flow])
        for flow, path in enumerate(solution.paths)
        if flows is None or flow in flows
        for lines in [[frame.to_px(line) for line in lines_of(board, path)]]
    ]
    for lines, _ in drawn:
        _stroke(canvas, lines, (0, 0, 0), width_px + 2 * casing_px)
    for lines, colour in drawn:
        _stroke(canvas, lines, colour[::-1], width_px)
    for path, over in _bridge_pieces(board, solution, flows):
        lines = [frame.to_px(over)]
        _stroke(canvas, lines, (0, 0, 0), width_px + 2 * casing_px)
        _stroke(canvas, lines, palette[path][::-1], width_px)
    return canvas


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


def _bridge_pieces(
    board: Board, solution: Solution, flows: Collection[int] | None
) -> list[tuple[int, Polyline]]:
    """The upper strand's piece over every bridge cell, drawn again on top."""
    layout = board.layout
    bridges = set(layout.cell_of[len(layout.cells) :])
    return [
        (flow, (before, layout.cells[strand].centre, after))
        for flow, path in enumerate(solution.paths)
        if flows is None or flow in flows
        for place, strand in enumerate(path.vertices)
        if strand in bridges and 0 < place < len(path.edges)
        for before, after in [
            tuple(
                _towards(layout.strokes[path.edges[n]], layout.cells[strand].centre)
                for n in (place - 1, place)
            )
        ]
    ]


def _towards(strokes: Sequence[Polyline], centre: tuple[float, float]) -> tuple[float, float]:
    """Where the stroke that ends at ``centre`` crosses the cell's side."""
    for stroke in strokes:
        if stroke[0] == centre:
            return stroke[1]
        if stroke[-1] == centre:
            return stroke[-2]
    return centre


def _pitch_px(board: Board, frame: Frame) -> float:
    return frame.pitch_px(board.layout.cells[len(board.layout.cells) // 2].centre)


def _stroke(
    canvas: Bgr, lines: Sequence[NDArray[np.float64]], colour: Sequence[int], width_px: float
) -> None:
    """Draw polylines with round caps and joins."""
    points = [np.round(line * (1 << SUBPIXEL_BITS)).astype(np.int32) for line in lines]
    cv2.polylines(canvas, points, False, tuple(colour), max(1, round(width_px)), cv2.LINE_AA, SUBPIXEL_BITS)
