"""Lines of a board of hexagons, as they are looked at."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.picture import Frame
from flowvision.puzzle import boards

BOARD = boards.hexagonal(6, 6)


def lines_of(width_px: float, corner: tuple[float, float] = (20.0, 30.0), kept: float = 1.0):
    """255 on the sides of a board of hexagons so wide, of each of which ``kept`` is drawn."""
    frame, rng = Frame.of_box(*corner, width_px, width_px), np.random.default_rng(0)
    lines = np.zeros((round(6.6 * width_px), round(5.6 * width_px)), np.uint8)
    for cell in BOARD.layout.cells:
        corners = np.round(16 * frame.to_px(list(cell.outline))).astype(np.int32)
        for a, b in zip(corners, np.roll(corners, 1, axis=0), strict=True):
            if rng.random() < kept:
                cv2.line(lines, a.tolist(), b.tolist(), 255, 2, cv2.LINE_8, 4)
    return lines
