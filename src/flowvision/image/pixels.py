"""Arrays of pixels of any kind as the one kind that is looked at."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import ImageUnreadableError
from flowvision.image.picture import Bgr

STRIP = 256
"""Rows that are laid on black at once: a large picture is there twice, not five times."""


def as_bgr(pixels: NDArray[Any]) -> Bgr:
    """Any array of pixels as (H, W, 3) uint8: grey, 16 bits, or with alpha, which is laid on black."""
    if pixels.ndim not in (2, 3) or pixels.size == 0:
        raise ImageUnreadableError(f"An array of shape {pixels.shape} is not a picture.")
    if pixels.dtype == np.uint16:
        pixels = _upper_bytes(pixels)
    elif pixels.dtype != np.uint8:
        raise ImageUnreadableError(f"Pixels are {pixels.dtype}; uint8 was expected.")
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    match channels:
        case 1:
            return _bgr(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR))
        case 3:
            return np.ascontiguousarray(pixels)
        case 4:
            return _on_black(pixels)
        case _:
            raise ImageUnreadableError(f"A picture has 1, 3 or 4 channels; this one has {channels}.")


def _upper_bytes(pixels: NDArray[np.uint16]) -> NDArray[np.uint8]:
    upper = np.empty(pixels.shape, np.uint8)
    for top in range(0, len(pixels), STRIP):
        upper[top : top + STRIP] = pixels[top : top + STRIP] >> 8
    return upper


def _on_black(bgra: NDArray[np.uint8]) -> Bgr:
    bgr = np.empty((*bgra.shape[:2], 3), np.uint8)
    for top in range(0, len(bgra), STRIP):
        rows = bgra[top : top + STRIP]
        strip = cv2.cvtColor(rows, cv2.COLOR_BGRA2BGR)
        alpha = cv2.extractChannel(rows, 3)
        if cv2.minMaxLoc(alpha)[0] < 255:
            strip = cv2.multiply(strip, cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR), scale=1 / 255)
        bgr[top : top + STRIP] = strip
    return bgr


def _bgr(pixels: Any) -> Bgr:
    return np.asarray(pixels, dtype=np.uint8)
