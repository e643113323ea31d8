"""Rows and columns of cells that were found one by one, where they have any."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from flowvision.puzzle.layout import Lattice
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import FreeCellSettings
from flowvision.vision.special.fits import CellFit

FIRST = 0.5
"""Of the pitch: the first row and column are what lies within this of the outermost cell."""


def lattice_of(fit: CellFit, free: FreeCellSettings) -> tuple[Lattice, tuple[int, ...]] | None:
    """The lattice that the middles of the cells form, and the cells in its order; ``None`` if they form none.

    Of squares (or oblongs), or of flat-topped hexagons with the odd columns half a cell higher.
    """
    centres = np.array(fit.centres)
    steps = np.array([centres[c.b] - centres[c.a] for c in fit.contacts])
    if len(steps) < free.contacts_min:
        return None
    pitch = float(np.median(np.hypot(*steps.T)))
    for tiling, (places, off) in (("square", _squares(centres, steps)), ("hex", _hexagons(centres, pitch))):
        if off > free.off_lattice:
            continue
        rows, cols = (int(n) + 1 for n in places.max(axis=0))
        found = [(int(r), int(c)) for r, c in places]
        if len(set(found)) == len(found):
            order = sorted(range(len(found)), key=found.__getitem__)
            named = tuple(found[n] for n in order)
            return Lattice("square" if tiling == "square" else "hex", rows, cols, named), tuple(order)
    return None


def is_hexagonal(fit: CellFit, free: FreeCellSettings) -> bool:
    """Whether the middles of the cells form a lattice of hexagons."""
    found = lattice_of(fit, free)
    return found is not None and found[0].tiling == "hex"


def _squares(centres: Floats, steps: Floats) -> tuple[Floats, float]:
    """(cells, 2): the nearest row and column of a lattice of squares or oblongs; how far a cell is off.

    ``steps`` (N, 2): from every cell to its neighbours. Infinitely far, if these lie in one direction only.
    """
    level = np.abs(steps[:, 0]) > np.abs(steps[:, 1])
    if level.all() or not level.any():
        return np.zeros_like(centres), inf
    pitch = np.array([np.median(np.abs(steps[level, 0])), np.median(np.abs(steps[~level, 1]))])
    places = (centres - centres.min(axis=0)) / pitch
    # The first row and column are medians, not the places of the outermost cells.
    places -= np.array([np.median(axis[axis < FIRST]) for axis in places.T])
    rounded = np.round(places)
    return rounded[:, ::-1], float(np.abs(places - rounded).max())


def _hexagons(centres: Floats, pitch: float) -> tuple[Floats, float]:
    """(cells, 2): the nearest row and column of a lattice of flat-topped hexagons; how far a cell is off."""
    across = centres[:, 0] / (pitch * sqrt(3) / 2)
    across -= np.median(across[across < across.min() + FIRST])
    cols = np.round(across)
    down = centres[:, 1] / pitch + 0.5 * (cols % 2)
    down -= np.median(down[down < down.min() + FIRST])
    rows = np.round(down)
    off = max(np.abs(across - cols).max(), np.abs(down - rows).max())
    return np.column_stack((rows, cols)), float(off)
