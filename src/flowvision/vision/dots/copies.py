"""What dots look like on copies of the game: discs of any size, which may reach the sides of their cells.

Found as circles, or cell by cell: dots that are a few pixels wide, jagged, close to lines, or ovals, are no
circles, but they stand in the middles of cells, where one colour reaches so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from flowvision.puzzle.boards import walls_and_warps
from flowvision.vision.dots.detection import (
    CORNERS,
    DotHypothesis,
    Dots,
    dots_of,
    radial_profile,
    round_in,
    stretched,
)
from flowvision.vision.dots.rim_walls import without_walls
from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, squares
from flowvision.vision.pixels.view import HALF_WAY, Floats, colour_distance, lab_of, ring, sample
from flowvision.vision.settings import DotSettings, PairingSettings, Settings

if TYPE_CHECKING:  # few boards are those of copies, and finding circles needs modules of its own
    from flowvision.vision.pixels.discs import Discs


ALIKE = 5  # pieces of one colour beyond which they are those of another game; pipes with knees show four more
STEP = 0.02  # from one ring to the next, in cell widths
RADII = np.arange(0.05, 0.47, STEP)
"""Rings from inside the smallest dot to just inside the lines, in cell widths."""
BEYOND = 1.5  # radii of a disc: before this it ends, with its rim


def measured_discs(geometry: BoardGeometry, settings: DotSettings) -> DotModel | None:
    """Return a model of the largest disc size that enough cells have; ``None`` where there is none.

    Pipes are narrower than dots, so cells with a pipe alone have smaller discs. Only of lattices.
    """
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
    beyond = (radius + STEP / 2 < RADII) & (radius * BEYOND > RADII)
    if not (inside.any() and beyond.any()):
        return np.zeros(len(cover), bool)
    own, ends = cover[:, inside], (cover[:, beyond] < settings.cover).any(axis=1)
    is_filled = (own.mean(axis=1) >= settings.cover) & (own.min(axis=1) >= settings.clear)
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


MIDDLE_RADII = (0.03, 0.06, 0.09)
"""Radii within dots of any size, also small ones beside the middle; in widths of a cell."""
LETTER_FREE = 0.5  # radii of a disc: most points of this ring lie beside a letter, and within a rim
ROUND_LETTER = 0.16  # radius, in cell widths, that letters in small dots hardly reach, and small dots do
MIDDLE_POINTS = 8  # points on each of these rings
LETTERED = 0.3
"""The least share of these points that show a disc: a letter in the background's colour may hide the rest."""


def middles_of_discs(geometry: BoardGeometry, dots: DotSettings) -> Floats | None:
    """Return (N, 2) pixels: middles of cells that are not of the colour of their corners.

    ``None`` unless enough for a puzzle are of one colour. A cheap test before the search for circles, which
    takes up to a second.
    """
    lattice = geometry.board.squares
    size = (lattice.rows, lattice.cols) if lattice else (0, 0)
    # What looks like a hole may be a cell whose disc touches its sides.
    places = [(col + 0.5, row + 0.5) for row, col in np.ndindex(size)]
    centres = np.array(places or geometry.board.layout.centres)
    middle = np.concatenate([ring(radius, MIDDLE_POINTS) for radius in MIDDLE_RADII])
    for at in (middle, round_in(geometry.fit.frame, centres, ROUND_LETTER, squares(len(centres)))):
        if np.count_nonzero(_even_cells(geometry, centres, at, dots)[1]) >= dots.count_min:
            break
    else:
        return None
    seen, ground = (_lab_at(geometry, centres, offsets) for offsets in (middle, CORNERS))
    unlike = colour_distance(seen, np.median(ground, axis=1)[:, None]) >= dots.contrast
    return geometry.fit.frame.to_px(centres[unlike.mean(axis=1) >= LETTERED])


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
    """Return whether nearly every colour (N, 3), in Lab, is shared by five others; no pairing exists then."""
    if len(lab) < settings.crowd_min:
        return False
    apart = np.sort(colour_distance(lab[:, None, :], lab[None, :, :]), axis=1)[:, ALIKE]
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
    """Return (cells, N, 3): what is seen at offsets from the middles of cells, in Lab."""
    return lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, at))


class DiscBoard(Struct, frozen=True, eq=False):
    """A board whose dots are discs of one size, found as circles.

    ``geometry``: the board, with the cells that looked like holes because they hold such a disc. ``radius``:
    of the discs, in cell widths. ``filled``: the cells with a disc that differs from the
    background. ``held``: these, and the cells with a disc of nearly the background's colour.
    """

    geometry: BoardGeometry
    radius: float
    filled: frozenset[int]
    held: frozenset[int]


def disc_board(geometry: BoardGeometry, discs: Discs, settings: Settings) -> DiscBoard | None:
    """Return the board with the discs of the commonest size in its cells; ``None`` where too few are alike.

    Where most of them are of one colour they mark empty cells, and the dots are of another size.
    """
    if not geometry.fit.is_lattice or not len(discs.filled):
        return None
    thresholds = settings.dots
    geometry = _without_false_holes(geometry, discs.filled, settings)
    circles = np.concatenate((discs.filled, discs.faint))
    centres = np.array(geometry.board.layout.centres)
    x, y = centres.mean(axis=0).tolist()
    radii = circles[:, 2] / geometry.fit.frame.cell_width_px((x, y))
    away = np.abs(geometry.fit.frame.to_cells(circles[:, :2])[:, None] - centres).max(axis=2)
    in_cells = (away.min(axis=1) <= thresholds.off_lattice) & (radii < thresholds.radius_max)
    is_filled = np.arange(len(circles)) < len(discs.filled)
    is_alike = np.abs(radii[:, None] / radii - 1) <= thresholds.alike_size
    at = geometry.fit.frame.to_cells(circles[:, :2])
    while True:
        count = (is_alike & in_cells & is_filled).sum(axis=1) * in_cells * is_filled
        if count.max() < thresholds.count_min:
            return None
        chosen = in_cells & is_alike[int(count.argmax())]
        radius = float(np.median(radii[chosen & is_filled]))
        if not _are_of_one_colour(geometry, at[chosen], radius, thresholds):
            break
        in_cells &= ~chosen
    held = (frozenset(away[these].argmin(axis=1).tolist()) for these in (chosen & is_filled, chosen))
    return DiscBoard(geometry, radius, *held)


def _are_of_one_colour(geometry: BoardGeometry, at: Floats, radius: float, dots: DotSettings) -> bool:
    """Return whether most discs at places (N, 2) of a board have the same colour, letters aside."""
    fit = geometry.fit
    seen = sample(fit.view, fit.frame, at, round_in(fit.frame, at, LETTER_FREE * radius, squares(len(at))))
    lab = np.median(lab_of(seen), axis=1)
    away = colour_distance(lab, np.median(lab, axis=0))
    return bool(2 * np.count_nonzero(away < dots.contrast) > len(at))


def filled_discs(discs: DiscBoard, settings: DotSettings) -> DotModel:
    """Return a model of the filled discs alone."""
    return DotModel(settings.circle_ring * discs.radius, "corners", discs.filled, True)


def wide_ring(discs: DiscBoard, settings: DotSettings) -> DotModel:
    """Return a model of the filled discs, and whatever fills an annulus of their size."""
    return DotModel(settings.copy_ring * discs.radius, "corners", discs.filled)


def faint_discs(discs: DiscBoard, settings: DotSettings) -> DotModel | None:
    """Return a model with discs of nearly the background's colour as well; ``None`` without these."""
    if discs.held == discs.filled:
        return None
    return DotModel(settings.circle_ring * discs.radius, "corners", discs.held, True)


def _without_false_holes(geometry: BoardGeometry, discs: Floats, settings: Settings) -> BoardGeometry:
    """Return the board with the cells that looked like holes because a large disc touches their sides.

    What looked like walls there are rims too, so the board has no walls. It stays as it is where no hole
    holds a disc, or a wall stands between two cells without one.
    """
    lattice = geometry.board.squares
    if lattice is None:
        return geometry
    steps = geometry.fit.frame.to_cells(discs[:, :2]) - 0.5
    near = steps[(np.abs(steps - np.round(steps)) <= settings.dots.off_lattice).all(axis=1)]
    dots = {(round(row), round(col)) for col, row in near.tolist()}
    cells = set(lattice.places)
    more = {(row, col) for row, col in dots - cells if 0 <= row < lattice.rows and 0 <= col < lattice.cols}
    walls, _ = walls_and_warps(geometry.board, lattice)
    if not more or any(dots.isdisjoint(wall) for wall in walls):
        return geometry
    return without_walls(geometry, lattice, cells | more, dots, settings.walls, settings.line_weight)


def small_dots(geometry: BoardGeometry, settings: DotSettings) -> DotModel | None:
    """Return a model of smaller dots with thinner pipes; ``None`` where usual dots are as small."""
    small = DotModel(settings.small_ring)
    return small if geometry.fit.usual_dots(settings).ring > small.ring else None
