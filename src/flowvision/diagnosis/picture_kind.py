"""What a picture looks like as a whole, measured: how sharp, how even, how many boxes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr
from flowvision.value import value_type
from flowvision.vision.pixels.view import brightest_channel

TILES = 8
"""Along the shorter side of the picture: each tile is asked for its sharpest edge."""
TILE_MIN_PX = 32
RISE = 40
"""Brightness: tiles that vary by less have no edge to measure."""
SHARPEST = 10
"""Percentile over the tiles: a sharp picture has sharp edges nearly everywhere, also beside soft ones."""
BLURRED_PX = 6.0
"""Pixels from dark to bright. Screenshots and photographs of 300 measured 2.0 to 2.6, a blur that hides the
lines 14 and more."""
EVEN = 0.08
"""Of the pixels: so many have no gradient. Photographs have 0.04 and fewer, other pictures 0.11 and more."""
BOX_MIN, BOX_FULL = 0.08, 0.9
"""Of the picture's shorter side, and of its own bounding box: what is wider and fills it is a box."""
SIDE_PX = 700
"""Boxes are looked for in a picture so large."""


@value_type
class PictureKind:
    """What was measured of a picture.

    ``edge_px``: how many pixels its sharp edges take from dark to bright. ``even``: the share of its pixels
    without any gradient. ``boxes``: bounding boxes (x, y, width, height, in pixels) of the boxes apart.
    """

    edge_px: float
    even: float
    boxes: tuple[tuple[float, float, float, float], ...]

    @property
    def is_blurred(self) -> bool:
        """Whether no edge is sharp."""
        return self.edge_px >= BLURRED_PX

    @property
    def is_photograph(self) -> bool:
        """Whether hardly any part of it is of one even colour."""
        return self.even < EVEN


def kind_of(bgr: Bgr) -> PictureKind:
    """Measure a picture."""
    gray = brightest_channel(bgr)
    across, down = (np.abs(_gradient(gray, axis)) for axis in (0, 1))
    slope = np.maximum(across, down)
    return PictureKind(_edge_px(gray, slope), float((slope == 0).mean()), _boxes(gray))


def _gradient(gray: NDArray[np.uint8], axis: int) -> NDArray[np.int16]:
    return np.asarray(cv2.Sobel(gray, cv2.CV_16S, 1 - axis, axis, ksize=3), np.int16)


def _edge_px(gray: NDArray[np.uint8], slope: NDArray[np.int16]) -> float:
    """Pixels from dark to bright at the sharpest edges of most tiles; 0.0 where there is no edge."""
    size = max(TILE_MIN_PX, min(gray.shape) // TILES)
    widths = []
    for y in range(0, gray.shape[0], size):
        for x in range(0, gray.shape[1], size):
            tile = gray[y : y + size, x : x + size]
            rise = int(tile.max()) - int(tile.min())
            if rise >= RISE:
                # Sobel's weights sum up to 8: a step of one grey level in one pixel gives 4.
                widths.append(rise / max(1.0, float(slope[y : y + size, x : x + size].max()) / 8))
    return float(np.percentile(widths, SHARPEST)) if widths else 0.0


def _boxes(gray: NDArray[np.uint8]) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles that lie apart, upright, such as buttons."""
    scale = min(1.0, SIDE_PX / max(gray.shape))
    small = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    ground = np.median(small)
    mask = (np.abs(small.astype(np.int16) - ground) >= RISE // 2).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least, found = BOX_MIN * min(small.shape), []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        is_full = cv2.contourArea(contour) >= BOX_FULL * (width - 1) * (height - 1)
        if height >= least / 2 and width >= least and is_full:
            found.append((x / scale, y / scale, width / scale, height / scale))
    return tuple(found)
