"""Rectification of a tilted or photographed board: its lines become vertical and horizontal.

Lines of one direction meet in a vanishing point: their lean changes evenly from one to the next. The profile
of their pixels, projected along a lean, is sharpest along their own.
"""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.pixels.lines import AXES, HOUGH_STEP, Axis, LinePixels, hough_lines
from flowvision.vision.pixels.view import Floats, View, median
from flowvision.vision.settings import GRID

STRONGEST = 20  # lines: the search begins at the median of their leans
CHANGE, LEAN, STEPS = 0.12, 0.03, 7
"""Reach of the search, in steps: the change of a lean across the view, the difference from the median."""
ROWS = 64  # rows of pixels that are enough
NARROWEST = 0.1  # times the width at the middle: in a tall view some changes let all lines meet inside it
CLEARLY = 1.1
"""Times the sharpness of upright lines: noise and text have less."""


def rectified(seen: GridEvidence) -> View | None:
    """Return the view with its lines upright; ``None`` if they are upright already."""
    view = seen.view
    (width, height), (across, down) = (
        view.size,
        (_lean(*each) for each in zip(seen.axes, AXES, strict=True)),
    )
    if not (across.any() or down.any()):
        return None
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    # The lines through (x, height / 2) and (width / 2, y) meet in the corner that moves to (x, y).
    quad = np.empty((4, 2))
    for corner, (x, y) in zip(quad, upright.tolist(), strict=True):
        lean, rise = np.polyval(across, x - width / 2), np.polyval(down, y - height / 2)
        sides = np.array([(1, -lean), (-rise, 1)])
        corner[:] = np.linalg.solve(sides, (x - lean * height / 2, y - rise * width / 2))
    turn = cv2.getPerspectiveTransform(quad.astype(np.float32), upright.astype(np.float32))
    bgr, gray = (
        np.asarray(cv2.warpPerspective(pixels, turn, view.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        for pixels in (view.bgr, view.gray)
    )
    to_picture = view.to_picture @ np.linalg.inv(turn)
    return View(bgr, gray, to_picture, ((False, False), (False, False)), view.channel)


def is_tilted(seen: GridEvidence) -> bool:
    """Return whether lines are sharper when projected at a slant."""
    slants = GRID.tilt_least * np.array([(0, 0), (0, -1), (0, 1)])
    return any(_sharpness(axis.seen, slants, 1.0).argmax() > 0 for axis in seen.axes)


def _lean(lines: LinePixels, axis: Axis) -> Floats:
    """Return ``b``, ``a``: lines at ``x`` from the middle lean by ``a + b x``."""
    strong, upright = lines.seen, np.zeros(2)
    grown = np.asarray(cv2.dilate(lines.mask, np.ones((2, 2), np.uint8), anchor=(0, 0)), np.uint8)
    half = np.ascontiguousarray(grown[::2, ::2])  # in an eighth of the time of all pixels
    tilts = hough_lines(half, axis, GRID.tilt_large, 2 * HOUGH_STEP)[:STRONGEST, 1]
    if len(tilts) < GRID.lines_min:
        return upright
    best = np.array((0.0, np.tan(median(tilts))))
    reach = np.array((CHANGE / strong.shape[1], LEAN))
    steps = np.stack(np.meshgrid(*2 * (np.linspace(-1, 1, STEPS),)), axis=-1).reshape(-1, 2)
    for bin_px in (3.0, 2.0, 1.0):
        tried = best + reach * steps
        best, reach = tried[int(_sharpness(strong, tried, bin_px).argmax())], reach * 2 / (STEPS - 1)
    straight, leaning = _sharpness(strong, np.stack((upright, best)), 1.0)
    return best if leaning > CLEARLY * straight else upright


def _sharpness(strong: Mask, leans: Floats, bin_px: float) -> Floats:
    """Return (N,): sums of the squares of the profiles along leans (N, 2)."""
    thinned = strong[:: max(1, len(strong) // ROWS)]
    # ``nonzero`` of a mask of two dimensions takes five times as long.
    along, across = divmod(np.flatnonzero(np.ascontiguousarray(thinned)), strong.shape[1])
    y = along * (len(strong) / len(thinned)) - len(strong) / 2
    change, lean = leans[:, :, None].swapaxes(0, 1)
    x = (across - strong.shape[1] / 2 - lean * y) / np.maximum(1 + change * y, NARROWEST)
    bins = np.round((x - x.min(initial=0)) / bin_px).astype(np.intp)
    count = int(bins.max(initial=0)) + 1
    bins += count * np.arange(len(leans))[:, None]
    profiles = np.bincount(bins.ravel(), minlength=count * len(leans)).reshape(len(leans), count)
    return np.asarray((profiles.astype(np.float64) ** 2).sum(axis=1))
