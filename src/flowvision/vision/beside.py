"""What lies beside a board in the same picture: other boards, and the rest of a board read in part."""

from __future__ import annotations

import numpy as np

from flowvision.aim import Box
from flowvision.picture import Screenshot
from flowvision.vision.results import BoardRegion, Marks, Reading
from flowvision.vision.view import Floats

OTHER_BOARD = 0.25
"""Of the board's area: smaller groups of lines are buttons and banners."""

ON_LATTICE = 0.2
"""Of the pitch: how far from the middles of cells the dots of one board lie at most."""
LARGER = 1.05
"""Of the area: boards of one size are measured to within that, and then the first one is meant."""
BEYOND = 2
"""Dots of the same lattice beyond a board: one may be a button."""


def boxes_beside(region: BoardRegion, shot: Screenshot) -> list[Box]:
    """Where another board of some size may be: groups of lines beside the region that was read."""
    (x0, y0), (x1, y1) = region.corners_px.min(axis=0), region.corners_px.max(axis=0)
    least = OTHER_BOARD * (x1 - x0) * (y1 - y0)
    found = []
    for corners in region.evidence.candidates:
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        apart = right < x0 or left > x1 or bottom < y0 or top > y1
        if apart and (right - left) * (bottom - top) >= least:
            found.append(_box_round(corners, 0.03 * min(right - left, bottom - top), shot))
    return found


def box_of(reading: Reading, shot: Screenshot) -> Box:
    """Where a board lies in its picture, in whole pixels."""
    outlines = [point for cell in reading.board.layout.cells for point in cell.outline]
    return _box_round(reading.frame.to_px(outlines), 0.0, shot)


def is_larger(other: Reading, first: Reading, shot: Screenshot) -> bool:
    """Whether another board spans more of the picture than the first one, clearly."""
    areas = [width * height for _, _, width, height in (box_of(other, shot), box_of(first, shot))]
    return areas[0] > LARGER * areas[1]


def _box_round(points_px: Floats, margin: float, shot: Screenshot) -> Box:
    """The part of the picture round points, and a margin in pixels."""
    size = shot.bgr.shape[1::-1]
    x0, y0 = np.clip(points_px.min(axis=0) - margin, 0, size).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(points_px.max(axis=0) + margin), 0, size).astype(int).tolist()
    return x0, y0, x1 - x0, y1 - y0


def is_part(reading: Reading, marks: Marks) -> bool:
    """Whether dots seen in another look at the board lie beyond it too, in cells of the same lattice.

    A look that saw none on it was at another board.
    """
    if reading.lattice is None or reading.lattice.tiling != "square" or not marks.dots:
        return False
    size = np.array([reading.lattice.cols, reading.lattice.rows])
    places = reading.frame.to_cells([dot.centre_px for dot in marks.dots])
    beyond = ((places < 0) | (places > size)).any(axis=1)
    centred = (np.abs(places % 1 - 0.5) < ON_LATTICE).all(axis=1)
    return bool((centred & ~beyond).any()) and int((centred & beyond).sum()) >= BEYOND
