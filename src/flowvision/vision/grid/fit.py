"""A lattice of squares that explains a region, and what was seen of its lines."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Frame
from flowvision.value import value_type
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.lines import AXES, hough_lines
from flowvision.vision.pixels.view import Floats, Gray, View


@value_type(eq=False)
class GridEvidence:
    """What was seen of lines in ``view``, per axis (along x, along y).

    ``profiles``: the share of line pixels per position. ``masks``: 255 on lines. ``hough_limits``: for
    ``hough``, the share of votes that a line needs and its largest tilt. ``spacings``: every even spacing
    that was considered. ``tilted``: whether the lines are sharper when projected at a slant.
    """

    view: View
    profiles: tuple[Floats, Floats]
    masks: tuple[Gray, Gray]
    hough_limits: tuple[float, float]
    spacings: tuple[tuple[Spacing, ...], tuple[Spacing, ...]]
    tilted: bool

    @property
    def hough(self) -> tuple[Floats, Floats]:
        """(N, 2) per axis: position and tilt in radians of the Hough lines; found only when asked for."""
        across, down = (
            hough_lines(mask, axis, *self.hough_limits) for axis, mask in zip(AXES, self.masks, strict=True)
        )
        return across, down


@value_type(eq=False)
class GridFit:
    """The lattice that explains the region from edge to edge."""

    rows: int
    cols: int
    frame: Frame
    pitch_px: float
    residual_px: float
    """How far the lines found lie from the lattice, root mean square."""
    straightness: float
    """0 to 1: the same as a measure of how sure the lattice is."""
    score: float
    """0 to 1: how much of the lattice is seen, how square it is and how much of the view it explains."""
    closed: bool
    """Whether the lattice ends where its lines end."""
    cover: SideCoverage
    evidence: GridEvidence
    given: bool = False
    """Whether rows and columns were given by the user."""

    @property
    def view(self) -> View:
        """The upright pixels in which the lattice was fitted."""
        return self.evidence.view

    @property
    def quality(self) -> float:
        """0 to 1: how much of the lattice's lines is seen, and how straight they lie on it."""
        if self.given:
            return 1.0
        cover = np.concatenate((self.cover.upright.ravel(), self.cover.level.ravel()))
        return min(float(np.nanmean(cover)), self.straightness)
