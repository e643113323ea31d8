"""Circles and discs to be found."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.picture import Bgr

PLACES = [(70, 60), (190, 60), (310, 60), (70, 180), (310, 180), (190, 300)]


def drawn(radius: int, width: int, ground: int = 0, colour: tuple[int, int, int] = (40, 60, 220)) -> Bgr:
    """Circles at all places; discs where ``width`` is negative."""
    bgr = np.full((360, 380, 3), ground, np.uint8)
    for place in PLACES:
        cv2.circle(bgr, place, radius, colour, width, cv2.LINE_AA)
    return bgr
