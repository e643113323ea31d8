"""One axis of a lattice: peaks in a line profile, and the even spacings that explain them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NEIGHBOURS = 8
"""How many peaks may lie between two that propose a pitch."""


@dataclass(frozen=True, slots=True)
class Spacing:
    """``count`` cells of ``pitch`` pixels, the first line at ``start``."""

    start: float
    pitch: float
    count: int
    score: float
    """0 to 1: the line height it explains, less what it leaves unexplained or missing."""
    residual: float
    """Root mean square distance of the lines seen from the lattice, in pixels."""

    @property
    def end(self) -> float:
        """Where the last line lies."""
        return self.start + self.pitch * self.count

    def over(self, size: int, rims: tuple[bool, bool], least: float) -> Spacing:
        """The same lines carried on over all of 0 … ``size``.

        At a picture's rim the last piece may be cut off; it counts from ``least`` pitches on.
        """
        lost_before, lost_after = (1 - least if rim else 0.0 for rim in rims)
        before = int(np.floor(self.start / self.pitch + lost_before))
        after = int(np.floor((size - 1 - self.end) / self.pitch + lost_after))
        return replace(self, start=self.start - before * self.pitch, count=self.count + before + after)

    def cut(self, pieces: slice) -> Spacing:
        """The part from one piece to another."""
        return replace(self, start=self.start + pieces.start * self.pitch, count=pieces.stop - pieces.start)


def find_peaks(profile: Floats, sharpness: Floats, least: float) -> tuple[Floats, Floats]:
    """Positions (to a fraction of a pixel) and heights of the peaks of ``profile`` above ``least``.

    A peak lies where its ``sharpness`` does: JPEG blocks make a line's share of pixels wide and flat.
    """
    above = np.flatnonzero(profile >= max(least, 1e-9))
    if above.size == 0:
        return np.empty(0), np.empty(0)
    groups = np.split(above, np.flatnonzero(np.diff(above) > 1) + 1)
    weights = [sharpness[group] ** 3 + 1e-9 for group in groups]
    places = [float(group @ w / w.sum()) for group, w in zip(groups, weights, strict=True)]
    return np.array(places), np.array([float(profile[group].max()) for group in groups])


def find_spacings(
    places: Floats, heights: Floats, pitch_min: float, tolerance: float, most: int
) -> list[Spacing]:
    """Even spacings through the peaks, best first.

    Every two peaks near one another propose a start and a pitch; peaks within ``tolerance``
    (fraction of the pitch) of a multiple are explained by it.
    """
    # Squared, as artefacts make many low peaks and grid lines make high ones.
    heights = heights**2
    found: dict[tuple[int, int, int], Spacing] = {}
    proposed: set[tuple[int, int]] = set()
    for i in range(len(places) - 1):
        for j in range(i + 1, min(len(places), i + 1 + NEIGHBOURS)):
            pitch = float(places[j] - places[i])
            proposal = (round(2 * pitch), round(2 * (float(places[i]) % pitch)))
            if pitch < pitch_min or proposal in proposed:
                continue
            proposed.add(proposal)
            spacing = _explain(places, heights, float(places[i]), pitch, tolerance)
            if spacing is None:
                continue
            key = (round(spacing.pitch), spacing.count, round(spacing.start))
            if key not in found or found[key].score < spacing.score:
                found[key] = spacing
    return sorted(found.values(), key=lambda s: -s.score)[:most]


def _explain(places: Floats, heights: Floats, start: float, pitch: float, tolerance: float) -> Spacing | None:
    """The spacing fitted to all peaks near the lattice of ``start`` and ``pitch``."""
    for _ in range(2):
        steps = (places - start) / pitch
        index = np.round(steps)
        near = np.abs(steps - index) <= tolerance
        if near.sum() < 3:
            return None
        pitch, start = _weighted_line(index[near], places[near], heights[near])
        if pitch <= 0:
            return None
    steps = (places - start) / pitch
    index = np.round(steps).astype(int)
    near = np.abs(steps - index) <= tolerance
    if near.sum() < 3:
        return None
    first, last = _best_run(index[near].astype(np.int_), heights[near])
    if last - first < 2:
        return None
    inside = near & (index >= first) & (index <= last)
    between = ~near & (steps > first) & (steps < last)
    present = len(set(index[inside].tolist())) / (last - first + 1)
    explained = heights[inside].sum() - heights[between].sum()
    score = float(max(0.0, explained / heights.sum()) * present)
    residual = float(np.sqrt(np.mean(((steps - index)[inside] * pitch) ** 2)))
    return Spacing(start + first * pitch, pitch, int(last - first), score, residual)


def _weighted_line(x: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """Slope and intercept of the weighted least squares line."""
    total = weight.sum()
    mean_x, mean_y = weight @ x / total, weight @ y / total
    spread = weight @ (x - mean_x) ** 2
    if spread <= 0:
        return 0.0, float(mean_y)
    slope = float(weight @ ((x - mean_x) * (y - mean_y)) / spread)
    return slope, float(mean_y - slope * mean_x)


def _best_run(index: NDArray[np.int_], heights: Floats) -> tuple[int, int]:
    """The run of line numbers with most height, where a missing line costs a mean one."""
    cost = float(heights.mean())
    best, best_run = -1.0, (0, 0)
    start, before, total = int(index[0]), int(index[0]), 0.0
    for key, height in zip(index.tolist(), heights.tolist(), strict=True):
        total -= max(0, key - before - 1) * cost
        if total < 0:
            start, total = key, 0.0
        total += height
        before = key
        if total > best:
            best, best_run = total, (start, key)
    return best_run
