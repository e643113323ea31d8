"""Dots of a board: cells whose annulus has one colour that differs from the background's.

The annulus of a cell is a ring round its middle that a dot fills; the ground is what lies round a dot.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from msgspec import Struct

from flowvision.errors import DotsError, OddDotsError
from flowvision.image.picture import Bgr, Rgb
from flowvision.log import made_of
from flowvision.puzzle.layout import DOT_RADIUS, Key
from flowvision.vision.dots.letters import Faces, faces_of
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import (
    HALF_WAY,
    STEPS,
    Floats,
    colour_distance,
    corner_points,
    lab_of,
    median_lab,
    ring,
    sample,
)
from flowvision.vision.settings import DOTS
from flowvision.words import count_of


class Dot(Struct, frozen=True):
    """A dot: the number of its cell, its middle in the picture, and its colour, also in CIE Lab (L 0–100)."""

    cell: int
    centre_px: tuple[float, float]
    lab: tuple[float, float, float]
    rgb: Rgb


class DotHypothesis(Struct, frozen=True, eq=False):
    """A board and a model of its dots; ``strategy``: the row of ``DOT_MODELS`` that made it."""

    geometry: BoardGeometry
    model: DotModel
    strategy: str = ""

    source = made_of("geometry")

    @property
    def is_guess(self) -> bool:
        """True if a refusal is not about it: a guess at the dots, or cells between steps of colour."""
        return self.model.is_guess or self.geometry.fit.view.channel == STEPS


class Dots(Struct, frozen=True, eq=False):
    """Dots of a board, found by its ``hypothesis``.

    ``contrast`` (cells,): Lab distance of the annulus from the background. ``cover`` (cells,): the share of
    the annulus that has its colour, 0 to 1. ``faces()`` (dots, n, n): how much brighter or darker than its
    dot each pixel in the middle of a dot is; sampled when called, of the first few dots if wanted.
    """

    dots: tuple[Dot, ...]
    contrast: Floats
    cover: Floats
    faces: Faces
    hypothesis: DotHypothesis

    source = made_of("hypothesis")

    @property
    def geometry(self) -> BoardGeometry:
        """The board."""
        return self.hypothesis.geometry

    def places(self, numbers: Iterable[int]) -> tuple[Key, ...]:
        """Return the names of the cells of dots, by number."""
        return tuple(self.geometry.board.key_of(self.dots[n].cell) for n in numbers)

    @property
    def usual_radius_px(self) -> float:
        """The radius that dots of the game have on this board, for drawings; those of copies differ."""
        centres = np.array(self.geometry.board.layout.centres)
        x, y = centres.mean(axis=0).tolist()
        return DOT_RADIUS * self.geometry.fit.frame.cell_width_px((x, y))


class Pairing(Struct, frozen=True):
    """Dots that belong together: pairs of indices into ``dots``, and a colour (``palette``) per pair."""

    dots: Dots
    pairs: tuple[tuple[int, int], ...]
    palette: tuple[Rgb, ...]
    margins: tuple[float, ...]
    """Per dot, how much further the nearest dot of another pair is than its partner, in Lab units."""
    lettered: bool = False  # letters helped to pair the dots, as colours alone were too close
    resolved: tuple[int, ...] = ()
    """Dots that the solution paired instead of colours; their margins are to other dots."""

    source = made_of("dots")

    @property
    def margin(self) -> float:
        """The smallest of its margins."""
        return min(self.margins)


RING_POINTS = 24  # points on a ring where its colour is sampled
CORNERS = corner_points(outer=0.4, inner=0.36)
"""Points outside dots, pipes and lines; in cell widths from the centre."""


def find_dots(hypothesis: DotHypothesis) -> Dots:
    """Return the dots of a board.

    Raises ``DotsError`` when there are too few dots for a board, ``OddDotsError`` when they cannot all have a
    partner.
    """
    found = dots_of(hypothesis)
    dots = found.dots
    if len(dots) < DOTS.count_min:
        seen_text = f"only {count_of(len(dots), 'dot')}" if dots else "no dots"
        problem = f"Found {seen_text} in {len(found.cover)} cells; boards have at least {DOTS.count_min}."
        raise DotsError(problem, evidence=found)
    if len(dots) % 2:
        problem = f"Found {count_of(len(dots), 'dot')}, but every colour needs two."
        raise OddDotsError(problem, evidence=found)
    return found


def dots_of(hypothesis: DotHypothesis) -> Dots:
    """Return the dots of a board, however many, by its model of dots."""
    fit, model = hypothesis.geometry.fit, hypothesis.model
    centres = np.array(hypothesis.geometry.board.layout.centres)
    annulus_bgr, ground_bgr = (
        sample(fit.view, fit.frame, centres, offsets) for offsets in _offsets(hypothesis)
    )
    bgr = np.median(annulus_bgr, axis=1)
    lab = lab_of(bgr.astype(np.uint8))
    contrast = colour_distance(lab, median_lab(ground_bgr))
    cover = _share_near(annulus_bgr, lab, HALF_WAY * contrast)
    if model.cells is None:
        clear = 1 - _share_near(ground_bgr, lab, DOTS.clear_near * contrast)
        is_dot = (contrast >= model.contrast) & (cover >= DOTS.cover_min) & (clear >= DOTS.clear_share_min)
        brightness = bgr.max(axis=1)
        is_dot &= brightness >= DOTS.value_share_min * brightness[is_dot].max(initial=0.0)
        cells = np.flatnonzero(is_dot)
    else:
        cells = np.array(sorted(model.cells), np.intp)
    columns = cells, fit.frame.to_px(centres[cells]), lab[cells], np.round(bgr[cells]).astype(int)
    dots = tuple(
        Dot(cell, (x, y), (lightness, a, b), Rgb(red, green, blue))
        for cell, (x, y), (lightness, a, b), (blue, green, red) in zip(
            *(column.tolist() for column in columns), strict=True
        )
    )
    faces = partial(faces_of, fit.view, fit.frame, centres[cells], bgr[cells])
    return Dots(dots, contrast, cover, faces, hypothesis)


def _offsets(hypothesis: DotHypothesis) -> tuple[Floats, Floats]:
    """Return the offsets (cells, N, 2) from the middle of every cell to its annulus, and to its ground.

    In cell units.
    """
    geometry, model = hypothesis.geometry, hypothesis.model
    annulus = ring(model.ring, RING_POINTS)
    # A model names cells where it found discs of any size: they are circles in the picture, and may fill
    # their cells, so that only corners are ground. Cells found one by one have no such corners.
    if geometry.fit.is_regular and model.cells is not None:
        return in_round_cells(geometry, annulus), grounds(geometry, in_corners=True)
    return cell_widths(geometry.shapes) * annulus, grounds(geometry, in_corners=False)


def grounds(geometry: BoardGeometry, in_corners: bool) -> Floats:
    """Return (cells, N, 2): offsets from the middle of every cell to the ground round a dot, in cell units.

    ``in_corners``: in its corners, else on a ring.
    """
    return stretched(CORNERS if in_corners else ring(DOTS.outer_ring, RING_POINTS), geometry.shapes)


def _share_near(bgr: Bgr, lab: Floats, max_distance_lab: Floats) -> Floats:
    """Return (cells,): the share of pixels (cells, N, 3) near the colour ``lab`` (cells, 3) of their cell.

    ``max_distance_lab`` (cells,): in Lab, exclusive.
    """
    distances_lab = colour_distance(lab_of(bgr), lab[:, None, :])
    return np.asarray((distances_lab < max_distance_lab[:, None]).mean(axis=1))


def in_round_cells(geometry: BoardGeometry, offsets: Floats) -> Floats:
    """Return (cells, N, 2): offsets in cell units, in which circles are round in the picture.

    ``offsets`` (N, 2): in cell widths.
    """
    frame = geometry.fit.frame
    x, y = np.mean(geometry.board.layout.centres, axis=0).tolist()
    to_cells = np.linalg.inv(frame.stretch((x, y))) * frame.cell_width_px((x, y))
    return cell_widths(geometry.shapes) * (offsets @ to_cells.T)


def cell_widths(shapes: Floats) -> Floats:
    """Return (cells, 1, 1): the narrowest widths of cells, in cell units.

    ``shapes`` (cells, 2, 2): per cell, the matrix that makes a unit square as long and wide.
    """
    (a, b), (c, d) = np.moveaxis(shapes, 0, 2)
    # The smaller singular value of 2 × 2 matrices, in a tenth of the time of ``svd``.
    narrowest = np.abs(np.hypot(a + d, c - b) - np.hypot(a - d, b + c)) / 2
    return np.asarray(narrowest[:, None, None], np.float64)


def stretched(offsets: Floats, shapes: Floats) -> Floats:
    """Return (cells, N, 2): offsets (N, 2) in a square, as long and wide as each cell."""
    return offsets @ np.swapaxes(shapes, 1, 2)
