"""Thin bright lines: pixels that rise and fall again within a line's width."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.vision.pixels.view import Floats, Gray, Mask, View, median, widest_line_px
from flowvision.vision.settings import FREE_CELLS, GRID, LINES

Axis = Literal[0, 1]
"""Direction across lines. 0: along x, so lines across it are vertical. 1: along y, so they are horizontal."""
AXES: tuple[Axis, Axis] = (0, 1)
Response = NDArray[np.int16]  # (H, W) int16: Sobel units, four times the step in brightness
HOUGH_STEP = np.pi / 720  # radians between two directions of the Hough transform: a quarter of a degree


class LinePixels(Struct, frozen=True, eq=False):
    """The pixels on lines across one axis.

    ``response`` (h, w): of ``line_response``; ``step`` or more on a line. ``seen`` (along, across): whether a
    pixel lies on a line; transposed for horizontal lines. ``profile`` (across,): the share of each row of
    pixels along the lines that lies on one. ``mask`` (h, w): 255 where they form longer lines. ``longest``:
    the share of the view that the longest one spans.
    """

    response: Response
    step: float
    seen: Mask
    profile: Floats
    mask: Gray
    longest: float


def thin_lines(view: View, axis: Axis) -> tuple[Response, float]:
    """Return the response to thin bright lines across ``axis``, and what it exceeds on a line."""
    width_px = line_width_px(view)
    whole, part = view.cut_from or (view, None)
    if part is not None and line_width_px(whole) == width_px:
        response = _kept_response(whole, axis, width_px)[part.y0 : part.y1, part.x0 : part.x1]
    else:
        response = _kept_response(view, axis, width_px)
    return response, noise_step(response)


@lru_cache(maxsize=2)
def _kept_response(view: View, axis: Axis, width_px: int) -> Response:
    """Return ``line_response`` of a view, cached for both axes of the last one."""
    return line_response(view.gray, axis, width_px)


def forget_lines() -> None:
    """Clear the caches, which keep the last view and its picture."""
    _kept_response.cache_clear()
    free_lines.cache_clear()


def line_width_px(view: View) -> int:
    """Return the maximum width of a line, in pixels of a view."""
    return widest_line_px(min(view.size))


def run_length_px(view: View) -> int:
    """Return the minimum length of a piece of a line, in pixels of a view."""
    return max(LINES.run_min_px, round(LINES.run_length * min(view.size)))


def line_response(gray: Gray, axis: Axis, width_px: int) -> Response:
    """Return (h, w): how much brightness rises and falls again across ``axis`` within ``width_px``.

    In Sobel's units, four times the step in brightness; below 0 where nothing does. This is the smaller of
    the steepest rise before a pixel and the steepest fall after it: a single edge gives nothing. Outside the
    picture counts as black, so that a line on its rim is seen.
    """
    pad = width_px + 2
    sides = (0, 0, pad, pad) if axis == 0 else (pad, pad, 0, 0)
    padded = cv2.copyMakeBorder(gray, *sides, cv2.BORDER_CONSTANT, value=[0])
    gradient = cv2.Sobel(padded, cv2.CV_16S, 1 - axis, axis, ksize=3, borderType=cv2.BORDER_REPLICATE)
    kernel_shape = (1, width_px + 1) if axis == 0 else (width_px + 1, 1)
    kernel = np.ones(kernel_shape, np.uint8)
    # A kernel anchored at its last place looks back along the axis, one anchored at its first looks ahead.
    before, after = ((width_px, 0), (0, 0)) if axis == 0 else ((0, width_px), (0, 0))
    rise = np.asarray(cv2.dilate(gradient, kernel, anchor=before), np.int16)
    fall = np.asarray(cv2.erode(gradient, kernel, dst=gradient, anchor=after), np.int16)
    line = np.minimum(rise, np.negative(fall, out=fall), out=rise)
    return line[:, pad:-pad] if axis == 0 else line[pad:-pad, :]


def line_mask(response: Response, axis: Axis, step: float, run_px: int) -> Gray:
    """Return (h, w): 255 where a response above ``step`` continues along the line for ``run_px`` or more."""
    strong_mask = np.greater(response, floor(step)).view(np.uint8)
    np.negative(strong_mask, out=strong_mask)  # from 1 to 255: -1 as an unsigned byte
    run_shape = (run_px, 1) if axis == 0 else (1, run_px)
    return np.asarray(cv2.morphologyEx(strong_mask, cv2.MORPH_OPEN, np.ones(run_shape, np.uint8)))


def lines_mask(view: View) -> Gray:
    """Return (h, w): 255 on the vertical and horizontal thin bright lines of a view."""
    run_px = run_length_px(view)
    masks = []
    for axis in AXES:
        response, step = thin_lines(view, axis)
        masks.append(line_mask(response, axis, step, run_px))
    return np.asarray(cv2.bitwise_or(*masks))


def line_pixels(view: View, axis: Axis) -> LinePixels:
    """Return the pixels on lines across ``axis`` of a view."""
    response, step = thin_lines(view, axis)
    mask = line_mask(response, axis, step, run_length_px(view))
    thinned = np.s_[::3] if axis == 0 else np.s_[:, ::3]  # enough for their median
    line_responses = response[thinned][mask[thinned] > 0]
    if line_responses.size:
        step = max(step, LINES.share * median(line_responses))
    is_on_line = np.greater_equal(response, ceil(step))
    profile = mean_along(is_on_line.view(np.uint8), axis)
    widest_px = 2 * line_width_px(view)  # of two lines, as a board has two borders
    longest = float(np.sort(profile)[-widest_px:].mean()) if profile.size else 0.0
    return LinePixels(response, step, is_on_line if axis == 0 else is_on_line.T, profile, mask, longest)


def noise_step(response: Response) -> float:
    """Return the response that a line exceeds: ``LINES.step``, or more where the picture is noisy."""
    sampled_response = response[::5, ::5]
    # Whether the median is below this: counting takes a tenth of its time, and is nearly always enough.
    if 2 * np.count_nonzero(sampled_response > floor(LINES.step / LINES.noise)) < sampled_response.size:
        return LINES.step
    return max(LINES.step, LINES.noise * float(np.median(sampled_response)))


def mean_along(pixels: NDArray[Any], axis: Axis) -> Floats:
    """Return (across,): the mean of pixels (h, w) along lines across ``axis``, in a tenth of NumPy's time."""
    sums = cv2.reduce(pixels, axis, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
    return np.asarray(sums.ravel() / pixels.shape[axis], np.float64)


def hough_lines(mask: Gray, axis: Axis, tilt: float, step: float = HOUGH_STEP) -> Floats:
    """Return (N, 2): pixels across the mask at the middle of each line, and tilt in radians, strongest first.

    Standard Hough transform (Duda and Hart 1972) over tilts up to ``tilt`` from the axis, ``step`` apart; a
    line needs votes from ``GRID.hough_share`` of the mask's length.
    """
    upright_mask = mask if axis == 0 else cv2.transpose(mask)
    length = upright_mask.shape[0]
    min_votes = max(1, int(GRID.hough_share * length))
    polar_lines = cv2.HoughLines(upright_mask, 1, step, min_votes, min_theta=-tilt, max_theta=tilt)
    if polar_lines is None:
        return np.empty((0, 2))
    polar = np.asarray(polar_lines, dtype=np.float64).reshape(-1, polar_lines.shape[-1])[:, :2]
    rho, theta = polar.T  # rho = x cos(theta) + y sin(theta) on a line
    middle_px = (rho - np.sin(theta) * length / 2) / np.cos(theta)
    return np.column_stack((middle_px, -theta))


class Lines(NamedTuple):
    """Lines of any direction in a view, no wider than ``width_px``.

    ``above`` (h, w): brightness above the surroundings; ``mask`` (h, w): 255 on lines.
    """

    above: Gray
    mask: Gray
    width_px: int


@lru_cache(maxsize=1)
def free_lines(view: View) -> Lines:
    """Return the lines of a view in any direction, by a white top-hat; cached for the last view."""
    width_px = 2 * max(1, round(FREE_CELLS.line_width * min(view.size) / 2)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width_px, width_px))
    above = np.asarray(cv2.morphologyEx(view.gray, cv2.MORPH_TOPHAT, disc), dtype=np.uint8)
    mask = np.asarray(cv2.threshold(above, FREE_CELLS.line_step, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    return Lines(above, mask, width_px)
