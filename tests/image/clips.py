"""A small moving picture for tests."""

from __future__ import annotations

import numpy as np

from flowvision.image.clip import Clip, Patch


def small_clip() -> Clip:
    """A dark picture with a glow, in which a red bar grows and a blue square appears; 67 × 45 pixels."""
    first = np.zeros((45, 67, 3), np.uint8)
    first[:, :, 1] = np.arange(67, dtype=np.uint8) // 4
    red = np.full((6, 10, 3), (0, 0, 255), np.uint8)
    blue = np.full((9, 9, 3), (254, 41, 12), np.uint8)
    return Clip(
        (Patch(0, 0, first, 600), Patch(5, 7, red, 50), Patch(15, 7, red, 50), Patch(58, 36, blue, 2500))
    )
