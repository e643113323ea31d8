"""Patterns and damaged boards: read, or refused with an error of ours."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr
from flowvision.reading.options import Options
from tests.drawing import CURLED, FIVE, NONE, SEVERAL, screenshot_of
from tests.fuzz.driver import random_cases

Gray = NDArray[np.uint8]


def mesh(height: int, width: int, random: Random) -> Gray:
    gray, period = np.zeros((height, width), np.uint8), random.randint(2, 9)
    gray[::period], gray[:, :: random.choice((period, random.randint(2, 9)))] = 255, 255
    return gray


def checkers(height: int, width: int, random: Random) -> Gray:
    rows, cols = np.mgrid[:height, :width] // random.randint(1, 12)
    return np.asarray(255 * ((rows + cols) % 2), np.uint8)


def halftone(height: int, width: int, random: Random) -> Gray:
    period = random.randint(3, 24)
    rows, cols = np.mgrid[:height, :width] % period - period / 2
    return np.asarray(255 * (np.hypot(rows, cols) < period * random.uniform(0.2, 0.5)), np.uint8)


def noise(height: int, width: int, random: Random) -> Gray:
    numbers = np.random.default_rng(random.randrange(1 << 32))
    gray = numbers.integers(0, 256, (height, width), np.uint8)
    return gray if random.random() < 0.5 else np.asarray(255 * (gray > random.randrange(256)), np.uint8)


def rings(height: int, width: int, random: Random) -> Gray:
    rows, cols = np.mgrid[:height, :width]
    away = np.hypot(rows - random.randrange(height), cols - random.randrange(width))
    return np.asarray(127.5 + 127.5 * np.sin(away / random.uniform(0.5, 6)), np.uint8)


PATTERNS: tuple[Callable[[int, int, Random], Gray], ...] = (
    mesh, mesh, checkers, halftone, noise, rings,
)  # fmt: skip

BOARDS = [screenshot_of(text, 16, (6, 20)) for text in (FIVE, SEVERAL, NONE, CURLED)]
QUICK = Options(seconds=0.02)


def picture(random: Random) -> Bgr:
    """A pattern, a board that is damaged, or a board with a pattern over a part of it."""
    if random.random() < 0.4:
        height, width = random.choice(((32, 40), (32, 200), (150, 40), (64, 64), (90, 120)))
        return coloured(random.choice(PATTERNS)(height, width, random), random)
    bgr = random.choice(BOARDS).copy()
    for _ in range(random.randint(1, 3)):
        damage(bgr, random)
    if random.random() < 0.3:
        width, height = random.randint(32, 160), random.randint(32, 200)
        bgr = np.asarray(cv2.resize(bgr, (width, height), interpolation=random.randrange(4)), np.uint8)
    return bgr


def coloured(gray: np.ndarray, random: Random) -> Bgr:
    low, high = (np.array([random.randrange(256) for _ in range(3)]) for _ in range(2))
    share = gray[..., None] / 255
    return np.asarray(low + share * (high - low), np.uint8)


def damage(bgr: Bgr, random: Random) -> None:
    """Move, cover, mirror or dim a part of a picture."""
    height, width = bgr.shape[:2]
    h, w = random.randint(1, height), random.randint(1, width)
    y, x = random.randint(0, height - h), random.randint(0, width - w)
    part = bgr[y : y + h, x : x + w]
    match random.randrange(6):
        case 0:
            part[:] = [random.randrange(256) for _ in range(3)]
        case 1:
            part[:] = coloured(random.choice(PATTERNS)(h, w, random), random)
        case 2:
            part[:] = part[::-1].copy()
        case 3:
            part[:] = part // random.randint(1, 4)
        case 4:
            part[:] = 255 - part
        case _:
            part[:] = np.roll(part, random.randint(1, 20), axis=random.randrange(2))


@random_cases(60)
def test_reader(random: Random) -> None:
    bgr = picture(random)
    with suppress(FlowvisionError):
        assert solve_image(bgr, QUICK).picture.shape == bgr.shape
