"""Grey patterns that native code has been seen to stumble over."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]


def mesh(height: int, width: int, random: Random) -> Gray:
    """Thin lines, both ways."""
    gray, period = np.zeros((height, width), np.uint8), random.randint(2, 9)
    gray[::period], gray[:, :: random.choice((period, random.randint(2, 9)))] = 255, 255
    return gray


def stripes(height: int, width: int, random: Random) -> Gray:
    """Lines one way."""
    gray = np.zeros((height, width), np.uint8)
    lines = gray if random.random() < 0.5 else gray.T
    lines[:: random.randint(2, 9)] = 255
    return gray


def checkers(height: int, width: int, random: Random) -> Gray:
    """Black and white squares."""
    rows, cols = np.mgrid[:height, :width] // random.randint(1, 12)
    return np.asarray(255 * ((rows + cols) % 2), np.uint8)


def halftone(height: int, width: int, random: Random) -> Gray:
    """Dots in rows."""
    period = random.randint(3, 24)
    rows, cols = np.mgrid[:height, :width] % period - period / 2
    return np.asarray(255 * (np.hypot(rows, cols) < period * random.uniform(0.2, 0.5)), np.uint8)


def noise(height: int, width: int, random: Random) -> Gray:
    """No two pixels alike, or few of them set."""
    numbers = np.random.default_rng(random.randrange(1 << 32))
    gray = numbers.integers(0, 256, (height, width), np.uint8)
    return gray if random.random() < 0.5 else np.asarray(255 * (gray > random.randrange(256)), np.uint8)


def rings(height: int, width: int, random: Random) -> Gray:
    """Circles round a point."""
    rows, cols = np.mgrid[:height, :width]
    away = np.hypot(rows - random.randrange(height), cols - random.randrange(width))
    return np.asarray(127.5 + 127.5 * np.sin(away / random.uniform(0.5, 6)), np.uint8)


def ramp(height: int, width: int, random: Random) -> Gray:
    """From dark to bright."""
    rows, cols = np.mgrid[:height, :width]
    return np.asarray((random.randint(0, 3) * rows + random.randint(0, 3) * cols) % 256, np.uint8)


def even(height: int, width: int, random: Random) -> Gray:
    """All pixels the same."""
    return np.full((height, width), random.choice((0, 1, 128, 255)), np.uint8)


PATTERNS: tuple[Callable[[int, int, Random], Gray], ...] = (
    mesh, mesh, stripes, checkers, halftone, halftone, noise, rings, ramp, even,
)  # fmt: skip
