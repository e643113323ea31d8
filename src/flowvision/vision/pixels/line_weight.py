"""Weight of a side of a cell: the brightness of its line times the line's width.

A side is sampled at places along it, and at each place at steps across it. Its bands (steps, sides, places)
hold the brightness there. Steps come first: NumPy takes three times as long over a last axis of twenty.

The ground on both sides is subtracted, so that the edge of a glow or a tint is no line. A pipe that crosses a
side hides five of nine places along it; no pipe crosses a wall.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flowvision.image.picture import Frame, brightest_channel
from flowvision.vision.pixels.lines import Axis
from flowvision.vision.pixels.view import Floats, Gray, View, grid_points, median, sample
from flowvision.vision.settings import LINE_WEIGHT

ALONG = np.linspace(-0.3, 0.3, 9)  # the places along a side, from its middle, in its lengths
REACH = 0.13  # extent of the ground that is sampled on both sides of a side, in pitches
FINE_STEPS = 18  # steps across a side: of this many, three at each end lie clear of the outline of a board


def steps_across(pitch_px: float) -> Floats:
    """Return (steps,): the places across a side, from its middle, in pitches; about a pixel apart."""
    steps = 2 * max(3, round(REACH * pitch_px)) + 1
    return REACH * (2 * np.linspace(0, 1, steps) - 1)


def side_middles(size: tuple[int, int], axis: Axis) -> Floats:
    """Return (N, 2): the middles of all sides of a lattice (rows, columns) across an axis, row by row.

    In cell units, x first. Axis 0: of vertical sides, 1: of horizontal ones.
    """
    rows, cols = size
    return grid_points(
        np.arange(0.0, cols + 1 - axis) + axis / 2, np.arange(0.0, rows + axis) + (1 - axis) / 2
    )


def round_side(axis: Axis, along: Floats, across: Floats) -> Floats:
    """Return (along · across, 2): offsets from the middle of a side to its places, each with all steps.

    ``along`` (places,), ``across`` (steps,): in pitches. ``axis``: across the side.
    """
    offsets = grid_points(across, along)
    return offsets if axis == 0 else offsets[:, ::-1]


def bands_at(view: View, frame: Frame, middles: Floats, axis: Axis, along: Floats, across: Floats) -> Floats:
    """Return the bands (steps, sides, places) of sides with these middles (N, 2), in the view's channel.

    In the negative of a picture brightness is darkness. ``along``, ``across``: as for ``round_side``.
    """
    brightness = brightest_channel(sample(view, frame, middles, round_side(axis, along, across)))
    brightness = np.bitwise_not(brightness) if view.channel == "negative" else brightness
    return bands_of(brightness, len(along), len(across))


def bands_of(brightness: Gray, places: int, steps: int) -> Floats:
    """Return the bands (steps, sides, places) of brightness (sides, places · steps)."""
    by_side_place_step = brightness.reshape(len(brightness), places, steps)
    return np.moveaxis(by_side_place_step, 2, 0).astype(np.float64, order="C")


def above_ground(bands: Floats, short: bool = False) -> Floats:
    """Return bands (steps, sides, places) less the ground, which the steps at both ends show.

    ``short``: the lines at the ends of such sides reach into the bands; the ground is the outermost step.
    """
    steps = len(bands)
    share = np.linspace(0, 1, steps)[:, None, None]
    is_coarse = short or steps < FINE_STEPS
    near_end, far_end = (bands[:1], bands[-1:]) if is_coarse else (_median(bands[:3]), _median(bands[-3:]))
    ground = near_end * (1 - share)
    ground += far_end * share
    # A glow changes gradually from one cell to the other, a tint at once, within a step of the middle one:
    # the ground is the brighter of the slope and the near end, up to a step past the middle, or the far end,
    # from a step before it.
    until, since = steps // 2 + 2, steps // 2 - 1
    np.maximum(ground[:until], near_end, out=ground[:until])
    np.maximum(ground[since:], far_end, out=ground[since:])
    return np.subtract(bands, ground, out=ground)


def above_both(bands: Floats) -> Floats:
    """Return bands (steps, sides, places) of short sides, less the brighter of the outermost steps."""
    return bands - np.maximum(bands[:1], bands[-1:])


def _median(three: Floats) -> Floats:
    """Return (1, sides, places): the median of three steps (3, sides, places); JPEG rings in one of them."""
    first, second, third = np.split(three, 3)
    return np.maximum(np.minimum(first, second), np.minimum(np.maximum(first, second), third))


def place_strengths(bands: Floats, above: Floats) -> Floats:
    """Return (sides, places): the weight at each place; ``above``: the bands above their ground.

    Thick lines count only as far as they are connected, without what lies beside them.
    """
    strengths = _at_places(bands, above)
    side_strengths = third_strongest(strengths)
    is_thick = side_strengths > LINE_WEIGHT.thick * usual_strength(side_strengths, LINE_WEIGHT.thick)
    if is_thick.any():
        strengths[is_thick] = _at_places(bands[:, is_thick], _round_peak(above[:, is_thick]))
    return strengths


def third_strongest(strengths: Floats) -> Floats:
    """Return (…,): the weight of each side, that of its third strongest place; ``strengths`` (…, places)."""
    return -np.partition(-strengths, 2, axis=-1)[..., 2]


def _round_peak(above: Floats) -> Floats:
    """Return brightness above the ground (steps, …), 0 beyond the gaps on both sides of its peak."""
    is_above = above > 0
    # Steps with as many gaps before them as the peak are connected to it.
    gaps_before = np.cumsum(~is_above, axis=0)
    gaps_before_peak = np.take_along_axis(gaps_before, above.argmax(axis=0)[None], axis=0)
    return np.where(is_above & (gaps_before == gaps_before_peak), above, 0.0)


class ShortSides(NamedTuple):
    """Evidence of sides (N,) that are so short that a pipe hides most of them.

    ``strength``: the median weight of the places that show a line, 0 if too few do. ``shown``,
    ``middle_shown``: the share of the places that do, of all and of those in the middle third.
    """

    strength: Floats
    shown: Floats
    middle_shown: Floats


def short_sides(bands: Floats, above: Floats) -> ShortSides:
    """Return the evidence of short sides, by their bands and those above their ground."""
    strengths = _at_places(bands, above)
    place_count = strengths.shape[1]
    third = place_count // 3
    middle_shown = (strengths[:, third:-third] > 0).mean(axis=1)
    strengths.sort(axis=1)
    shown_count = (strengths > 0).sum(axis=1)
    median_place = np.maximum(place_count - 1 - shown_count // 2, 0)  # the shown ones are the last
    median_strength = strengths[np.arange(len(strengths)), median_place]
    is_shown = shown_count >= LINE_WEIGHT.places_min
    return ShortSides(np.where(is_shown, median_strength, 0.0), shown_count / place_count, middle_shown)


def _at_places(bands: Floats, above: Floats) -> Floats:
    """Return (sides, places): the brightness of lines times their width, as a share of the band's.

    0 where nothing stands out. ``above``: the bands above their ground.
    """
    peak_rise = above.max(axis=0)
    brightest = bands.max(axis=0)
    # The area under the profile over its height, as a share of the band.
    width_share = np.maximum(above, 0).mean(axis=0) / np.maximum(peak_rise, 1.0)
    # On a bright ground a faint artefact of JPEG is bright too: brightness counts up to some times its rise.
    brightness = np.minimum(brightest, LINE_WEIGHT.brightness_per_rise_max * peak_rise)
    stands_out = peak_rise > np.maximum(LINE_WEIGHT.step, LINE_WEIGHT.share * brightest)
    return np.where(stands_out, brightness * width_share, 0.0)


def usual_strength(strengths: Floats, wall_strength: float) -> float:
    """Return the median weight of sides (N,) without those that pipes hide; 1.0 if none shows.

    ``wall_strength``: how many times stronger than a plain line a wall is, at least. On a small board most
    sides may be outline: if the median would be a wall, compared with the fainter quarter, it is the median
    of the sides that would not.
    """
    visible = np.sort(strengths[strengths > LINE_WEIGHT.strength_min])
    if not visible.size:
        return 1.0
    min_wall = wall_strength * float(visible[visible.size // 4])
    median_strength = median(visible)
    return median(visible[visible <= min_wall]) if median_strength > min_wall else median_strength


def clarity(strength: Floats, wall_strength: float) -> float:
    """Return how clearly every side is either a plain line or a wall, 0.5 to 1, by the least clear one.

    It is 1 if that side is ``LINE_WEIGHT.clear`` times stronger or fainter than ``wall_strength``.
    ``strength`` (sides,) and ``wall_strength``, the least of a wall: in plain lines.
    """
    log_ratios = np.abs(np.log(np.maximum(strength, 0.01) / wall_strength))  # without any side, all is clear
    return float(min(1.0, 0.5 + log_ratios.min(initial=1.0) / (2 * np.log(LINE_WEIGHT.clear))))
