"""Dots on copies of the game: discs of any size, found as circles or cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flowvision.vision.dots.detection import (
    CORNERS,
    DotHypothesis,
    Dots,
    dots_of,
    radial_profile,
    round_in,
    stretched,
)
from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, squares
from flowvision.vision.pixels.view import HALF_WAY, Floats, colour_distance, lab_of, ring, sample
from flowvision.vision.settings import DotSettings, PairingSettings, Settings

if TYPE_CHECKING:  # few boards are copies, and finding circles needs more modules
    from flowvision.vision.pixels.discs import Discs


STEP = 0.02  # from one ring to the next, in cell widths
RADII = np.arange(0.05, 0.47, STEP)
"""Rings from inside the smallest dot to just inside the lines, in cell widths."""


def measured_discs(geometry: BoardGeometry, settings: DotSettings) -> DotModel | None:
    """Return a model of the largest disc size that enough cells have, or ``None``."""
    if not geometry.fit.is_lattice:
        return None
    cover = ring_cover(geometry, settings)
    radii = disc_radii(cover, settings)
    for radius in np.unique(radii[radii > 0])[::-1].tolist():
        is_alike = (radii > 0) & (np.abs(radii - radius) <= max(settings.alike_size * radius, 1.5 * STEP))
        if np.count_nonzero(is_alike) >= settings.count_min:
            fills = is_alike | _fill(cover, radius, settings)
            known = frozenset(np.flatnonzero(fills).tolist())
            # Where letters fill the dots, only rings near their rims are of one colour.
            within = np.where(radius + STEP / 2 > RADII, cover[is_alike].min(axis=0), 0.0)
            return DotModel(float(RADII[within.argmax()]), "corners", known, True)
    return None


def _fill(cover: Floats, radius: float, settings: DotSettings) -> Mask:
    """Return (cells,): cells that a disc of this radius fills, though a letter or a rim hides its size."""
    inside = (radius * settings.letter_reach <= RADII) & (radius - STEP / 2 > RADII)
    beyond = (radius + STEP / 2 < RADII) & (radius * 1.5 > RADII)  # it ends there, with its rim
    if not (inside.any() and beyond.any()):
        return np.zeros(len(cover), bool)
    inner_cover, ends = cover[:, inside], (cover[:, beyond] < settings.cover).any(axis=1)
    is_filled = (inner_cover.mean(axis=1) >= settings.cover) & (inner_cover.min(axis=1) >= settings.clear)
    return np.asarray(is_filled & ends)


def disc_radii(cover: Floats, settings: DotSettings) -> Floats:
    """Return (cells,): radius of the widest ring in each cell that is of one colour, in cell widths, or 0.

    The rings within it must be so too, except one where a rim begins, and the middle, where a letter may be.
    """
    is_even = cover >= settings.cover
    radii = np.asarray(np.where(is_even, RADII, 0.0).max(axis=1))
    is_asked = (radii[:, None] >= RADII) & (radii[:, None] * settings.letter_reach <= RADII)
    is_filled = ((cover >= settings.rim_begins) | ~is_asked).all(axis=1)
    return np.where(is_filled & ((~is_even & is_asked).sum(axis=1) <= 1), radii, 0.0)


def ring_cover(geometry: BoardGeometry, settings: DotSettings) -> Floats:
    """Return (cells, rings): share of each ring of ``RADII`` in its own colour; 0 where corners share it."""
    fit = geometry.fit
    centres = np.array(geometry.board.layout.centres)
    bgr = radial_profile(geometry, RADII)
    corners = np.median(sample(fit.view, fit.frame, centres, stretched(CORNERS, geometry.shapes)), axis=1)
    colour = lab_of(np.median(bgr, axis=2).astype(np.uint8))
    contrast = colour_distance(colour, lab_of(corners.astype(np.uint8))[:, None])
    shows = contrast >= settings.contrast
    away = colour_distance(lab_of(bgr[shows]), colour[shows][:, None])
    cover = np.zeros(contrast.shape)
    cover[shows] = (away < HALF_WAY * contrast[shows][:, None]).mean(axis=1)
    return cover


def middles_of_discs(geometry: BoardGeometry, dots: DotSettings) -> Floats | None:
    """Return the middles (N, 2), in pixels, of cells that differ in colour from their corners.

    ``None`` unless enough for a puzzle have one colour: a cheap test before the search for circles, which
    takes up to a second.
    """
    centres = np.array(geometry.board.layout.centres)
    # Within dots of any size, also small ones off-centre; then where letters in small dots hardly reach.
    middle = np.concatenate([ring(radius, 8) for radius in (0.03, 0.06, 0.09)])
    for at in (middle, round_in(geometry.fit.frame, centres, 0.16, squares(len(centres)))):
        if np.count_nonzero(_even_cells(geometry, centres, at, dots)[1]) >= dots.count_min:
            break
    else:
        return None
    seen, ground = (_lab_at(geometry, centres, offsets) for offsets in (middle, CORNERS))
    unlike = colour_distance(seen, np.median(ground, axis=1)[:, None]) >= dots.contrast
    # A letter in the background's colour may hide the rest.
    return geometry.fit.frame.to_px(centres[unlike.mean(axis=1) >= 0.3])


def are_pieces(geometry: BoardGeometry, settings: Settings) -> Dots | None:
    """Return the discs of a lattice full of discs in few colours, as other games are; else ``None``."""
    centres = np.array(geometry.board.layout.centres)
    at = round_in(geometry.fit.frame, centres, settings.reading.dot_radius_min, geometry.shapes)
    colour, is_even = _even_cells(geometry, centres, at, settings.dots)
    if not _are_of_few_colours(colour[is_even], settings.pairing):
        return None
    model = measured_discs(geometry, settings.dots)
    found = dots_of(DotHypothesis(geometry, model), settings.dots) if model else None
    lab = np.array([dot.lab for dot in found.dots]) if found else np.empty((0, 3))
    if not _are_of_few_colours(lab, settings.pairing):
        return None
    # All of one colour are the ground of a board between its lines.
    away = colour_distance(lab, np.median(lab, axis=0))
    return found if np.count_nonzero(away >= settings.pairing.crowd_apart) else None


def _are_of_few_colours(lab: Floats, settings: PairingSettings) -> bool:
    """Return whether nearly every colour (N, 3), in Lab, is shared by five others; no pairing exists then.

    Pipes with knees show four others.
    """
    if len(lab) < settings.crowd_min:
        return False
    apart = np.sort(colour_distance(lab[:, None, :], lab[None, :, :]), axis=1)[:, 5]
    alone = np.count_nonzero(apart >= settings.crowd_apart)
    return bool(alone <= min(settings.crowd_alone, len(lab) // settings.crowd_min))


def _even_cells(
    geometry: BoardGeometry, centres: Floats, at: Floats, dots: DotSettings
) -> tuple[Floats, Mask]:
    """Return the colour (cells, 3) at offsets from cell middles, and where it is even and stands out."""
    seen, ground = (_lab_at(geometry, centres, offsets) for offsets in (at, CORNERS))
    colour = np.median(seen, axis=1)
    contrast = colour_distance(colour, np.median(ground, axis=1))
    even = (colour_distance(seen, colour[:, None]) < HALF_WAY * contrast[:, None]).mean(axis=1)
    return colour, np.asarray((contrast >= dots.contrast) & (even >= dots.cover))


def _lab_at(geometry: BoardGeometry, centres: Floats, at: Floats) -> Floats:
    return lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, at))


def disc_models(geometry: BoardGeometry, discs: Discs, settings: DotSettings) -> dict[str, DotModel]:
    """Return models of the discs of the commonest size that were found as circles, by their rows' names.

    The models: only filled discs; also cells that fill an annulus of their size; also discs of nearly the
    background's colour.
    """
    if not geometry.fit.is_lattice or not len(discs.filled):
        return {}
    circles = np.concatenate((discs.filled, discs.faint))
    centres = np.array(geometry.board.layout.centres)
    x, y = centres.mean(axis=0).tolist()
    radii = circles[:, 2] / geometry.fit.frame.cell_width_px((x, y))
    away = np.abs(geometry.fit.frame.to_cells(circles[:, :2])[:, None] - centres).max(axis=2)
    in_cells = (away.min(axis=1) <= settings.off_lattice) & (radii < settings.radius_max)
    is_filled = np.arange(len(circles)) < len(discs.filled)
    is_alike = np.abs(radii[:, None] / radii - 1) <= settings.alike_size
    count = (is_alike & in_cells & is_filled).sum(axis=1) * in_cells * is_filled
    if count.max() < settings.count_min:
        return {}
    chosen = in_cells & is_alike[int(count.argmax())]
    radius = float(np.median(radii[chosen & is_filled]))
    filled, held = (frozenset(away[one].argmin(axis=1).tolist()) for one in (chosen & is_filled, chosen))
    models = {
        "filled discs": DotModel(settings.circle_ring * radius, "corners", filled, True),
        "wide rings": DotModel(settings.copy_ring * radius, "corners", filled),
    }
    if held != filled:
        models["faint discs"] = DotModel(settings.circle_ring * radius, "corners", held, True)
    return models
