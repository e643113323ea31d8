"""How bright and thick a side is, from brightness across it at several places along it.

What is round a side passes from one cell to the other, so that the edge of a glow bar or of a tint is
no line; but its brightness counts from black, as lines are as bright on a tint. The width is that of a bar
as high as the peak and of the same area: it does not jump with whole pixels. A pipe that crosses a side hides
five of nine places along it.
"""

from __future__ import annotations

import numpy as np

from flowvision.vision.view import Floats

ALONG = np.linspace(-0.3, 0.3, 9)
"""Of a side's length: the places along it."""
REACH = 0.13
"""Of the pitch: how far on both sides of a side its surroundings are looked at."""
LEAST_STEP = 6.0
"""Brightness: what a line stands above its surroundings at least."""
LEAST_PLACES = 3
"""Of those along a short side: as many show beside a pipe."""
LEAST_SHARE = 0.12
"""Of its own brightness: JPEG leaves waves of 0.09 on a pipe, a line on a bright tint stands out by 0.27."""


def steps_across(pitch_px: float) -> Floats:
    """Where to look across a side, of the pitch: from one side of it to the other, a pixel apart."""
    steps = 2 * max(3, round(REACH * pitch_px)) + 1
    return np.asarray(REACH * (2 * np.linspace(0, 1, steps) - 1))


def above_ground(bands: Floats) -> Floats:
    """What stands above its surroundings; ``bands`` (sides, places, steps): brightness across each side."""
    steps = bands.shape[-1]
    share = np.linspace(0, 1, steps)
    ends = bands[:, :, :1], bands[:, :, -1:]
    ground = ends[0] * (1 - share) + ends[1] * share
    # A glow changes gradually, a tint at once and just there.
    ground = np.maximum(ground, np.where(share <= 0.5 + 1 / steps, ends[0], 0))
    ground = np.maximum(ground, np.where(share >= 0.5 - 1 / steps, ends[1], 0))
    return np.asarray(bands - ground)


def strength_of(bands: Floats, above: Floats) -> Floats:
    """Per side, its brightness times its width (in steps): of its places the third strongest."""
    return np.asarray(-np.partition(-_at_places(bands, above), 2, axis=1)[:, 2])


def typical_strength(bands: Floats, above: Floats) -> tuple[Floats, Floats]:
    """The same for sides so short that a pipe hides most of it: the median of the places that show.

    0 where fewer than ``LEAST_PLACES`` show. With the share of the places, 0 to 1, that do.
    """
    places = np.sort(_at_places(bands, above), axis=1)
    shown = (places > 0).sum(axis=1)
    middle = places.shape[1] - 1 - shown // 2
    typical = places[np.arange(len(places)), np.maximum(middle, 0)]
    return np.where(shown >= LEAST_PLACES, typical, 0.0), shown / places.shape[1]


def _at_places(bands: Floats, above: Floats) -> Floats:
    """(sides, places): brightness times width; 0 where nothing stands out."""
    height, peak = above.max(axis=2), bands.max(axis=2)
    width = np.maximum(above, 0).mean(axis=2) / np.maximum(height, 1.0)
    return np.where(height > np.maximum(LEAST_STEP, LEAST_SHARE * peak), peak * width, 0.0)


def usual_strength(sides: Floats) -> float:
    """The median strength of the sides that show at all; pipes hide others."""
    shown = np.sort(sides[sides > 1.0])
    # Of fractions, ``numpy.median`` imports masked arrays: 5 ms a single screenshot never earns back.
    return float(shown[(shown.size - 1) // 2] + shown[shown.size // 2]) / 2 if shown.size else 1.0


def clarity(strength: Floats, wall_strength: float) -> float:
    """0 to 1: how far every side is from the strength that parts plain lines and walls; 1 beyond a fifth."""
    away = np.abs(np.log(np.maximum(strength, 0.01) / wall_strength))
    return float(min(1.0, 0.5 + away.min(initial=1.0) / (2 * np.log(1.2))))
