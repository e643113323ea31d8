"""Strokes along the sides of cells by their colour: lines, gaps between tiles, and walls in such gaps.

A stroke is what differs most from the ground on both sides of it, at each place along a side. The blend of
two grounds that meet has a colour between theirs, so it is no stroke.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flowvision.image.picture import Frame
from flowvision.vision.pixels.line_weight import ALONG, round_side, side_middles, steps_across
from flowvision.vision.pixels.lines import Axis
from flowvision.vision.pixels.view import Floats, View, colour_distance, lab_of, sample
from flowvision.vision.settings import DOTS, LINE_WEIGHT, WALLS


class Strokes(NamedTuple):
    """Strokes of sides: ``lab`` and ``ground_lab`` (sides, places, 3), in Lab, and ``rise`` (sides, places).

    ``rise``: what a stroke differs by from the ground on both sides, in Lab.
    """

    lab: Floats
    ground_lab: Floats
    rise: Floats


def strokes_at(
    view: View, frame: Frame, middles: Floats, axis: Axis, along: Floats, across: Floats
) -> Strokes:
    """Return the strokes of sides with these middles (N, 2); ``along``, ``across``: as for ``round_side``."""
    lab = lab_of(sample(view, frame, middles, round_side(axis, along, across)))
    lab = np.moveaxis(lab.reshape(len(middles), len(along), len(across), 3), 2, 0)
    before, behind = lab[0], lab[-1]
    detour = colour_distance(lab, before) + colour_distance(lab, behind)
    strongest = detour.argmax(axis=0)[None, ..., None]
    rise = (detour.max(axis=0) - colour_distance(before, behind)) / 2  # up to the stroke and down again
    return Strokes(np.take_along_axis(lab, strongest, axis=0)[0], (before + behind) / 2, rise)


def strokes_between(
    view: View, frame: Frame, size: tuple[int, int], along: Floats, across: Floats
) -> tuple[Strokes, Strokes]:
    """Return the strokes between the cells of a lattice (rows, columns): of vertical and horizontal sides.

    ``along``, ``across``: as for ``round_side``.
    """

    def strokes_across(axis: Axis) -> Strokes:
        middles = side_middles(size, axis)
        is_inner = middles[:, axis] % size[1 - axis] > 0
        return strokes_at(view, frame, middles[is_inner], axis, along, across)

    return strokes_across(0), strokes_across(1)


def odd_side_shares(
    view: View, frame: Frame, size: tuple[int, int], pitch_px: float
) -> tuple[Floats, Floats]:
    """Return the shares of ``odd_shares`` for the sides of a lattice (rows, columns), 0 on its border.

    (rows, cols + 1) for the vertical sides, (rows + 1, cols) for the horizontal ones.
    """
    both = strokes_between(view, frame, size, ALONG, steps_across(pitch_px / view.scale))
    vertical, horizontal = np.split(odd_shares(both), [len(both[0].rise)])
    rows, cols = size
    return (
        np.pad(vertical.reshape(rows, cols - 1), ((0, 0), (1, 1))),
        np.pad(horizontal.reshape(rows - 1, cols), ((1, 1), (0, 0))),
    )


def odd_shares(strokes_of_axes: Sequence[Strokes]) -> Floats:
    """Return (sides,): the share of the places along each side, axis by axis, that show an odd stroke.

    Its colour is neither that of the usual strokes of an axis, however faint or sharp, nor that of the
    ground. It is 0 for all sides unless most sides show a usual stroke, and nearly all odd ones, two or more,
    have one colour and the length of a side: tints in the gaps and glare leave pieces and several colours.
    """
    usual = [_usual(strokes) for strokes in strokes_of_axes if len(strokes.rise)]
    strokes = Strokes(*map(np.concatenate, zip(*strokes_of_axes, strict=True)))
    ground_lab = _median(strokes.ground_lab.reshape(-1, 3))
    # A tint or uneven light changes the colour of a line by a share of what it stands out by.
    min_distance = max(DOTS.contrast, WALLS.odd_colour * max(rise for _, rise in usual))
    side_lab = _median(np.moveaxis(strokes.lab, 1, 0))
    distance = colour_distance(strokes.lab, ground_lab)
    is_usual = np.zeros(len(distance), bool)
    for usual_lab, _ in usual:
        to_usual = colour_distance(strokes.lab, usual_lab)
        to_blend = _distance_to_blends(strokes.lab - strokes.ground_lab, usual_lab - ground_lab)
        distance = np.minimum(distance, np.minimum(to_usual, to_blend))
        is_usual |= colour_distance(side_lab, usual_lab) < DOTS.contrast
    distance[strokes.rise < min_distance] = 0.0
    share = (distance >= min_distance).mean(axis=1)
    is_odd = share >= WALLS.complete
    if not is_odd.any() or np.mean(is_usual) < WALLS.usual_share:
        return np.zeros(len(share))
    odd_lab = _median(strokes.lab[is_odd].reshape(-1, 3))
    odd_distance = float(_median(distance[is_odd].ravel()))
    is_odd &= colour_distance(side_lab, odd_lab) < DOTS.contrast
    # JPEG changes the colours of plain strokes beside dots, but less.
    far = max(min_distance, WALLS.odd_colour * odd_distance)
    in_pieces = (distance >= far).sum(axis=1) >= LINE_WEIGHT.places_min
    # The colour of one alone agrees with nothing.
    is_sure = np.count_nonzero(is_odd) >= max(2, WALLS.complete * np.count_nonzero(in_pieces))
    return np.where(is_odd & is_sure, share, 0.0)


def _distance_to_blends(lab: Floats, usual_lab: Floats) -> Floats:
    """Return the distance of strokes from a usual one that is blurred, or sharper.

    ``lab`` (…, 3), ``usual_lab`` (3,): less their grounds.
    """
    sharpness = lab @ usual_lab / max(float(usual_lab @ usual_lab), 1.0)
    return colour_distance(lab, np.clip(sharpness, 0.0, WALLS.sharper)[..., None] * usual_lab)


def _usual(strokes: Strokes) -> tuple[Floats, float]:
    """Return the median colour and rise of the strokes that stand out, of all if none does."""
    is_seen = strokes.rise >= min(DOTS.faint, strokes.rise.max())
    return _median(strokes.lab[is_seen]), float(_median(strokes.rise[is_seen]))


def _median(values: Floats) -> Floats:
    """Return the upper median along the first axis; NumPy's loads masked arrays."""
    middle = len(values) // 2
    return np.asarray(np.partition(values, middle, axis=0)[middle])
