"""Rows and columns of cells that were found one by one, where they have any."""

from __future__ import annotations

from math import sqrt

import numpy as np

from flowvision.puzzle.layout import Lattice
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import CellFit

OFF = 0.15
"""Of the distance between neighbours: how far a cell may lie from its place."""


def lattice_of(fit: CellFit) -> tuple[Lattice, tuple[int, ...]] | None:
    """The lattice that the middles of the cells form, and the cells in its order; ``None`` if none.

    Squares (or oblongs), or flat-topped hexagons with the odd columns half a cell higher.
    """
    centres = np.array(fit.centres)
    steps = np.array([centres[c.b] - centres[c.a] for c in fit.contacts])
    if len(steps) < 4:
        return None
    pitch = float(np.median(np.hypot(*steps.T)))
    for tiling, places in (("square", _squares(centres, steps)), ("hex", _hexagons(centres, pitch))):
        if places is None:
            continue
        rows, cols = (int(n) + 1 for n in places.max(axis=0))
        found = [(int(r), int(c)) for r, c in places]
        if len(set(found)) == len(found):
            order = sorted(range(len(found)), key=found.__getitem__)
            named = tuple(found[n] for n in order)
            return Lattice("square" if tiling == "square" else "hex", rows, cols, named), tuple(order)
    return None


def is_hexagonal(fit: CellFit) -> bool:
    """Whether the middles of the cells form a lattice of hexagons."""
    found = lattice_of(fit)
    return found is not None and found[0].tiling == "hex"


def _squares(centres: Floats, steps: Floats) -> Floats | None:
    """(cells, 2): row and column of every cell, if they lie on a lattice of squares, or of oblongs.

    ``steps`` (N, 2): from every cell to its neighbours.
    """
    level = np.abs(steps[:, 0]) > np.abs(steps[:, 1])
    if level.all() or not level.any():
        return None
    pitch = np.array([np.median(np.abs(steps[level, 0])), np.median(np.abs(steps[~level, 1]))])
    places = (centres - centres.min(axis=0)) / pitch
    # The first row and column are averages of what lies near them, not one cell's luck.
    places -= np.array([np.median(axis[axis < 0.5]) for axis in places.T])
    rounded = np.round(places)
    return rounded[:, ::-1] if np.abs(places - rounded).max() <= OFF else None


def _hexagons(centres: Floats, pitch: float) -> Floats | None:
    """(cells, 2): row and column of every cell, if they lie on a lattice of flat-topped hexagons."""
    across = centres[:, 0] / (pitch * sqrt(3) / 2)
    across -= np.median(across[across < across.min() + 0.5])
    cols = np.round(across)
    down = centres[:, 1] / pitch + 0.5 * (cols % 2)
    down -= np.median(down[down < down.min() + 0.5])
    rows = np.round(down)
    off = max(np.abs(across - cols).max(), np.abs(down - rows).max())
    return np.column_stack((rows, cols)) if off <= OFF else None
