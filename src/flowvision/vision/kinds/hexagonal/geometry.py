"""Where flat-topped hexagons lie side by side. Cell units: a hexagon is 1.0 wide."""

from __future__ import annotations

from math import sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Places = TypeVar("Places", int, NDArray[np.int_])
"""One row or column, or many."""

HEIGHT = sqrt(3) / 2
"""Of a hexagon's width: how high it is, flat side up. Columns are 0.75 of a width apart."""
SIDES = np.array([(0.0, -1.0), (HEIGHT, -0.5), (HEIGHT, 0.5), (0.0, 1.0), (-HEIGHT, 0.5), (-HEIGHT, -0.5)])
"""The way out of each of the six sides: up, and on clockwise. y down."""


def centre(row: object, col: object) -> NDArray[np.float64]:
    """(2,) or (N, 2): the middle of a cell or of many, x first; odd columns lie half a cell higher."""
    r, c = np.asarray(row, np.float64), np.asarray(col, np.float64)
    return np.stack((0.5 + 0.75 * c, HEIGHT * (r + 1 - 0.5 * (c % 2))), axis=-1)


def neighbours(row: Places, col: Places) -> tuple[tuple[Places, Places], ...]:
    """The places beyond all six sides, in their order."""
    high = col % 2
    above, below = row - high, row + 1 - high
    return (
        (row - 1, col),
        (above, col + 1),
        (below, col + 1),
        (row + 1, col),
        (below, col - 1),
        (above, col - 1),
    )
