"""How bright and thick a side is, from brightness across it at several places along it.

What is round a side passes from one cell to the other, so that the edge of a glow bar or of a tint is
no line; but the brightness of what stands out counts from black, as lines are as bright on a tint. The width
is that of a bar as high as the peak and of the same area: it does not jump with whole pixels. A pipe that
crosses a side hides five of nine places along it.
"""

from __future__ import annotations

import numpy as np

from flowvision.vision.pixels.view import Floats

ALONG = np.linspace(-0.3, 0.3, 9)
"""Of a side's length: the places along it."""
REACH = 0.13
"""Of the pitch: how far on both sides of a side its surroundings are looked at."""
LEAST_STEP = 6.0
"""Brightness: what a line stands above its surroundings at least."""
MOST_GROUND = 4.0
"""Times its height above its surroundings: what its brightness counts for at most. A line on the brightest
tint stands out by 0.27 of it; what stands out less is left by JPEG."""
FINE = 18
"""Steps across a side: with so many, three at each end lie clear of outlines."""
THICK = 2.0
"""Times the usual strength: plain lines hardly reach it."""
LEAST_PLACES = 3
"""Of those along a short side: as many show beside a pipe."""
LEAST_SHARE = 0.12
"""Of its own brightness: JPEG leaves waves of 0.09 on a pipe, a line on a bright tint stands out by 0.27."""


def steps_across(pitch_px: float) -> Floats:
    """Where to look across a side, of the pitch: from one side of it to the other, a pixel apart."""
    steps = 2 * max(3, round(REACH * pitch_px)) + 1
    return np.asarray(REACH * (2 * np.linspace(0, 1, steps) - 1))


def above_ground(bands: Floats, short: bool = False) -> Floats:
    """What stands above its surroundings; ``bands`` (sides, places, steps): brightness across each side.

    ``short``: near the corners of short sides the lines beside them reach into the bands.
    """
    steps = bands.shape[-1]
    share = np.linspace(0, 1, steps)
    single = short or steps < FINE
    ends = bands[:, :, :1], bands[:, :, -1:]
    ends = ends if single else (_end(bands[:, :, :3]), _end(bands[:, :, -3:]))
    ground = ends[0] * (1 - share) + ends[1] * share
    # A glow changes gradually, a tint at once and just there.
    ground = np.maximum(ground, np.where(share <= 0.5 + 1 / steps, ends[0], 0))
    ground = np.maximum(ground, np.where(share >= 0.5 - 1 / steps, ends[1], 0))
    return np.asarray(bands - ground)


def _end(three: Floats) -> Floats:
    """(sides, places, 1): the middle value of three steps; the rim of a dot rings in one of them."""
    first, second, third = (three[:, :, n : n + 1] for n in range(3))
    return np.maximum(np.minimum(first, second), np.minimum(np.maximum(first, second), third))


def strength_of(bands: Floats, above: Floats) -> Floats:
    """Per side, its brightness times its width (in steps): of its places the third strongest.

    Those that seem thick are looked at again without what JPEG left beside them.
    """
    strength = _third(_at_places(bands, above))
    thick = strength > THICK * usual_strength(strength, THICK)
    strength[thick] = _third(_at_places(bands[thick], _round_peak(above[thick])))
    return strength


def _third(places: Floats) -> Floats:
    """The third highest of each row."""
    return np.asarray(-np.partition(-places, 2, axis=1)[:, 2])


def _round_peak(above: Floats) -> Floats:
    """What stands out at the peak of each place and on from there without a gap; 0 elsewhere."""
    shown = above > 0
    # Counted along the steps, the gaps before two of them are as many when none lies between.
    gaps = np.cumsum(~shown, axis=2)
    at_peak = np.take_along_axis(gaps, above.argmax(axis=2)[:, :, None], axis=2)
    return np.where(shown & (gaps == at_peak), above, 0.0)


def typical_strength(bands: Floats, above: Floats) -> tuple[Floats, Floats, Floats]:
    """The same for sides so short that a pipe hides most of it: the median of the places that show.

    0 where fewer than ``LEAST_PLACES`` show. With the share of the places, 0 to 1, that do, and the share
    of those in the middle part, two fifths.
    """
    places = _at_places(bands, above)
    third = places.shape[1] // 3
    middle_shown = (places[:, third:-third] > 0).mean(axis=1)
    places.sort(axis=1)
    shown = (places > 0).sum(axis=1)
    median = places.shape[1] - 1 - shown // 2
    typical = places[np.arange(len(places)), np.maximum(median, 0)]
    return np.where(shown >= LEAST_PLACES, typical, 0.0), shown / places.shape[1], middle_shown


def _at_places(bands: Floats, above: Floats) -> Floats:
    """(sides, places): brightness times width; 0 where nothing stands out."""
    height, peak = above.max(axis=2), bands.max(axis=2)
    width = np.maximum(above, 0).mean(axis=2) / np.maximum(height, 1.0)
    bright = np.minimum(peak, MOST_GROUND * height)
    return np.where(height > np.maximum(LEAST_STEP, LEAST_SHARE * peak), bright * width, 0.0)


def usual_strength(sides: Floats, wall_strength: float) -> float:
    """The median strength of the sides that show at all; pipes hide others.

    On a small board most may be outline: where the median would be a wall beside the fainter ones, theirs.
    """
    shown = np.sort(sides[sides > 1.0])
    if not shown.size:
        return 1.0
    usual, faint = _median(shown), float(shown[shown.size // 4])
    return _median(shown[shown <= wall_strength * faint]) if usual > wall_strength * faint else usual


def _median(ordered: Floats) -> float:
    # Of fractions, ``numpy.median`` imports masked arrays: 5 ms a single screenshot never earns back.
    return float(ordered[(ordered.size - 1) // 2] + ordered[ordered.size // 2]) / 2


def clarity(strength: Floats, wall_strength: float) -> float:
    """0 to 1: how far every side is from the strength that parts plain lines and walls; 1 beyond a fifth."""
    away = np.abs(np.log(np.maximum(strength, 0.01) / wall_strength))
    return float(min(1.0, 0.5 + away.min(initial=1.0) / (2 * np.log(1.2))))
