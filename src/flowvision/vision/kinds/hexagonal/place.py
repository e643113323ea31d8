"""Where a lattice of flat-topped hexagons of a known height lies, from all thin lines of a region at once.

All lines are folded into one of the lattice's repeating oblongs, which is correlated with a hexagon. Pipes
and letters may hide most lines; the rest still falls on the same places.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.kinds.hexagonal.geometry import HEIGHT
from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import HexagonSettings

Singles = NDArray[np.float32]
Pixels = NDArray[np.intp]
Folding = Callable[[float, int], Pixels]
Match = tuple[float, Floats]
"""How well the folded lines match, of a perfect match; the middle of a hexagon, in widths of one."""

MAX_POINTS = 12_000
"""Pixels of lines that are folded; of more, evenly spread ones."""
GROWTHS = (0.012, 0.006, 0.003, 0.0015, 0.0008)
"""By which the scales of the lattice are changed, in ever finer steps."""
ROUNDING = 2e-6
"""By how much sums in single precision may differ: what is better by less is as good."""
FOLDED = (round(96 * HEIGHT), 96 * 3 // 2)
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, 96 to a width."""
OBLONG = np.array([1.5, HEIGHT])
"""Its width and height, in widths of a hexagon."""
SECOND = FOLDED[0] // 2, FOLDED[1] // 2
"""How far the oblong's second hexagon is from the first: so many rows or one more, and so many columns."""
LAGS = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1)] + [
    (SECOND[0] + row, SECOND[1] + col) for row in (-1, 0, 1, 2) for col in (-1, 0, 1)
]
"""Where a match is looked for near an expected place: round that of the one hexagon and of the other."""
SURROUNDED = {(0, 0), SECOND, (SECOND[0] + 1, SECOND[1])}
"""Those of them all round which a match is looked for as well."""


LOOKS = 2
"""At the expected place, and where the match was best then."""


class Points(NamedTuple):
    """The pixels of lines: where they fall when they are folded, by the scale; how many; their mean, in px.

    ``rows`` and ``cols`` also take how far the oblong is moved, in its pixels.
    """

    rows: Folding
    cols: Folding
    number: int
    middle: Floats


class Sought(NamedTuple):
    """The sides of hexagons in the oblong: their spectrum, and (lags, pixels) themselves at ``LAGS``."""

    spectrum: Singles
    near: Singles


def frame_of(lines: Gray, height_px: float, width_px: int, hexagons: HexagonSettings) -> Frame | None:
    """The frame, in view pixels, of the lattice of that height: where the folded lines match a hexagon best.

    Its scales across and down are tried a little larger and smaller, in ever finer steps; ``None`` where
    the match is too poor after the coarsest of them. ``width_px``: how wide lines may be.
    """
    points = _points(lines)
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    sought = _pattern(max(hexagons.line_min, hexagons.line * width_px / float(scale[0])))
    best, shift = _matched(points, scale, sought)
    for step in GROWTHS:
        for grown in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                tried = scale * (1 + sign * step * np.array(grown))
                # By a small step the middle of all lines hardly leaves its place among the hexagons.
                expected = shift + points.middle / tried - points.middle / scale
                near = _matched_near(points, tried, expected, sought) if step < GROWTHS[0] else None
                score, moved = near or _matched(points, tried, sought)
                if score > (1 + ROUNDING) * best:
                    best, scale, shift = score, tried, moved
        if best < hexagons.match:
            return None
    return Frame.of_box(
        float(shift[0] * scale[0]), float(shift[1] * scale[1]), float(scale[0]), float(scale[1])
    )


def _points(lines: Gray) -> Points:
    """The pixels of lines; of many, some."""
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    middle = np.array([x.mean(), y.mean()]) if len(places) else np.zeros(2)
    down, across = (y, lines.shape[0], FOLDED[0], HEIGHT), (x, lines.shape[1], FOLDED[1], 1.5)
    return Points(_folding(*down, FOLDED[1]), _folding(*across), len(places), middle)


def _folding(at: Pixels, size: int, folded: int, period: float, apart: int = 1) -> Folding:
    """Where points at rows (or columns) ``at`` of a picture of ``size`` fall, times ``apart``.

    ``folded``: into how many rows; ``period``: how far these reach, in widths of a hexagon.
    """
    steps = np.arange(size)

    # Scales are tried in all combinations across and down: three of each at a time.
    @lru_cache(maxsize=4)
    def at_scale(scale: float, moved: int) -> Pixels:
        # Looked up for every row or column of the picture, not worked out for every point.
        places = (steps * (folded / scale / period)).astype(np.intp)
        return (apart * ((places - moved) % folded)).take(at)

    return at_scale


def _folded(points: Points, scale: Floats, moved: tuple[int, int] = (0, 0)) -> Singles:
    """(rows, cols) as ``FOLDED``: how many points fall on every place of the oblong, at ``moved`` first."""
    places = points.rows(float(scale[1]), moved[0]) + points.cols(float(scale[0]), moved[1])
    return np.bincount(places, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED).astype(np.float32)


def _matched(points: Points, scale: Floats, sought: Sought) -> Match:
    """How well lines folded into the lattice's oblong (of two hexagons) match its sides, and where."""
    spectrum = np.asarray(cv2.dft(_folded(points, scale)), np.float32)
    product = cv2.mulSpectrums(spectrum, sought.spectrum, 0, conjB=True)
    match = np.asarray(cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT))
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / max(1, points.number), _shift(row, col)


def _matched_near(points: Points, scale: Floats, expected: Floats, sought: Sought) -> Match | None:
    """The same where the best match lies near an expected place, in half of the time.

    ``None`` where it lies twice at the end of what is looked at, and so may lie elsewhere.
    """
    col, row = np.round(expected / OBLONG * FOLDED[::-1]).astype(int).tolist()
    for _ in range(LOOKS):
        match = sought.near @ _folded(points, scale, (row, col)).ravel()
        best = int(match.argmax())
        row, col = row + LAGS[best][0], col + LAGS[best][1]
        if LAGS[best] in SURROUNDED:
            where = _shift(row % FOLDED[0], col % FOLDED[1])
            return float(match[best]) / max(1, points.number), where
    return None


def _shift(row: int, col: int) -> Floats:
    """A place in the oblong, in widths of a hexagon."""
    return np.array([col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT])


def _pattern(width: float) -> Sought:
    """What is looked for: the sides of hexagons in the oblong, one of them round (0, 0).

    1 on the sides, below 0 elsewhere; ``width``: half of that of the lines, in widths of a hexagon.
    """
    ridge = np.exp(-(((HEIGHT / 2 - _away()) / width) ** 2))
    ridge = (ridge - ridge.mean()).astype(np.float32)
    rows, cols = FOLDED
    twice, near = np.tile(ridge, (2, 2)), np.empty((len(LAGS), rows, cols), np.float32)
    for moved, (down, right) in zip(near, LAGS, strict=True):
        top, left = -down % rows, -right % cols
        moved[:] = twice[top : top + rows, left : left + cols]
    return Sought(np.asarray(cv2.dft(ridge), np.float32), near.reshape(len(LAGS), -1))


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
