"""Evidence that the picture's edges cut off a border, outermost dots, or whole rows."""

from __future__ import annotations

from math import ceil

import cv2
import numpy as np

from flowvision.image.picture import Screenshot
from flowvision.reading.beyond import lines_go_on
from flowvision.reading.doubt import Doubt
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.lines import free_lines

SIDES = ("left", "top", "right", "bottom")
OVER = 0.15
"""Cells by which a row must exceed the edge to count as cut."""
HIDDEN = 0.55
"""Cells by which a cut hides the dots of an outermost row: of half a dot the colour is read."""
NEAR, UNEVEN = 1.0, 0.05
"""Pitches between a board and a picture's edge that may cut it; largest difference of the margins that a
screen leaves on the left and on the right."""
GROUND_PX = 3.0
"""Pixels from the middle of a border to the ground beyond it: lines are at most half as thick."""
LIKELY, PERHAPS = "most likely", "perhaps"
"""Probability that a board is cut off, in words."""


def distances_to_edges(fit: Fit, shot: Screenshot) -> dict[str, float]:
    """Return the cells between a board and the edges of its picture; negative beyond them."""
    corners = fit.outline_px()
    ends = corners.min(axis=0), shot.bgr.shape[1::-1] - corners.max(axis=0)
    return dict(zip(SIDES, (np.concatenate(ends) / fit.pitch_px).tolist(), strict=True))


def is_border_seen(fit: Fit, shot: Screenshot, side: str) -> bool:
    """Return whether a lattice ends at a side: the picture continues, and its lines do not."""
    reach = distances_to_edges(fit, shot)[side]
    is_seen = reach * fit.pitch_px >= GROUND_PX
    return is_seen and not lines_go_on(fit, shot, SIDES.index(side), min(reach, NEAR))


def cut_line(fit: Fit | None, shot: Screenshot) -> Doubt | None:
    """Return the doubt that the picture ends at a line of a lattice, and cuts off the row or column beyond.

    Considers sides where the picture ends at the border. Above or below, where the other
    end has room, or there are fewer rows than columns. Beside it, where there are fewer columns than rows:
    by one, for phones show boards from edge to edge, or it is not in the middle, or the picture ends above
    and below as well. ``weight``: 0 unless the picture shows it, whatever the size of the board.
    """
    if fit is None or not fit.is_lattice or fit.size is None:
        return None
    (rows, cols), gaps = fit.size, distances_to_edges(fit, shot)
    left, above, right, below = (gaps[side] < NEAR and not is_border_seen(fit, shot, side) for side in SIDES)
    is_uneven, is_alone = abs(gaps["left"] - gaps["right"]) > UNEVEN, above and below
    is_narrow = rows - cols == 1 and not is_alone
    is_end = (above or below) and (not is_alone or rows < cols)
    is_beside = (left or right) and cols < rows and (is_uneven or is_alone or is_narrow)
    if not (is_end or is_beside):
        return None
    ends = is_beside and left, is_end and above, is_beside and right, is_end and below
    is_likely = (is_end and not is_alone and rows != cols) or (is_beside and (is_uneven or is_narrow))
    is_evident = rows != cols and (is_end or is_uneven or is_alone)
    facts = {
        "sides": [side for side, is_cut in zip(SIDES, ends, strict=True) if is_cut],
        "likely": LIKELY if is_likely else PERHAPS,
        "rows": rows,
        "cols": cols,
    }
    # None of 253 right answers, and three of four wrong ones, of boards cut off at a line.
    return Doubt("cut-off", "board", facts, weight=0.2 if is_evident else 0.0)


SHIFT = 4
"""Bits of a pixel's fraction that OpenCV draws with."""
THICKEST = 95
"""Percentile of the depth of pixels in lines: the centre of the thickest; lines meet at deeper ones."""
STRIDE = 2
"""Stride in pixels, each way, that is enough to measure the thickness of lines."""
BESIDE = np.ones((3, 3), np.uint8)


def crossed_edges(geometry: BoardGeometry) -> tuple[str, ...]:
    """Return the edges of the view, of ``SIDES``, that lines of cells other than squares reach."""
    view, cells = geometry.fit.view, geometry.board.layout.cells
    lines = free_lines(view)
    (tall, wide), to_view = lines.mask.shape, np.linalg.inv(view.to_picture)
    points = geometry.fit.frame.to_px([point for cell in cells for point in cell.outline])
    points = np.round((points @ to_view[:2, :2].T + to_view[:2, 2]) * 2**SHIFT).astype(np.int32)
    inside = np.zeros(lines.mask.shape, np.uint8)
    for outline in np.split(points, np.cumsum([len(cell.outline) for cell in cells])[:-1]):
        cv2.fillPoly(inside, [outline], 255, cv2.LINE_8, SHIFT)
    # The outline of the board, the thickest of its lines, lies round its cells.
    depth = cv2.distanceTransform(lines.mask, cv2.DIST_L2, cv2.DIST_MASK_3)[::STRIDE, ::STRIDE]
    deep = np.asarray(depth[depth > 0], np.float64)
    reach = 2 * ceil(2 * np.percentile(deep, THICKEST)) + 3 if deep.size else 3
    inside = np.asarray(cv2.dilate(inside, np.ones((reach, reach), np.uint8)), np.uint8)
    beyond = np.asarray(cv2.bitwise_and(lines.mask, cv2.bitwise_not(inside)), np.uint8)
    near = cv2.bitwise_and(beyond, cv2.dilate(inside, BESIDE))
    if not cv2.countNonZero(near):
        return ()
    count, labels, stats, _ = cv2.connectedComponentsWithStats(beyond)
    is_near = np.bincount(labels[near > 0], minlength=count) > 0
    x, y, width, height, _ = stats.T
    # At the edge itself a change of light looks like a line along it.
    across, down = 2 * width > lines.width_px, 2 * height > lines.width_px
    ends = across & (x == 0), down & (y == 0), across & (x + width == wide), down & (y + height == tall)
    return tuple(side for side, end in zip(SIDES, ends, strict=True) if (is_near & end)[1:].any())
