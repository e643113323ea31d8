"""Rectify a tilted or photographed board: turn it upright.

The Hough lines of two families, across and down, say how the picture is tilted; in perspective the tilt of a
family changes linearly with position. Four lines that follow these trends bound a quadrilateral, which is a
rectangle on the board; the homography between the two rectifies the whole board.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.value import value_type
from flowvision.vision.pixels.lines import Axis, hough_lines, line_mask, thin_lines
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.settings import GridSettings, LineSettings

Singles = NDArray[np.float32]
MAX_BEYOND = 0.5
"""Of the view: how far beyond it the turned view may reach, on each side."""
AT_ONCE = 2_000_000
"""Distances between lines and pixels that are held at once: 8 MB."""


@value_type
class Trend:
    """How lines across one axis are tilted: by ``tilt + slope · position`` radians.

    Positions are in pixels along the axis, from ``first`` to ``last``.
    """

    tilt: float
    slope: float
    first: float
    last: float

    def line(self, position: float, axis: Axis, length: float) -> Floats:
        """The homogeneous line (3,) at a position, measured at the middle of the other axis."""
        lean = np.tan(self.tilt + self.slope * position)
        ends = np.array([(position - lean * length / 2, 0.0), (position + lean * length / 2, length)])
        if axis == 1:
            ends = ends[:, ::-1]
        return np.asarray(np.cross((*ends[0], 1.0), (*ends[1], 1.0)))


def rectified(view: View, lines: LineSettings, grid: GridSettings) -> View | None:
    """The view seen so that its two families of lines are upright and level; ``None`` if they are already."""
    across = _trend(view, 0, lines, grid)
    down = _trend(view, 1, lines, grid) if across else None
    if across is None or down is None:
        return None
    quad = _quad(across, down, view)
    width = float(np.hypot(*(quad[1] - quad[0])) + np.hypot(*(quad[2] - quad[3]))) / 2
    height = float(np.hypot(*(quad[3] - quad[0])) + np.hypot(*(quad[2] - quad[1]))) / 2
    centre = quad.mean(axis=0)
    half = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    upright = centre + half
    if np.abs(quad - upright).max() < grid.turn_min_px or min(width, height) < 2 * grid.pitch_min_px:
        return None
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), upright.astype(np.float32))
    return _warped(view, np.asarray(matrix, dtype=np.float64))


def _trend(view: View, axis: Axis, lines: LineSettings, grid: GridSettings) -> Trend | None:
    """The trend that most of the strong lines across an axis follow: the best of those of any two lines."""
    response, step = thin_lines(view, axis, lines)
    mask = line_mask(response, axis, step, lines.run_tilted_px)
    found = hough_lines(mask, axis, grid.hough_share, grid.tilt_large)[: grid.hough_lines]
    if len(found) < grid.tilt_lines:
        return None
    position, tilt = _refined(mask, found, axis, grid).T
    reach = max(1.0, float(np.ptp(position)))
    first, second = np.nonzero(position[None, :] - position[:, None] > grid.tilt_base * reach)
    slopes = (tilt[second] - tilt[first]) / (position[second] - position[first])
    expected = tilt[first, None] + slopes[:, None] * (position[None, :] - position[first, None])
    near = np.abs(tilt[None, :] - expected) < grid.tilt_alike
    if len(near) == 0:
        return None
    best_near = near[int(near.sum(axis=1).argmax())]
    if best_near.sum() < grid.tilt_lines:
        return None
    slope, offset = np.polyfit(position[best_near], tilt[best_near], 1)
    ends = float(position[best_near].min()), float(position[best_near].max())
    return Trend(float(offset), float(slope), *ends)


def _refined(mask: Gray, found: Floats, axis: Axis, grid: GridSettings) -> Floats:
    """Hough lines (N, 2) fitted twice, by least squares, to the mask's pixels near them.

    The bins of the Hough transform are a quarter of a degree wide: 4 pixels over a board.
    """
    length = mask.shape[axis]
    upright = mask if axis == 0 else np.ascontiguousarray(mask.T)
    along, across = (part.astype(np.float32) for part in divmod(np.flatnonzero(upright), upright.shape[1]))
    along -= length / 2
    few = max(1, AT_ONCE // max(1, len(along)))
    return np.concatenate(
        [_fitted(found[n : n + few], along, across, length, grid) for n in range(0, len(found), few)]
    )


def _fitted(found: Floats, along: Singles, across: Singles, length: int, grid: GridSettings) -> Floats:
    """Lines (N, 2) fitted to the pixels (M,) near each, all at once; ``length``: of a line, in pixels."""
    position, lean = found[:, 0].copy(), np.tan(found[:, 1])
    offset = across - lean.astype(np.float32)[:, None] * along
    offset -= position.astype(np.float32)[:, None]
    # In one dimension that takes a fifth of the time.
    near = np.flatnonzero(np.abs(offset) <= grid.refine_reach_px)
    line, pixel = np.divmod(near, len(along))
    y, x = along[pixel].astype(np.float64), offset.ravel()[near].astype(np.float64)

    def sums(chosen: NDArray[np.intp], weights: Floats | None = None) -> Floats:
        return np.bincount(chosen, weights, len(found)).astype(np.float64)

    for reach in (grid.refine_near_px, grid.refine_near_px / 2):
        close = np.abs(x) <= reach
        own, own_y, own_x = line[close], y[close], x[close]
        count = sums(own)
        enough, share = count > length * grid.refine_share, 1 / np.maximum(count, 1)
        middle_y, middle_x = sums(own, own_y) * share, sums(own, own_x) * share
        deviation = own_y - middle_y[own]
        turn = sums(own, deviation * own_x) / np.maximum(1.0, sums(own, deviation * deviation))
        turn = np.where(enough, turn, 0.0)
        shift = np.where(enough, middle_x - turn * middle_y, 0.0)
        position += shift
        lean += turn
        x -= shift[line] + turn[line] * y
    return np.column_stack((position, np.arctan(lean)))


def _quad(across: Trend, down: Trend, view: View) -> Floats:
    """The corners (4, 2) where the outermost lines of two trends meet, clockwise from the top left."""
    width, height = view.size
    left, right = (across.line(at, 0, height) for at in (across.first, across.last))
    top, bottom = (down.line(at, 1, width) for at in (down.first, down.last))
    corners = [np.cross(a, b) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))]
    return np.array([(x / w, y / w) for x, y, w in corners])


def _warped(view: View, matrix: Floats) -> View:
    """The view seen through a homography, cut to what it showed before, as far as that is near it."""
    width, height = view.size
    outer = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], dtype=np.float64)
    seen = cv2.perspectiveTransform(outer, matrix)[0]
    low = np.maximum(seen.min(axis=0), -MAX_BEYOND * np.array([width, height]))
    high = np.minimum(seen.max(axis=0), (1 + MAX_BEYOND) * np.array([width, height]))
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    matrix = shift @ matrix
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    bgr, gray = (
        np.asarray(
            cv2.warpPerspective(
                pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            dtype=np.uint8,
        )
        for pixels in (view.bgr, view.gray)
    )
    to_picture = view.to_picture @ np.linalg.inv(matrix)
    return View(bgr, gray, to_picture, ((False, False), (False, False)), view.channel)
