"""Circles, by OpenCV's gradient Hough transform, and discs: circles of one colour."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Frame, brightest_channel
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    Gray,
    Mask,
    View,
    colour_distance,
    distances_between,
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


def edge_share(gray: Gray, low: float, high: float) -> float:
    """Return the share of pixels that are edges to ``cv2.Canny`` with these thresholds.

    ``gray``: (H, W) uint8. The derivatives are taken here: that form was never seen to write outside its
    buffer, not even with IPP.
    """
    across, down = (cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE) for dx in (1, 0))
    with without_ipp():
        edges = cv2.Canny(across, down, low, high)
    return cv2.countNonZero(edges) / gray.size


def circles_in(view: View) -> Floats:
    """Return (N, 3): x, y and radius of circles, in view pixels, the clearest first, also concentric ones."""
    return _all_circles(contrast_of(view.bgr), CIRCLES.grid_view_px, CIRCLES.roundness)


def _all_circles(contrast: Gray, view_px: float, roundness: float, radius_max: float | None = None) -> Floats:
    """Return (N, 3): x, y and radius of circles in pixels, the clearest first, also of concentric ones.

    ``contrast`` (h, w): brightness in which they are searched; a picture whose shorter side has less than
    ``view_px`` is enlarged to at least that. ``roundness``: how much of a circle must be seen, 0 to 1.
    ``radius_max``: in pixels; ``None``: that of a circle in the largest cell.
    """
    shorter = min(contrast.shape)
    # Whole factors blur least; a shrunk view may be a pixel short of its size.
    enlargement = max(1, min(ceil(view_px / (shorter + 1)), int(CIRCLES.disc_view_max_px / shorter)))
    if enlargement > 1:
        enlarged = cv2.resize(contrast, None, fx=enlargement, fy=enlargement, interpolation=cv2.INTER_LINEAR)
        contrast = np.asarray(enlarged, np.uint8)
    # Edges by the thresholds of ``HoughCircles``: with more it is noise or a pattern.
    if edge_share(contrast, low=CIRCLES.step / 2, high=CIRCLES.step) > CIRCLES.edges_max:
        return np.empty((0, 3))
    least_apart_px = enlargement * GRID.pitch_min_px
    if radius_max is None:
        largest_radius_px = round(shorter * enlargement / (2 * GRID.cells_min))
    else:
        largest_radius_px = ceil(enlargement * radius_max)
    with without_ipp():  # it looks for edges first
        hough_circles = cv2.HoughCircles(
            contrast,
            cv2.HOUGH_GRADIENT_ALT,
            dp=1,  # middles to the pixel
            minDist=least_apart_px,
            param1=CIRCLES.step,
            param2=roundness,
            minRadius=round(least_apart_px / 2),
            maxRadius=largest_radius_px,
        )
    if hough_circles is None:
        return np.empty((0, 3))
    circles = np.asarray(hough_circles, np.float64).reshape(-1, 3)[: CIRCLES.count_max] / enlargement
    circles[:, :2] -= (1 - 1 / enlargement) / 2  # the middle of the first pixel is at 0 in both
    return np.asarray(circles)


def contrast_of(bgr: Bgr) -> Gray:
    """Return (h, w): every pixel's difference from the usual colour, in the channel where it is largest."""
    sampled_bgr = bgr.reshape(-1, 3)[::7]  # enough for the usual colour
    ground = [median(sampled_bgr[:, channel]) for channel in range(3)]
    # OpenCV's stubs do not know that one colour suffices.
    distance = cv2.absdiff(bgr, (*ground, 0.0))  # type: ignore[call-overload]
    return brightest_channel(np.asarray(distance, np.uint8))


def apart(circles: Floats) -> Floats:
    """Return the circles (N, 3), clearest first, that are concentric with no clearer one."""
    distances_px = distances_between(circles[:, :2])
    is_concentric = np.tril(distances_px < CIRCLES.concentric * circles[:, 2], -1)
    chosen: list[int] = []
    for number, is_concentric_with in enumerate(is_concentric):
        if not is_concentric_with[chosen].any():
            chosen.append(number)
    return circles[chosen]


RIM_POINTS = 12  # points on a ring where its colour is sampled


def discs_in(bgr: Bgr, cell_px: float, enlarged_px: float, radius_max: float) -> Floats:
    """Return (N, 3): x, y and radius in pixels of discs of one colour, most of whose surroundings differ.

    ``cell_px``: width of a cell; it is enlarged to ``enlarged_px``. ``radius_max``: in cell widths.
    """
    contrast = contrast_of(bgr)
    view_px = min(min(contrast.shape) * enlarged_px / cell_px, CIRCLES.disc_view_max_px)
    roundness = CIRCLES.roundness_of_discs
    circles = _all_circles(contrast, view_px, roundness, radius_max * cell_px)
    discs = circles[_are_discs(View(bgr, contrast, np.eye(3)), circles)]
    return apart(discs)


def _are_discs(view: View, circles: Floats) -> Mask:
    """Return (N,): the circles (N, 3) that one colour fills, unlike most of what is round them."""
    if not len(circles):
        return np.zeros(0, bool)
    frame = Frame.of_homography(view.to_picture)
    inside_lab, outside_lab = (
        lab_of(sample(view, frame, circles[:, :2], circles[:, 2, None, None] * ring(radius, RIM_POINTS)))
        for radius in (CIRCLES.inside, CIRCLES.outside)
    )
    disc_lab = np.median(inside_lab, axis=1)
    contrast = colour_distance(disc_lab, np.median(outside_lab, axis=1))
    max_distance_lab = HALF_WAY * contrast[:, None]
    cover, cover_outside = (
        (colour_distance(ring_lab, disc_lab[:, None]) < max_distance_lab).mean(axis=1)
        for ring_lab in (inside_lab, outside_lab)
    )
    # The round end of a bar continues at one side; so does a dot with a pipe, but that is narrower.
    is_clear = 1 - cover_outside >= DOTS.clear_share_min
    return np.asarray((contrast >= DOTS.contrast) & (cover >= DOTS.cover_min) & is_clear)
