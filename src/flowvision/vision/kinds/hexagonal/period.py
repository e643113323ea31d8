"""How high the hexagons of a lattice may be, from all thin lines of a region at once.

Pipes and letters may hide most lines; the rest still repeats. The height of a cell comes from the lines'
autocorrelation.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.vision.kinds.hexagonal.geometry import HEIGHT
from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import GridSettings, HexagonSettings

Singles = NDArray[np.float32]

STEP_PX = 0.5
"""Between two heights that are tried."""
NEIGHBOURS = 4
"""Heights on both sides of a peak that must be lower: 2 px."""


def periods(lines: Gray, hexagons: HexagonSettings, grid: GridSettings) -> list[float]:
    """How high hexagons may be, in pixels, likeliest first: where lines repeat in all three directions.

    From their autocorrelation, at the lag of a cell upwards and at those of both slanted neighbours. At least
    three cells must fit into the picture.
    """
    heights = np.arange(grid.pitch_min_px * 2, min(lines.shape) / grid.cells_min, STEP_PX)
    if not heights.size:
        return []
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    # A place and all round it; of the lags straight upwards nothing else is asked.
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
    """How well lines in a picture of this shape repeat at every lag or beside it, per pixel.

    ``repeats``: their autocorrelation; ``way``: 1 for lags down, -1 for lags up; ``lags``: how many down or
    up, and to the right.
    """
    down, right = (np.arange(number) for number in lags)
    overlap = np.outer(shape[0] - down, shape[1] - right)
    agreeing = np.maximum(repeats[way * down, : lags[1]], 0) / overlap
    return np.asarray(cv2.dilate(agreeing, np.ones((3, 3))), np.float64)


def _autocorrelation(lines: Gray, down: int, right: int) -> Singles:
    """How well the lines agree with themselves at every lag up to these, up, down and aside, (0, 0) first."""
    height, width = lines.shape
    # Twice a width that suits a half: transforms of odd widths take twice as long.
    size = cv2.getOptimalDFTSize(height + down), 2 * cv2.getOptimalDFTSize((width + right + 1) // 2)
    # 1 on lines and 0 elsewhere, less their mean, in half of NumPy's time.
    ink = cv2.addWeighted(lines, 1 / 255, lines, 0, -cv2.mean(lines)[0] / 255, dtype=cv2.CV_32F)
    beyond = size[0] - height, size[1] - width
    padded = np.asarray(cv2.copyMakeBorder(ink, 0, beyond[0], 0, beyond[1], cv2.BORDER_CONSTANT), np.float32)
    # Each in the place of the one before: new memory for them would take a third of the time.
    # Told that the last rows are 0, OpenCV would not choose the transform that is three times as fast.
    cv2.dft(padded, padded)
    cv2.mulSpectrums(padded, padded, 0, padded, conjB=True)
    cv2.dft(padded, padded, cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    return padded
