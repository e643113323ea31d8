"""How damages are painted: where, how far, how much."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Bgr
from scenes import Scene

Random = np.random.Generator


def mixed(bgr: Bgr, mask: np.ndarray, colour: tuple[int, int, int], share: float) -> Bgr:
    """So much of a colour where the mask (0 to 1) is."""
    much = (share * mask)[..., None]
    return np.clip(bgr * (1 - much) + np.array(colour, np.float64) * much, 0, 255).astype(np.uint8)


def somewhere(scene: Scene, random: Random) -> tuple[int, int]:
    """Anywhere on the board: x and y in px."""
    rows, cols = scene.size
    x, y = scene.point(random.uniform(0.3, rows - 0.3), random.uniform(0.3, cols - 0.3))
    return round(x), round(y)


def distance(bgr: Bgr, x: float, y: float, stretch: float = 1.0) -> np.ndarray:
    """Of every pixel from a place, in px; ``stretch``: the width of what is as far, of its height."""
    ys, xs = np.mgrid[: bgr.shape[0], : bgr.shape[1]].astype(np.float32)
    return np.asarray(np.hypot((xs - x) / stretch, ys - y))
