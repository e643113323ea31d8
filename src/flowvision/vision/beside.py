"""What lies beside a board in the same picture: other boards, and the rest of a board read in part."""

from __future__ import annotations

import numpy as np

from flowvision.aim import Box
from flowvision.vision.results import BoardRegion, Marks, Reading

OTHER_BOARD = 0.25
"""Of the board's area: smaller groups of lines are buttons and banners."""

ON_LATTICE = 0.2
"""Of the pitch: how far from the middles of cells the dots of one board lie at most."""
BEYOND = 2
"""Dots of the same lattice beyond a board: one may be a button."""


def boxes_beside(region: BoardRegion) -> list[Box]:
    """Where another board of some size may be: groups of lines beside the region that was read."""
    (x0, y0), (x1, y1) = region.corners_px.min(axis=0), region.corners_px.max(axis=0)
    least = OTHER_BOARD * (x1 - x0) * (y1 - y0)
    found = []
    for corners in region.evidence.candidates:
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        apart = right < x0 or left > x1 or bottom < y0 or top > y1
        if apart and (right - left) * (bottom - top) >= least:
            margin = 0.03 * min(right - left, bottom - top)
            box = max(0.0, left - margin), max(0.0, top - margin), right + margin, bottom + margin
            found.append((round(box[0]), round(box[1]), round(box[2] - box[0]), round(box[3] - box[1])))
    return found


def box_of(reading: Reading) -> Box:
    """Where a board lies, in whole pixels."""
    corners = reading.frame.to_px([point for cell in reading.board.layout.cells for point in cell.outline])
    (x0, y0), (x1, y1) = np.maximum(corners.min(axis=0), 0).tolist(), corners.max(axis=0).tolist()
    return int(x0), int(y0), int(x1 - x0), int(y1 - y0)


def area_of(reading: Reading) -> int:
    """How many pixels a board spans."""
    _, _, width, height = box_of(reading)
    return width * height


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
