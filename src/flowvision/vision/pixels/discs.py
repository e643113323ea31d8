"""Circles, by OpenCV's gradient Hough transform, and discs: circles of one colour, or with a rim."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.image.pixels import CropBox
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    PixelBox,
    View,
    brightest_channel,
    colour_distance,
    lab_of,
    median,
    ring,
    sample,
    view_of,
)
from flowvision.vision.settings import CircleSettings, DotSettings, GridSettings, Settings


@contextmanager
def without_ipp() -> Iterator[None]:
    """Disable Intel's IPP in OpenCV on this thread, if OpenCV was built with it.

    ``cv2.Canny(picture, …)`` on a single thread of OpenCV is IPP's, and writes outside its buffer for dense
    regular patterns: meshes of lines, halftones (docs/notes/opencv.md). The edges are the same without it.
    """
    used = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    try:
        yield
    finally:
        cv2.ipp.setUseIPP(used)


def edge_share(gray: NDArray[np.uint8], low: float, high: float) -> float:
    """Return the share of pixels that are edges to ``cv2.Canny`` with these thresholds.

    ``gray``: (H, W) uint8. The derivatives are taken here: that form was never seen to write outside its
    buffer, not even with IPP.
    """
    across, down = (cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE) for dx in (1, 0))
    with without_ipp():
        edges = cv2.Canny(across, down, low, high)
    return cv2.countNonZero(edges) / gray.size


def circles_in(view: View, circles: CircleSettings, grid: GridSettings) -> Floats:
    """Return (N, 3): middles and radii of circles, in view pixels; none is concentric with another."""
    contrast = contrast_of(view.bgr)
    found = _all_circles(contrast, circles.grid_view_px, circles.roundness, circles, grid)
    return found[_apart(found, circles.concentric)]


def _all_circles(
    contrast: NDArray[np.uint8],
    view_px: float,
    roundness: float,
    circles: CircleSettings,
    grid: GridSettings,
    radius_max: float | None = None,
    is_noisy: bool = False,
) -> Floats:
    """Return (N, 3): circles with a radius up to ``radius_max``, also concentric ones.

    A picture whose shorter side has less than ``view_px`` is enlarged to at least that. ``roundness``: how
    much of a circle must be seen.
    """
    contrast, times = enlarged(contrast, view_px, circles.disc_view_max_px)
    if edge_share(contrast, circles.step / 2, circles.step) > circles.edges_max:
        return np.empty((0, 3))
    if is_noisy:
        contrast = np.asarray(cv2.GaussianBlur(contrast, (0, 0), circles.smooth_px), np.uint8)
    largest = round(min(contrast.shape) / (2 * grid.cells_min)) if radius_max is None else times * radius_max
    in_view = hough_circles(contrast, roundness, times * grid.pitch_min_px, largest, circles) / times
    in_view[:, :2] -= (1 - 1 / times) / 2
    return in_view


def hough_circles(
    contrast: NDArray[np.uint8],
    roundness: float,
    diameter_min: float,
    radius_max: float,
    settings: CircleSettings,
) -> Floats:
    """Return (N, 3): centres and radii of circles; centres are at least ``diameter_min`` apart."""
    with without_ipp():  # it looks for edges first
        found = cv2.HoughCircles(
            contrast,
            cv2.HOUGH_GRADIENT_ALT,
            1,
            diameter_min,
            param1=settings.step,
            param2=roundness,
            minRadius=round(diameter_min / 2),
            maxRadius=ceil(radius_max),
        )
    if found is None:
        return np.empty((0, 3))
    return np.asarray(found, np.float64).reshape(-1, 3)[: settings.count_max]


def contrast_of(bgr: Bgr) -> NDArray[np.uint8]:
    """Return (h, w): every pixel's largest distance from the usual colour in one channel."""
    some = bgr.reshape(-1, 3)[::7]  # enough for the usual colour
    ground = [median(some[:, channel]) for channel in range(3)]
    # OpenCV's stubs do not know that one colour suffices.
    apart = cv2.absdiff(bgr, (*ground, 0.0))  # type: ignore[call-overload]
    return brightest_channel(np.asarray(apart, np.uint8))


def enlarged(gray: NDArray[np.uint8], view_px: float, view_max_px: float) -> tuple[NDArray[np.uint8], int]:
    """Return a picture enlarged to ``view_px`` on its shorter side where it is smaller, and how many times.

    By whole factors, which blur least.
    """
    shorter = min(gray.shape)
    # A shrunk view may be a pixel short of its size.
    times = min(ceil(view_px / (shorter + 1)), max(1, int(view_max_px / shorter)))
    if times > 1:
        gray = np.asarray(
            cv2.resize(gray, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    return gray, times


def _apart(circles: Floats, concentric: float) -> list[int]:
    away = np.hypot(*np.moveaxis(circles[:, None, :2] - circles[:, :2], -1, 0))
    within = np.tril(away < concentric * circles[:, 2], -1)
    kept: list[int] = []
    for number, others in enumerate(within):
        if not others[kept].any():
            kept.append(number)
    return kept


RIM_POINTS = 12  # points on a ring where its colour is looked at
SMALLER = 0.7
"""Scale of the first search for discs in a noisy picture. At 0.6 the smallest dots are missed, of 11 px
in cells of 80."""


class Discs(Struct, frozen=True, eq=False):
    """Circles that may be dots, (N, 3) each: centres and radii, in picture pixels.

    ``filled``: of one colour that differs from most of their surroundings. ``faint``: those that hardly
    differ, or only by a rim; rims count if there are as many filled ones.
    """

    filled: Floats
    faint: Floats


def discs_round(
    shot: Screenshot, box: CropBox, pitch_px: float, settings: Settings, middles_px: Floats | None = None
) -> Discs:
    """Return the discs in a part of a screenshot and round it; ``pitch_px``: the width of a cell.

    ``middles_px`` (N, 2): of the cells that may hold one; no discs unless enough of these show a circle.
    """
    thresholds = settings.circles
    x, y, width, height = box
    tall, wide = shot.bgr.shape[:2]
    space = round(max(thresholds.beside * max(width, height), thresholds.beside_cells * pitch_px))
    low, high = (max(0, x - space), max(0, y - space)), (x + width + space, y + height + space)
    high = min(wide, high[0]), min(tall, high[1])
    shorter = min(high[0] - low[0], high[1] - low[1])
    view_px = min(shorter * thresholds.disc_cell_px / pitch_px, thresholds.disc_view_max_px)
    view = view_of(shot, PixelBox(*low, *high), view_px)
    view_frame, pitch = Frame.of_homography(view.to_picture), pitch_px / view.scale
    if middles_px is not None and not show_discs(
        view, view_px, view_frame.to_cells(middles_px), pitch, settings
    ):
        return Discs(np.empty((0, 3)), np.empty((0, 3)))
    contrast = contrast_of(view.bgr)
    is_noisy = _is_noisy(contrast, thresholds)
    if is_noisy:
        smooth = np.asarray(cv2.GaussianBlur(view.bgr, (0, 0), thresholds.smooth_px), np.uint8)
        view = view.with_pixels(smooth, view.gray)
        contrast = contrast_of(view.bgr)
    radius_max = thresholds.disc_radius_max * pitch
    roundness = thresholds.roundness_of_discs
    circles = _all_circles(contrast, view_px, roundness, thresholds, settings.grid, radius_max, is_noisy)
    is_disc = are_discs(view, view_frame, circles, thresholds, settings.dots)
    has_rim = have_rims(view, view_frame, circles, thresholds, settings.dots)
    near = thresholds.inside, thresholds.outside_faint
    fainter = replace(settings.dots, contrast=thresholds.faint)
    is_faint = are_discs(view, view_frame, circles, thresholds, fainter, near) & ~is_disc
    # A circle round a disc and what touches it may be clearer than the disc itself.
    first = np.argsort(~(is_disc | has_rim | is_faint), kind="stable")
    kept = first[_apart(circles[first], thresholds.concentric)]
    circles, is_disc, has_rim, is_faint = circles[kept], is_disc[kept], has_rim[kept], is_faint[kept]
    # Rims alone are the rings of empty cells, of which there are more than dots.
    if np.count_nonzero(has_rim & is_disc) >= np.count_nonzero(has_rim & ~is_disc):
        is_faint |= has_rim & ~is_disc
    circles = np.column_stack((view_frame.to_px(circles[:, :2]), circles[:, 2] * view.scale))
    return Discs(circles[is_disc], circles[is_faint])


def show_discs(view: View, view_px: float, middles: Floats, pitch_px: float, settings: Settings) -> bool:
    """Return whether enough cells have a disc of one size about their middles (N, 2), in view pixels.

    Each cell is searched alone: all circles of a busy picture take a hundred times as long. If noise makes
    edges everywhere, a disc must first be found in a smaller, smoothed picture.
    """
    thresholds = settings.circles
    contrast, times = enlarged(contrast_of(view.bgr), view_px, thresholds.disc_view_max_px)
    looks: list[tuple[NDArray[np.uint8], float]] = [(contrast, times)]
    if _is_noisy(contrast, thresholds):
        smooth = cv2.GaussianBlur(contrast, (0, 0), thresholds.smooth_px)
        smaller = cv2.resize(smooth, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)
        looks.insert(0, (np.asarray(smaller, np.uint8), SMALLER * times))
    radii = np.empty(0)
    # Where other boards are mixed in, some cells of a lattice lie beyond the picture.
    for middle in middles[((middles >= 0) & (middles < view.size)).all(axis=1)]:
        found = np.empty(0)
        for look, scale in looks:
            found = _disc_round(view, look, scale, middle, scale * pitch_px, settings)
            if not found.size:
                break
        radii = np.append(radii, found)
        alike = np.abs(radii[:, None] / radii - 1) <= thresholds.alike_size
        if alike.sum(axis=1).max(initial=0) >= thresholds.prefilter_min:
            return True
    return False


def _disc_round(
    view: View, contrast: NDArray[np.uint8], times: float, middle: Floats, pitch: float, settings: Settings
) -> Floats:
    """Return the radius, in view pixels, of the first disc about ``middle`` (2,); empty without one."""
    thresholds, dots = settings.circles, settings.dots
    x, y = np.round((middle + 0.5) * times - 0.5).astype(int).tolist()
    reach = ceil((dots.off_lattice + dots.radius_max) * pitch) + 1
    x0, y0 = max(0, x - reach), max(0, y - reach)
    part = contrast[y0 : y + reach + 1, x0 : x + reach + 1]
    diameter_min, radius_max = times * settings.grid.pitch_min_px, thresholds.disc_radius_max * pitch
    circles = hough_circles(part, thresholds.roundness_of_discs, diameter_min, radius_max, thresholds)
    circles += np.array((x0, y0, 0))
    circles = circles[(np.abs(circles[:, :2] - (x, y)) <= dots.off_lattice * pitch).all(axis=1)] / times
    circles[:, :2] -= (1 - 1 / times) / 2
    is_disc = are_discs(view, Frame.of_homography(view.to_picture), circles, thresholds, dots)
    return np.asarray(circles[is_disc, 2][:1])


def _is_noisy(contrast: NDArray[np.uint8], settings: CircleSettings) -> bool:
    # The derivative that ``cv2.HoughCircles`` takes itself.
    across = cv2.Scharr(contrast, cv2.CV_16S, 1, 0, borderType=cv2.BORDER_REPLICATE)
    usual = float(np.median(np.abs(across[::5, ::5])))
    return settings.noise * usual > settings.step


def are_discs(
    view: View,
    frame: Frame,
    circles: Floats,
    settings: CircleSettings,
    dots: DotSettings,
    rings: tuple[float, float] | None = None,
) -> NDArray[np.bool_]:
    """Return (N,): circles filled with one colour that differs from most of their surroundings.

    ``circles`` (N, 3): their middles and radii, in units that ``frame`` maps to the picture of the view.
    ``rings``: in radii, one inside them and one outside; usually those of ``settings``.
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
    # The round end of a bar continues at one side; so does a dot with a pipe, but that is narrower.
    is_disc = (even >= dots.cover) & (1 - alike >= dots.clear)
    return np.asarray((contrast >= dots.contrast) & is_disc)


def have_rims(
    view: View, frame: Frame, circles: Floats, settings: CircleSettings, dots: DotSettings
) -> NDArray[np.bool_]:
    """Return (N,): circles of one colour within a rim of another."""
    if not len(circles):
        return np.zeros(0, bool)
    # Any of five rings may hold a rim: the circle may be its inner or its outer edge.
    radii = settings.inside, settings.outside, 0.9, 0.95, 1.0, 1.05, 1.1
    rings = np.stack([ring(radius, RIM_POINTS) for radius in radii])
    seen = sample(view, frame, circles[:, :2], circles[:, 2, None, None] * rings.reshape(-1, 2))
    seen = seen.reshape(len(circles), -1, RIM_POINTS, 3)
    usual = np.median(seen, axis=2)
    # The edge of a disc without a rim is smoothed: it has all colours between that of the disc and the other.
    share = np.linspace(0, 1, 9)[:, None]
    mixtures = lab_of(np.round((1 - share) * usual[:, None, 0] + share * usual[:, None, 1]).astype(np.uint8))
    rims, inside = lab_of(usual[:, 2:].astype(np.uint8)), lab_of(seen[:, 0])
    away = colour_distance(rims[:, :, None], mixtures[:, None]).min(axis=2)
    along = colour_distance(lab_of(seen[:, 2:]), rims[:, :, None]) < HALF_WAY * away[..., None]
    across = colour_distance(inside, mixtures[:, :1])[:, None] < HALF_WAY * away[..., None]
    # A pipe hides a part of the rim; it has the colour of the disc.
    whole = (along.mean(axis=2) >= dots.clear) & (across.mean(axis=2) >= dots.cover)
    return np.asarray(((away >= dots.contrast) & whole).any(axis=1))
