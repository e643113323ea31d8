"""Where a lattice of flat-topped hexagons lies, from all thin lines of a region at once.

Pipes and letters may hide most lines; the rest still repeats. The height of a cell comes from the lines'
autocorrelation, the place of the lattice from folding all lines into one of its repeating oblongs and
correlating that with a hexagon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
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
Folding = Callable[[float], Pixels]


class Points(NamedTuple):
    """Where the pixels of lines fall when they are folded, by the scale: their rows and columns."""

    rows: Folding
    cols: Folding
    number: int


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


def frame_of(lines: Gray, height_px: float, width_px: int, hexagons: HexagonSettings) -> Frame | None:
    """The frame, in view pixels, of the lattice of that height: where the folded lines match a hexagon best.

    Its scales across and down are tried a little larger and smaller, in ever finer steps; ``None`` where
    the match is too poor after the coarsest of them. ``width_px``: how wide lines may be.
    """
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    down, across = (y, lines.shape[0], FOLDED[0], HEIGHT), (x, lines.shape[1], FOLDED[1], 1.5)
    points = Points(_folding(*down, FOLDED[1]), _folding(*across), len(places))
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    sought = _pattern(max(hexagons.line_min, hexagons.line * width_px / float(scale[0])))
    ((best, shift),) = _matched(points, [scale], sought)
    for step in GROWTHS:
        for grown in ((1, 1), (1, 0), (0, 1)):
            smaller, larger = (scale * (1 + sign * step * np.array(grown)) for sign in (-1, 1))
            below, above = _matched(points, [smaller, larger], sought)
            if below[0] > best:
                (best, shift), scale = below, smaller
                larger = scale * (1 + step * np.array(grown))
                (above,) = _matched(points, [larger], sought)
            if above[0] > best:
                (best, shift), scale = above, larger
        if best < hexagons.match:
            return None
    return Frame.of_box(
        float(shift[0] * scale[0]), float(shift[1] * scale[1]), float(scale[0]), float(scale[1])
    )


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


def _folding(at: Pixels, size: int, folded: int, period: float, apart: int = 1) -> Folding:
    """Where points at rows (or columns) ``at`` of a picture of ``size`` fall by scale, times ``apart``.

    ``folded``: into how many; ``period``: how far they reach, in widths of a hexagon.
    """
    steps = np.arange(size)

    # Scales are tried in all combinations across and down: three of each at a time.
    @lru_cache(maxsize=4)
    def at_scale(scale: float) -> Pixels:
        # Looked up for every row or column of the picture, not worked out for every point.
        return (apart * ((steps * (folded / scale / period)).astype(np.intp) % folded)).take(at)

    return at_scale


def _matched(
    points: Points, scales: Sequence[Floats], sought: NDArray[np.complex64]
) -> list[tuple[float, Floats]]:
    """How well lines folded into the lattice's oblong (of two hexagons) match its sides, and where.

    Where: the middle of a hexagon, in widths of one. ``scales``: one or two; as real and imaginary parts, two
    are transformed in seven tenths of the time.
    """
    folded, size = np.zeros((*FOLDED, 2), np.float32), FOLDED[0] * FOLDED[1]
    for n, scale in enumerate(scales):
        places = points.rows(float(scale[1])) + points.cols(float(scale[0]))
        folded[..., n] = np.bincount(places, minlength=size).reshape(FOLDED)
    product = np.asarray(cv2.dft(folded), np.float32).view(np.complex64)[..., 0] * sought
    match = cv2.dft(product.view(np.float32).reshape(folded.shape), flags=cv2.DFT_INVERSE | cv2.DFT_SCALE)
    found = []
    for part in cv2.split(match)[: len(scales)]:
        row, col = divmod(int(part.argmax()), FOLDED[1])
        where = np.array([col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT])
        found.append((float(part[row, col]) / points.number, where))
    return found


def _pattern(width: float) -> NDArray[np.complex64]:
    """The conjugate spectrum of what is looked for: the sides of hexagons in the oblong, one round (0, 0).

    1 on the sides, below 0 elsewhere; ``width``: half of that of the lines, in widths of a hexagon.
    """
    ridge = np.exp(-(((HEIGHT / 2 - _away()) / width) ** 2))
    spectrum = cv2.dft((ridge - ridge.mean()).astype(np.float32), flags=cv2.DFT_COMPLEX_OUTPUT)
    return np.asarray(spectrum, np.float32).view(np.complex64)[..., 0].conj()


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
