"""Measurements of a whole picture: sharp, even, tinted, compressed; and of the surroundings of a board."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr
from flowvision.image.pixels import pixels_at
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import Floats, brightest_channel, lab_of

TILES = 8
"""Tiles along the shorter side of the picture; the sharpest edge of each is measured."""
TILE_MIN_PX = 32
RISE = 40
"""Smallest range of brightness of a tile with an edge."""
SHARPEST = 10
"""Percentile over the tiles: a sharp picture has sharp edges nearly everywhere."""
BLURRED_PX = 6.0
"""Pixels from dark to bright. Screenshots and photographs of 300 measured 2.0 to 2.6, a blur that hides the
lines 14 and more."""
EVEN = 0.08
"""Share of the pixels without a gradient: photographs have 0.04 and fewer, other pictures 0.11 and more."""


def sharpness_of(bgr: Bgr) -> tuple[float, float]:
    """Return the pixels from dark to bright at the sharpest edges, and the share of even pixels.

    The edges are those of most tiles of the picture; 0.0 without any.
    """
    gray = brightest_channel(bgr)
    across, down = (np.abs(cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, ksize=3)) for dx in (1, 0))
    slope, size, widths = np.asarray(np.maximum(across, down)), max(TILE_MIN_PX, min(gray.shape) // TILES), []
    for y, x in product(range(0, gray.shape[0], size), range(0, gray.shape[1], size)):
        tile = gray[y : y + size, x : x + size]
        rise = int(tile.max()) - int(tile.min())
        if rise >= RISE:
            # Sobel's weights sum up to 8: a step of one grey level in one pixel gives 4.
            widths.append(rise / max(1.0, float(slope[y : y + size, x : x + size].max()) / 8))
    return float(np.percentile(widths, SHARPEST)) if widths else 0.0, float((slope == 0).mean())


SPECK, FEW_NEAR = 64, 2.5
"""Difference in brightness of a speck from the median of its neighbours; number in 5 by 5 pixels that is no
speck but something fine, such as text."""
STREWN = 0.008
"""Share of the pixels that are specks: of 145 other pictures the most had 0.005, those with 2 % of salt and
pepper 0.011 and more."""


def specks_of(bgr: Bgr) -> float:
    """Return the share of a picture's pixels that differ from all round them."""
    off = cv2.absdiff(bgr, cv2.medianBlur(bgr, 3)).max(axis=2) > SPECK
    near = cv2.boxFilter(off.astype(np.float32), -1, (5, 5), normalize=False)
    return float((off & (near < FEW_NEAR)).mean())


STEP = 3
"""Stride in pixels for measuring a whole picture."""
BLOCK = 8
"""Side of a JPEG block, in pixels."""
ABOVE = 1.05
"""Steps between blocks relative to those elsewhere; 1.0 along lines of a board."""
GRID = 5
"""Points sampled along either side of a cell."""
FOREIGN = 12.0
"""Distance from the ground's colour, in Lab; glow behind boards differs by up to 12."""
FULL = 0.7
"""Share of points of a place beside the board that a banner with text and pictures exceeds."""


def brightness_range(bgr: Bgr) -> tuple[float, float]:
    """Return the darkest and the brightest part of a picture, less a thousandth at either end."""
    low, high = np.percentile(brightest_channel(bgr[::STEP, ::STEP]), (0.1, 99.9))
    return float(low), float(high)


def cast(bgr: Bgr) -> tuple[float, float, float]:
    """Return the brightness of blue, green and red, relative to the brightest of the three."""
    most = np.percentile(bgr[::STEP, ::STEP].reshape(-1, 3), 99.9, axis=0)
    blue, green, red = (most / max(1.0, float(most.max()))).tolist()
    return blue, green, red


def blockiness(bgr: Bgr) -> float:
    """Return the ratio of brightness steps between JPEG blocks to those within; 1 without blocks.

    Lines at distances of whole blocks make steps on both sides, blocks only where they meet.
    """
    gray = brightest_channel(bgr).astype(np.int16)
    ratios = []
    for axis in (0, 1):
        steps = np.abs(np.diff(gray, axis=axis)).mean(axis=1 - axis)
        at = np.arange(1, len(steps) + 1) % BLOCK == 0
        if len(steps) < BLOCK:
            return 1.0
        between, inside = float(steps[at].mean()), float(steps[~at].mean())
        rival = max(float(steps[place::BLOCK].mean()) for place in range(BLOCK - 1))
        ratios.append((between + 0.02) / (inside + 0.02) if between > ABOVE * rival else 1.0)
    return min(ratios)


def foreign_beside(bgr: Bgr, fit: Fit, side: int, ground: Floats) -> float:
    """Return the share of places beside a lattice's side that are not the ground's colour (Lab)."""
    assert fit.size is not None
    rows, cols = fit.size
    count = rows if side % 2 == 0 else cols
    across = (-0.5, -0.5, cols + 0.5, rows + 0.5)[side]
    places = np.array([(across, n + 0.5) if side % 2 == 0 else (n + 0.5, across) for n in range(count)])
    return float(_is_foreign(bgr, fit, places, ground).mean())


def _is_foreign(bgr: Bgr, fit: Fit, centres: Floats, ground: Floats) -> NDArray[np.bool_]:
    steps = np.linspace(-0.35, 0.35, GRID)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    points = fit.frame.to_px((centres[:, None] + offsets).reshape(-1, 2)).reshape(len(centres), -1, 2)
    pixels, is_there = pixels_at(bgr, points)
    away = np.linalg.norm(lab_of(np.ascontiguousarray(pixels)) - ground, axis=2) >= FOREIGN
    return np.asarray((away & is_there).mean(axis=1) >= FULL)
