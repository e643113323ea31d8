"""Pictures of a board without a screenshot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from flowvision.colours import ink_on, labels_for
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.render.look import LINE as THIN
from flowvision.render.look import cell_width, dot_radius, letter_size
from flowvision.render.paint import disc, polygon, rule, stroke, text
from flowvision.render.ruling import MARGIN, SCREEN, BoardStyle, ruling_of

MIN_CELL_PX = 16
"""Smaller cells are not legible."""


def draw_board(
    board: Board,
    puzzle: Puzzle,
    palette: Sequence[Rgb],
    letters: Sequence[str] | None = None,
    style: BoardStyle = SCREEN,
) -> tuple[Bgr, Frame]:
    """Return a picture of the unsolved board, and its frame.

    ``letters``: written in the dots; numbers if letters run out.
    """
    corners = np.array(board.layout.corners)
    first, last = corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN
    size = last - first
    fitting_px = int(style.max_px / size.max())
    pitch_px = max(MIN_CELL_PX, min(style.cell_px, fitting_px))
    left_px, top_px = -first * pitch_px
    frame = Frame.of_box(left_px, top_px, pitch_px, pitch_px)
    width_px, height_px = np.ceil(size * pitch_px).astype(int)
    bgr = np.full((height_px, width_px, 3), style.ground.bgr, np.uint8)
    draw_ruling(bgr, board, frame, style, max(1, round(THIN * pitch_px)))
    labels = labels_for(letters or ())
    for dot, flow in puzzle.dots.items():
        cell = board.layout.cell_at(dot)
        (centre,) = frame.to_px(cell.centre).tolist()
        disc(bgr, centre, dot_radius(cell) * pitch_px, palette[flow])
        if labels:
            letter_px = letter_size(labels[flow]) * cell_width(cell) * pitch_px
            text(bgr, centre, labels[flow], letter_px, ink_on(palette[flow]), anchor="mm")
    return bgr, frame


def draw_ruling(canvas: Bgr, board: Board, frame: Frame, style: BoardStyle, line_px: int) -> None:
    """Draw thin lines between neighbours, thick ones round boards that are not full rectangles, in place.

    A warp is a gap in the outline, with lines leading outwards; a bridge has a pair of rails. Cells that do
    not touch are joined by lines, and each is drawn on its own. ``line_px``: width of a thin line.
    """
    if board.layout.links:
        for link in chain.from_iterable(board.layout.strokes):
            stroke(canvas, frame.to_px(link), style.line, line_px)
        for cell in board.layout.cells:
            outline_px = frame.to_px((*cell.outline, cell.outline[0]))
            polygon(canvas, outline_px, style.ground)
            stroke(canvas, outline_px, style.line, line_px)
        return
    for lines, colour, width in ruling_of(board, style):
        # Thin lines are sharp to the pixel, thick ones have round ends.
        draw = rule if width == 1 else stroke
        for line in lines:
            draw(canvas, frame.to_px(line), colour, round(width * line_px))
