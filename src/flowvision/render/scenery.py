"""What a screenshot shows beside the board: glowing bars, title, buttons, a banner, a finger, a pointer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Rgb
from flowvision.render.paint import disc, polygon, stroke, text
from flowvision.render.themes import Theme

WHITE, BLACK, YELLOW = Rgb(255, 255, 255), Rgb(0, 0, 0), Rgb(250, 224, 60)
Box = tuple[float, float, float, float]
COARSE = 8
"""Blurred bars are drawn at an eighth of the size: they have no detail."""
HALO_RADIUS, HALO_SHARE = 0.72, 0.4
"""Of the pitch, and of the flow's colour: a translucent disc 1.3 to 1.6 cells wide, over lines."""
POINTER = np.array([(0.0, 0.0), (0.0, 0.3), (0.07, 0.24), (0.2, 0.2)])
"""The pointer's outline from its tip, of the pitch."""


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


def draw_chrome(
    canvas: Bgr, board: Box, flows: tuple[int, int], size: str, title: Rgb, random: Random
) -> None:
    """Everything but the board, which lies at ``board`` (left, top, right, bottom)."""
    height, width = canvas.shape[:2]
    left, top, right, bottom = board
    unit = width / 1080
    done, total = flows
    if top > 40 * unit:
        baseline = top - 20 * unit
        counters = (
            f"flows: {done}/{total}",
            f"moves: {done}   best: -",
            f"pipe: {100 * done // max(1, total)}%",
        )
        for words, at, anchor in zip(
            counters, (left + 6, (left + right) / 2, right - 6), ("ls", "ms", "rs"), strict=True
        ):
            text(canvas, (at, baseline), words, 42 * unit, WHITE, anchor)
    if top > 220 * unit:
        y = min(0.07 * height, top - 130 * unit)
        _ring(canvas, (60 * unit, y), 34 * unit, unit)
        stroke(canvas, [(74 * unit, y), (46 * unit, y)], WHITE, 5 * unit)
        _ring(canvas, (width - 60 * unit, y), 34 * unit, unit)
        level = f"level {random.randint(1, 150)}"
        end = text(canvas, (110 * unit, y + 20 * unit), level, 62 * unit, title, "ls")
        text(canvas, (end + 12 * unit, y + 20 * unit), size, 44 * unit, Rgb(190, 190, 190), "ls")
    if bottom < height - 260 * unit:
        _buttons(canvas, bottom + 110 * unit, unit)
    if bottom < height - 520 * unit and random.random() < 0.7:
        _banner(canvas, height - 300 * unit, unit, random)


def _ring(canvas: Bgr, centre: tuple[float, float], radius: float, unit: float) -> None:
    disc(canvas, centre, radius, WHITE)
    disc(canvas, centre, radius - 5 * unit, BLACK)


def _buttons(canvas: Bgr, y: float, unit: float) -> None:
    """Undo, the bulb whose rays start just below the board, a film strip, restart."""
    width = canvas.shape[1]
    for x in (60 * unit, width - 60 * unit):
        _ring(canvas, (x, y), 30 * unit, unit)
    bulb = (width / 2, y)
    disc(canvas, bulb, 38 * unit, YELLOW)
    for dx, dy in ((-60, -30), (-38, -58), (0, -70), (38, -58), (60, -30)):
        stroke(
            canvas,
            [(bulb[0] + dx * unit, y + dy * unit), (bulb[0] + 1.2 * dx * unit, y + 1.2 * dy * unit)],
            YELLOW,
            6 * unit,
        )
    polygon(canvas, _box(width / 2 + 90 * unit, y - 30 * unit, 90 * unit, 60 * unit), WHITE)
    polygon(canvas, _box(width / 2 + 97 * unit, y - 23 * unit, 76 * unit, 46 * unit), BLACK)


def _banner(canvas: Bgr, y: float, unit: float, random: Random) -> None:
    """An advertisement: a bright box with a picture and words."""
    width = canvas.shape[1]
    ground = Rgb(*(random.randint(120, 255) for _ in range(3)))
    polygon(canvas, _box(width / 2 - 360 * unit, y, 720 * unit, 110 * unit), ground)
    for n in range(4):
        colour = Rgb(*(random.randint(0, 255) for _ in range(3)))
        polygon(
            canvas, _box(width / 2 - 350 * unit + 100 * unit * n, y + 10 * unit, 90 * unit, 90 * unit), colour
        )
    text(canvas, (width / 2 + 200 * unit, y + 70 * unit), "PLAY NOW", 44 * unit, BLACK, "ms")


def _box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def draw_halo(canvas: Bgr, centre: Sequence[float], pitch_px: float, colour: Rgb) -> None:
    """The halo of a flow's colour round the finger that draws it; into ``canvas``."""
    over = canvas.copy()
    disc(over, centre, HALO_RADIUS * pitch_px, colour)
    cv2.addWeighted(over, HALO_SHARE, canvas, 1 - HALO_SHARE, 0, dst=canvas)


def draw_pointer(canvas: Bgr, tip: Sequence[float], pitch_px: float) -> None:
    """A white arrow with a black rim; into ``canvas``."""
    corners = np.asarray(tip) + pitch_px * POINTER
    polygon(canvas, corners[[0, 1, 2]], WHITE)
    polygon(canvas, corners[[0, 2, 3]], WHITE)
    stroke(canvas, corners[[0, 1, 2, 3, 0]], BLACK, 0.015 * pitch_px)
