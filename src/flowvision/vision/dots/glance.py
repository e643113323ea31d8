"""A glance at the middles of cells: whether it is worth looking for discs at all."""

from __future__ import annotations

import numpy as np

from flowvision.vision.dots.detection import CORNERS
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.sampling import colour_distance, lab_of, ring, sample
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings

MIDDLE_RADII = (0.03, 0.06, 0.09)
"""Of a cell: within dots of any size, also small ones that lie a little beside the middle."""
MIDDLE_POINTS = 8
"""On each of these rings."""
LETTERED = 0.3
"""Of these points: so many at least lie on a disc beside a letter of the colour of the ground."""


def middles_of_discs(sides: BoardGeometry, dots: DotSettings) -> Floats | None:
    """(N, 2) pixels: the middles of the cells that are not of the colour of their corners there.

    ``None`` unless enough for a puzzle are of one colour there, as discs without a letter are. Circles take
    OpenCV up to a second; nine of ten boards that are none fail this in a millisecond.
    """
    fit = sides.fit
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    rings = np.concatenate([ring(radius, MIDDLE_POINTS) for radius in MIDDLE_RADII])
    middle, corners = (lab_of(sample(fit.view, fit.frame, centres, at)) for at in (rings, CORNERS))
    colour, ground = np.median(middle, axis=1), np.median(corners, axis=1)
    contrast = colour_distance(colour, ground)
    even = (colour_distance(middle, colour[:, None]) < 0.5 * contrast[:, None]).mean(axis=1)
    if np.count_nonzero((contrast >= dots.contrast) & (even >= dots.cover)) < dots.count_min:
        return None
    unlike = (colour_distance(middle, ground[:, None]) >= dots.contrast).mean(axis=1)
    return fit.frame.to_px(centres[unlike >= LETTERED])
