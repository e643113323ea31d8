"""Thin lines inside cells, as the rails of a bridge are: how much of each cell they cover."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.dots.result import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.sampling import sample
from flowvision.vision.pixels.view import Floats, Gray, brightest_channel
from flowvision.vision.settings import CrossingSettings

INSIDE = 0.4
"""Of a cell: how far from its middle it is sampled, clear of its lines."""
MIN_STEPS, MAX_STEPS = 9, 81
"""Points across the inside of a cell: as many as it has pixels, within these."""
GROUND_PART = 4
"""One point in so many is darker than the ground is taken to be: two pipes hide two thirds of a cell."""
LINE_ACROSS = np.column_stack((np.linspace(0.45, 0.55, 7), np.zeros(7)))
"""Of a cell, from its middle: points across its right side, one of which is on the line."""
MIN_WIDTH_PX = 3
"""The narrowest brush that takes away lines of a pixel."""


def ink_shares(sides: BoardGeometry, dots: Dots, asked: CrossingSettings) -> Floats:
    """(cells,): the share of each cell's inside that thin lines cover, as bright as grid lines.

    0 where there is a dot, whose letter is no bridge.
    """
    fit = sides.fit
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    pitch = fit.pitch_px / fit.view.scale
    steps = max(MIN_STEPS, min(MAX_STEPS, round(2 * INSIDE * pitch)))
    axis = np.linspace(-INSIDE, INSIDE, steps)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    value = brightest_channel(sample(fit.view, fit.frame, centres, offsets))
    part = value.shape[1] // GROUND_PART
    ground = np.partition(value, part, axis=1)[:, part].astype(np.float64)
    lines = sample(fit.view, fit.frame, centres, LINE_ACROSS).max(axis=(1, 2)) - ground
    step = max(asked.bridge_step_min, asked.bridge_step * float(np.median(lines)))
    width = max(MIN_WIDTH_PX, round(asked.bridge_width * pitch)) | 1
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)
    inked = np.zeros(len(centres))
    stands_out = (value > np.floor(ground + step)[:, None]).view(np.uint8)
    stands_out[[dot.cell for dot in dots.dots]] = 0
    for cell in np.flatnonzero(stands_out.any(axis=1)):
        # What is wide is no rail: neither pipes with their soft edges nor the slopes of a glow.
        high, inside = stands_out[cell].reshape(steps, steps), value[cell].reshape(steps, steps)
        thin = (high > _wide(high, brush)) & (cv2.subtract(inside, _wide(inside, brush)) > step)
        inked[cell] = float(thin.mean())
    return inked


def _wide(patch: Gray, brush: Gray) -> Gray:
    """A patch without what is thinner than the brush, and grown by a pixel."""
    opened = cv2.morphologyEx(patch, cv2.MORPH_OPEN, brush)
    return np.asarray(cv2.dilate(opened, np.ones((3, 3), np.uint8)), np.uint8)
