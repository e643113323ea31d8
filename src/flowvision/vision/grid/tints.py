"""Cells filled with a tint, which hides the lines between them: where tints end is a line."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.grid.side_coverage import Block, Mask, SideCoverage
from flowvision.vision.grid.spacing import Spacing, lattice_frame
from flowvision.vision.pixels.line_weight import round_side, side_middles
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import (
    Floats,
    View,
    brightest_channel,
    colour_distance,
    corner_points,
    is_inside,
    lab_of,
    sample,
)
from flowvision.vision.settings import TINTS

Scalar = TypeVar("Scalar", bound=np.generic)
TINT_CORNERS = corner_points(0.4, 0.32)
"""Points that no pipe reaches, clear of the lines; in widths of the cell from its middle."""
TINT_FLANK = np.linspace(0.23, 0.38, 4)
TINT_ALONG = np.concatenate((-TINT_FLANK, TINT_FLANK))
"""Points along a side, in pitches from its middle: clear of crossing lines and of a blurred pipe."""
TINT_BESIDE = np.array([-0.09, 0.09])
"""Places across a side where its two cells are compared, clear of its line; in pitches."""


def with_tints(view: View, cols: Spacing, rows: Spacing, cover: SideCoverage) -> SideCoverage:
    """Return the visible share of every side, by lines or, with enough tinted cells, by tints."""
    if min(rows.count, cols.count) < 1:  # below 0 where the lattice lies beyond the view
        return cover
    frame = lattice_frame(view, cols, rows)
    tint, is_tinted = tints_of(view, frame, (rows.count, cols.count))
    if np.count_nonzero(is_tinted) < TINTS.cells_min:
        return cover
    tint_cover = [_shown(view, frame, tint, is_tinted, axis) for axis in AXES]
    return SideCoverage(
        np.maximum(cover.vertical, tint_cover[0]), np.maximum(cover.horizontal, tint_cover[1])
    )


def has_tints_beside(view: View, cols: Spacing, rows: Spacing, block: Block) -> bool:
    """Return whether tinted cells lie beside a block of a lattice."""
    frame = lattice_frame(view, cols, rows)
    _, is_tinted = tints_of(view, frame, (rows.count, cols.count))
    block_mask = np.zeros(is_tinted.shape, np.uint8)
    block_mask[block] = 1
    grown_block = cv2.dilate(block_mask, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    return bool(is_tinted[grown_block > block_mask].any())


def tints_of(view: View, frame: Frame, size: tuple[int, int]) -> tuple[Floats, Mask]:
    """Return the tint of every cell beside its pipe, (rows, cols, 3) in Lab, and which cells are tinted."""
    centres: Floats = np.indices(size)[::-1].reshape(2, -1).T + np.array((0.5, 0.5))
    corner_bgr = sample(view, frame, centres, TINT_CORNERS)
    # The brightness comes first: colours take ten times as long, and on most boards no cell is tinted.
    corner_value = np.sort(brightest_channel(corner_bgr), axis=1)[:, len(TINT_CORNERS) // 2]
    is_tinted = (corner_value >= TINTS.value_min) & (corner_value <= TINTS.value_max)
    is_tinted &= is_inside(view, frame, centres, TINT_CORNERS).all(axis=1)
    tint = np.zeros((len(centres), 3))
    if is_tinted.any():
        corner_lab = lab_of(corner_bgr[is_tinted])
        tint[is_tinted] = np.sort(corner_lab, axis=1)[:, len(TINT_CORNERS) // 2]
        is_even = colour_distance(corner_lab, tint[is_tinted, None]) < TINTS.alike
        # A tinted cell is played: its middle shows a pipe or a dot, unlike the tint.
        middle_lab = lab_of(sample(view, frame, centres[is_tinted], 0.04 * TINT_CORNERS[::3]))
        is_played = colour_distance(middle_lab, tint[is_tinted, None]) >= TINTS.step
        is_tinted[is_tinted] = (is_even.mean(axis=1) >= TINTS.flat) & is_played.all(axis=1)
    return tint.reshape(*size, 3), np.asarray(is_tinted.reshape(size))


def _shown(view: View, frame: Frame, tint: Floats, is_tinted: Mask, axis: Axis) -> Floats:
    """Return the share of each side that tints show, (rows, cols + 1) or (rows + 1, cols)."""
    is_tinted_beside = [_beside(is_tinted, axis, last) for last in (False, True)]
    is_measured = is_tinted_beside[0] | is_tinted_beside[1]
    tint_beside = [_beside(tint, axis, last)[is_measured] for last in (False, True)]
    size = is_tinted.shape[0], is_tinted.shape[1]
    side_middles_in_cells, offsets = (
        side_middles(size, axis)[is_measured.ravel()],
        round_side(axis, TINT_ALONG, TINT_BESIDE),
    )
    both_lab = lab_of(sample(view, frame, side_middles_in_cells, offsets))
    lab_beside = both_lab[:, ::2], both_lab[:, 1::2]
    is_tint = [
        (colour_distance(points, cell[:, None]) < TINTS.alike) & has_tint[is_measured, None]
        for points, cell, has_tint in zip(lab_beside, tint_beside, is_tinted_beside, strict=True)
    ]
    is_step = colour_distance(lab_beside[0], lab_beside[1]) >= TINTS.step
    end_share = np.maximum(*((matches & is_step).mean(axis=1) for matches in is_tint))
    within_share = (is_tint[0] & is_tint[1] & ~is_step).mean(axis=1)
    cover_share = np.zeros(is_measured.shape)
    cover_share[is_measured] = np.maximum(end_share, TINTS.within * within_share)
    return cover_share


def _beside(cells: NDArray[Scalar], axis: Axis, after: bool) -> NDArray[Scalar]:
    pad = [(0, 0)] * cells.ndim
    pad[1 - axis] = (0, 1) if after else (1, 0)
    return np.pad(cells, pad)
