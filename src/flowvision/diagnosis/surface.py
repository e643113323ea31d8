"""What the surface of a picture is like: faint, tinted, compressed; what lies beyond a board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import Floats, brightest_channel, lab_of

STEP = 3
"""Pixels: every third row and column say as much of a whole picture as all of them."""
BLOCK = 8
"""Pixels along a block of JPEG."""
ABOVE = 1.05
"""Steps between blocks, of those at any other place within them; where lines of a board lie it is 1.0."""
LINE_REACH = 0.04
"""Of the pitch: how far to either side of where a line should be it is looked for."""
LINE_RISE = 6
"""Brightness: as much as a line stands out from both sides of it at least; the game's have 60."""
ALONG = 5
"""Places along the way to the edge where a line is looked for."""
GRID = 5
"""Points along either side of a cell that are looked at."""
FOREIGN = 12.0
"""Lab: as unlike the ground as this is no ground; glow behind boards differs by up to 12."""
FULL = 0.7
"""Of the points of a place beside the board: a banner with its letters and pictures fills more."""


def brightness_range(bgr: Bgr) -> tuple[float, float]:
    """The darkest and the brightest part of a picture, less a thousandth at either end."""
    low, high = np.percentile(brightest_channel(bgr[::STEP, ::STEP]), (0.1, 99.9))
    return float(low), float(high)


def cast(bgr: Bgr) -> tuple[float, float, float]:
    """How bright blue, green and red become, each of the brightest of the three: 1 is as bright."""
    most = np.percentile(bgr[::STEP, ::STEP].reshape(-1, 3), 99.9, axis=0)
    blue, green, red = (most / max(1.0, float(most.max()))).tolist()
    return blue, green, red


def blockiness(bgr: Bgr) -> float:
    """How much larger steps of brightness are between blocks of JPEG than within them; 1: it has none.

    Lines at distances of whole blocks make steps on both of their sides, blocks only where they meet.
    """
    gray = brightest_channel(bgr).astype(np.int16)
    ratios = []
    for axis in (0, 1):
        steps = np.abs(np.diff(gray, axis=axis)).mean(axis=1 - axis)
        at = np.arange(1, len(steps) + 1) % BLOCK == 0
        if len(steps) < BLOCK:
            return 1.0
        between, inside = float(steps[at].mean()), float(steps[~at].mean())
        rival = max(float(steps[place::BLOCK].mean()) for place in range(BLOCK - 1))
        ratios.append((between + 0.02) / (inside + 0.02) if between > ABOVE * rival else 1.0)
    return min(ratios)


def lines_go_on(bgr: Bgr, fit: Fit, side: int, reach: float) -> float:
    """The share of the lines of a lattice that go on beyond a side of it.

    ``side``: left, top, right, bottom. ``reach``: how far beyond, in cells, they are looked for.
    """
    assert fit.size is not None
    rows, cols = fit.size
    axis = side % 2
    count, end = (rows, cols) if axis == 0 else (cols, rows)
    away = np.linspace(0.25, 0.9, ALONG) * reach
    across = -away if side < 2 else end + away
    offsets = np.linspace(-LINE_REACH, LINE_REACH, 5)
    found = 0
    for line in range(count + 1):
        near, beside = (
            _brightness(bgr, fit, axis, across, line + shifts)
            for shifts in (offsets, np.array([-0.2, -0.15, 0.15, 0.2]))
        )
        rises = near.max(axis=1) - beside.max(axis=1)
        falls = beside.min(axis=1) - near.min(axis=1)
        found += bool(np.median(rises) >= LINE_RISE or np.median(falls) >= LINE_RISE)
    return found / (count + 1)


def _brightness(bgr: Bgr, fit: Fit, axis: int, across: Floats, along: Floats) -> Floats:
    """(places, shifts): the brightest channel at points given in cells, as far as they lie in the picture."""
    grid = np.stack(np.broadcast_arrays(across[:, None], along[None, :]), axis=-1).reshape(-1, 2)
    points = fit.frame.to_px(grid if axis == 0 else grid[:, ::-1])
    height, width = bgr.shape[:2]
    x, y = np.round(points).astype(int).T
    pixels = bgr[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].max(axis=1)
    return np.asarray(pixels.reshape(len(across), len(along)), np.float64)


def foreign_beside(bgr: Bgr, fit: Fit, side: int, ground: Floats) -> float:
    """The share of the places beside a lattice's side that something else than the ground (Lab) fills."""
    assert fit.size is not None
    rows, cols = fit.size
    count = rows if side % 2 == 0 else cols
    across = (-0.5, -0.5, cols + 0.5, rows + 0.5)[side]
    places = np.array([(across, n + 0.5) if side % 2 == 0 else (n + 0.5, across) for n in range(count)])
    return float(_is_foreign(bgr, fit, places, ground).mean())


def _is_foreign(bgr: Bgr, fit: Fit, centres: Floats, ground: Floats) -> NDArray[np.bool_]:
    steps = np.linspace(-0.35, 0.35, GRID)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    points = fit.frame.to_px((centres[:, None] + offsets).reshape(-1, 2))
    height, width = bgr.shape[:2]
    x, y = np.round(points).astype(int).T
    is_there = ((x >= 0) & (y >= 0) & (x < width) & (y < height)).reshape(len(centres), -1)
    pixels = bgr[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].reshape(len(centres), -1, 3)
    away = np.linalg.norm(lab_of(np.ascontiguousarray(pixels)) - ground, axis=2) >= FOREIGN
    return np.asarray((away & is_there).mean(axis=1) >= FULL)
