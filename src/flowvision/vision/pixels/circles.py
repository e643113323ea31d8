"""Circles in a picture, by OpenCV's gradient Hough transform."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.vision.pixels.view import Floats, View, brightest_channel
from flowvision.vision.settings import CircleSettings, GridSettings


@contextmanager
def without_ipp() -> Iterator[None]:
    """Have OpenCV do without Intel's IPP on this thread, where it was built with it.

    ``cv2.Canny(picture, …)`` on a single thread of OpenCV is IPP's, and writes outside its buffer for dense
    regular patterns: meshes of lines, halftones (docs/opencv-canny.md). The edges are the same without it.
    """
    used = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    try:
        yield
    finally:
        cv2.ipp.setUseIPP(used)


def edge_share(gray: NDArray[np.uint8], low: float, high: float) -> float:
    """The share of pixels that are edges to ``cv2.Canny`` with these thresholds.

    ``gray``: (H, W) uint8. The derivatives are taken here: that form was never seen to write outside its
    buffer, not even with IPP.
    """
    across, down = (_derivative(gray, dx) for dx in (1, 0))
    with without_ipp():
        edges = cv2.Canny(across, down, low, high)
    return cv2.countNonZero(edges) / gray.size


def _derivative(gray: NDArray[np.uint8], dx: int) -> Any:
    """(H, W) int16: Sobel's response across (``dx`` 1) or down (0), as ``cv2.Canny`` takes it itself."""
    return cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE)


GROUND_STRIDE = 7
"""One of so many pixels is enough to tell the usual colour."""


def circles_in(
    view: View,
    view_px: float,
    roundness: float,
    circles: CircleSettings,
    grid: GridSettings,
    radius_max: float | None = None,
) -> Floats:
    """(N, 3): middles and radii of circles, in view pixels, by OpenCV's gradient Hough transform.

    A view whose shorter side has less than ``view_px`` is enlarged to at least that, for circles are found
    only where each is several pixels wide. ``roundness``: how much of a circle must be seen, 0 to 1. Circles
    have a diameter from the smallest cell to the largest one of the view, or a radius up to ``radius_max``.
    """
    contrast, times = enlarged(contrast_of(view), view_px, circles.disc_view_max_px)
    if edge_share(contrast, circles.step / 2, circles.step) > circles.edges_max:
        return np.empty((0, 3))
    largest = round(min(contrast.shape) / (2 * grid.cells_min)) if radius_max is None else times * radius_max
    in_view = hough_circles(contrast, roundness, times * grid.pitch_min_px, largest, circles) / times
    in_view[:, :2] -= (1 - 1 / times) / 2
    return _apart(in_view, circles.concentric)


def hough_circles(
    contrast: NDArray[np.uint8],
    roundness: float,
    diameter_min: float,
    radius_max: float,
    settings: CircleSettings,
) -> Floats:
    """(N, 3): middles and radii of circles; middles are at least ``diameter_min`` from each other."""
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


def contrast_of(view: View) -> NDArray[np.uint8]:
    """(h, w): how far every pixel is from the usual colour, in the channel where it is furthest."""
    ground = np.median(view.bgr.reshape(-1, 3)[::GROUND_STRIDE], axis=0).tolist()
    # OpenCV's stubs forget that one colour will do.
    apart = cv2.absdiff(view.bgr, (*ground, 0.0))  # type: ignore[call-overload]
    return brightest_channel(np.asarray(apart, np.uint8))


def enlarged(gray: NDArray[np.uint8], view_px: float, view_max_px: float) -> tuple[NDArray[np.uint8], int]:
    """A picture enlarged to ``view_px`` on its shorter side where it is smaller, and how many times.

    By whole factors, which blur least.
    """
    shorter = min(gray.shape)
    # A shrunk view may be a pixel short of what was asked for.
    times = min(ceil(view_px / (shorter + 1)), max(1, int(view_max_px / shorter)))
    if times > 1:
        gray = np.asarray(
            cv2.resize(gray, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    return gray, times


def _apart(circles: Floats, concentric: float) -> Floats:
    """The circles less those concentric with one before them: a ring has an inner and an outer circle."""
    away = np.hypot(*np.moveaxis(circles[:, None, :2] - circles[:, :2], -1, 0))
    within = np.tril(away < concentric * circles[:, 2], -1)
    kept: list[int] = []
    for number, others in enumerate(within):
        if not others[kept].any():
            kept.append(number)
    return circles[kept]
