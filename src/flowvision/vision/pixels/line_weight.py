"""Weight of a side of a cell: the brightness of its line times the line's width.

The ground on both sides is subtracted, so that the edge of a glow or a tint is no line. A pipe that crosses a
side hides five of nine places along it; no pipe crosses a wall. Steps across come first in arrays: NumPy
takes three times as long over a last axis of twenty.
"""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Frame
from flowvision.vision.pixels.lines import Axis
from flowvision.vision.pixels.view import Floats, View, brightest_channel, median, sample
from flowvision.vision.settings import LINE_WEIGHT

ALONG = np.linspace(-0.3, 0.3, 9)  # the places along a side, in its lengths
REACH = 0.13  # extent of the ground that is sampled on both sides of a side, in pitches
FINE_STEPS = 18  # steps across a side: of this many, three at each end lie clear of the outline of a board


def steps_across(pitch_px: float) -> Floats:
    """Return sampling offsets across a side, in pitches, a pixel apart."""
    steps = 2 * max(3, round(REACH * pitch_px)) + 1
    return np.asarray(REACH * (2 * np.linspace(0, 1, steps) - 1))


def side_middles(size: tuple[int, int], axis: Axis) -> Floats:
    """Return (N, 2): the middles of all sides across ``axis`` of a lattice, (rows, columns), row by row."""
    rows, cols = size
    shape = (rows, cols + 1) if axis == 0 else (rows + 1, cols)
    middles = np.indices(shape)[::-1].reshape(2, -1).T.astype(np.float64)
    middles[:, 1 - axis] += 0.5
    return middles


def round_side(axis: Axis, along: Floats, across: Floats) -> Floats:
    """Return (along · across, 2): offsets from the middle of a side to places along it, each crossed."""
    offsets = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)
    return offsets if axis == 0 else offsets[:, ::-1]


def bands_at(view: View, frame: Frame, middles: Floats, axis: Axis, along: Floats, across: Floats) -> Floats:
    """Return (steps, sides, places): brightness across sides; in the negative of a picture its darkness."""
    brightness = brightest_channel(sample(view, frame, middles, round_side(axis, along, across)))
    brightness = np.bitwise_not(brightness) if view.channel == "negative" else brightness
    by_side_place_step = brightness.reshape(len(middles), len(along), len(across))
    return np.moveaxis(by_side_place_step, 2, 0).astype(np.float64, order="C")


def above_ground(bands: Floats, short: bool = False) -> Floats:
    """Return brightness above the ground; ``bands`` (steps, sides, places): brightness across each side.

    ``short``: the lines at the ends of such sides reach into the bands; the ground is the outermost step.
    """
    steps = len(bands)
    share = np.linspace(0, 1, steps)[:, None, None]
    is_coarse = short or steps < FINE_STEPS
    ends = (bands[:1], bands[-1:]) if is_coarse else (_end(bands[:3]), _end(bands[-3:]))
    ground = ends[0] * (1 - share)
    ground += ends[1] * share
    # A glow changes gradually from one cell to the other, a tint at once, within a step of the middle: the
    # ground is the brighter of the slope and, until past the middle, the near end.
    until, since = steps // 2 + 2, steps // 2 - 1
    np.maximum(ground[:until], ends[0], out=ground[:until])
    np.maximum(ground[since:], ends[1], out=ground[since:])
    return np.subtract(bands, ground, out=ground)


def above_both(bands: Floats) -> Floats:
    """Return brightness above the brighter of the grounds at both ends of short sides."""
    return bands - np.maximum(bands[:1], bands[-1:])


def _end(three: Floats) -> Floats:
    """Return (1, sides, places): the median of three steps; JPEG rings in one of them."""
    first, second, third = (three[n : n + 1] for n in range(3))
    return np.maximum(np.minimum(first, second), np.minimum(np.maximum(first, second), third))


def place_strengths(bands: Floats, above: Floats) -> Floats:
    """Return (sides, places): the weight of each place along each side, brightness times width (steps)."""
    places = _at_places(bands, above)
    strength = third_strongest(places)
    thick = strength > LINE_WEIGHT.thick * usual_strength(strength, LINE_WEIGHT.thick)
    places[thick] = _at_places(bands[:, thick], _round_peak(above[:, thick]))
    return places


def third_strongest(places: Floats) -> Floats:
    """Return (…,): the weight of each side, that of its third strongest place; ``places`` (…, places)."""
    return np.asarray(-np.partition(-places, 2, axis=-1)[..., 2])


def _round_peak(above: Floats) -> Floats:
    """Return brightness above the ground (steps, …), 0 beyond the gaps on both sides of its peak."""
    is_above = above > 0
    # Steps with as many gaps before them as the peak are connected to it.
    gaps = np.cumsum(~is_above, axis=0)
    at_peak = np.take_along_axis(gaps, above.argmax(axis=0)[None], axis=0)
    return np.where(is_above & (gaps == at_peak), above, 0.0)


def typical_strength(bands: Floats, above: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (sides,) each: strength of sides so short that a pipe hides most of them; the share that shows.

    The strength is the median of the places that show, 0 where there are too few. Then the share of the
    places that show, and of those in the middle part.
    """
    strengths = _at_places(bands, above)
    third = strengths.shape[1] // 3
    middle_shown = (strengths[:, third:-third] > 0).mean(axis=1)
    strengths.sort(axis=1)
    shown_count = (strengths > 0).sum(axis=1)
    median_index = strengths.shape[1] - 1 - shown_count // 2
    typical = strengths[np.arange(len(strengths)), np.maximum(median_index, 0)]
    return (
        np.where(shown_count >= LINE_WEIGHT.places_min, typical, 0.0),
        shown_count / strengths.shape[1],
        middle_shown,
    )


def _at_places(bands: Floats, above: Floats) -> Floats:
    """Return brightness times width (sides, places), 0 if nothing stands out.

    ``bands``: brightness across each place; ``above``: its rise above the ground.
    """
    peak_rise, brightest = above.max(axis=0), bands.max(axis=0)
    # The area under the profile over its height, as a share of the band.
    width_share = np.maximum(above, 0).mean(axis=0) / np.maximum(peak_rise, 1.0)
    brightness = np.minimum(brightest, LINE_WEIGHT.brightness_max * peak_rise)
    stands_out = peak_rise > np.maximum(LINE_WEIGHT.step, LINE_WEIGHT.share * brightest)
    return np.where(stands_out, brightness * width_share, 0.0)


def usual_strength(sides: Floats, wall_strength: float) -> float:
    """Return the median weight of the ``sides`` (N,) that show at all; pipes hide others.

    ``wall_strength``: how many times stronger than a plain line a wall is, at least. On a
    small board most sides may be outline: if the median would be a wall, compared with the fainter quarter,
    it is the median of the sides that would not.
    """
    visible = np.sort(sides[sides > LINE_WEIGHT.strength_min])
    if not visible.size:
        return 1.0
    median_strength, faint_strength = median(visible), float(visible[visible.size // 4])
    return (
        median(visible[visible <= wall_strength * faint_strength])
        if median_strength > wall_strength * faint_strength
        else median_strength
    )


def clarity(strength: Floats, wall_strength: float) -> float:
    """Return how clearly every side is either a plain line or a wall, 0.5 to 1, by the least clear one.

    It is 1 if that side is ``LINE_WEIGHT.clear`` times stronger or fainter than ``wall_strength``.
    ``strength`` (sides,) and ``wall_strength``, the least of a wall: in plain lines.
    """
    log_ratios = np.abs(np.log(np.maximum(strength, 0.01) / wall_strength))
    return float(min(1.0, 0.5 + log_ratios.min(initial=1.0) / (2 * np.log(LINE_WEIGHT.clear))))
