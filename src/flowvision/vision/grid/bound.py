"""The most that a lattice of two spacings can score, before its sides are looked at."""

from __future__ import annotations

from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.view import View
from flowvision.vision.settings import GridSettings

Pair = tuple[Spacing, Spacing]
"""The spacings of columns and of rows."""
ROUNDING = 1e-9
"""Of a score: more than the last bits, which depend on the order of its factors."""


def bound(pair: Pair, view: View, grid: GridSettings) -> float:
    """The most that any block of a lattice can score: all of it, with all of its sides."""
    cols, rows = over(pair, view, grid)
    most = found(pair) * squareness(cols, rows) * share_of(view, cols, rows) ** grid.area_power
    return float((1 + ROUNDING) * most)


def found(pair: Pair) -> float:
    """How well two spacings explain the lines."""
    return min(pair[0].score, pair[1].score)


def over(pair: Pair, view: View, grid: GridSettings) -> Pair:
    """Two spacings carried on over the whole view."""
    cols, rows = (
        spacing.over(size, rims, grid.closure)
        for spacing, size, rims in zip(pair, view.size, view.rims, strict=True)
    )
    return cols, rows


def squareness(cols: Spacing, rows: Spacing) -> float:
    """0 to 1: how nearly cells are as wide as high."""
    return min(cols.pitch, rows.pitch) / max(cols.pitch, rows.pitch)


def share_of(view: View, cols: Spacing, rows: Spacing) -> float:
    """How much of a view a lattice covers."""
    return max(0.0, cols.count * rows.count * cols.pitch * rows.pitch / (view.size[0] * view.size[1]))
