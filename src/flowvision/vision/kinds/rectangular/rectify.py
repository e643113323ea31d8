"""Rectify a tilted or photographed board: turn it upright.

The Hough lines of two families, across and down, say how the picture is tilted; in perspective the tilt of a
family changes linearly with position. Four lines that follow these trends bound a quadrilateral, which is a
rectangle on the board; the homography between the two rectifies the whole board. At a steeper angle lines of
both families lie too slanted for that: there the cells between them, found one by one, say where rows and
columns go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Screenshot
from flowvision.vision.pixels.lines import HOUGH_STEP, Axis, hough_lines, line_mask, thin_lines
from flowvision.vision.pixels.view import Channel, Floats, Gray, View, brightest_channel
from flowvision.vision.settings import GridSettings, LineSettings

MAX_BEYOND = 0.5
"""How far the turned view may reach beyond the view, on each side; as a share of it."""
REACHES = (1.0, 0.5)
"""How near the pixels of a line are when it is fitted to them once more, of ``grid.refine_near_px``."""
COARSE_REACHES = (1.0, *REACHES)
"""``REACHES`` of lines that were found at half size, in wider bins."""


CELLS_MIN, MOST_CELLS = 12, 0.6
"""The fewest cells that a homography is fitted to, and the least share of all that were found."""
OFF = 0.15
"""How far the middle of a cell may lie from where it should be seen, in pitches."""
BENT, FLAT = 0.3, 0.3
"""Share of a step that the next one may differ by; share of its area: less is no corner of two steps."""
STRAIGHT_PX = 1400.0
"""The longest side of a picture that is seen straight."""


class Trend(Struct, frozen=True):
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


def rectified(view: View, lines: LineSettings, grid: GridSettings, coarse: bool = False) -> View | None:
    """The view turned so that its lines are vertical and horizontal; ``None`` if they are already.

    ``coarse``: the lines are looked for at half size, in less time.
    """
    across = _trend(view, 0, lines, grid, coarse)
    down = _trend(view, 1, lines, grid, coarse) if across else None
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


def straightened(
    shot: Screenshot, middles_px: Floats, sides: NDArray[np.int_], reach: float, channel: Channel
) -> tuple[View, float] | None:
    """The picture seen so that cells which were found one by one lie in rows and columns; their pitch there.

    ``middles_px`` (N, 2): of the cells; ``sides`` (M, 2): which of them share one. ``reach``: how many cells
    beyond these are seen too. ``None`` where most of them fit no homography (Hartley and Zisserman, Multiple
    View Geometry, 2004; found by RANSAC).
    """
    places = places_of(middles_px, sides)
    known = np.array(sorted(places))
    if len(known) < CELLS_MIN:
        return None
    seen = np.array([places[n] for n in known.tolist()], np.float64)
    lengths = np.linalg.norm(middles_px[sides[:, 0]] - middles_px[sides[:, 1]], axis=1)
    pitch = float(np.median(lengths))
    found, is_near = cv2.findHomography(seen + 0.5, middles_px[known], cv2.RANSAC, OFF * pitch)
    if found is None or is_near.sum() < max(CELLS_MIN, MOST_CELLS * len(known)):
        return None
    on_it = seen[is_near.ravel() > 0]
    low, high = on_it.min(axis=0) - reach, on_it.max(axis=0) + 1 + reach
    unit = min(pitch, STRAIGHT_PX / float((high - low).max()))
    to_picture = np.asarray(found @ [[1 / unit, 0, low[0]], [0, 1 / unit, low[1]], [0, 0, 1]])
    width, height = ((high - low) * unit).round().astype(int).tolist()
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    bgr = np.asarray(cv2.warpPerspective(shot.bgr, to_picture, (width, height), flags=how), np.uint8)
    plain = View(bgr, brightest_channel(bgr), to_picture, ((False, False), (False, False)))
    return (plain if channel == plain.channel else plain.in_channel(channel)), unit


def places_of(middles: Floats, sides: NDArray[np.int_]) -> dict[int, tuple[int, int]]:
    """The column and row of cells, counted from the one with most neighbours, as far as sides lead from it.

    From cell to cell the steps along rows and columns are those that led here: in perspective they change
    slowly. A side that leads neither along a row nor along a column is passed over.
    """
    beside: dict[int, list[int]] = {}
    for a, b in sides.tolist():
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    if not beside:
        return {}
    first = max(beside, key=lambda cell: len(beside[cell]))
    steps = middles[beside[first]] - middles[first]
    across = steps[int(np.abs(steps[:, 0] / np.linalg.norm(steps, axis=1)).argmax())]
    turned = np.array((-across[1], across[0]))
    down = steps[int(np.abs(steps @ turned).argmax())]
    basis = np.array((across * np.sign(across[0] or 1), down * np.sign(down[1] or 1))).T
    places, waiting = {first: (0, 0)}, deque([(first, basis)])
    while waiting:
        cell, basis = waiting.popleft()
        if abs(np.linalg.det(basis)) < FLAT * np.prod(np.linalg.norm(basis, axis=0)):
            continue
        for other in beside[cell]:
            step = middles[other] - middles[cell]
            move = np.linalg.solve(basis, step)
            whole = np.round(move)
            if other in places or np.abs(whole).sum() != 1 or np.abs(move - whole).max() > BENT:
                continue
            col, row = whole.astype(int).tolist()
            places[other] = places[cell][0] + col, places[cell][1] + row
            led = basis.copy()
            led[:, int(row != 0)] = step * (col + row)
            waiting.append((other, led))
    return places


def _trend(view: View, axis: Axis, lines: LineSettings, grid: GridSettings, coarse: bool) -> Trend | None:
    """The trend that most of the strong lines across an axis follow: the best of those of any two lines."""
    response, step = thin_lines(view, axis, lines)
    mask = line_mask(response, axis, step, lines.run_tilted_px)
    find, reaches = (_coarse_lines, COARSE_REACHES) if coarse else (_lines, REACHES)
    found = find(mask, axis, grid)[: grid.hough_lines]
    if len(found) < grid.tilt_lines:
        return None
    position, tilt = _refined(mask, found, axis, reaches, grid).T
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


def _lines(mask: Gray, axis: Axis, grid: GridSettings) -> Floats:
    """Hough lines (N, 2) of a mask."""
    return hough_lines(mask, axis, grid.hough_share, grid.tilt_large)


def _coarse_lines(mask: Gray, axis: Axis, grid: GridSettings) -> Floats:
    """Hough lines (N, 2) of a mask, at half its size: in an eighth of the time, in bins twice as wide."""
    grown = np.asarray(cv2.dilate(mask, np.ones((2, 2), np.uint8), anchor=(0, 0)), np.uint8)
    half = np.ascontiguousarray(grown[::2, ::2])
    found = hough_lines(half, axis, grid.hough_share, grid.tilt_large, 2 * HOUGH_STEP)
    # The middle of two pixels lies half a pixel beyond the first.
    return found * (2, 1) + (0.5, 0)


def _refined(mask: Gray, found: Floats, axis: Axis, reaches: Sequence[float], grid: GridSettings) -> Floats:
    """Hough lines (N, 2) fitted by least squares to the mask's pixels near them, once for every reach.

    The bins of the Hough transform are a quarter of a degree wide: 4 pixels over a board. In every row of the
    mask, the pixels near a line are an interval: how many they are and where is told by running sums, whose
    number does not grow with that of the pixels.
    """
    vertical = mask if axis == 0 else np.asarray(cv2.transpose(mask), np.uint8)
    lit, along = PrefixSums(vertical), np.arange(len(vertical)) - len(vertical) / 2
    position, lean = found[:, 0].copy(), np.tan(found[:, 1])
    for reach in reaches:
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
        """How many lie before each pixel, row by row."""
        np.cumsum(lit, out=self._before[1:])
        places = np.flatnonzero(lit) % mask.shape[1]
        self._sums = np.concatenate(([0], np.cumsum(places)))
        """The sum of the positions of the first n."""

    def near(self, centre: Floats, reach: float) -> tuple[Floats, Floats]:
        """(lines, h) each: how many of a row lie within ``reach`` of a line, and the sum of how far.

        ``centre`` (lines, h): where the line crosses the row.
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
