"""Whether a board of circles has lines after all: then walls may be among them, and it is read otherwise."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from flowvision.image.picture import Frame
from flowvision.vision.grid.axis_lines import see_lines
from flowvision.vision.grid.side_coverage import side_coverage
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.sampling import colour_distance, lab_of, sample
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.settings import DotSettings, GridSettings, LineSettings, Settings

CROSSING = np.stack(np.meshgrid(*2 * [np.linspace(-0.04, 0.04, 5)]), axis=-1).reshape(-1, 2)
"""Of the pitch: points round a corner where four cells meet and lines would cross."""
BESIDE_CROSSING = np.array([(-0.16, -0.16), (0.16, -0.16), (0.16, 0.16), (-0.16, 0.16)])
"""Of the pitch: points near such a corner, but clear of lines."""


def is_ruled(view: View, lattice: tuple[Spacing, Spacing], settings: Settings) -> bool:
    """Whether bright or dark lines part cells of a lattice (columns, then rows, in pixels of the view).

    One side that is seen whole is enough, or pieces of many.
    """
    asked, grid = settings.circles, settings.grid
    # Between thick circles the ground looks like a line, except where four of them meet.
    crossed = _crossed_share(view, lattice, settings.dots) >= asked.ruled
    lines = replace(settings.lines, step=asked.line_step * settings.lines.step)
    # Where two colours meet, their blend is darker than both in the brightest channel, but not in grey.
    grey = np.asarray(cv2.cvtColor(view.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    for gray in (grey, np.bitwise_not(grey)):
        inner = _inner_sides(replace(view, gray=gray), lattice, lines, grid)
        if (inner >= grid.reach_cover).any() or (np.nanmean(inner) >= asked.ruled and crossed):
            return True
    return False


def _inner_sides(
    view: View, lattice: tuple[Spacing, Spacing], lines: LineSettings, grid: GridSettings
) -> Floats:
    """(N,): how much is seen of every side inside a board."""
    strong = see_lines(view, 0, lines, grid).strong, see_lines(view, 1, lines, grid).strong
    cover = side_coverage(strong, *lattice, grid)
    return np.concatenate((cover.upright[:, 1:-1].ravel(), cover.level[1:-1].ravel()))


def _crossed_share(view: View, lattice: tuple[Spacing, Spacing], dots: DotSettings) -> float:
    """The share of the corners inside a board where something stands out from all that is round it."""
    cols, rows = lattice
    x, y = (part.ravel() for part in np.meshgrid(*(np.arange(1, axis.count) for axis in lattice)))
    frame = Frame.of_box(cols.start, rows.start, cols.pitch, rows.pitch)
    own = replace(view, to_picture=np.eye(3))
    places = np.column_stack((x, y)).astype(np.float64)
    at, beside = (lab_of(sample(own, frame, places, offsets)) for offsets in (CROSSING, BESIDE_CROSSING))
    away = colour_distance(at[:, :, None], beside[:, None]).min(axis=2).max(axis=1)
    return float((away >= dots.contrast).mean())
