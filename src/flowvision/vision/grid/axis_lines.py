"""Lines across each axis of a view: where they lie, how far they reach, how evenly they are spaced."""

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
    """Lines across one axis.

    ``strong`` (along, across): pixels on a line; ``profile`` (across,): their share per position;
    ``mask`` (h, w): 255 where they go on for a while; ``spacings``: even spacings that explain the peaks of
    the profile; ``tilted``: whether the lines are sharper when projected at a slant.
    """

    strong: Mask
    profile: Floats
    mask: Gray
    spacings: tuple[Spacing, ...]
    tilted: bool


class GridEvidence(Struct, frozen=True, eq=False):
    """Lines across and down a ``view`` of a region."""

    region: BoardRegion
    view: View
    across: AxisLines
    down: AxisLines

    source = made_of("region")

    @property
    def axes(self) -> tuple[AxisLines, AxisLines]:
        """Lines across and down."""
        return self.across, self.down

    def hough(self, grid: GridSettings) -> tuple[Floats, Floats]:
        """Return position and tilt in radians of the Hough lines, (N, 2) per axis."""
        across, down = (
            hough_lines(lines.mask, axis, grid.hough_share, grid.tilt_small)
            for axis, lines in zip(AXES, self.axes, strict=True)
        )
        return across, down


def line_evidence(
    region: BoardRegion,
    view: View,
    lines: LineSettings,
    grid: GridSettings,
    vertical: LinePixels | None = None,
) -> GridEvidence:
    """Return the lines of a view; ``vertical``: the pixels on vertical ones, where these are known."""
    pixels = vertical or line_pixels(view, 0, lines), line_pixels(view, 1, lines)
    across, down = (_axis_lines(*one, lines, grid) for one in zip(pixels, AXES, strict=True))
    return GridEvidence(region, view, across, down)


def _axis_lines(pixels: LinePixels, axis: Axis, lines: LineSettings, grid: GridSettings) -> AxisLines:
    strong = pixels.seen if axis == 0 else pixels.seen.T
    upper = lines.sharpness_max * pixels.step
    sharpness = mean_along(cv2.threshold(pixels.response, upper, 0, cv2.THRESH_TRUNC)[1], axis)
    places, heights = find_peaks(pixels.profile, sharpness, grid.peak_share * pixels.longest)
    spacings = find_spacings(places, heights, grid)
    return AxisLines(strong, pixels.profile, pixels.mask, tuple(spacings), is_tilted(strong, grid.tilt_least))
