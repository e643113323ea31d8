"""Where a lattice of flat-topped hexagons lies, from all thin lines of a region at once.

Pipes and letters may hide most lines; the rest still repeats. The height of a cell comes from the lines'
autocorrelation, the place of the lattice from folding all lines into one of its repeating oblongs and
correlating that with a hexagon.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import GridSettings, HexagonSettings
from flowvision.vision.special.hexagon_geometry import HEIGHT

Singles = NDArray[np.float32]

Pixels = NDArray[np.intp]


class Points(NamedTuple):
    """The pixels of lines, and the width and height of the picture that they lie in."""

    x: Pixels
    y: Pixels
    size: tuple[int, int]


STEP_PX = 0.5
"""Between two heights that are tried."""
NEIGHBOURS = 4
"""Heights on both sides of a peak that must be lower: 2 px."""
MAX_POINTS = 12_000
"""Pixels of lines that are folded; of more, evenly spread ones."""
GROWTHS = (0.012, 0.006, 0.003, 0.0015, 0.0008)
"""By which the scales of the lattice are changed, in ever finer steps."""
FOLDED = (round(96 * HEIGHT), 96 * 3 // 2)
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, 96 to a width."""


def periods(lines: Gray, hexagons: HexagonSettings, grid: GridSettings) -> list[float]:
    """How high hexagons may be, in pixels, likeliest first: where lines repeat in all three directions.

    From their autocorrelation, at the lag of a cell upwards and at those of both slanted neighbours. At least
    three cells must fit into the picture.
    """
    heights = np.arange(grid.pitch_min_px * 2, min(lines.shape) / grid.cells_min, STEP_PX)
    if not heights.size:
        return []
    reach = min(lines.shape) // grid.cells_min + 2
    repeats = _autocorrelation(lines, reach)
    lags = np.arange(reach)
    overlap = np.outer(lines.shape[0] - lags, lines.shape[1] - lags)
    near = np.maximum(repeats[:reach, :reach], 0) / overlap
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    upwards = np.maximum(repeats[-lags, :reach], 0) / overlap
    near, upwards = (np.asarray(cv2.dilate(part, np.ones((3, 3))), np.float64) for part in (near, upwards))
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    score = np.minimum(near[rows, 0], np.minimum(near[halves, cols], upwards[halves, cols]))
    around = np.pad(score, NEIGHBOURS, constant_values=-np.inf)
    highest = np.lib.stride_tricks.sliding_window_view(around, 2 * NEIGHBOURS + 1).max(axis=1)
    peaks = np.flatnonzero((score > hexagons.period_peak * score.max()) & (score == highest))
    peaks = peaks[(peaks > 0) & (peaks < len(score) - 1)]
    apart: list[float] = []
    for n in sorted(peaks, key=lambda n: -score[n]):
        if all(abs(heights[n] / other - 1) > hexagons.period_alike for other in apart):
            apart.append(float(heights[n]))
    return apart


def frame_of(lines: Gray, height_px: float, width_px: int, hexagons: HexagonSettings) -> Frame | None:
    """The frame, in view pixels, of the lattice of that height: where the folded lines match a hexagon best.

    Its scales across and down are tried a little larger and smaller, in ever finer steps; ``None`` where
    the match is too poor after the coarsest of them. ``width_px``: how wide lines may be.
    """
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    points = Points(x, y, (lines.shape[1], lines.shape[0]))
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    sought = _pattern(max(hexagons.line_min, hexagons.line * width_px / float(scale[0])))
    best, shift = _matched(points, scale, sought)
    for step in GROWTHS:
        for grown in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                tried = scale * (1 + sign * step * np.array(grown))
                score, moved = _matched(points, tried, sought)
                if score > best:
                    best, scale, shift = score, tried, moved
        if best < hexagons.match:
            return None
    return Frame.of_box(
        float(shift[0] * scale[0]), float(shift[1] * scale[1]), float(scale[0]), float(scale[1])
    )


def _autocorrelation(lines: Gray, reach: int) -> Singles:
    """How well the lines agree with themselves at every lag up to ``reach``, (0, 0) first."""
    height, width = lines.shape
    # Twice a width that suits a half: transforms of odd widths take twice as long.
    size = cv2.getOptimalDFTSize(height + reach), 2 * cv2.getOptimalDFTSize((width + reach + 1) // 2)
    padded = np.zeros(size, np.float32)
    ink = padded[:height, :width]
    np.divide(lines, np.float32(255), out=ink)
    ink -= ink.mean()
    # Each in the place of the one before: new memory for them would take a third of the time.
    # Told that the last rows are 0, OpenCV would not choose the transform that is three times as fast.
    cv2.dft(padded, padded)
    cv2.mulSpectrums(padded, padded, 0, padded, conjB=True)
    cv2.dft(padded, padded, cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    return padded


def _correlated(spectrum: Singles, sought: Singles) -> Singles:
    """How well two pictures agree at every lag, (0, 0) first, from their spectra as OpenCV packs them."""
    product = cv2.mulSpectrums(spectrum, sought, 0, conjB=True)
    flags = cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT
    return np.asarray(cv2.dft(product, flags=flags), np.float32)


def _matched(points: Points, scale: Floats, sought: Singles) -> tuple[float, Floats]:
    """How well lines folded into the lattice's oblong (of two hexagons) match its sides, and where.

    Where: the middle of a hexagon, in widths of one.
    """
    # Looked up for every row and column of the picture, not worked out for every point.
    width, height = points.size
    rows = (np.arange(height) * (FOLDED[0] / scale[1] / HEIGHT)).astype(np.int64) % FOLDED[0]
    cols = (np.arange(width) * (FOLDED[1] / scale[0] / 1.5)).astype(np.int64) % FOLDED[1]
    places = (rows * FOLDED[1]).take(points.y)
    places += cols.take(points.x)
    folded = np.bincount(places, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED)
    match = _correlated(np.asarray(cv2.dft(folded.astype(np.float32)), np.float32), sought)
    row, col = divmod(int(match.argmax()), FOLDED[1])
    score = float(match[row, col]) / len(points.x)
    return score, np.array([col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT])


def _pattern(width: float) -> Singles:
    """The spectrum of what is looked for: the sides of hexagons in the oblong, one of them round (0, 0).

    1 on the sides, below 0 elsewhere; ``width``: half of that of the lines, in widths of a hexagon.
    """
    ridge = np.exp(-(((HEIGHT / 2 - _away()) / width) ** 2))
    return np.asarray(cv2.dft((ridge - ridge.mean()).astype(np.float32)), np.float32)


@cache
def _away() -> Floats:
    """How far every pixel of the oblong is from the middle of its hexagon, in widths, sides being level."""
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT
    away = np.full(FOLDED, np.inf)
    for cx, cy in ((0, 0), (1.5, 0), (0, HEIGHT), (1.5, HEIGHT), (0.75, HEIGHT / 2)):
        dx, dy = np.abs(x - cx), np.abs(y - cy)
        away = np.minimum(away, np.maximum(dy, HEIGHT * dx + dy / 2))
    return away
