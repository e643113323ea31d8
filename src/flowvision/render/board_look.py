"""How a board looks by itself, without a screenshot: its colours and sizes, and a plain picture of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.render.paint import disc, ink_on, text
from flowvision.render.ruling import draw_ruling
from flowvision.render.sizes import LETTER, cell_width, dot_radius
from flowvision.render.sizes import LINE as THIN
from flowvision.value import value_type

GROUND, LINE, WALL = Rgb(0, 0, 0), Rgb(96, 96, 96), Rgb(192, 192, 192)
"""The cells, the lines between them, and walls and outlines, which the game draws twice as bright."""
MARGIN = 0.2
"""Cell units round the board; the openings of warps reach into it."""
MOST_PX, CELL_PX = 1200, 120
"""A picture is about so large, and its cells are no larger than that."""
LEAST_PX = 16
"""Smaller cells would show nothing."""


@value_type
class BoardStyle:
    """The colours and sizes of a board: its ground, its thin lines, its walls and outlines.

    ``thickness``: of thin lines, of a cell. ``cell_px``: width of a cell, smaller where the picture would be
    larger than ``most_px``.
    """

    ground: Rgb = GROUND
    line: Rgb = LINE
    wall: Rgb = WALL
    thickness: float = THIN
    cell_px: int = CELL_PX
    most_px: int = MOST_PX


SCREEN = BoardStyle()
PAPER = BoardStyle(Rgb(255, 255, 255), Rgb(150, 150, 150), Rgb(40, 40, 40), cell_px=165, most_px=2126)
"""For printing: a white ground takes no ink, and grey lines leave room to draw over them. At 300 dots an
inch cells are 14 mm wide, and boards 180 mm at most, as A4 and US Letter have between margins of 15 mm."""


@value_type(eq=False)
class PlainBoard:
    """A picture of a board alone, and where the board lies in it."""

    bgr: Bgr
    frame: Frame


def draw_board(
    board: Board,
    puzzle: Puzzle,
    palette: Sequence[Rgb],
    letters: Sequence[str] | None = None,
    style: BoardStyle = SCREEN,
) -> PlainBoard:
    """The unsolved board, with ``letters`` in its dots where they are given."""
    corners = np.array([corner for cell in board.layout.cells for corner in cell.outline])
    low, high = corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN
    pitch = max(LEAST_PX, min(style.cell_px, int(style.most_px / (high - low).max())))
    frame = Frame.of_box(-low[0] * pitch, -low[1] * pitch, pitch, pitch)
    width, height = (int(np.ceil(length * pitch)) for length in high - low)
    bgr = np.full((height, width, 3), style.ground[::-1], np.uint8)
    draw_ruling(bgr, board, frame, style.line, max(1, round(style.thickness * pitch)), style.wall)
    for flow, pair in enumerate(puzzle.terminals):
        for dot in pair:
            cell = board.layout.cells[board.layout.cell_of[dot]]
            centre = frame.to_px(cell.centre)[0].tolist()
            disc(bgr, centre, dot_radius(cell) * pitch, palette[flow])
            if letters is not None:
                size = LETTER * cell_width(cell) * pitch
                text(bgr, centre, letters[flow], size, ink_on(palette[flow]), "mm")
    return PlainBoard(bgr, frame)
