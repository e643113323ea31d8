"""Rectification of a tilted or photographed board: its lines become vertical and horizontal.

Lines of one direction meet in a vanishing point: their lean changes evenly from one to the next. A lean is
the tangent of the angle to the axis. Leans (…, 2) hold how much it changes per pixel across the lines, and
the lean in the middle of the view. The profile of the lines' pixels, projected along leans, is sharpest along
their own.
"""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.pixels.lines import AXES, HOUGH_STEP, Axis, LinePixels, hough_lines
from flowvision.vision.pixels.view import Floats, Mask, View, block_maxima, grid_points, median
from flowvision.vision.settings import GRID

STRONGEST = 20  # lines: the search begins at the median of their leans
CHANGE, LEAN, STEPS = 0.12, 0.03, 7
"""Reach of the search, in steps: the change of a lean across the view, the difference from the median."""
ROWS = 64  # rows of pixels that are enough
NARROWEST = 0.1  # times the width at the middle: in a tall view some changes let all lines meet inside it
CLEARLY = 1.1
"""Times the sharpness of upright lines: noise and text have less."""


def rectified(lines: GridEvidence) -> View | None:
    """Return the view with its lines upright; ``None`` if they are upright already."""
    view = lines.view
    width, height = view.size
    vertical, horizontal = (_leans(*each) for each in zip(lines.axes, AXES, strict=True))
    if not (vertical.any() or horizontal.any()):
        return None
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    # The lines through (x, height / 2) and (width / 2, y) meet in the corner that moves to (x, y).
    quad = np.empty((4, 2))
    for corner, (x, y) in zip(quad, upright.tolist(), strict=True):
        lean = np.polyval(vertical, x - width / 2)
        rise = np.polyval(horizontal, y - height / 2)
        line_equations = np.array([(1, -lean), (-rise, 1)])
        corner[:] = np.linalg.solve(line_equations, (x - lean * height / 2, y - rise * width / 2))
    to_upright = cv2.getPerspectiveTransform(quad.astype(np.float32), upright.astype(np.float32))
    bgr, gray = (
        np.asarray(
            cv2.warpPerspective(pixels, to_upright, view.size, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        for pixels in (view.bgr, view.gray)
    )
    to_picture = view.to_picture @ np.linalg.inv(to_upright)
    return View(bgr, gray, to_picture, ((False, False), (False, False)), view.channel)


def is_tilted(lines: GridEvidence) -> bool:
    """Return whether lines are sharper when projected at a slant to one side or the other than upright."""
    leans = GRID.tilt_least * np.array([(0, 0), (0, -1), (0, 1)])
    return any(_sharpness(axis.seen, leans, bin_px=1.0).argmax() > 0 for axis in lines.axes)


def _leans(lines: LinePixels, axis: Axis) -> Floats:
    """Return the leans (2,) of lines across an axis; 0 unless they are clearly sharper along these."""
    is_on_line = lines.seen
    upright = np.zeros(2)
    half_mask = block_maxima(lines.mask, size_px=2)  # searched in an eighth of the time of all pixels
    strongest_tilts = hough_lines(half_mask, axis, GRID.tilt_large, 2 * HOUGH_STEP)[:STRONGEST, 1]
    if len(strongest_tilts) < GRID.lines_min:
        return upright
    best_leans = np.array((0.0, np.tan(median(strongest_tilts))))
    search_reach = np.array((CHANGE / is_on_line.shape[1], LEAN))
    steps = np.linspace(-1, 1, STEPS)
    for bin_px in (3.0, 2.0, 1.0):  # each time between the neighbours of the best step
        leans_tried = best_leans + search_reach * grid_points(steps, steps)
        best_leans = leans_tried[int(_sharpness(is_on_line, leans_tried, bin_px).argmax())]
        search_reach = search_reach * 2 / (STEPS - 1)
    upright_sharpness, best_sharpness = _sharpness(is_on_line, np.stack((upright, best_leans)), bin_px=1.0)
    return best_leans if best_sharpness > CLEARLY * upright_sharpness else upright


def _sharpness(is_on_line: Mask, leans: Floats, bin_px: float) -> Floats:
    """Return (N,): sums of the squares of the profiles along leans (N, 2).

    A profile counts the line pixels in bins of ``bin_px`` pixels. ``is_on_line`` (along, across): pixels.
    """
    some_rows = is_on_line[:: max(1, len(is_on_line) // ROWS)]
    # ``nonzero`` of a mask of two dimensions takes five times as long.
    pixel_rows, pixel_cols = divmod(np.flatnonzero(np.ascontiguousarray(some_rows)), is_on_line.shape[1])
    y = pixel_rows * (len(is_on_line) / len(some_rows)) - len(is_on_line) / 2
    change, lean = leans[:, :, None].swapaxes(0, 1)
    # Where the line through each pixel crosses the middle row, at X: there it leans by ``lean + change * X``,
    # so that the pixel lies at x = X + (lean + change * X) * y. This is solved for X.
    x = pixel_cols - is_on_line.shape[1] / 2
    crossings = x - lean * y
    if change.any():
        crossings /= np.maximum(1 + change * y, NARROWEST)
    bins = np.round((crossings - crossings.min(initial=0)) / bin_px).astype(np.intp)
    count = int(bins.max(initial=0)) + 1
    bins += count * np.arange(len(leans))[:, None]  # all profiles in one count, one behind the other
    profiles = np.bincount(bins.ravel(), minlength=count * len(leans)).reshape(len(leans), count)
    return np.asarray((profiles.astype(np.float64) ** 2).sum(axis=1))
