"""The lines across each axis of a view: where they lie, how far they reach, how evenly they are spaced."""

from __future__ import annotations

import cv2
from msgspec import Struct

from flowvision.value import made_of
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.grid.spacing import Spacing, find_peaks, find_spacings
from flowvision.vision.pixels.lines import (
    AXES,
    Axis,
    LinePixels,
    hough_lines,
    is_tilted,
    line_pixels,
    mean_along,
)
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.settings import GridSettings, LineSettings


class AxisLines(Struct, frozen=True, eq=False):
    """What was seen of the lines across one axis.

    ``strong`` (along, across): whether a pixel lies on a line; ``profile`` (across,): their share per
    position; ``mask`` (h, w): 255 where they go on for a while; ``spacings``: even spacings that explain the
    peaks of the profile; ``tilted``: whether the lines are sharper when projected at a slant.
    """

    strong: Mask
    profile: Floats
    mask: Gray
    spacings: tuple[Spacing, ...]
    tilted: bool


class GridEvidence(Struct, frozen=True, eq=False):
    """What was seen of lines in a ``view`` of a region, per axis (along x, along y).

    ``profiles``: the share of line pixels per position. ``masks``: 255 on lines. ``hough_limits``: for
    ``hough``, the share of votes that a line needs and its largest tilt. ``spacings``: every even spacing
    that was considered. ``tilted``: whether the lines are sharper when projected at a slant.
    """

    region: BoardRegion
    view: View
    profiles: tuple[Floats, Floats]
    masks: tuple[Gray, Gray]
    hough_limits: tuple[float, float]
    spacings: tuple[tuple[Spacing, ...], tuple[Spacing, ...]]
    tilted: bool

    source = made_of("region")

    @property
    def hough(self) -> tuple[Floats, Floats]:
        """(N, 2) per axis: position and tilt in radians of the Hough lines; found when it is read."""
        across, down = (
            hough_lines(mask, axis, *self.hough_limits) for axis, mask in zip(AXES, self.masks, strict=True)
        )
        return across, down


SeenLines = tuple[AxisLines, AxisLines, GridEvidence]
"""The lines across and down a view, and both as evidence."""


def line_evidence(
    region: BoardRegion,
    view: View,
    lines: LineSettings,
    grid: GridSettings,
    vertical: LinePixels | None = None,
) -> SeenLines:
    """The lines across and down a view of a region, and both as evidence.

    ``vertical``: the pixels on vertical lines, where they were looked for before.
    """
    pixels = vertical or line_pixels(view, 0, lines), line_pixels(view, 1, lines)
    across, down = (
        fit_spacings(of_axis, axis, lines, grid) for of_axis, axis in zip(pixels, AXES, strict=True)
    )
    evidence = GridEvidence(
        region,
        view,
        (across.profile, down.profile),
        (across.mask, down.mask),
        (grid.hough_share, grid.tilt_small),
        (across.spacings, down.spacings),
        across.tilted or down.tilted,
    )
    return across, down, evidence


def fit_spacings(pixels: LinePixels, axis: Axis, lines: LineSettings, grid: GridSettings) -> AxisLines:
    """The lines on which these pixels lie, and the even spacings through them."""
    strong = pixels.seen if axis == 0 else pixels.seen.T
    most = lines.sharpness_max * pixels.step
    sharpness = mean_along(cv2.threshold(pixels.response, most, 0, cv2.THRESH_TRUNC)[1], axis)
    places, heights = find_peaks(pixels.profile, sharpness, grid.peak_share * pixels.longest)
    spacings = find_spacings(places, heights, grid)
    return AxisLines(strong, pixels.profile, pixels.mask, tuple(spacings), is_tilted(strong, grid.tilt_least))
