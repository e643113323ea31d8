"""One axis of a lattice: peaks in a line profile, and the even spacings that explain them.

A peak has a place on the axis, in pixels of the view, and a height, from 0 to 1. The lines of a spacing are
numbered from its start; a step is a place in pitches from there.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.image.picture import Frame
from flowvision.log import made_of
from flowvision.vision.board import BoardRegion
from flowvision.vision.pixels.lines import Axis, LinePixels, line_pixels, mean_along
from flowvision.vision.pixels.view import Floats, Mask, View
from flowvision.vision.settings import GRID, LINES

ROUNDING = 1e-9  # share of a score: more than rounding errors, which depend on the order of its factors


class Spacing(Struct, frozen=True):
    """``count`` cells of ``pitch`` pixels between ``count + 1`` lines; the first line is at ``start``."""

    start: float
    pitch: float
    count: int
    score: float
    """0 to 1: the share of line height that it explains, less what lies between its lines or is missing."""
    residual: float
    """Root mean square distance of the lines seen from the lattice, in pixels, weighted by squared height."""

    def extended(self, size: int, rims: tuple[bool, bool]) -> Spacing:
        """Return the lines continued over a view, ``size`` pixels long on this axis.

        ``rims``: whether the view starts and ends with the picture, whose edge may cut off a part of a cell.
        """
        # Added before rounding down: at a rim, ``GRID.closure`` of a cell and more counts as a cell.
        cut_before, cut_after = (1 - GRID.closure if is_rim else 0.0 for is_rim in rims)
        before = floor(self.start / self.pitch + cut_before)
        end = self.start + self.pitch * self.count
        after = floor((size - 1 - end) / self.pitch + cut_after)
        start = self.start - before * self.pitch
        return replace(self, start=start, count=self.count + before + after)

    def cut(self, pieces: slice) -> Spacing:
        """Return the lines round some of its cells, by number."""
        return replace(self, start=self.start + pieces.start * self.pitch, count=pieces.stop - pieces.start)


Pair = tuple[Spacing, Spacing]  # the spacings of columns and of rows


def straightness(residual_px: float, pitch_px: float) -> float:
    """Return 1 if all lines lie on the lattice, 0 for residuals from ``residual_max`` pitches."""
    return max(0.0, 1 - residual_px / GRID.residual_max / pitch_px)


def find_peaks(profile: Floats, sharpness: Floats, lower: float) -> tuple[Floats, Floats]:
    """Return places (to a fraction of a pixel) and heights (N,) of the peaks of ``profile`` from ``lower``.

    ``profile``, ``sharpness``: a number per pixel. A place is the mean of the pixels of its peak, weighted by
    the cube of their sharpness.
    """
    above_threshold = np.flatnonzero(profile >= max(lower, 1e-9))
    if above_threshold.size == 0:
        return np.empty(0), np.empty(0)
    peak_starts = np.flatnonzero(np.diff(above_threshold, prepend=-2) > 1)
    weights = sharpness[above_threshold] ** 3 + 1e-9
    places = np.add.reduceat(above_threshold * weights, peak_starts) / np.add.reduceat(weights, peak_starts)
    return places, np.maximum.reduceat(profile[above_threshold], peak_starts)


def find_spacings(places: Floats, heights: Floats, tolerance: float = GRID.spacing) -> list[Spacing]:
    """Return even spacings through the peaks, best first; ``places``, ``heights`` (N,): of the peaks.

    Every two nearby peaks propose a start and a pitch, whose lines explain the peaks within
    ``tolerance``, in pitches.
    """
    if len(places) > GRID.peaks:
        highest = np.sort(np.argpartition(-heights, GRID.peaks)[: GRID.peaks])
        places, heights = places[highest], heights[highest]
    # Squared: artefacts make many low peaks, grid lines few high ones.
    heights = heights**2
    peaks = list(zip(places.tolist(), heights.tolist(), strict=True))
    best_of: dict[tuple[int, int, int], Spacing] = {}
    for start, pitch, upper_score in _fitted(places, heights, *_proposals(places), tolerance):
        known_scores = sorted(known.score for known in best_of.values())
        if len(known_scores) >= GRID.fits and upper_score < known_scores[-GRID.fits]:
            break  # no later one can be among the best
        spacing = _explain(peaks, start, pitch, tolerance)
        if spacing is None:
            continue
        key = (round(spacing.pitch), spacing.count, round(spacing.start))
        if key not in best_of or best_of[key].score < spacing.score:
            best_of[key] = spacing
    return sorted(best_of.values(), key=lambda spacing: -spacing.score)[: GRID.fits]


class _Fitted(NamedTuple):
    """A start and a pitch, in pixels, and an upper bound of the score of their spacing, from 0 to 1."""

    start: float
    pitch: float
    upper_score: float


def _proposals(places: Floats) -> tuple[Floats, Floats]:
    """Return starts and pitches (K,) that every two peaks near one another propose, in pixels.

    Of those equal to half a pixel, the first.
    """
    first, second = np.triu_indices(len(places), 1)
    start = places[first]
    pitch = places[second] - places[first]
    is_near = (second - first <= GRID.peak_neighbours) & (pitch >= GRID.pitch_min_px)
    start, pitch = start[is_near], pitch[is_near]
    half_px = np.round(2 * (pitch + 1j * (start % pitch)))  # as one number: NumPy takes long over pairs
    distinct = np.sort(np.unique(half_px, return_index=True)[1])
    return start[distinct], pitch[distinct]


def _fitted(places: Floats, heights: Floats, start: Floats, pitch: Floats, tolerance: float) -> list[_Fitted]:
    """Return proposals ``start``, ``pitch`` (K,), fitted to all peaks (N,) near their lines, likeliest first.

    Fitted twice, by weighted least squares. Of those with the same peaks on their lines and one pitch, the
    first.
    """
    for _ in range(2):
        line_numbers, is_on_line = _nearest(places, start, pitch, tolerance)
        weight = heights * is_on_line
        weight_sum = np.maximum(weight.sum(axis=1), 1e-300)
        mean_line = (weight * line_numbers).sum(axis=1) / weight_sum
        mean_place = weight @ places / weight_sum
        line_offset = line_numbers - mean_line[:, None]
        place_offset_px = places - mean_place[:, None]
        spread = (weight * line_offset * line_offset).sum(axis=1)
        slope = (weight * line_offset * place_offset_px).sum(axis=1) / np.maximum(spread, 1e-300)
        is_fitted = (is_on_line.sum(axis=1) >= GRID.lines_min) & (spread > 0) & (slope > 0)
        start, pitch = (mean_place - slope * mean_line)[is_fitted], slope[is_fitted]
    _, is_on_line = _nearest(places, start, pitch, tolerance)
    upper_scores = is_on_line @ heights / max(heights.sum(initial=0.0), 1e-300)
    first_of: dict[tuple[bytes, float], _Fitted] = {}
    all_fitted = map(_Fitted, start.tolist(), pitch.tolist(), upper_scores.tolist())
    for is_on, fitted in zip(is_on_line, all_fitted, strict=True):
        first_of.setdefault((is_on.tobytes(), round(fitted.pitch, 3)), fitted)
    return sorted(first_of.values(), key=lambda fitted: -fitted.upper_score)


def _nearest(places: Floats, start: Floats, pitch: Floats, tolerance: float) -> tuple[Floats, Mask]:
    """Return (K, N) each: the number of each spacing's line nearest to each peak; if the peak is on it."""
    steps = (places - start[:, None]) / pitch[:, None]
    line_numbers = np.round(steps)
    return line_numbers, np.abs(steps - line_numbers) <= tolerance


def _explain(
    peaks: list[tuple[float, float]], start: float, pitch: float, tolerance: float
) -> Spacing | None:
    """Return the run of lines that explains most of the peaks; ``None`` if too few.

    ``peaks``: their places and heights. ``start``, ``pitch``: of the lines, which go on at both ends.
    """
    steps = [((place - start) / pitch, height) for place, height in peaks]
    lines_near = [
        (line, step, height) for step, height in steps if abs(step - (line := round(step))) <= tolerance
    ]
    if len(lines_near) < GRID.lines_min:
        return None
    first, last = _best_run([(line, height) for line, _, height in lines_near])
    if last - first < GRID.lines_min - 1:
        return None
    lines_inside = [(line, step, height) for line, step, height in lines_near if first <= line <= last]
    explained = sum(height for _, _, height in lines_inside)
    between = sum(height for step, height in steps if first < step < last)
    left_over = between - sum(height for _, step, height in lines_near if first < step < last)
    if explained <= left_over:
        return None
    present_share = len({line for line, _, _ in lines_inside}) / (last - first + 1)
    score = (explained - left_over) / sum(height for _, height in peaks) * present_share
    squared_offset = sum(height * (step - line) ** 2 for line, step, height in lines_inside)
    residual = pitch * sqrt(squared_offset / explained)
    return Spacing(start + first * pitch, pitch, last - first, score, residual)


def _best_run(lines: list[tuple[int, float]]) -> tuple[int, int]:
    """Return the first and last number of the run of lines with the largest sum of heights.

    ``lines``: numbers, rising, and heights. A missing line costs the mean height: the largest sum of a
    subarray (Kadane).
    """
    cost = sum(height for _, height in lines) / len(lines)
    largest_sum = -1.0
    best_run = (0, 0)
    first, previous, run_sum = lines[0][0], lines[0][0], 0.0
    for line, height in lines:
        run_sum -= max(0, line - previous - 1) * cost
        if run_sum < 0:
            first, run_sum = line, 0.0
        run_sum += height
        previous = line
        if run_sum > largest_sum:
            largest_sum = run_sum
            best_run = (first, line)
    return best_run


def score_upper_bound(pair: Pair, view: View) -> float:
    """Return an upper bound of the scores of a lattice's blocks: that of all of it, with every side seen."""
    cols, rows = extend(pair, view)
    upper = line_score(pair) * squareness(cols, rows) * share_of(view, cols, rows) ** GRID.area_power
    return float((1 + ROUNDING) * upper)


def line_score(pair: Pair) -> float:
    """Return 0 to 1: the score of two spacings as an explanation of the lines, the lower one of theirs."""
    return min(pair[0].score, pair[1].score)


def extend(pair: Pair, view: View) -> Pair:
    """Return two spacings continued over the whole view."""
    cols, rows = (
        spacing.extended(size, rims) for spacing, size, rims in zip(pair, view.size, view.rims, strict=True)
    )
    return cols, rows


def squareness(cols: Spacing, rows: Spacing) -> float:
    """Return the shorter side of a cell by its longer one, from 0 to 1."""
    return min(cols.pitch, rows.pitch) / max(cols.pitch, rows.pitch)


def share_of(view: View, cols: Spacing, rows: Spacing) -> float:
    """Return the share of a view that a lattice covers; above 1 where it reaches beyond it."""
    return max(0.0, cols.count * rows.count * cols.pitch * rows.pitch / (view.size[0] * view.size[1]))


def lattice_frame(view: View, cols: Spacing, rows: Spacing) -> Frame:
    """Return the map from the cells of a lattice to the picture of the view."""
    return view.placed(Frame.of_box(cols.start, rows.start, cols.pitch, rows.pitch).homography)


class GridEvidence(Struct, frozen=True, eq=False):
    """Lines of a ``view`` of a region: ``axes``, vertical ones, then horizontal ones.

    ``spacings``: of each axis, those that explain its peaks, the likeliest first.
    """

    region: BoardRegion
    view: View
    axes: tuple[LinePixels, LinePixels]
    spacings: tuple[list[Spacing], list[Spacing]]

    source = made_of("region")


def line_evidence(region: BoardRegion, view: View) -> GridEvidence:
    """Return the lines of a view of a region, and their spacings."""
    upright, level = line_pixels(view, axis=0), line_pixels(view, axis=1)
    return GridEvidence(
        region, view, (upright, level), (_spacings_of(upright, axis=0), _spacings_of(level, axis=1))
    )


def _spacings_of(lines: LinePixels, axis: Axis) -> list[Spacing]:
    """Return the spacings that lines across an axis show, the most likely first."""
    max_response = LINES.sharpness_max * lines.step
    _, capped_response = cv2.threshold(lines.response, max_response, 0, cv2.THRESH_TRUNC)
    sharpness = mean_along(capped_response, axis)
    return find_spacings(*find_peaks(lines.profile, sharpness, GRID.peak_share * lines.longest))
