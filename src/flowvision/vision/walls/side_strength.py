"""How thick and bright every side of a lattice of squares is, place by place along it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.line_weight import ALONG, REACH, above_ground, place_strengths, steps_across
from flowvision.vision.pixels.lines import Axis
from flowvision.vision.pixels.sampling import is_inside, sample
from flowvision.vision.pixels.view import Floats, View, brightest_channel
from flowvision.vision.settings import LineWeightSettings, WallSettings

WHITE = 255
"""The brightness of white, from which that of lines darker than their cells is counted."""


class SidePlaces(NamedTuple):
    """How every place along every side was seen.

    (rows, cols + 1, places) for the upright sides, (rows + 1, cols, places) for the level ones: ``strength``
    is the brightness of the line times its width, ``rise`` how far it stands above its ground, 0 to 255.
    """

    strength: Floats
    rise: Floats


def side_places(
    view: View, grid: GridFit, axis: Axis, walls: WallSettings, weight: LineWeightSettings
) -> SidePlaces:
    """The places along the upright sides (axis 0) or the level ones (axis 1)."""
    shape = (grid.rows, grid.cols + 1) if axis == 0 else (grid.rows + 1, grid.cols)
    r, c = (index.ravel() for index in np.indices(shape))
    centres = np.column_stack((c, r + 0.5) if axis == 0 else (c + 0.5, r)).astype(np.float64)
    reach = steps_across(grid.pitch_px / view.scale)
    along, across = (grid_.ravel() for grid_ in np.meshgrid(ALONG, reach, indexing="ij"))
    offsets = np.column_stack((across, along) if axis == 0 else (along, across))
    bands = _brightness(view, grid, centres, offsets, (len(centres), len(ALONG), len(reach)))
    above = above_ground(bands)
    # Beyond the border may be text, glow, the end of a tint, or the picture's rim: that counts as black.
    line, last = (c, grid.cols) if axis == 0 else (r, grid.rows)
    middle = len(reach) // 2
    width = round(min(REACH, walls.border_reach * max(grid.rows, grid.cols)) / REACH * middle)
    for border, inner, outer in ((line == 0, -1, middle - width), (line == last, 0, middle + width)):
        seen = is_inside(view, grid.frame, centres[border], offsets).reshape(-1, len(ALONG), len(reach))
        seen = np.moveaxis(seen, 2, 0)
        seen[slice(None, outer) if inner else slice(outer + 1, None)] = False
        band = np.where(seen, bands[:, border], 0.0)
        bands[:, border] = band
        above[:, border] = band - np.maximum(band[inner], band[outer])
    parts = place_strengths(bands, above, weight), above.max(axis=0)
    return SidePlaces(*(part.reshape(*shape, len(ALONG)) for part in parts))


def _brightness(
    view: View, grid: GridFit, centres: Floats, offsets: Floats, shape: tuple[int, int, int]
) -> Floats:
    """(steps, sides, places): how bright each point is; how dark, in the negative of a picture.

    ``shape``: the numbers of sides, places and steps.
    """
    seen = brightest_channel(sample(view, grid.frame, centres, offsets))
    values = np.moveaxis(seen.reshape(shape), 2, 0).astype(np.float64, order="C")
    return WHITE - values if view.channel == "negative" else values
