"""Dots of any size: the largest circle of one colour in each cell, and the size that enough cells have."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.vision.dots.detection import cell_widths, grounds, in_round_cells, stretched
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import HALF_WAY, Floats, colour_distance, lab_of, sample
from flowvision.vision.settings import DOTS

Masks = NDArray[np.bool_]

REACH, PIXELS = 0.44, 31  # half a patch, clear of the lines, in cell widths; pixels across it
STEP = 2 * REACH / (PIXELS - 1)
ON_RING = STEP * 0.5**0.5  # a ring passes through the pixels whose middles are nearer than this
PATCH = np.stack(np.meshgrid(*2 * [np.linspace(-REACH, REACH, PIXELS)]), axis=-1)
AWAY = np.hypot(PATCH[..., 0], PATCH[..., 1])
SEEDS = (0.03, 0.12, 0.2, 0.28, 0.36)
"""Rings whose colours are tried, in cell widths: letters hide inner ones, rims have their own."""
BEYOND = 1.3  # radii: of a ring that a dot does not reach; a knee or the end of a bar covers a third of it
OWN = 0.7  # of a disc: a letter hides a quarter, the hole of a thick ring a third
RINGS = np.arange(0.4, 0.85, 0.05)  # radii at which a dot may have its colour, beside its letter


class _Discs(NamedTuple):
    """Discs (N,): cell, radius, contrast to the ground; and all of their colour in the patch (N, y, x)."""

    cells: NDArray[np.intp]
    radii: Floats
    contrast: Floats
    masks: Masks


def disc_models(geometry: BoardGeometry) -> tuple[DotModel, ...]:
    """Return models of discs: of the clear ones, then, if there are any, with faint ones of the same size."""
    offsets, shapes = PATCH.reshape(-1, 2), geometry.shapes
    patches = [(in_round_cells(geometry, offsets), cell_widths(shapes).ravel())]
    if not geometry.fit.is_regular:
        # Dots on the sides of a cube are as oblique as their cells.
        patches.append((stretched(offsets, shapes), np.sqrt(np.abs(np.linalg.det(shapes)))))
    found = [_models(geometry, patch, size / np.median(size)) for patch, size in patches]
    return max(found, key=lambda models: len(models[0].cells or ()))


def _models(geometry: BoardGeometry, patch: Floats, sizes: Floats) -> tuple[DotModel, ...]:
    """Return the models; ``patch`` (cells, pixels, 2): offsets; ``sizes`` (cells,): of patches, about 1."""
    discs = _discs(geometry, patch)
    radii, is_clear = discs.radii * sizes[discs.cells], discs.contrast >= DOTS.contrast
    radius = _common_radius(radii[is_clear], discs.cells[is_clear])
    if radius is None:
        return (DotModel(DOTS.ring, frozenset()),)
    is_alike, models = _are_alike(radii, radius), list[DotModel]()
    for chosen in (is_alike & is_clear, is_alike):
        cells, first = np.unique(discs.cells[chosen], return_index=True)
        masks, rings = discs.masks[chosen][first], RINGS * radius / sizes[cells].max()
        cover = [masks[:, np.abs(AWAY - ring) < ON_RING].mean(axis=1).min() for ring in rings]
        models.append(DotModel(float(rings[np.argmax(cover)]), frozenset(cells.tolist())))
    return tuple(models[: 1 + (models[0].cells != models[1].cells)])


def _common_radius(radii: Floats, cells: NDArray[np.intp]) -> float | None:
    """Return the largest radius that discs in enough cells have."""
    for radius in np.sort(radii)[::-1]:
        common = radius
        for _ in range(3):  # to the middle of those of about this size
            is_alike = _are_alike(radii, common)
            common = np.median(radii[is_alike])
        if len(np.unique(cells[is_alike])) >= DOTS.count_min:
            return float(common)
    return None


def _are_alike(radii: Floats, radius: float) -> Masks:
    return np.asarray(np.abs(radii - radius) <= max(DOTS.alike_size * radius, 1.5 * STEP))


def _discs(geometry: BoardGeometry, patch: Floats) -> _Discs:
    fit, centres = geometry.fit, np.array(geometry.board.layout.centres)
    around = sample(fit.view, fit.frame, centres, grounds(geometry, fit.is_regular))
    ground = lab_of(np.median(around, axis=1).astype(np.uint8))
    bgr = sample(fit.view, fit.frame, centres, patch)
    rings = [np.median(bgr[:, (np.abs(AWAY - seed) < ON_RING).ravel()], axis=1) for seed in SEEDS]
    colours = lab_of(np.array(rings).astype(np.uint8))
    contrast = colour_distance(colours, ground)
    is_seed = contrast >= DOTS.faint
    is_seed[1:] &= colour_distance(colours[1:], colours[:-1]) >= DOTS.faint
    cells = np.nonzero(is_seed)[1]
    contrast = contrast[is_seed]
    away = colour_distance(lab_of(bgr[cells]), colours[is_seed][:, None])
    masks = (away < HALF_WAY * contrast[:, None]).reshape(-1, PIXELS, PIXELS)
    radii = _radii(masks)
    found = radii > 2.5 * STEP
    return _Discs(cells[found], radii[found], contrast[found], masks[found])


def _radii(masks: Masks) -> Floats:
    """Return the radius (cells,) of the largest circle in each mask, 0 if it is not a disc.

    A letter may hide a part of a disc, and a pipe leave it once.
    """
    if not len(masks):
        return np.zeros(0)
    # All masks in one strip, with a rim of 0 round each.
    strip = np.pad(masks, ((0, 0), (1, 1), (1, 1))).astype(np.uint8).reshape(-1, PIXELS + 2)
    cv2.floodFill(strip, None, (0, 0), 2)
    solid = np.asarray(strip != 2).astype(np.uint8)
    depth = cv2.distanceTransform(solid, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).reshape(len(masks), -1)
    deepest = depth.argmax(axis=1)
    radii = STEP * (depth.max(axis=1) - 0.5)
    row, column = np.divmod(deepest, PIXELS + 2)
    middles = STEP * (np.column_stack((column, row)) - 1) - REACH
    away = np.hypot(*np.moveaxis(PATCH - middles[:, None, None], -1, 0))
    filled = solid.reshape(-1, PIXELS + 2, PIXELS + 2)[:, 1:-1, 1:-1] > 0
    beyond = np.maximum(BEYOND * radii, radii + 2 * STEP)[:, None, None]
    own = _share(masks, away <= radii[:, None, None])
    leaving = _share(filled, np.abs(away - beyond) < ON_RING)
    is_disc = (own >= OWN) & (leaving <= DOTS.leaving)
    is_disc &= np.abs(middles).max(axis=1) <= DOTS.off_lattice
    return np.where(is_disc, radii, 0.0)


def _share(masks: Masks, of: Masks) -> Floats:
    return np.asarray((masks & of).sum(axis=(1, 2)) / np.maximum(of.sum(axis=(1, 2)), 1))
