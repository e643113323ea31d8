"""Cells filled with a tint so strong that the lines between them are not seen: old looks, and copies.

What shows such a cell is its tint: flat round a pipe or a dot, brighter than the ground, and ending just
where the lattice says.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.grid.side_coverage import FLANKS, Mask, SideCoverage
from flowvision.vision.grid.spacing import Spacing, lattice_frame
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import (
    Floats,
    View,
    brightest_channel,
    colour_distance,
    is_inside,
    lab_of,
    sample,
)
from flowvision.vision.settings import TintSettings

Scalar = TypeVar("Scalar", bound=np.generic)
CORNERS = np.array(
    [(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in ((0.4, 0.4), (0.32, 0.4), (0.4, 0.32))]
)
"""Points that no pipe reaches, clear of the lines; in widths of the cell from its middle."""
MIDDLE = 0.04 * CORNERS[::3]
"""Points on the pipe or the dot that every played cell has, in widths of the cell from its middle."""
POINTS_OF_FLANK = 4
"""Points along each flank of a side where its two cells are compared."""
BESIDE = 0.09
"""How far from a side both of its cells are compared there, clear of its line; in pitches."""


def with_tints(
    view: View, cols: Spacing, rows: Spacing, cover: SideCoverage, settings: TintSettings
) -> SideCoverage | None:
    """What is seen of every side as a line or by the tints beside it; ``None`` without enough tinted cells.

    A side shows where a tint ends at it. A side within one tint cannot show, and counts for
    ``settings.carried_on``.
    """
    if min(rows.count, cols.count) < 1:  # below 0 where the lattice lies beyond the view
        return None
    frame = lattice_frame(view, cols, rows)
    tint, is_tinted = tints_of(view, frame, (rows.count, cols.count), settings)
    if np.count_nonzero(is_tinted) < settings.cells_min:
        return None
    vertical, horizontal = (_shown(view, frame, tint, is_tinted, axis, settings) for axis in AXES)
    return SideCoverage(_best(cover.vertical, vertical), _best(cover.horizontal, horizontal))


def _best(lines: Floats, tints: Floats) -> Floats:
    """The larger of two coverages; ``nan`` where lines are outside the view."""
    return np.asarray(np.where(np.isnan(lines), lines, np.maximum(lines, tints)))


def tints_of(view: View, frame: Frame, size: tuple[int, int], settings: TintSettings) -> tuple[Floats, Mask]:
    """(rows, cols, 3) Lab: the tint of every cell round its pipe; and which cells show one, and a pipe."""
    r, c = (index.ravel() for index in np.indices(size))
    tint, is_tinted = tints_at(view, frame, np.column_stack((c + 0.5, r + 0.5)), settings)
    return tint.reshape(*size, 3), np.asarray(is_tinted.reshape(size))


def tints_at(view: View, frame: Frame, centres: Floats, settings: TintSettings) -> tuple[Floats, Mask]:
    """(N, 3) Lab: the tint round the pipe of each cell, given by its middle; which show one, and a pipe."""
    bgr = sample(view, frame, centres, CORNERS)
    # The brightness comes first: colours take ten times as long, and on most boards no cell is tinted.
    value = np.sort(brightest_channel(bgr), axis=1)[:, len(CORNERS) // 2]
    is_tinted = (value >= settings.value_min) & (value <= settings.value_max)
    is_tinted &= is_inside(view, frame, centres, CORNERS).all(axis=1)
    tint = np.zeros((len(centres), 3))
    if is_tinted.any():
        seen = lab_of(bgr[is_tinted])
        # ``numpy.median`` imports masked arrays: 5 ms, which a single screenshot never earns back.
        tint[is_tinted] = np.sort(seen, axis=1)[:, len(CORNERS) // 2]
        is_even = colour_distance(seen, tint[is_tinted, None]) < settings.alike
        middle = lab_of(sample(view, frame, centres[is_tinted], MIDDLE))
        is_played = colour_distance(middle, tint[is_tinted, None]) >= settings.step
        is_tinted[is_tinted] = (is_even.mean(axis=1) >= settings.flat) & is_played.all(axis=1)
    return tint, is_tinted


def _shown(
    view: View, frame: Frame, tint: Floats, is_tinted: Mask, axis: Axis, settings: TintSettings
) -> Floats:
    """How much the tints beside a side show of it: vertical (rows, cols + 1), horizontal (rows + 1, cols)."""
    tinted = [_beside(is_tinted, axis, last) for last in (False, True)]
    is_asked = tinted[0] | tinted[1]
    cells = [_beside(tint, axis, last)[is_asked] for last in (False, True)]
    r, c = np.nonzero(is_asked)
    middles = np.column_stack((c, r + 0.5) if axis == 0 else (c + 0.5, r)).astype(np.float64)
    along = np.concatenate([np.linspace(*flank, POINTS_OF_FLANK) for flank in FLANKS]) - 0.5
    near: list[Floats] = []
    for away in (-BESIDE, BESIDE):
        across = np.full(len(along), away)
        offsets = np.column_stack((across, along) if axis == 0 else (along, across))
        near.append(lab_of(sample(view, frame, middles, offsets)))
    own = [
        (colour_distance(points, cell[:, None]) < settings.alike) & has_tint[is_asked, None]
        for points, cell, has_tint in zip(near, cells, tinted, strict=True)
    ]
    differs = colour_distance(near[0], near[1]) >= settings.step
    ends = np.maximum(*((one & differs).mean(axis=1) for one in own))
    within = (own[0] & own[1] & ~differs).mean(axis=1)
    shown = np.zeros(is_asked.shape)
    shown[is_asked] = np.maximum(ends, settings.carried_on * within)
    return shown


def _beside(cells: NDArray[Scalar], axis: Axis, after: bool) -> NDArray[Scalar]:
    """What the cell before or after every side is; 0 beyond the lattice. Sides are across ``axis``."""
    pad = [(0, 0)] * cells.ndim
    pad[1 - axis] = (0, 1) if after else (1, 0)
    return np.pad(cells, pad)
