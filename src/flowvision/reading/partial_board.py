"""What lies beside a board in the same picture: other boards, and the rest of a board read in part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.board.boxes import box_of
from flowvision.vision.dots.result import ON_LATTICE, Dots
from flowvision.vision.pixels.view import Floats
from flowvision.vision.reading import Reading

LARGER = 1.05
"""Of the area: boards of one size are measured to within that, and then the first one is meant."""
PAIR = 2
"""Dots that are left out: both of a pair. One alone may be a button, or what looks like a dot by chance."""


def is_larger(other: Reading, first: Reading, shot: Screenshot) -> bool:
    """Whether another board spans more of the picture than the first one, clearly."""
    boxes = [box_of(reading.board, reading.frame, shot) for reading in (other, first)]
    areas = [width * height for _, _, width, height in boxes]
    return areas[0] > LARGER * areas[1]


def is_part(reading: Reading, marks: Dots) -> bool:
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
