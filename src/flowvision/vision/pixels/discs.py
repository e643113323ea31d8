"""Circles, by OpenCV's gradient Hough transform, and discs: circles of one colour."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    View,
    brightest_channel,
    colour_distance,
    lab_of,
    median,
    ring,
    sample,
)
from flowvision.vision.settings import CIRCLES, DOTS, GRID


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


def circles_in(view: View) -> Floats:
    """Return (N, 3): middles and radii of circles, in view pixels, also of concentric ones."""
    return _all_circles(contrast_of(view.bgr), CIRCLES.grid_view_px, CIRCLES.roundness)


def _all_circles(
    contrast: NDArray[np.uint8], view_px: float, roundness: float, radius_max: float | None = None
) -> Floats:
    """Return (N, 3): circles with a radius up to ``radius_max``, also concentric ones.

    A picture whose shorter side has less than ``view_px`` is enlarged to at least that. ``roundness``: how
    much of a circle must be seen.
    """
    shorter = min(contrast.shape)
    # Whole factors blur least; a shrunk view may be a pixel short of its size.
    enlargement = max(1, min(ceil(view_px / (shorter + 1)), int(CIRCLES.disc_view_max_px / shorter)))
    if enlargement > 1:
        enlarged = cv2.resize(contrast, None, fx=enlargement, fy=enlargement, interpolation=cv2.INTER_LINEAR)
        contrast = np.asarray(enlarged, np.uint8)
    if edge_share(contrast, CIRCLES.step / 2, CIRCLES.step) > CIRCLES.edges_max:
        return np.empty((0, 3))
    least_apart_px, largest_radius_px = (
        enlargement * GRID.pitch_min_px,
        round(shorter * enlargement / (2 * GRID.cells_min)),
    )
    with without_ipp():  # it looks for edges first
        hough_circles = cv2.HoughCircles(
            contrast,
            cv2.HOUGH_GRADIENT_ALT,
            1,
            least_apart_px,
            param1=CIRCLES.step,
            param2=roundness,
            minRadius=round(least_apart_px / 2),
            maxRadius=largest_radius_px if radius_max is None else ceil(enlargement * radius_max),
        )
    if hough_circles is None:
        return np.empty((0, 3))
    circles = np.asarray(hough_circles, np.float64).reshape(-1, 3)[: CIRCLES.count_max] / enlargement
    circles[:, :2] -= (1 - 1 / enlargement) / 2
    return np.asarray(circles)


def contrast_of(bgr: Bgr) -> NDArray[np.uint8]:
    """Return (h, w): every pixel's largest distance from the usual colour in one channel."""
    sampled_bgr = bgr.reshape(-1, 3)[::7]  # enough for the usual colour
    ground = [median(sampled_bgr[:, channel]) for channel in range(3)]
    # OpenCV's stubs do not know that one colour suffices.
    distance = cv2.absdiff(bgr, (*ground, 0.0))  # type: ignore[call-overload]
    return brightest_channel(np.asarray(distance, np.uint8))


def apart(circles: Floats) -> Floats:
    """Return (N, 3): circles of which none is concentric with another, the clearest ones."""
    distances_px = np.hypot(*np.moveaxis(circles[:, None, :2] - circles[:, :2], -1, 0))
    is_concentric = np.tril(distances_px < CIRCLES.concentric * circles[:, 2], -1)
    chosen: list[int] = []
    for number, is_concentric_with in enumerate(is_concentric):
        if not is_concentric_with[chosen].any():
            chosen.append(number)
    return np.asarray(circles[chosen])


RIM_POINTS = 12  # points on a ring where its colour is sampled


def discs_in(bgr: Bgr, cell_px: float, enlarged_px: float, radius_max: float) -> Floats:
    """Return (N, 3): middles and radii of discs of one colour that differs from most of their surroundings.

    ``cell_px``: width of a cell; it is enlarged to ``enlarged_px``. ``radius_max``: in cell widths.
    """
    contrast = contrast_of(bgr)
    view_px = min(min(contrast.shape) * enlarged_px / cell_px, CIRCLES.disc_view_max_px)
    roundness = CIRCLES.roundness_of_discs
    circles = _all_circles(contrast, view_px, roundness, radius_max * cell_px)
    discs = circles[_are_discs(View(bgr, contrast, np.eye(3)), circles)]
    return apart(discs)


def _are_discs(view: View, circles: Floats) -> NDArray[np.bool_]:
    if not len(circles):
        return np.zeros(0, bool)
    frame = Frame.of_homography(view.to_picture)
    inside_lab, outside_lab = (
        lab_of(sample(view, frame, circles[:, :2], circles[:, 2, None, None] * ring(radius, RIM_POINTS)))
        for radius in (CIRCLES.inside, CIRCLES.outside)
    )
    disc_lab = np.median(inside_lab, axis=1)
    contrast = colour_distance(disc_lab, np.median(outside_lab, axis=1))
    near_lab = HALF_WAY * contrast[:, None]
    cover = (colour_distance(inside_lab, disc_lab[:, None]) < near_lab).mean(axis=1)
    clear = 1 - (colour_distance(outside_lab, disc_lab[:, None]) < near_lab).mean(axis=1)
    # The round end of a bar continues at one side; so does a dot with a pipe, but that is narrower.
    return np.asarray((contrast >= DOTS.contrast) & (cover >= DOTS.cover) & (clear >= DOTS.clear))
