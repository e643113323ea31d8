"""Small pictures for the contact sheet."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.codec import encode
from flowvision.picture import Bgr

LONG_PX = 400
"""The longer side of a small picture: sharp where the sheet shows it, and about 10 kB."""


def thumbnail(bgr: Bgr, long_px: int = LONG_PX) -> bytes:
    """A picture as a small JPEG, its longer side at most ``long_px``."""
    height, width = bgr.shape[:2]
    # Every second or third pixel is enough to average from, at a third of the time.
    step = max(1, max(height, width) // (2 * long_px))
    thin = bgr[::step, ::step]
    scale = min(1.0, long_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return encode(np.asarray(cv2.resize(thin, size, interpolation=cv2.INTER_AREA), np.uint8), ".jpg")
