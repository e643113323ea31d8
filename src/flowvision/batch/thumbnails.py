"""Small pictures for the contact sheet."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr

LONG_PX = 400
"""The longer side of a small picture: sharp where the sheet shows it, and about 10 kB."""


def thumbnail(bgr: Bgr, long_px: int = LONG_PX) -> bytes:
    """A picture as a small JPEG, its longer side at most ``long_px``."""
    height, width = bgr.shape[:2]
    scale = min(1.0, long_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    if scale < 0.5:
        # Four pixels for one are enough to average from; to pick them takes a fifth of averaging them all.
        bgr = np.asarray(
            cv2.resize(bgr, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_NEAREST), np.uint8
        )
    return encode(np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8), ".jpg")
