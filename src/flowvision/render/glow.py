"""The bars that glow behind the board."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from flowvision.render.paint import stroke
from flowvision.render.themes import Theme

COARSE = 8
"""Blurred bars are drawn at an eighth of the size: they have no detail."""


def draw_glow(
    canvas: Bgr, board: tuple[float, float, float, float], theme: Theme, dithered: bool, random: Random
) -> None:
    """Bars across the screen, half as bright inside the board as round it; drawn onto black, in place."""
    height, width = canvas.shape[:2]
    step = COARSE if theme.blurred else 1
    bars = np.zeros((height // step + 1, width // step + 1, 3), np.uint8)
    for _ in range(random.randint(4, 7)):
        colour = random.choice(theme.glow)
        x, y, reach = random.uniform(0, width), random.uniform(0, height), random.uniform(0.3, 0.9) * width
        ends = [(x, y), (x + reach, y) if random.random() < 0.5 else (x, y + reach)]
        stroke(bars, np.array(ends) / step, colour, 0.09 * width / step)
    if theme.blurred:
        bars = np.asarray(cv2.GaussianBlur(bars, (0, 0), 0.03 * width / step))
        bars = np.asarray(cv2.resize(bars, (width, height), interpolation=cv2.INTER_LINEAR))
    bars = bars[:height, :width]
    if dithered:
        noise = np.random.default_rng(random.randrange(2**32)).integers(-1, 2, (height, width, 1))
        bars = np.where(bars > 2, np.clip(bars + noise, 0, 255), bars).astype(np.uint8)
    x0, y0, x1, y1 = (round(number) for number in board)
    canvas[:] = np.minimum(2 * bars.astype(np.uint16), 255) if theme.blurred else bars
    inner = slice(max(0, y0), y1 + 1), slice(max(0, x0), x1 + 1)
    canvas[inner] = bars[inner]
