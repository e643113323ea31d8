"""What lies beside a board in the same picture: other boards, and the rest of a board read in part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.crop import Box
from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle.layout import Board
from flowvision.vision.dots.result import BoardRegion, Marks, Reading
from flowvision.vision.pixels.view import Floats

OTHER_BOARD = 0.25
"""Of the board's area: smaller groups of lines are buttons and banners."""

ON_LATTICE = 0.2
"""Of the pitch: how far from the middles of cells the dots of one board lie at most."""
LARGER = 1.05
"""Of the area: boards of one size are measured to within that, and then the first one is meant."""
ALIKE_SIZE = 0.12
"""Of the radius: dots of one board differ by less."""
PAIR = 2
"""Dots that are left out: both of a pair. One alone may be a button, or what looks like a dot by chance."""


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


def box_of(board: Board, frame: Frame, shot: Screenshot) -> Box:
    """Where a board lies in its picture, in whole pixels."""
    outlines = [point for cell in board.layout.cells for point in cell.outline]
    return _box_round(frame.to_px(outlines), 0.0, shot)


def is_larger(other: Reading, first: Reading, shot: Screenshot) -> bool:
    """Whether another board spans more of the picture than the first one, clearly."""
    boxes = [box_of(reading.board, reading.frame, shot) for reading in (other, first)]
    areas = [width * height for _, _, width, height in boxes]
    return areas[0] > LARGER * areas[1]


def _box_round(points_px: Floats, margin: float, shot: Screenshot) -> Box:
    """The part of the picture round points, and a margin in pixels."""
    size = shot.bgr.shape[1::-1]
    x0, y0 = np.clip(points_px.min(axis=0) - margin, 0, size).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(points_px.max(axis=0) + margin), 0, size).astype(int).tolist()
    return x0, y0, x1 - x0, y1 - y0


def is_part(reading: Reading, marks: Marks) -> bool:
    """Whether dots seen in another look at the board lie beyond it too, in cells of the same lattice.

    A look that saw none on it was at another board. Boards that are no lattices of squares have no parts:
    their dots need be no circles either.
    """
    if reading.lattice is None or reading.lattice.tiling != "square" or not marks.dots:
        return False
    places = places_frame(reading).to_cells([dot.centre_px for dot in marks.dots])
    centred = are_centred(places)
    held = holds(reading, places)
    return bool((centred & held).any() and np.count_nonzero(centred & ~held) >= PAIR)


def are_centred(places: Floats) -> NDArray[np.bool_]:
    """(N,): whether points, (N, 2) in rows and columns, lie in the middle of places of the lattice."""
    return np.asarray((np.abs(places - np.round(places)) < ON_LATTICE).all(axis=1))


def holds(reading: Reading, places: Floats) -> NDArray[np.bool_]:
    """(N,): whether points, (N, 2) in rows and columns, lie in cells of the board."""
    assert reading.lattice is not None
    cells = set(reading.lattice.places)
    return np.array([(round(row), round(col)) in cells for row, col in places.tolist()], bool)


def places_frame(reading: Reading) -> Frame:
    """The map from places of a reading's lattice, row first, to pixels; cells need not be 1.0 apart."""
    assert reading.lattice is not None
    centres = np.array([cell.centre for cell in reading.board.layout.cells])
    matrix = np.linalg.lstsq(_with_ones(reading.lattice.places), _with_ones(centres), rcond=None)[0].T
    return Frame(tuple((np.reshape(reading.frame.matrix, (3, 3)) @ matrix).ravel().tolist()))


def _with_ones(points: object) -> Floats:
    return np.pad(np.asarray(points, np.float64), ((0, 0), (0, 1)), constant_values=1.0)
