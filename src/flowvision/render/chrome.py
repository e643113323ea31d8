"""What surrounds a board on the screen: title, counters, buttons, a bulb, a banner."""

from __future__ import annotations

from random import Random

from flowvision.image.picture import Bgr, Rgb
from flowvision.render.paint import disc, polygon, stroke, text

WHITE, BLACK, YELLOW = Rgb(255, 255, 255), Rgb(0, 0, 0), Rgb(250, 224, 60)
Box = tuple[float, float, float, float]


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
