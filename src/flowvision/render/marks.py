"""What is written on pipes: letters, and arrows from the first dot to the second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowvision.image.picture import Bgr, Frame
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Path, Solution
from flowvision.render.curves import Floats, middles_passed, sides_passed
from flowvision.render.paint import disc, ink_on, stroke, text
from flowvision.render.pipes import Pipe
from flowvision.render.sizes import DOT_MIDDLE, LETTER, PIPE_LETTER, narrow_px_of

LEGIBLE_PX = 6
"""Smaller letters cannot be read: pipes go without."""
EVERY = 3
"""Cells from letter to letter along a pipe."""
ARROW = 0.085
"""Of a narrow cell's width: how far an arrow reaches to each side of the middle of its pipe."""
ARROWS_EVERY = 2
"""Sides from arrow to arrow."""
INK = 0.045
"""Of a narrow cell's width: the thickness of an arrow's strokes."""


def draw_letters(
    canvas: Bgr, board: Board, solution: Solution, frame: Frame, pipes: Sequence[Pipe], letters: Sequence[str]
) -> None:
    """Each flow's letter on its dots and along its pipe, black or white, in place."""
    narrow_px = narrow_px_of(board, frame)
    for pipe in pipes:
        ink, letter, path = ink_on(pipe.colour), letters[pipe.flow], solution.paths[pipe.flow]
        dots = {path.vertices[0], path.vertices[-1]} & set(pipe.path.vertices)
        for dot in dots:
            centre = frame.to_px(board.layout.cells[board.layout.cell_of[dot]].centre)[0].tolist()
            disc(canvas, centre, DOT_MIDDLE * narrow_px, pipe.colour)
            text(canvas, centre, letter, LETTER * narrow_px, ink, "mm")
        if PIPE_LETTER * narrow_px >= LEGIBLE_PX:
            middles = middles_passed(board, pipe.path)[EVERY // 2 :: EVERY]
            for at in frame.to_px(middles).tolist():
                text(canvas, at, letter, PIPE_LETTER * narrow_px, ink, "mm")


def draw_arrows(canvas: Bgr, board: Board, frame: Frame, pipes: Sequence[Pipe]) -> None:
    """Arrows on every second side that a pipe passes, at least on one, in place."""
    narrow_px = narrow_px_of(board, frame)
    for pipe in pipes:
        ink = ink_on(pipe.colour)
        sides, beyond = (frame.to_px(points) for points in sides_passed(board, pipe.path))
        for arrow in _arrows(sides, beyond, narrow_px):
            stroke(canvas, arrow, ink, max(1.0, INK * narrow_px))


def arrows_along(board: Board, path: Path, width: float) -> list[Floats]:
    """The same arrows in cell units, each (3, 2): back, tip, back; ``width``: that of a narrow cell."""
    return _arrows(*sides_passed(board, path), width)


def _arrows(sides: Floats, beyond: Floats, width: float) -> list[Floats]:
    ways = (beyond - sides) / np.maximum(np.linalg.norm(beyond - sides, axis=1, keepdims=True), 1e-9)
    made = []
    for place, way in zip(sides[::ARROWS_EVERY], ways[::ARROWS_EVERY], strict=True):
        along, across = ARROW * width * way, ARROW * width * way[::-1] * (-1, 1)
        tip, back = place + 0.6 * along, place - 0.6 * along
        made.append(np.array((back + across, tip, back - across)))
    return made
