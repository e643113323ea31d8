"""The dots, what they look like, and which belong together: frozen results with their numeric evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

import numpy as np

from flowvision.image.picture import Rgb
from flowvision.value import value_type
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import Floats

DOT_RADIUS = 0.35
"""Dot radius in widths of a narrow cell, in every version of the game."""


@value_type
class Dot:
    """A dot: its cell, where it is, and its colour, also in CIE Lab (L 0–100)."""

    cell: int
    centre_px: tuple[float, float]
    lab: tuple[float, float, float]
    rgb: Rgb


@value_type(eq=False)
class DotEvidence:
    """What was seen in every cell, with a dot or without.

    ``contrast`` (cells,): Lab distance of the annulus from the background. ``cover`` (cells,): the share of
    the annulus that has its colour, 0 to 1. ``faces()`` (dots, n, n): how much brighter or darker than its
    dot each pixel in the middle of a dot is; sampled when called, for only close colours need it.
    """

    contrast: Floats
    cover: Floats
    faces: Callable[[], Floats]


@value_type(eq=False)
class DotHypothesis:
    """A board, and what its dots may look like."""

    geometry: BoardGeometry
    model: DotModel

    @property
    def source(self) -> BoardGeometry:
        """The board."""
        return self.geometry


@value_type(eq=False)
class Dots:
    """The dots seen, of a board on which they look like this."""

    dots: tuple[Dot, ...]
    evidence: DotEvidence
    hypothesis: DotHypothesis

    @property
    def source(self) -> DotHypothesis:
        """The board, and what its dots look like."""
        return self.hypothesis

    @property
    def geometry(self) -> BoardGeometry:
        """The board."""
        return self.hypothesis.geometry

    @property
    def usual_radius_px(self) -> float:
        """The radius that dots of the game have on this board, for drawings; those of copies differ."""
        centres = np.array([cell.centre for cell in self.geometry.board.layout.cells])
        x, y = centres.mean(axis=0).tolist()
        return DOT_RADIUS * self.geometry.fit.frame.narrow_px((x, y))

    def on(self, geometry: BoardGeometry) -> Dots:
        """The same dots on a board that was put right."""
        return replace(self, hypothesis=replace(self.hypothesis, geometry=geometry))


@value_type
class Pairing:
    """Which dots belong together: pairs of numbers of ``dots``, and a colour per pair."""

    dots: Dots = field(repr=False)
    pairs: tuple[tuple[int, int], ...]
    palette: tuple[Rgb, ...]
    margin: float
    """The smallest of ``margins``, in Lab units."""
    certified: bool
    """The pairing is provably the k-means optimum: no clustering was needed."""
    margins: tuple[float, ...] = ()
    """Per dot, how much further the nearest dot of another pair is than its partner, in Lab units."""
    lettered: bool = False
    """Letters in the dots had a say, as colours alone were too close."""
    resolved: tuple[int, ...] = ()
    """Dots whose partners the solution told, as their colours did not; their margins are to other dots."""

    @property
    def source(self) -> Dots:
        """The dots."""
        return self.dots
