"""Boards that the edge of the picture cuts: cells of which a part is seen are no cells of the reading.

Where rows and columns of squares lie, lines beyond the board tell; cells of other shapes have none to count.
But the lines between cells that are cut lead from the board to the edge of the picture, and no others do.
"""

from __future__ import annotations

from math import ceil

import cv2
import numpy as np

from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.lines import free_lines
from flowvision.vision.pixels.view import Gray
from flowvision.vision.settings import FreeCellSettings

SHIFT = 4
"""Bits of a pixel's fraction that OpenCV draws with."""
THICKEST = 95
"""Percentile of how deep pixels lie in lines: the middle of the thickest; deeper is where lines meet."""
STRIDE = 2
"""One of so many pixels, each way, is enough to tell how thick lines are."""
BESIDE = np.ones((3, 3), np.uint8)


def is_cut_off(geometry: BoardGeometry, free: FreeCellSettings) -> bool:
    """Whether a line leads from the cells of a board to the edge of what was looked at."""
    view, frame = geometry.fit.view, geometry.fit.frame
    lines = free_lines(view, free)
    to_view = np.linalg.inv(view.to_picture)
    inside = np.zeros(lines.mask.shape, np.uint8)
    for cell in geometry.board.layout.cells:
        outline = frame.to_px(cell.outline) @ to_view[:2, :2].T + to_view[:2, 2]
        cv2.fillPoly(inside, [np.round(outline * 2**SHIFT).astype(np.int32)], 255, cv2.LINE_8, SHIFT)
    # The outline of the board, the thickest of its lines, lies round its cells.
    depth = cv2.distanceTransform(lines.mask, cv2.DIST_L2, cv2.DIST_MASK_3)[::STRIDE, ::STRIDE]
    reach = 2 * ceil(2 * float(np.percentile(depth[depth > 0], THICKEST))) + 3 if depth.any() else 3
    inside = np.asarray(cv2.dilate(inside, np.ones((reach, reach), np.uint8)), np.uint8)
    beyond = np.asarray(cv2.bitwise_and(lines.mask, cv2.bitwise_not(inside)), np.uint8)
    part = _without_gaps(inside, beyond)
    (tall, wide), (rows, cols) = lines.mask.shape[:2], part
    if not (rows.start == 0 or rows.stop == tall or cols.start == 0 or cols.stop == wide):
        return False
    count, labels, stats, _ = cv2.connectedComponentsWithStats(beyond[part])
    near = cv2.bitwise_and(beyond[part], cv2.dilate(inside, BESIDE)[part])
    is_near = np.bincount(labels[near > 0], minlength=count) > 0
    x, y, width, height, _ = stats.T
    x, y = x + cols.start, y + rows.start
    # At the edge itself a change of light looks like a line along it.
    across = ((x == 0) | (x + width == wide)) & (2 * width > lines.width_px)
    down = ((y == 0) | (y + height == tall)) & (2 * height > lines.width_px)
    return bool((is_near & (across | down))[1:].any())


def _without_gaps(inside: Gray, beyond: Gray) -> tuple[slice, slice]:
    """The rows and columns round the cells up to the next without any line: no line leads over these."""
    x, y, width, height = cv2.boundingRect(inside)
    rows_beside = beyond[:y][::-1], beyond[y + height :]
    cols_beside = beyond[:, :x].T[::-1], beyond[:, x + width :].T
    far = [_before_gap(lines) for lines in (*rows_beside, *cols_beside)]
    rows, cols = slice(y - far[0], y + height + far[1]), slice(x - far[2], x + width + far[3])
    return rows, cols


def _before_gap(lines: Gray) -> int:
    """How many rows come before the first without any line."""
    is_gap = np.flatnonzero(~lines.any(axis=1))
    return int(is_gap[0]) if len(is_gap) else len(lines)
