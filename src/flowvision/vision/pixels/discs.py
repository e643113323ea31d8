"""Discs in a picture: circles that are filled with one colour, or have a rim."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Screenshot
from flowvision.image.pixels import CropBox
from flowvision.value import value_type
from flowvision.vision.pixels.circles import circles_in, contrast_of, enlarged, hough_circles
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    PixelBox,
    View,
    colour_distance,
    lab_of,
    ring,
    sample,
    view_of,
)
from flowvision.vision.settings import CircleSettings, DotSettings, Settings

NOISE_STRIDE = 5
"""One of so many pixels, each way, is enough to tell how noisy a picture is."""
RIM_POINTS = 12
"""Points on a ring where its colour is looked at."""
RIMS = (0.9, 0.95, 1.0, 1.05, 1.1)
"""Of the radius: rings where a rim is looked for; the circle may be its inner or its outer edge."""
MIXTURES = 9
"""Shades from the colour of a disc to that round it, as smoothed edges show them."""


@value_type(eq=False)
class Discs:
    """Circles that may be dots, (N, 3) each: middles and radii, in picture pixels.

    ``filled``: of one colour, which differs from most of what is round them. ``rimmed``: the others that are
    of one colour within a rim of another one, even if the colour round them is the same; empty unless most of
    the filled ones have a rim as well.
    """

    filled: Floats
    rimmed: Floats


def discs_round(
    shot: Screenshot, box: CropBox, pitch_px: float, settings: Settings, middles_px: Floats | None = None
) -> Discs:
    """The discs in a part of a screenshot and round it; ``pitch_px``: the width of a cell.

    ``middles_px`` (N, 2): of the cells that may hold one, where that is known; there are no discs unless
    enough of these show a circle.
    """
    asked = settings.circles
    x, y, width, height = box
    tall, wide = shot.bgr.shape[:2]
    space = round(max(asked.beside * max(width, height), asked.beside_cells * pitch_px))
    low, high = (max(0, x - space), max(0, y - space)), (x + width + space, y + height + space)
    high = min(wide, high[0]), min(tall, high[1])
    shorter = min(high[0] - low[0], high[1] - low[1])
    view_px = min(shorter * asked.disc_cell_px / pitch_px, asked.disc_view_max_px)
    view = view_of(shot, PixelBox(*low, *high), view_px)
    own, pitch = Frame.of_homography(view.to_picture), pitch_px / view.scale
    if middles_px is not None and not show_discs(view, view_px, own.to_cells(middles_px), pitch, settings):
        return Discs(np.empty((0, 3)), np.empty((0, 3)))
    if _is_noisy(contrast_of(view), asked):
        view = replace(view, bgr=np.asarray(cv2.GaussianBlur(view.bgr, (0, 0), asked.smooth_px), np.uint8))
    radius_max = asked.disc_radius_max * pitch
    circles = circles_in(view, view_px, asked.roundness_of_discs, asked, settings.grid, radius_max)
    is_disc = are_discs(view, own, circles, asked, settings.dots)
    has_rim = have_rims(view, own, circles, asked, settings.dots)
    most_have = 2 * np.count_nonzero(is_disc & has_rim) > np.count_nonzero(is_disc)
    circles = np.column_stack((own.to_px(circles[:, :2]), circles[:, 2] * view.scale))
    return Discs(circles[is_disc], circles[has_rim & ~is_disc & most_have])


def show_discs(view: View, view_px: float, middles: Floats, pitch_px: float, settings: Settings) -> bool:
    """Whether enough cells have a disc of one size round about their middles (N, 2), in view pixels.

    Each is looked at alone: in a busy picture all circles together take a hundred times as long, for their
    time grows with the square of the edges. Where noise makes edges everywhere, a cell is looked at only
    after its disc is seen with the noise smoothed away as well, in a third of the time. ``view_px`` as for
    ``circles_in``; ``pitch_px``: the width of a cell in the view.
    """
    asked = settings.circles
    contrast, times = enlarged(contrast_of(view), view_px, asked.disc_view_max_px)
    looks = [contrast]
    if _is_noisy(contrast, asked):
        smooth = cv2.GaussianBlur(contrast, (0, 0), asked.smooth_px)
        looks.insert(0, np.asarray(smooth, np.uint8))
    radii = np.empty(0)
    for middle in middles:
        found = np.empty(0)
        for look in looks:
            found = _disc_round(view, look, times, middle, times * pitch_px, settings)
            if not found.size:
                break
        radii = np.append(radii, found)
        alike = np.abs(radii[:, None] / radii - 1) <= asked.alike_size
        if alike.sum(axis=1).max(initial=0) >= asked.glance_min:
            return True
    return False


def _disc_round(
    view: View, contrast: NDArray[np.uint8], times: int, middle: Floats, pitch: float, settings: Settings
) -> Floats:
    """The radius, in view pixels, of the first disc about ``middle`` (2,), likewise; empty without one.

    ``contrast``: of the view, enlarged so many ``times``; ``pitch``: the width of a cell there.
    """
    asked, dots = settings.circles, settings.dots
    x, y = np.round((middle + 0.5) * times - 0.5).astype(int).tolist()
    reach = ceil((dots.off_lattice + dots.radius_max) * pitch) + 1
    x0, y0 = max(0, x - reach), max(0, y - reach)
    part = contrast[y0 : y + reach + 1, x0 : x + reach + 1]
    diameter_min, radius_max = times * settings.grid.pitch_min_px, asked.disc_radius_max * pitch
    circles = hough_circles(part, asked.roundness_of_discs, diameter_min, radius_max, asked)
    circles += np.array((x0, y0, 0))
    circles = circles[(np.abs(circles[:, :2] - (x, y)) <= dots.off_lattice * pitch).all(axis=1)] / times
    circles[:, :2] -= (1 - 1 / times) / 2
    is_disc = are_discs(view, Frame.of_homography(view.to_picture), circles, asked, dots)
    return np.asarray(circles[is_disc, 2][:1])


def _is_noisy(contrast: NDArray[np.uint8], settings: CircleSettings) -> bool:
    """Whether noise alone would make edges all over a picture."""
    # The derivative that ``cv2.HoughCircles`` takes itself.
    across = cv2.Scharr(contrast, cv2.CV_16S, 1, 0, borderType=cv2.BORDER_REPLICATE)
    usual = float(np.median(np.abs(across[::NOISE_STRIDE, ::NOISE_STRIDE])))
    return settings.noise * usual > settings.step


def are_discs(
    view: View,
    frame: Frame,
    circles: Floats,
    settings: CircleSettings,
    dots: DotSettings,
    rings: tuple[float, float] | None = None,
) -> NDArray[np.bool_]:
    """(N,): whether circles are filled with one colour that differs from most of what is round them.

    ``circles`` (N, 3): their middles and radii, in units that ``frame`` maps to the picture of the view.
    ``rings``: of the radius, one inside them and one outside; as a rule those of ``settings``.
    """
    if not len(circles):
        return np.zeros(0, bool)
    inside, outside = (
        lab_of(sample(view, frame, circles[:, :2], circles[:, 2, None, None] * ring(radius, RIM_POINTS)))
        for radius in rings or (settings.inside, settings.outside)
    )
    colour = np.median(inside, axis=1)
    contrast = colour_distance(colour, np.median(outside, axis=1))
    even, alike = (
        (colour_distance(part, colour[:, None]) < HALF_WAY * contrast[:, None]).mean(axis=1)
        for part in (inside, outside)
    )
    # The round end of a bar goes on at one side; so does a dot with a pipe, but that is narrower.
    is_disc = (even >= dots.cover) & (1 - alike >= dots.clear)
    return np.asarray((contrast >= dots.contrast) & is_disc)


def have_rims(
    view: View, frame: Frame, circles: Floats, settings: CircleSettings, dots: DotSettings
) -> NDArray[np.bool_]:
    """(N,): whether circles are of one colour within a rim of another.

    The rim's colour is no mixture of the one inside and the one outside. The arguments are those of
    ``are_discs``.
    """
    if not len(circles):
        return np.zeros(0, bool)
    rings = np.stack([ring(radius, RIM_POINTS) for radius in (settings.inside, settings.outside, *RIMS)])
    seen = sample(view, frame, circles[:, :2], circles[:, 2, None, None] * rings.reshape(-1, 2))
    seen = seen.reshape(len(circles), -1, RIM_POINTS, 3)
    usual = np.median(seen, axis=2)
    # The edge of a disc without a rim is smoothed: it has all colours between that of the disc and the other.
    share = np.linspace(0, 1, MIXTURES)[:, None]
    mixtures = lab_of(np.round((1 - share) * usual[:, None, 0] + share * usual[:, None, 1]).astype(np.uint8))
    rims, inside = lab_of(usual[:, 2:].astype(np.uint8)), lab_of(seen[:, 0])
    away = colour_distance(rims[:, :, None], mixtures[:, None]).min(axis=2)
    along = colour_distance(lab_of(seen[:, 2:]), rims[:, :, None]) < HALF_WAY * away[..., None]
    across = colour_distance(inside, mixtures[:, :1])[:, None] < HALF_WAY * away[..., None]
    # A pipe hides a part of the rim; it has the colour of the disc.
    whole = (along.mean(axis=2) >= dots.clear) & (across.mean(axis=2) >= dots.cover)
    return np.asarray(((away >= dots.contrast) & whole).any(axis=1))
