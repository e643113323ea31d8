"""Circles and discs in a picture, by OpenCV's gradient Hough transform."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.crop import CropBox
from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.pixels.edges import edge_share, without_ipp
from flowvision.vision.pixels.sampling import lab_of, ring, sample
from flowvision.vision.pixels.view import Floats, PixelBox, View, brightest_channel, view_of
from flowvision.vision.settings import Settings

MOST = 400
"""Circles that are looked at: four large boards of rings; a photograph of leaves has more."""
STEP, ROUND = 80, 0.8
"""What OpenCV takes for a circle: the Sobel response of its rim, and how much of it is seen, 0 to 1. Pipes
that leave a dot hide a tenth each."""
ROUND_ENOUGH = 0.7
"""The same where more is asked of a circle: what it is filled with."""
GROUND_STEP = 7
"""Of so many pixels one is enough to tell the usual colour."""
ROUND_IT = 0.5
"""Of a part of a board, along its longer side: how far beside it the rest is looked for."""
BUSY = 0.18
"""Of the pixels: a picture with more edges is noise or a pattern and would take half a minute; real ones have
up to 0.13."""
RIM_POINTS = 12
INSIDE, OUTSIDE = 0.6, 1.25
"""Of the radius: rings that are of the colour of a disc, and mostly not. The round end of a bar has 0.3 of
the outer one, a pipe 0.13."""
RIMS = (0.9, 0.95, 1.0, 1.05, 1.1)
"""Of the radius: where a rim is looked for; its inner or its outer edge is taken for the circle's."""
CELL_PX, MOST_PX = 80.0, 1200.0
"""How finely circles are looked for: the width of a cell, in pixels of the enlarged or shrunk picture, and
the most of its shorter side. With 60 a cell, one in twenty boards of small dots is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Circles that may be dots, (N, 3) each: middles and radii, in picture pixels.

    ``filled``: of one colour that is not all round them. ``rimmed``: all others of one colour within a rim,
    be it the colour round them; none unless most that are filled have a rim.
    """

    filled: Floats
    rimmed: Floats


def circles_in(view: View, settings: Settings, view_px: float, round_by: float = ROUND) -> Floats:
    """(N, 3): middles and radii of circles, in view pixels, by OpenCV's gradient Hough transform.

    ``view_px``: a view with a shorter side of less is enlarged to at least that; circles of few pixels are
    found where each is several.
    """
    # Whatever stands out from the ground in any channel; on black that is the brightest one.
    ground = np.median(view.bgr.reshape(-1, 3)[::GROUND_STEP], axis=0).tolist()
    # OpenCV's stubs forget that one colour will do.
    apart = cv2.absdiff(view.bgr, (*ground, 0.0))  # type: ignore[call-overload]
    value = brightest_channel(np.asarray(apart, np.uint8))
    # Whole factors only, which blur least; a shrunk view may be a pixel short.
    times = min(ceil(view_px / (min(view.size) + 1)), max(1, int(MOST_PX / min(view.size))))
    if times > 1:
        value = np.asarray(
            cv2.resize(value, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    if edge_share(value, STEP / 2, STEP) > BUSY:
        return np.empty((0, 3))
    with without_ipp():  # it looks for edges first
        found = cv2.HoughCircles(
            value,
            cv2.HOUGH_GRADIENT_ALT,
            1,
            times * settings.grid.pitch_min_px,
            param1=STEP,
            param2=round_by,
            minRadius=round(times * settings.grid.pitch_min_px / 2),
            maxRadius=round(min(value.shape) / (2 * settings.grid.cells_min)),
        )
    if found is None:
        return np.empty((0, 3))
    circles = np.asarray(found, np.float64).reshape(-1, 3)[:MOST] / times
    circles[:, :2] -= (1 - 1 / times) / 2
    return _apart(circles)


def discs_round(shot: Screenshot, box: CropBox, pitch_px: float, settings: Settings) -> Discs:
    """The discs in a part of a screenshot and round it.

    ``pitch_px``: the width of a cell.
    """
    x, y, width, height = box
    tall, wide = shot.bgr.shape[:2]
    space = round(ROUND_IT * max(width, height))
    low, high = (max(0, x - space), max(0, y - space)), (x + width + space, y + height + space)
    high = min(wide, high[0]), min(tall, high[1])
    shorter = min(high[0] - low[0], high[1] - low[1])
    view_px = min(shorter * CELL_PX / pitch_px, MOST_PX)
    view = view_of(shot, PixelBox(*low, *high), view_px)
    circles = circles_in(view, settings, view_px, ROUND_ENOUGH)
    own = Frame(tuple(view.to_picture.ravel().tolist()))
    is_disc, has_rim = are_discs(view, own, circles, settings), have_rims(view, own, circles, settings)
    most_have = 2 * np.count_nonzero(is_disc & has_rim) > np.count_nonzero(is_disc)
    circles = np.column_stack((own.to_px(circles[:, :2]), circles[:, 2] * view.scale))
    return Discs(circles[is_disc], circles[has_rim & ~is_disc & most_have])


def are_discs(
    view: View,
    frame: Frame,
    circles: Floats,
    settings: Settings,
    rings: tuple[float, float] = (INSIDE, OUTSIDE),
) -> NDArray[np.bool_]:
    """(N,): whether circles are filled with one colour that is not all round them.

    ``circles`` (N, 3): their middles and radii, in units that ``frame`` maps to the picture of the view.
    ``rings``: of the radius, one inside them and one outside.
    """
    if not len(circles):
        return np.zeros(0, bool)
    inside, outside = (
        lab_of(sample(view, frame, circles[:, :2], circles[:, 2, None, None] * ring(radius, RIM_POINTS)))
        for radius in rings
    )
    colour = np.median(inside, axis=1)
    contrast = np.linalg.norm(colour - np.median(outside, axis=1), axis=1)
    even, alike = (
        (np.linalg.norm(part - colour[:, None], axis=2) < 0.5 * contrast[:, None]).mean(axis=1)
        for part in (inside, outside)
    )
    # As of dots: round ends of bars go on at one side.
    is_disc = (even >= settings.dots.cover) & (1 - alike >= settings.dots.clear)
    return np.asarray((contrast >= settings.dots.contrast) & is_disc)


def have_rims(view: View, frame: Frame, circles: Floats, settings: Settings) -> NDArray[np.bool_]:
    """(N,): whether circles are of one colour within a rim of another.

    That is no mixture of theirs and the one round them. The arguments are those of ``are_discs``.
    """
    if not len(circles):
        return np.zeros(0, bool)
    rings = np.stack([ring(radius, RIM_POINTS) for radius in (INSIDE, OUTSIDE, *RIMS)]).reshape(-1, 2)
    seen = sample(view, frame, circles[:, :2], circles[:, 2, None, None] * rings)
    seen = seen.reshape(len(circles), -1, RIM_POINTS, 3)
    usual = np.median(seen, axis=2)
    # Edges are smoothed: on them any rimless disc has colours between its own and the one round it.
    share = np.linspace(0, 1, 9)[:, None]
    mixtures = lab_of(np.round((1 - share) * usual[:, None, 0] + share * usual[:, None, 1]).astype(np.uint8))
    rims, inside = lab_of(usual[:, 2:].astype(np.uint8)), lab_of(seen[:, 0])
    away = np.linalg.norm(rims[:, :, None] - mixtures[:, None], axis=3).min(axis=2)
    along = np.linalg.norm(lab_of(seen[:, 2:]) - rims[:, :, None], axis=3) < 0.5 * away[..., None]
    across = np.linalg.norm(inside - mixtures[:, :1], axis=2)[:, None] < 0.5 * away[..., None]
    # A pipe hides a part of the rim, but is as the disc within.
    whole = (along.mean(axis=2) >= settings.dots.clear) & (across.mean(axis=2) >= settings.dots.cover)
    return np.asarray(((away >= settings.dots.contrast) & whole).any(axis=1))


def _apart(circles: Floats) -> Floats:
    """The circles less those within another one before them: a ring has an inner and an outer one."""
    away = np.hypot(*np.moveaxis(circles[:, None, :2] - circles[:, :2], -1, 0))
    within = np.tril(away < circles[:, 2] / 2, -1)
    kept: list[int] = []
    for number, others in enumerate(within):
        if not others[kept].any():
            kept.append(number)
    return circles[kept]
