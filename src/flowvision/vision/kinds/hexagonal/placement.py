"""Places of a lattice of flat-topped hexagons, from all thin lines of a region at once.

The height of a cell comes from the lines' autocorrelation. All lines are then folded into one of the
lattice's repeating oblongs, which is correlated with a hexagon.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.kinds.hexagonal.fit import HEIGHT
from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import GridSettings, HexagonSettings

Singles = NDArray[np.float32]

STEP_PX = 0.5  # between two heights that are tried
NEIGHBOURS = 4  # heights on both sides of a peak that must be lower: 2 px


def periods(lines: Gray, hexagons: HexagonSettings, grid: GridSettings) -> list[float]:
    """Return likely heights of hexagons in pixels: where lines repeat in all three directions."""
    heights = np.arange(grid.pitch_min_px * 2, min(lines.shape) / grid.cells_min, STEP_PX)
    if not heights.size:
        return []
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    # Each lag and those round it; straight upwards no other lags are needed.
    up, aside = (int(rows[-1]) + 2, 2), (int(halves[-1]) + 2, int(cols[-1]) + 2)
    repeats = _autocorrelation(lines, up[0], aside[1])
    straight = _repeated(repeats, lines.shape, 1, up)[rows, 0]
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    slanted = [_repeated(repeats, lines.shape, way, aside)[halves, cols] for way in (1, -1)]
    score = np.minimum(straight, np.minimum(*slanted))
    around = np.pad(score, NEIGHBOURS, constant_values=-np.inf)
    highest = np.lib.stride_tricks.sliding_window_view(around, 2 * NEIGHBOURS + 1).max(axis=1)
    peaks = np.flatnonzero((score > hexagons.period_peak * score.max()) & (score == highest))
    peaks = peaks[(peaks > 0) & (peaks < len(score) - 1)]
    apart: list[float] = []
    for n in sorted(peaks, key=lambda n: -score[n]):
        if all(abs(heights[n] / other - 1) > hexagons.period_alike for other in apart):
            apart.append(float(heights[n]))
    return apart


def _repeated(repeats: Singles, shape: tuple[int, ...], way: int, lags: tuple[int, int]) -> Floats:
    """Return how well lines in a picture of this shape repeat at every lag or beside it, per pixel.

    ``way``: 1 for lags down, -1 for lags up; ``lags``: how many down or up, and to the right.
    """
    down, right = (np.arange(number) for number in lags)
    overlap = np.outer(shape[0] - down, shape[1] - right)
    agreeing = np.maximum(repeats[way * down, : lags[1]], 0) / overlap
    return np.asarray(cv2.dilate(agreeing, np.ones((3, 3))), np.float64)


def _autocorrelation(lines: Gray, down: int, right: int) -> Singles:
    """Return the autocorrelation of the lines at every lag up to these, (0, 0) first."""
    height, width = lines.shape
    # Twice a width that suits a half: transforms of odd widths take twice as long.
    size = cv2.getOptimalDFTSize(height + down), 2 * cv2.getOptimalDFTSize((width + right + 1) // 2)
    # 1 on lines and 0 elsewhere, less their mean, in half of NumPy's time.
    ink = cv2.addWeighted(lines, 1 / 255, lines, 0, -cv2.mean(lines)[0] / 255, dtype=cv2.CV_32F)
    beyond = size[0] - height, size[1] - width
    padded = np.asarray(cv2.copyMakeBorder(ink, 0, beyond[0], 0, beyond[1], cv2.BORDER_CONSTANT), np.float32)
    # Each in the place of the one before: new memory for them would take a third of the time.
    # It is not told that the last rows are 0: it would choose a transform that is a third as fast.
    cv2.dft(padded, padded)
    cv2.mulSpectrums(padded, padded, 0, padded, conjB=True)
    cv2.dft(padded, padded, cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    return padded


Pixels = NDArray[np.intp]

MAX_POINTS = 12_000  # pixels of lines that are folded; of more, evenly spread ones
GROWTHS = (0.012, 0.006, 0.003, 0.0015, 0.0008)
"""By which the scales of the lattice are changed, in ever finer steps."""
ROUNDING = 2e-6  # by how much sums in single precision may differ: what is better by less is as good
FOLDED = 84, 144
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, about 96 to a width.

Both are products of small primes: to transform 83 rows takes twice as long."""
LAGS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))
"""Pixels of the oblong by which the best place may move when a scale is changed a little."""


class Points(NamedTuple):
    """Pixels of lines (N,) in a view of this shape; they are folded round their ``middle``, (x, y)."""

    y: Pixels
    x: Pixels
    shape: tuple[int, ...]
    middle: Floats


def frame_of(lines: Gray, height_px: float, width_px: int, hexagons: HexagonSettings) -> Frame | None:
    """Return the frame of the lattice of that height where folded lines match a hexagon best.

    Its scales across and down are tried in ever finer steps; ``None`` where the match is too poor after the
    coarsest. ``width_px``: how wide lines may be.
    """
    points = _points(lines)
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    pattern = _pattern(max(hexagons.line_min, hexagons.line * width_px / float(scale[0])))
    best, place = _matched(points, scale, pattern)
    near = _moved(pattern, place)
    for step in GROWTHS:
        for grown in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                tried = scale * (1 + sign * step * np.array(grown))
                matches = near @ _folded(points, tried).ravel() / max(1, len(points.x))
                lag = int(matches.argmax())
                if matches[lag] > (1 + ROUNDING) * best:
                    best, scale = float(matches[lag]), tried
                    place = place[0] + LAGS[lag][0], place[1] + LAGS[lag][1]
                    near = _moved(pattern, place)
        if best < hexagons.match:
            return None
    corner = points.middle + scale * (place[1] / FOLDED[1] * 1.5, place[0] / FOLDED[0] * HEIGHT)
    return Frame.of_box(float(corner[0]), float(corner[1]), float(scale[0]), float(scale[1]))


def _points(lines: Gray) -> Points:
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    return Points(y, x, lines.shape, np.round([x.mean(), y.mean()]) if len(places) else np.zeros(2))


def _folded(points: Points, scale: Floats) -> Singles:
    """Return (rows, cols) as ``FOLDED``: how many points fall on every place of the oblong."""
    axes = zip(points.shape, points.middle[::-1], scale[::-1], FOLDED, (HEIGHT, 1.5), strict=True)
    # Looked up for every row or column of the picture, not worked out for every point.
    rows, cols = (
        np.floor((np.arange(size) - middle) * (folded / across / period)).astype(np.intp) % folded
        for size, middle, across, folded, period in axes
    )
    places = rows.take(points.y) * FOLDED[1] + cols.take(points.x)
    return np.bincount(places, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED).astype(np.float32)


def _matched(points: Points, scale: Floats, pattern: Singles) -> tuple[float, tuple[int, int]]:
    """Return how well lines folded into the oblong match the sides of hexagons, and where (row, col)."""
    lines, sides = (np.asarray(cv2.dft(one), np.float32) for one in (_folded(points, scale), pattern))
    product = cv2.mulSpectrums(lines, sides, 0, conjB=True)
    match = np.asarray(cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT))
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / max(1, len(points.x)), (row, col)


def _moved(pattern: Singles, place: tuple[int, int]) -> Singles:
    """Return (lags, pixels): the pattern at a place of the oblong and at its neighbours."""
    moved = [np.roll(pattern, (place[0] + down, place[1] + right), (0, 1)) for down, right in LAGS]
    return np.reshape(moved, (len(LAGS), -1))


def _pattern(width: float) -> Singles:
    """Return the sides of hexagons in the oblong, one of them round (0, 0): 1 on sides, below 0 elsewhere."""
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT
    away = np.full(FOLDED, np.inf)  # from the middle of its hexagon, in widths
    for cx, cy in ((0, 0), (1.5, 0), (0, HEIGHT), (1.5, HEIGHT), (0.75, HEIGHT / 2)):
        dx, dy = np.abs(x - cx), np.abs(y - cy)
        away = np.minimum(away, np.maximum(dy, HEIGHT * dx + dy / 2))
    ridge = np.exp(-(((HEIGHT / 2 - away) / width) ** 2))
    return np.asarray(ridge - ridge.mean(), np.float32)
