"""Boards that the edge of the picture cuts: cells of which a part is seen are no cells of the reading.

Where rows and columns of squares lie, lines beyond the board tell; cells of other shapes have none to count.
But the lines between cells that are cut lead from the board to the edge of the picture, and no others do.
"""

from __future__ import annotations

from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

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
    view, cells = geometry.fit.view, geometry.board.layout.cells
    lines = free_lines(view, free)
    (tall, wide), to_view = lines.mask.shape, np.linalg.inv(view.to_picture)
    points = geometry.fit.frame.to_px([point for cell in cells for point in cell.outline])
    points = np.round((points @ to_view[:2, :2].T + to_view[:2, 2]) * 2**SHIFT).astype(np.int32)
    part = _without_gaps(lines.mask, points)
    if not (part[0].start == 0 or part[0].stop == tall or part[1].start == 0 or part[1].stop == wide):
        return False
    inside = np.zeros(lines.mask.shape, np.uint8)
    for outline in np.split(points, np.cumsum([len(cell.outline) for cell in cells])[:-1]):
        cv2.fillPoly(inside, [outline], 255, cv2.LINE_8, SHIFT)
    # The outline of the board, the thickest of its lines, lies round its cells.
    depth = cv2.distanceTransform(lines.mask, cv2.DIST_L2, cv2.DIST_MASK_3)[::STRIDE, ::STRIDE]
    reach = 2 * ceil(2 * float(np.percentile(depth[depth > 0], THICKEST))) + 3 if depth.any() else 3
    inside = np.asarray(cv2.dilate(inside, np.ones((reach, reach), np.uint8)), np.uint8)
    beyond = np.asarray(cv2.bitwise_and(lines.mask, cv2.bitwise_not(inside))[part], np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(beyond)
    near = cv2.bitwise_and(beyond, cv2.dilate(inside, BESIDE)[part])
    is_near = np.bincount(labels[near > 0], minlength=count) > 0
    x, y, width, height, _ = stats.T
    x, y = x + part[1].start, y + part[0].start
    # At the edge itself a change of light looks like a line along it.
    across = ((x == 0) | (x + width == wide)) & (2 * width > lines.width_px)
    down = ((y == 0) | (y + height == tall)) & (2 * height > lines.width_px)
    return bool((is_near & (across | down))[1:].any())


def _without_gaps(mask: Gray, points: NDArray[np.int32]) -> tuple[slice, slice]:
    """The rows and columns round the cells up to the next without any line: no line leads over these.

    ``points`` (N, 2): on the cells' outlines, in pixels times ``2 ** SHIFT``.
    """
    size = mask.shape[::-1]
    x0, y0 = np.clip(points.min(axis=0) >> SHIFT, 0, size).tolist()
    x1, y1 = np.clip((points.max(axis=0) >> SHIFT) + 1, 0, size).tolist()
    sides = mask[:y0][::-1], mask[y1:], mask[:, :x0].T[::-1], mask[:, x1:].T
    above, below, left, right = (_before_gap(lines) for lines in sides)
    return slice(y0 - above, y1 + below), slice(x0 - left, x1 + right)


def _before_gap(lines: Gray) -> int:
    """How many rows come before the first without any line."""
    is_gap = np.flatnonzero(~lines.any(axis=1))
    return int(is_gap[0]) if len(is_gap) else len(lines)
