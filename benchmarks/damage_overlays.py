"""What may lie over a board: pointers, hands, halos, banners, glare."""

from __future__ import annotations

import cv2
import numpy as np

from brush import distance, mixed, somewhere
from flowvision.image.picture import Bgr
from scenes import Scene

Random = np.random.Generator
ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12)], np.float64)
"""A pointer, of the size that 12 x 19 pixels give it."""
HAND = np.array(
    [
        (0, 0),
        (3, 0),
        (4, 9),
        (7, 8),
        (11, 9),
        (14, 10),
        (14, 17),
        (11, 22),
        (2, 22),
        (-5, 14),
        (-3, 12),
        (0, 15),
    ],
    np.float64,
)
"""A pointing hand, likewise."""


def _blank(bgr: Bgr) -> np.ndarray:
    return np.zeros(bgr.shape[:2], np.float32)


def _shape(scene: Scene, random: Random, points: np.ndarray, cells: float, fill: int, rim: int) -> Bgr:
    bgr, scale = scene.bgr.copy(), cells * scene.cell / 19
    at = np.round(points * scale + somewhere(scene, random)).astype(np.int32)
    cv2.fillPoly(bgr, [at], (fill,) * 3, cv2.LINE_AA)
    cv2.polylines(bgr, [at], True, (rim,) * 3, max(1, round(scale)), cv2.LINE_AA)
    return bgr


def white_pointer(scene: Scene, random: Random) -> Bgr:
    """A mouse pointer, white with a black rim."""
    return _shape(scene, random, ARROW, 0.5, 255, 0)


def black_pointer(scene: Scene, random: Random) -> Bgr:
    """The other way round, and larger."""
    return _shape(scene, random, ARROW, 0.7, 0, 255)


def hand_pointer(scene: Scene, random: Random) -> Bgr:
    """The hand that points at what can be pressed."""
    return _shape(scene, random, HAND, 0.6, 255, 0)


def touch_halo(scene: Scene, random: Random) -> Bgr:
    """The translucent disc under a finger, as the game and recorders draw it."""
    x, y = somewhere(scene, random)
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 0.8 * scene.cell, (255, 255, 255), 0.3)


def soft_halo(scene: Scene, random: Random) -> Bgr:
    """One that fades outwards."""
    x, y = somewhere(scene, random)
    mask = np.clip(1 - distance(scene.bgr, x, y) / (1.3 * scene.cell), 0, 1)
    return mixed(scene.bgr, mask, (255, 255, 255), 0.6)


def coloured_halo(scene: Scene, random: Random) -> Bgr:
    """One in a colour of the game."""
    x, y = somewhere(scene, random)
    colour = tuple(int(n) for n in random.choice([0, 128, 255], 3))
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 1.1 * scene.cell, colour, 0.35)


def touch_mark(scene: Scene, random: Random) -> Bgr:
    """The small grey dot of "show touches"."""
    x, y = somewhere(scene, random)
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 0.25 * scene.cell, (220, 220, 220), 0.6)


def finger(scene: Scene, random: Random) -> Bgr:
    """A finger from below."""
    bgr, (x, y), wide = scene.bgr.copy(), somewhere(scene, random), round(0.9 * scene.cell)
    cv2.line(bgr, (x, y), (x + wide, bgr.shape[0]), (120, 150, 205), 2 * wide, cv2.LINE_AA)
    return bgr


def shadow(scene: Scene, random: Random) -> Bgr:
    """A soft shadow over a third of the board."""
    x, y = somewhere(scene, random)
    mask = np.exp(-((distance(scene.bgr, x, y) / (1.8 * scene.cell)) ** 2))
    return mixed(scene.bgr, mask, (0, 0, 0), 0.5)


def _rectangle(scene: Scene, box: tuple[float, float, float, float], colour: int, share: float) -> Bgr:
    """A box (row, column, height, width in cells) in grey, with two lines of text in it."""
    (x0, y0), (x1, y1) = scene.point(*box[:2]), scene.point(box[0] + box[2], box[1] + box[3])
    mask = _blank(scene.bgr)
    cv2.rectangle(mask, (round(x0), round(y0)), (round(x1), round(y1)), 1, -1)
    bgr = mixed(scene.bgr, mask, (colour,) * 3, share)
    ink = (30,) * 3 if colour > 128 else (235,) * 3
    for line, words in enumerate(("Anna", "Are you still playing?")):
        at = round(x0 + 0.2 * scene.cell), round(y0 + (0.35 + 0.35 * line) * (y1 - y0))
        cv2.putText(bgr, words, at, 0, scene.cell / 110, ink, max(1, round(scene.cell / 50)), cv2.LINE_AA)
    return bgr


def banner_above(scene: Scene, random: Random) -> Bgr:
    """A notification above the board."""
    return _rectangle(scene, (-1.4, 0.2, 1.1, scene.size[1] - 0.4), random.choice([40, 250]), 1.0)


def banner_over(scene: Scene, random: Random) -> Bgr:
    """A notification over the first row."""
    return _rectangle(scene, (-0.3, 0.1, 1.2, scene.size[1] - 0.2), random.choice([40, 250]), 1.0)


def toast(scene: Scene, random: Random) -> Bgr:
    """A translucent message over the last row but one."""
    rows, cols = scene.size
    return _rectangle(scene, (rows - 1.7, 0.5, 0.9, cols - 1.0), 50, float(random.uniform(0.4, 0.8)))


def volume_bar(scene: Scene, random: Random) -> Bgr:
    """A slider along the right border."""
    rows, cols = scene.size
    return _rectangle(scene, (0.5, cols - 0.7, rows / 2, 0.5), 90, 0.85)


def glare(scene: Scene, random: Random) -> Bgr:
    """A soft light."""
    x, y = somewhere(scene, random)
    radius = random.uniform(0.4, 2.0) * scene.cell
    mask = np.exp(-((distance(scene.bgr, x, y, random.uniform(1, 3)) / radius) ** 2))
    lit = scene.bgr + random.uniform(60, 160) * mask[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def glare_strip(scene: Scene, random: Random) -> Bgr:
    """A band of light across the screen."""
    ys, xs = np.mgrid[: scene.bgr.shape[0], : scene.bgr.shape[1]].astype(np.float32)
    x, y = somewhere(scene, random)
    away = np.abs((xs - x) + random.uniform(0.3, 1.5) * (ys - y)) / scene.cell
    lit = scene.bgr + random.uniform(40, 110) * np.exp(-(away**2))[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)
