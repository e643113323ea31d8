"""Cells filled with a tint, which hides the lines between them: where tints end is a line.

A cell is played if a pipe or a dot is drawn in it; its tint is the colour of its ground.
"""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, brightest_channel
from flowvision.vision.grid.side_coverage import Block, SideCoverage
from flowvision.vision.grid.spacing import Spacing, lattice_frame
from flowvision.vision.pixels.line_weight import round_side, side_middles
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import (
    Floats,
    Mask,
    View,
    colour_distance,
    corner_points,
    is_inside,
    lab_of,
    place_middles,
    sample,
)
from flowvision.vision.settings import TINTS

Scalar = TypeVar("Scalar", bound=np.generic)
TINT_CORNERS = corner_points(outer=0.4, inner=0.32)
"""Points that no pipe reaches, clear of the lines; in widths of the cell from its middle."""
TINT_MIDDLES = 0.04 * TINT_CORNERS[::3]
"""Four points in the middle of a cell, that a pipe or a dot covers."""
TINT_FLANK = np.linspace(0.23, 0.38, 4)
TINT_ALONG = np.concatenate((-TINT_FLANK, TINT_FLANK))
"""Points along a side, in pitches from its middle: clear of crossing lines and of a blurred pipe."""
TINT_BESIDE = np.array([-0.09, 0.09])
"""Places across a side where its two cells are compared, clear of its line; in pitches."""


def with_tints(view: View, cols: Spacing, rows: Spacing, cover: SideCoverage) -> SideCoverage:
    """Return the visible share of every side, by lines (``cover``) or, with enough tinted cells, by tints."""
    if min(rows.count, cols.count) < 1:  # below 0 where the lattice lies beyond the view
        return cover
    frame = lattice_frame(view, cols, rows)
    size = rows.count, cols.count
    tint, is_tinted = tints_of(view, frame, place_middles(size))
    if np.count_nonzero(is_tinted) < TINTS.cells_min:
        return cover
    tint, is_tinted = tint.reshape(*size, 3), is_tinted.reshape(size)
    tint_cover = [_shown(view, frame, tint, is_tinted, axis) for axis in AXES]
    return SideCoverage(
        np.maximum(cover.vertical, tint_cover[0]), np.maximum(cover.horizontal, tint_cover[1])
    )


def has_tints_beside(view: View, cols: Spacing, rows: Spacing, block: Block) -> bool:
    """Return whether tinted cells of a lattice share a side with a block of its cells."""
    size = rows.count, cols.count
    block_mask = np.zeros(size, np.uint8)
    block_mask[block] = 1
    grown_block = cv2.dilate(block_mask, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    beside = place_middles(size)[(grown_block > block_mask).ravel()]
    return len(beside) > 0 and bool(tints_of(view, lattice_frame(view, cols, rows), beside)[1].any())


def tints_of(view: View, frame: Frame, centres: Floats) -> tuple[Floats, Mask]:
    """Return the tints of cells, (cells, 3) in Lab, and which cells are tinted and played.

    ``centres`` (cells, 2): their middles. Where no tint is measured, it is 0.
    """
    corner_bgr = sample(view, frame, centres, TINT_CORNERS)
    # The brightness comes first: colours take ten times as long, and on most boards no cell is tinted.
    corner_value = _middle_value(brightest_channel(corner_bgr))
    is_tinted = (corner_value >= TINTS.value_min) & (corner_value <= TINTS.value_max)
    is_tinted &= is_inside(view, frame, centres, TINT_CORNERS).all(axis=1)
    tint = np.zeros((len(centres), 3))
    if is_tinted.any():
        corner_lab = lab_of(corner_bgr[is_tinted])
        tint[is_tinted] = _middle_value(corner_lab)
        is_even = colour_distance(corner_lab, tint[is_tinted, None]) < TINTS.alike
        # The middle of a played cell is unlike its tint.
        middle_lab = lab_of(sample(view, frame, centres[is_tinted], TINT_MIDDLES))
        is_played = colour_distance(middle_lab, tint[is_tinted, None]) >= TINTS.alike
        is_tinted[is_tinted] = (is_even.mean(axis=1) >= TINTS.flat) & is_played.all(axis=1)
    return tint, is_tinted


def _middle_value(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return (cells, …): the median of an even number of values (cells, values, …), the upper of two."""
    return np.sort(values, axis=1)[:, values.shape[1] // 2]


def _shown(view: View, frame: Frame, tint: Floats, is_tinted: Mask, axis: Axis) -> Floats:
    """Return the share of each side that tints show, (rows, cols + 1) or (rows + 1, cols).

    ``axis``: across the sides. A place along a side shows it if one side of it has the cell's tint and the
    other differs; a place inside one tint may hide a line.
    """
    is_tinted_beside = _on_both_sides(is_tinted, axis)
    is_measured = is_tinted_beside[0] | is_tinted_beside[1]
    rows, cols = is_tinted.shape
    middles = side_middles((rows, cols), axis)[is_measured.ravel()]
    both_lab = lab_of(sample(view, frame, middles, round_side(axis, TINT_ALONG, TINT_BESIDE)))
    # Each place has two points: before the side and behind it. (sides, places, 3) each.
    lab_beside = both_lab[:, ::2], both_lab[:, 1::2]
    is_tint = [
        (colour_distance(lab, cell_tint[is_measured, None]) < TINTS.alike) & is_cell_tinted[is_measured, None]
        for lab, cell_tint, is_cell_tinted in zip(
            lab_beside, _on_both_sides(tint, axis), is_tinted_beside, strict=True
        )
    ]
    is_step = colour_distance(*lab_beside) >= TINTS.alike
    end_share = np.maximum(*((matches & is_step).mean(axis=1) for matches in is_tint))
    within_share = (is_tint[0] & is_tint[1] & ~is_step).mean(axis=1)
    cover_share = np.zeros(is_measured.shape)
    cover_share[is_measured] = np.maximum(end_share, TINTS.within * within_share)
    return cover_share


def _on_both_sides(cells: NDArray[Scalar], axis: Axis) -> tuple[NDArray[Scalar], NDArray[Scalar]]:
    """Return what the cells before and behind every side across ``axis`` have, 0 outside the lattice.

    ``cells`` (rows, cols, …): a value of each cell. Each result has one row or column more.
    """
    no_padding = [(0, 0)] * cells.ndim
    before, behind = no_padding.copy(), no_padding.copy()
    before[1 - axis], behind[1 - axis] = (1, 0), (0, 1)
    return np.pad(cells, before), np.pad(cells, behind)
