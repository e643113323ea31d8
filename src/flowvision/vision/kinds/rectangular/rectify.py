"""Rectification of a tilted or photographed board.

In perspective the tilt of a family of Hough lines changes linearly with position. Four lines that follow
these trends bound a quadrilateral, which is a rectangle on the board.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from flowvision.vision.pixels.lines import HOUGH_STEP, Axis, hough_lines, line_mask, thin_lines
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.settings import GridSettings, LineSettings


class Trend(Struct, frozen=True):
    """Tilt of the lines across one axis: ``tilt + slope · position`` radians.

    Positions are in pixels along the axis, from ``first`` to ``last``.
    """

    tilt: float
    slope: float
    first: float
    last: float

    def line(self, position: float, axis: Axis, length: float) -> Floats:
        """Return the homogeneous line (3,) at a position, measured at the middle of the other axis."""
        lean = np.tan(self.tilt + self.slope * position)
        ends = np.array([(position - lean * length / 2, 0.0), (position + lean * length / 2, length)])
        if axis == 1:
            ends = ends[:, ::-1]
        return np.asarray(np.cross((*ends[0], 1.0), (*ends[1], 1.0)))


def rectified(view: View, lines: LineSettings, grid: GridSettings) -> View | None:
    """Return the view turned so that its lines are vertical and horizontal; ``None`` if they are already."""
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
    response, step = thin_lines(view, axis, lines)
    mask = line_mask(response, axis, step, lines.run_tilted_px)
    grown = np.asarray(cv2.dilate(mask, np.ones((2, 2), np.uint8), anchor=(0, 0)), np.uint8)
    half = np.ascontiguousarray(grown[::2, ::2])  # in an eighth of the time of all pixels
    found = hough_lines(half, axis, grid.hough_share, grid.tilt_large, 2 * HOUGH_STEP)[: grid.hough_lines]
    if len(found) < grid.tilt_lines:
        return None
    # The middle of two pixels lies half a pixel beyond the first.
    position, tilt = _refined(mask, found * (2, 1) + (0.5, 0), axis, grid).T
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
    vertical = mask if axis == 0 else np.asarray(cv2.transpose(mask), np.uint8)
    lit, along = PrefixSums(vertical), np.arange(len(vertical)) - len(vertical) / 2
    position, lean = found[:, 0].copy(), np.tan(found[:, 1])
    for reach in (1.0, 1.0, 0.5):
        centre = position[:, None] + lean[:, None] * along
        counts, away = lit.near(centre, reach * grid.refine_near_px)
        count = counts.sum(axis=1)
        enough, share = count > len(along) * grid.refine_share, 1 / np.maximum(count, 1)
        # Least squares of how far pixels lie from the line, ``away``, over where they lie along it.
        middle_y, middle_x = share * (counts @ along), share * away.sum(axis=1)
        spread = counts @ along**2 - count * middle_y**2
        turn = (away @ along - middle_y * away.sum(axis=1)) / np.maximum(1.0, spread)
        lean += np.where(enough, turn, 0.0)
        position += np.where(enough, middle_x - turn * middle_y, 0.0)
    return np.column_stack((position, np.arctan(lean)))


class PrefixSums:
    """The pixels of a mask (h, w), to be counted in intervals of its rows."""

    def __init__(self, mask: Gray) -> None:
        self.size = mask.shape
        lit = np.ravel(mask > 0)
        self._before = np.zeros(lit.size + 1, np.int32)
        """Number of lit pixels before each pixel, row by row."""
        np.cumsum(lit, out=self._before[1:])
        places = np.flatnonzero(lit) % mask.shape[1]
        self._sums = np.concatenate(([0], np.cumsum(places)))
        """The sum of the positions of the first n."""

    def near(self, centre: Floats, reach: float) -> tuple[Floats, Floats]:
        """Return (lines, h) each: count of a row's pixels within ``reach`` of a line, and the sum of offsets.

        ``centre`` (lines, h): position where the line crosses the row.
        """
        height, width = self.size
        rows = np.arange(height) * width
        first, last = (
            np.take(self._before, rows + np.clip(end, 0, width).astype(np.intp))
            for end in (np.ceil(centre - reach), np.floor(centre + reach) + 1)
        )
        counts = (last - first).astype(np.float64)
        return counts, np.take(self._sums, last) - np.take(self._sums, first) - centre * counts


def _quad(across: Trend, down: Trend, view: View) -> Floats:
    width, height = view.size
    left, right = (across.line(at, 0, height) for at in (across.first, across.last))
    top, bottom = (down.line(at, 1, width) for at in (down.first, down.last))
    corners = [np.cross(a, b) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))]
    return np.array([(x / w, y / w) for x, y, w in corners])


def _warped(view: View, matrix: Floats) -> View:
    width, height = view.size
    outer = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], dtype=np.float64)
    seen = cv2.perspectiveTransform(outer, matrix)[0]
    # It may reach beyond the view by half of that on each side.
    low = np.maximum(seen.min(axis=0), -0.5 * np.array([width, height]))
    high = np.minimum(seen.max(axis=0), 1.5 * np.array([width, height]))
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    matrix = shift @ matrix
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    how = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    bgr, gray = (
        np.asarray(cv2.warpPerspective(pixels, matrix, size, None, *how), np.uint8)
        for pixels in (view.bgr, view.gray)
    )
    to_picture = view.to_picture @ np.linalg.inv(matrix)
    return View(bgr, gray, to_picture, ((False, False), (False, False)), view.channel)
