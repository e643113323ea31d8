"""What dots look like on copies of the game, measured cell by cell: how far one colour reaches.

Dots that are a few pixels wide, jagged, close to lines, or ovals, are not found as circles; but they stand in
the middles of cells.
"""

from __future__ import annotations

import numpy as np

from flowvision.vision.dots.detection import CORNERS, round_in, stretched
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.sampling import HALF_WAY, colour_distance, lab_of, sample
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings

STEP = 0.02
"""Of a narrow cell's width, from one ring to the next."""
RADII = np.arange(0.05, 0.47, STEP)
"""Of a narrow cell's width: rings from inside the smallest dot to just inside the lines."""


def measured_discs(sides: BoardGeometry, asked: DotSettings) -> DotModel | None:
    """Dots are the discs of the largest size that enough cells have; ``None`` where there are none.

    Pipes that are drawn are narrower than dots, so that cells with a pipe alone have smaller discs.
    """
    cover = ring_cover(sides, asked)
    radii = disc_radii(cover, asked)
    for radius in np.unique(radii[radii > 0])[::-1].tolist():
        is_alike = (radii > 0) & (np.abs(radii - radius) <= max(asked.alike_size * radius, 1.5 * STEP))
        if np.count_nonzero(is_alike) >= asked.count_min:
            known = frozenset(np.flatnonzero(is_alike).tolist())
            # Where letters fill the dots, only rings near their rims are of one colour.
            within = np.where(radius + STEP / 2 > RADII, cover[is_alike].min(axis=0), 0.0)
            return DotModel("measured disc", float(RADII[within.argmax()]), "corners", known, True)
    return None


def disc_radii(cover: Floats, asked: DotSettings) -> Floats:
    """(cells,): the radius of the widest ring in each cell that is of one colour, or 0.

    In widths of a narrow cell. The rings within it must be so too, save in the middle, where a letter may
    stand; but round letters are rings themselves.
    """
    is_even = cover >= asked.cover
    radii = np.asarray(np.where(is_even, RADII, 0.0).max(axis=1))
    is_asked = (radii[:, None] >= RADII) & (radii[:, None] * asked.letter_reach <= RADII)
    return np.where((is_even | ~is_asked).all(axis=1), radii, 0.0)


def ring_cover(sides: BoardGeometry, asked: DotSettings) -> Floats:
    """(cells, rings): the share of each ring of ``RADII`` that has its colour; 0 where corners have it."""
    fit = sides.fit
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    rings = np.concatenate([round_in(fit.frame, centres, radius, sides.shapes) for radius in RADII], axis=1)
    bgr = sample(fit.view, fit.frame, centres, rings).reshape(len(centres), len(RADII), -1, 3)
    corners = np.median(sample(fit.view, fit.frame, centres, stretched(CORNERS, sides.shapes)), axis=1)
    colour = lab_of(np.median(bgr, axis=2).astype(np.uint8))
    contrast = colour_distance(colour, lab_of(corners.astype(np.uint8))[:, None])
    shows = contrast >= asked.contrast
    away = colour_distance(lab_of(bgr[shows]), colour[shows][:, None])
    cover = np.zeros(contrast.shape)
    cover[shows] = (away < HALF_WAY * contrast[shows][:, None]).mean(axis=1)
    return cover
