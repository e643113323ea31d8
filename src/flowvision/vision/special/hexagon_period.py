"""Where a lattice of flat-topped hexagons lies, from all thin lines of a region at once.

Cells need not be seen one by one: pipes and letters may hide most lines, the rest still repeats. The height
of a cell comes from the lines' autocorrelation, the place from folding them into one cell of the lattice.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import Settings
from flowvision.vision.special.hexagon_geometry import HEIGHT

Singles = NDArray[np.float32]

ALIKE = 0.02
"""Heights that differ by less become one when the lattice is placed."""
FOLDED = (round(96 * HEIGHT), 96 * 3 // 2)
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, 96 to a width."""


def periods(lines: Gray, settings: Settings) -> list[float]:
    """How high hexagons may be, in pixels, likeliest first: lags at which lines repeat in three ways."""
    heights = np.arange(settings.grid.pitch_min_px * 2, min(lines.shape) / 3, 0.5)
    if not heights.size:
        return []
    ink = lines.astype(np.float32) / 255
    ink -= ink.mean()
    reach = min(ink.shape) // 3 + 2
    room = [cv2.getOptimalDFTSize(size + reach) - size for size in ink.shape]
    padded = cv2.copyMakeBorder(ink, 0, room[0], 0, room[1], cv2.BORDER_CONSTANT, value=[0])
    # To be told that the last rows are 0 keeps OpenCV from the transform that is three times as fast.
    spectrum = np.asarray(cv2.dft(padded), np.float32)
    repeats = _correlated(spectrum, spectrum)
    lags = np.arange(reach)
    overlap = np.outer(ink.shape[0] - lags, ink.shape[1] - lags)
    near = np.maximum(repeats[:reach, :reach], 0) / overlap
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    upwards = np.maximum(repeats[-lags, :reach], 0) / overlap
    near, upwards = (np.asarray(cv2.dilate(part, np.ones((3, 3))), np.float64) for part in (near, upwards))
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    score = np.minimum(near[rows, 0], np.minimum(near[halves, cols], upwards[halves, cols]))
    peaks = [
        n
        for n in range(1, len(score) - 1)
        if score[n] > 0.3 * score.max() and score[n] == score[max(0, n - 4) : n + 5].max()
    ]
    apart: list[float] = []
    for n in sorted(peaks, key=lambda n: -score[n]):
        if all(abs(heights[n] / other - 1) > ALIKE for other in apart):
            apart.append(float(heights[n]))
    return apart


def frame_of(lines: Gray, height_px: float, width_px: int, least: float) -> Frame | None:
    """The frame, in view pixels, of the lattice of that height: where the folded lines match a hexagon best.

    Its scales across and down are tried a little larger and smaller, in ever finer steps; ``None`` where
    the match is below ``least`` after the coarsest of them.
    """
    places = np.flatnonzero(lines)
    places = places[:: max(1, len(places) // 12_000)]
    y, x = (part.astype(np.float64) for part in divmod(places, lines.shape[1]))
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    sought = _pattern(max(0.02, 0.35 * width_px / float(scale[0])))
    best, shift = _matched(x, y, scale, sought)
    for step in (0.012, 0.006, 0.003, 0.0015, 0.0008):
        for grown in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                tried = scale * (1 + sign * step * np.array(grown))
                score, moved = _matched(x, y, tried, sought)
                if score > best:
                    best, scale, shift = score, tried, moved
        if best < least:
            return None
    return Frame.of_box(
        float(shift[0] * scale[0]), float(shift[1] * scale[1]), float(scale[0]), float(scale[1])
    )


def _correlated(spectrum: Singles, sought: Singles) -> Singles:
    """How well two pictures agree at every lag, (0, 0) first, from their spectra as OpenCV packs them."""
    product = cv2.mulSpectrums(spectrum, sought, 0, conjB=True)
    flags = cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT
    return np.asarray(cv2.dft(product, flags=flags), np.float32)


def _matched(x: Floats, y: Floats, scale: Floats, sought: Singles) -> tuple[float, Floats]:
    """How well lines folded into the lattice's oblong (two hexagons) match its sides, and where.

    The place is that of the middle of a hexagon, in widths.
    """
    rows = (y * (FOLDED[0] / scale[1] / HEIGHT)).astype(np.int32) % FOLDED[0]
    cols = (x * (FOLDED[1] / scale[0] / 1.5)).astype(np.int32) % FOLDED[1]
    folded = np.bincount(rows * FOLDED[1] + cols, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED)
    match = _correlated(np.asarray(cv2.dft(folded.astype(np.float32)), np.float32), sought)
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / len(x), np.array([col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT])


def _pattern(width: float) -> Singles:
    """The spectrum of what is looked for: the sides of hexagons round (0, 0) in the oblong.

    1 on them, less than 0 elsewhere; ``width`` of the lines in widths of a hexagon.
    """
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT
    away = np.full(FOLDED, np.inf)
    for cx, cy in ((0, 0), (1.5, 0), (0, HEIGHT), (1.5, HEIGHT), (0.75, HEIGHT / 2)):
        dx, dy = np.abs(x - cx), np.abs(y - cy)
        away = np.minimum(away, np.maximum(dy, HEIGHT * dx + dy / 2))
    ridge = np.exp(-(((HEIGHT / 2 - away) / width) ** 2))
    return np.asarray(cv2.dft((ridge - ridge.mean()).astype(np.float32)), np.float32)
