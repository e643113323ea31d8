"""Dots as the picture shows them, of any size and shape, restored over drawn pipes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb
from flowvision.image.pixels import pixels_at, unit_circle
from flowvision.render.look import DOT_MIDDLE, DOT_REACH, SEEN_DOT
from flowvision.render.paint import Disc, lifted

JUST_INSIDE, JUST_OUTSIDE = 0.32, 0.375
"""Radii of two circles that identify a dot of the game's size, in cell widths."""
EDGE = 0.02
"""Width of the soft edge of a dot, in the same unit."""
ROUND = 16
"""Points of a circle on which a dot is sampled."""
UNLIKE = 60
"""Largest distance from a dot's colour in one channel (of 255); compression adds less."""
OFF, MOST = 0.08, 0.7
"""Largest distance of a round dot's outline from a circle, in radii; the least share of it so near."""
LEAST = 0.05
"""Least area of a dot, as a share of a disc as large as the middle of a dot."""
WITHIN_CELL = 0.9
"""Widest dot, in cell widths: wider shapes are the lines around it."""


def whole_dot(
    bgr: Bgr, centre: Sequence[float], colours: tuple[Rgb, Rgb], cell_width_px: float, alone: bool = True
) -> Disc:
    """Return the dot round ``centre``: pixels nearer to its colour than to the ground's, and the enclosed.

    ``colours``: of dot and ground. Unless it stands ``alone``, a pipe that leads out of it is left out by
    point symmetry. Where dot and ground look alike, it is a disc of the game's size.
    """
    reach = round(DOT_REACH * cell_width_px)
    x, y = (round(c) for c in centre)
    part = np.s_[max(0, y - reach) : max(0, y + reach + 1), max(0, x - reach) : max(0, x + reach + 1)]
    pixels = bgr[part].copy()
    if not pixels.size:
        return lifted(bgr, centre, SEEN_DOT * cell_width_px)
    size, above, left = 2 * reach + 1, part[0].start - y + reach, part[1].start - x + reach
    below, right = size - above - pixels.shape[0], size - left - pixels.shape[1]
    # Beyond the picture its border is repeated.
    patch = cv2.copyMakeBorder(pixels, above, below, left, right, cv2.BORDER_REPLICATE)
    nearer = _nearer(np.asarray(patch, np.uint8), *colours)
    outline = _outline(nearer, cell_width_px) if alone else None
    if outline is None or outline.min() == 0 or outline.max() == size - 1:
        # A pipe leads out of it, or lines hang on that.
        outline = _outline(nearer & nearer[::-1, ::-1], cell_width_px)
    if outline is None:
        return lifted(bgr, centre, SEEN_DOT * cell_width_px)
    full = cv2.drawContours(np.zeros((size, size), np.uint8), [outline], -1, 255, -1)
    mask = full[above : above + pixels.shape[0], left : left + pixels.shape[1]]
    return Disc(part, pixels, np.ascontiguousarray(mask, np.uint8))


def lit(dot: Disc, dimmed: Rgb, full: Rgb) -> Disc:
    """Return a ``dimmed`` dot in its ``full`` brightness."""
    pixels = cv2.convertScaleAbs(dot.pixels, alpha=max(full) / max(1, *dimmed))
    return Disc(dot.part, np.asarray(pixels, np.uint8), dot.mask)


def inside_of(dot: Disc, cell_width_px: float) -> Disc:
    """Return the dot without its soft edge, which would show where a pipe meets it."""
    if not dot.mask.size:  # it lies beyond the picture
        return dot
    mask = cv2.erode(dot.mask, np.ones((3, 3), np.uint8), iterations=max(1, round(EDGE * cell_width_px)))
    return Disc(dot.part, dot.pixels, np.asarray(mask, np.uint8))


def circle_of(dot: Disc) -> tuple[Floats, float] | None:
    """Return the middle (2,) and the radius of a round dot in pixels, ``None`` for other shapes."""
    outlines, _ = cv2.findContours(dot.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    points = np.asarray(max(outlines, key=len), np.float64).reshape(-1, 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    away = np.hypot(*(points - middle).T)
    radius = float(np.median(away))
    if (np.abs(away - radius) <= max(1.0, OFF * radius)).mean() < MOST:
        return None
    return np.array((dot.part[1].start, dot.part[0].start)) + middle, radius + 0.5


def share_of_circle(bgr: Bgr, centres: Floats, colours: Sequence[Rgb], radii_px: Sequence[float]) -> Floats:
    """Return the share (dots, radii) of circles round ``centres`` (N, 2) that has the dot's colour."""
    seen, _ = pixels_at(bgr, centres[:, None, None] + np.array(radii_px)[:, None, None] * unit_circle(ROUND))
    own = np.array([colour[::-1] for colour in colours], np.int16)[:, None, None]
    return np.asarray((np.abs(seen - own).max(axis=3) < UNLIKE).mean(axis=2), np.float64)


def _nearer(patch: Bgr, colour: Rgb, ground: Rgb) -> NDArray[np.uint8]:
    near, far = (np.array(one[::-1], np.float32) for one in (colour, ground))
    along = cv2.transform(patch.astype(np.float32), (near - far)[None])
    return (along > (near @ near - far @ far) / 2).view(np.uint8)


def _outline(mask: NDArray[np.uint8], cell_width_px: float) -> NDArray[np.int32] | None:
    """Return the outline of the smallest large part round the middle of the mask, or ``None``.

    Lines round a cell may have the colour too and hold its dot; a letter, such as D, may hold a part of it.
    """
    middle_px = np.pi * (DOT_MIDDLE * cell_width_px) ** 2
    outlines, kinship = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    middle, found = len(mask) // 2, list[tuple[float, int]]()
    for number, outline in enumerate(outlines):
        is_outer = kinship[0, number, 3] < 0
        if is_outer and cv2.pointPolygonTest(outline, (middle, middle), False) >= 0:
            found.append((cv2.contourArea(outline), number))
    large = sorted(one for one in found if one[0] >= LEAST * middle_px)
    widths = [max(cv2.boundingRect(outlines[number])[2:]) for _, number in large[1:2]]
    is_in_letter = bool(widths) and large[0][0] < middle_px and widths[0] < WITHIN_CELL * cell_width_px
    return np.asarray(outlines[large[is_in_letter][1]], np.int32) if large else None
