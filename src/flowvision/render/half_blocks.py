"""Small pictures in a terminal: two pixels a character, one above the other."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.render.ansi import RESET, Depth, filled
from flowvision.render.overlay import DOT, draw_over
from flowvision.render.paint import disc, polygon, stroke

CELL_PX = 40
"""Width of a cell as it is drawn before it is made small."""
CELL_CHARACTERS = 4
"""Width of a cell as it is shown, where there is room."""
SIDES = Rgb(90, 90, 90)


def half_blocks(bgr: Bgr, columns: int, depth: Depth) -> str:
    """A picture as so many columns of characters, each two pixels high."""
    rows = max(1, round(bgr.shape[0] * columns / bgr.shape[1] / 2))
    small = cv2.resize(bgr, (columns, 2 * rows), interpolation=cv2.INTER_AREA)
    lines = []
    for upper, lower in zip(small[::2], small[1::2], strict=True):
        pairs = zip(upper[:, ::-1].tolist(), lower[:, ::-1].tolist(), strict=True)
        line = "".join(filled("▀", Rgb(*above), Rgb(*below), depth) for above, below in pairs)
        lines.append(line.replace(RESET + "\x1b[", "\x1b[0;"))
    return "\n".join(lines)


def board_picture(board: Board, solution: Solution, palette: Sequence[Rgb]) -> Bgr:
    """A board by itself, on black: the sides of its cells, its dots and pipes."""
    corners = np.array([point for cell in board.layout.cells for point in cell.outline])
    low, high = corners.min(axis=0), corners.max(axis=0)
    wide, tall = np.ceil((high - low) * CELL_PX).astype(int) + CELL_PX // 2
    left, top = (CELL_PX / 4 - low * CELL_PX).tolist()
    frame = Frame.of_box(left, top, CELL_PX, CELL_PX)
    canvas = np.zeros((int(tall), int(wide), 3), np.uint8)
    for cell in board.layout.cells:
        polygon(canvas, frame.to_px(cell.outline), Rgb(24, 24, 24))
    for cell in board.layout.cells:
        stroke(canvas, frame.to_px((*cell.outline, cell.outline[0])), SIDES, CELL_PX / 12)
    for flow, path in enumerate(solution.paths):
        for strand in (path.vertices[0], path.vertices[-1]):
            centre = board.layout.cells[board.layout.cell_of[strand]].centre
            disc(canvas, frame.to_px(centre)[0].tolist(), DOT * CELL_PX, palette[flow])
    return draw_over(canvas, board, solution, frame, palette)


def picture_text(
    board: Board, solution: Solution, palette: Sequence[Rgb], depth: Depth, columns: int = 72
) -> str:
    """The same as text, at most so many columns wide."""
    picture = board_picture(board, solution, palette)
    wanted = round(picture.shape[1] / CELL_PX * CELL_CHARACTERS)
    return half_blocks(picture, max(1, min(columns, wanted)), depth)
