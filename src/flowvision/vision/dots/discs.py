"""Dots of any size: the likeliest disc or pipe in each cell, and the size that enough cells have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Bgr
from flowvision.vision.dots.detection import cell_widths, grounds, in_round_cells, stretched
from flowvision.vision.dots.pairing import mutual_neighbours
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import HALF_WAY, Floats, colour_distance, is_inside, lab_of, ring, sample
from flowvision.vision.settings import DOTS, PAIRING, PIPES

Masks = NDArray[np.bool_]

REACH, PIXELS = 0.41, 29  # half a patch, clear of the lines, in cell widths; pixels across it
STEP = 2 * REACH / (PIXELS - 1)
PATCH = np.stack(np.meshgrid(*2 * [np.linspace(-REACH, REACH, PIXELS)]), axis=-1).reshape(-1, 2)
AWAY = np.hypot(*PATCH.T)
RADII = STEP * np.arange(2.5, 16)  # of discs, in cell widths
MIDDLES = 2 * STEP * np.stack(np.meshgrid(*2 * [np.arange(-3.0, 4.0)]), axis=-1).reshape(-1, 2)
"""Middles of discs, as far as a dot lies from the middle of its cell."""
HALF_CELL = 0.5  # cell widths: no dot reaches out of its cell
INNER, ROUND = 0.1, (0.15, 0.26)  # cell widths: the smallest dot, and rings round a letter or a symbol on it
WIDE = 8  # radii: half as wide as the widest pipes
SQUARE, ANY = 4, 12  # directions in which pipes leave a square, and cells of other kinds
HIDDEN = 2.0  # of a pixel's evidence for a disc: that of a pixel of ground against it
SHOWN = 0.1  # of the evidence for a whole shape: noise shows 0.05, small dots with letters 0.15
HOLE = 0.2  # of the middle: a letter leaves more of its dot, the hole of a ring nothing
SYMBOL = 0.75  # of the radius: symbols on dots are smaller
PIPE = -1.0  # stands for the radius of a pipe
CORNERS = np.flatnonzero((np.abs(np.abs(PATCH) - REACH + STEP) < STEP / 2).all(axis=1))
"""The pixels in the corners of a patch, clear of lines: the ground shows in two of them at least."""
RADII_TRIED = 2  # radii: the rounded corners of tiles may be larger discs than dots
RING = 0.7  # of the radius: where dots have their colour, beside letters and within rims


class _Discs(NamedTuple):
    """Discs (N,), some twice in a cell: cell, radius, contrast to the ground, their colours (Lab).

    ``clarity``: share of the evidence that a perfect disc has.
    """

    cells: NDArray[np.intp]
    radii: Floats
    contrast: Floats
    lab: Floats
    ground: Floats
    clarity: Floats


def disc_models(geometry: BoardGeometry) -> tuple[DotModel, ...]:
    """Return models of discs of one size: of the clear ones, with faint ones too, of two clear ones a colour.

    They are as round as in the picture, or as oblong as their cells: those that cover more of these first.
    """
    shapes = geometry.shapes
    patches_and_sizes = [(in_round_cells(geometry, PATCH), cell_widths(shapes).ravel())]
    # Dots on the sides of a cube are as oblique as their cells, some in oblong cells are as oblong.
    oblong = stretched(PATCH, shapes)
    if not np.allclose(oblong, patches_and_sizes[0][0], atol=STEP):
        patches_and_sizes.append((oblong, np.sqrt(np.abs(np.linalg.det(shapes)))))
    models_of_patches = [
        _models(geometry, patch, size / np.median(size)) for patch, size in patches_and_sizes
    ]
    models_of_patches.sort(key=lambda models: -len(models[0].cells or ()) * models[0].ring ** 2)
    first, *others = models_of_patches
    return first + tuple(replace(model, is_guess=True) for model in chain.from_iterable(others))


def _models(geometry: BoardGeometry, patch: Floats, sizes: Floats) -> tuple[DotModel, ...]:
    """Return the models; ``patch`` (cells, pixels, 2): offsets; ``sizes`` (cells,): of patches, about 1."""
    discs = _discs(geometry, patch)
    radii, is_clear = discs.radii * sizes[discs.cells], discs.contrast >= DOTS.contrast
    models = list[DotModel]()
    for radius in islice(_common_radii(radii[is_clear], discs.cells[is_clear]), RADII_TRIED):
        is_alike = _are_alike(radii, radius)
        clear, with_faint = np.flatnonzero(is_alike & is_clear), np.flatnonzero(is_alike)
        pairs, is_later_radius = _pairs(discs, _clearest(discs, clear)), bool(models)
        for number, disc_numbers in enumerate((clear, with_faint, *pairs)):
            in_cells = discs.cells[disc_numbers]
            cells = frozenset(in_cells.tolist())
            if cells not in [model.cells for model in models]:
                ring_radius = float(RING * radius / sizes[in_cells].max(initial=1.0))
                models.append(DotModel(ring_radius, cells, is_guess=is_later_radius or number > 1))
    return tuple(models) or (DotModel(DOTS.ring, frozenset()),)


def _clearest(discs: _Discs, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the clearest disc of each cell, of those with these numbers, the clearest first."""
    clearest_first = numbers[np.argsort(-discs.clarity[numbers], kind="stable")]
    return clearest_first[np.sort(np.unique(discs.cells[clearest_first], return_index=True)[1])]


def _pairs(discs: _Discs, disc_numbers: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield discs that pair by their colours: two of each, then the clearest ones.

    The others must be what pipes of these colours leave: a piece or an end, half of it ground.
    """
    lab = discs.lab[disc_numbers]
    between_lab = colour_distance(lab[:, None], lab)
    from_ground_lab = colour_distance(discs.ground[disc_numbers, None], lab)
    is_piece = discs.contrast[disc_numbers, None] + between_lab - from_ground_lab < PIPES.alike
    for paired in (_largest_two(discs, disc_numbers, between_lab), _clearest_pairs(between_lab)):
        others = np.delete(np.arange(len(disc_numbers)), paired)
        if len(paired) and is_piece[others][:, paired].any(axis=1).all():
            yield disc_numbers[paired]


def _largest_two(discs: _Discs, disc_numbers: NDArray[np.intp], between_lab: Floats) -> NDArray[np.intp]:
    """Return the numbers of the largest two of each colour."""
    largest_first = np.lexsort((-discs.clarity[disc_numbers], -discs.radii[disc_numbers].round(2)))
    is_alike = (between_lab < PIPES.alike)[largest_first][:, largest_first]
    is_pair = is_alike.sum(axis=1) > 1
    return np.asarray(largest_first[is_pair & (np.tril(is_alike, -1).sum(axis=1) < 2)])


def _clearest_pairs(between_lab: Floats) -> NDArray[np.intp]:
    """Return the most numbers, from the first, that all have one partner."""
    for count in range(len(between_lab) // 2 * 2, DOTS.count_min, -2):
        to_others_lab = between_lab[:count, :count] + np.diag(np.full(count, np.inf))
        nearest_lab, second_lab = np.sort(to_others_lab, axis=1)[:, :2].T
        is_clear = nearest_lab < np.minimum(PIPES.alike, second_lab - PAIRING.margin)
        if is_clear.all() and mutual_neighbours(to_others_lab):
            return np.arange(count)
    return np.arange(0)


def _common_radii(radii: Floats, cells: NDArray[np.intp]) -> Iterator[float]:
    """Yield the radii that discs in enough cells have, the largest first."""
    radii_left = np.sort(radii)[::-1]
    while len(radii_left):
        radius = radii_left[0]
        for _ in range(3):  # to the middle of those of about this size
            is_alike = _are_alike(radii, radius)
            radius = np.median(radii[is_alike])
        if len(np.unique(cells[is_alike])) >= DOTS.count_min:
            yield float(radius)
            radii_left = radii_left[radii_left < radii[is_alike].min()]
        else:
            radii_left = radii_left[radii_left < radii_left[0]]


def _are_alike(radii: Floats, radius: float) -> Masks:
    upper = np.maximum(DOTS.alike_size * np.maximum(radii, radius), 1.5 * STEP)
    return np.asarray(np.abs(radii - radius) <= upper)


def _discs(geometry: BoardGeometry, patch: Floats) -> _Discs:
    """Return the discs of one colour in the cells, each seen with and without its rim.

    ``patch`` (cells, pixels, 2): offsets from the middle of each cell.
    """
    fit, centres = geometry.fit, np.array(geometry.board.layout.centres)
    is_square = fit.is_regular and geometry.board.squares is not None
    ground_lab = _median_lab(sample(fit.view, fit.frame, centres, grounds(geometry, is_square)))
    bgr = sample(fit.view, fit.frame, centres, patch)
    is_on_ring = AWAY <= INNER, *(np.abs(AWAY - radius) <= STEP for radius in ROUND)
    # (rings, cells, 3) and (rings, cells): the colour of a disc may be that of the middle or of a ring.
    lab = np.array([_median_lab(bgr[:, is_on]) for is_on in is_on_ring])
    contrast = colour_distance(lab, ground_lab)
    is_seed = contrast >= DOTS.faint
    is_seed[1:] &= colour_distance(lab[1:], lab[:-1]) >= DOTS.faint
    seed_ring, cells = np.nonzero(is_seed)
    seed_lab, contrast = lab[is_seed], contrast[is_seed]
    pixel_lab, max_distance = lab_of(bgr[cells]), HALF_WAY * contrast[:, None]
    with_rim = colour_distance(pixel_lab, ground_lab[cells, None]) >= max_distance
    without_rim = colour_distance(pixel_lab, seed_lab[:, None]) < max_distance
    is_in_view = is_inside(fit.view, fit.frame, centres[cells], patch[cells])
    masks = np.concatenate((with_rim & is_in_view, without_rim & is_in_view))
    radii, clarity = _radii(masks, is_in_view, SQUARE if is_square else ANY)
    seed_of_mask = np.tile(np.arange(len(cells)), 2)
    cells, seed_ring = cells[seed_of_mask], seed_ring[seed_of_mask]
    contrast, seed_lab = contrast[seed_of_mask], seed_lab[seed_of_mask]
    pipes = cells[radii == PIPE]
    is_disc = (radii > 0) & ~np.isin(cells, pipes)
    # The outer ring shows the rim of a dot as well, where it is no symbol's surroundings.
    largest_radius, is_outer = np.zeros(len(centres)), seed_ring == len(ROUND)
    np.maximum.at(largest_radius, cells[is_disc & ~is_outer], radii[is_disc & ~is_outer])
    is_disc &= ~is_outer | (largest_radius[cells] < SYMBOL * radii)
    # Between thick or rounded lines the ground itself looks like a disc: most cells without a pipe have it.
    middles_without_pipe = np.delete(lab[0], pipes, axis=0)
    is_like_middle = colour_distance(lab[0, cells[is_disc], None], middles_without_pipe) < DOTS.faint
    is_disc[is_disc] = 2 * is_like_middle.sum(axis=1) <= len(middles_without_pipe)
    cells, radii, contrast = cells[is_disc], radii[is_disc], contrast[is_disc]
    return _Discs(cells, radii, contrast, seed_lab[is_disc], ground_lab[cells], clarity[is_disc])


def _median_lab(bgr: Bgr) -> Floats:
    """Return (cells, 3): the median colour of pixels (cells, N, 3), in Lab."""
    return lab_of(np.median(bgr, axis=1).astype(np.uint8))


def _radii(masks: Masks, is_in_view: Masks, ways: int) -> tuple[Floats, Floats]:
    """Return the radius (2 N,) of the likeliest shape in each mask (2 N, pixels), 0 if it shows none.

    Then its share of the evidence for a whole shape. ``is_in_view`` (N, pixels): the pixels in the view.
    ``ways``: the number of directions in which pipes leave a cell. A letter may hide a part of a disc.
    """
    shapes = _shapes(ways)
    pixels_in_shape = np.tile(is_in_view.astype(np.float32) @ shapes.inside, (2, 1))
    shown = masks.astype(np.float32)
    shown_in_shape, shown_in_all = shown @ shapes.inside, shown.sum(axis=1)[:, None]
    # Shown pixels of a shape count for it; its hidden ones, and what is shown beyond it, count against it.
    evidence = (1 + HIDDEN + 1) * shown_in_shape - HIDDEN * pixels_in_shape - shown_in_all
    best = np.arange(len(masks)), evidence.argmax(axis=1)
    has_shape = evidence[best] >= SHOWN * pixels_in_shape[best]
    has_ground = 2 * masks[:, CORNERS].sum(axis=1) <= len(CORNERS)
    has_middle = masks[:, AWAY <= INNER].mean(axis=1) >= HOLE
    radii = np.where(has_shape & has_ground & has_middle, shapes.radii[best[1]], 0.0)
    return radii, evidence[best] / np.maximum(pixels_in_shape[best], 1.0)


class _Shapes(NamedTuple):
    """Discs and pipes (S,) in a patch: radii, ``PIPE`` for pipes, and the pixels (pixels, S) inside."""

    radii: Floats
    inside: NDArray[np.float32]


@lru_cache(2)
def _shapes(ways: int) -> _Shapes:
    """Return the masks of discs and pipes that patches of cells are compared with."""
    turns = 2 * np.pi * np.arange(ways) / ways
    arm_directions = np.column_stack((np.cos(turns), np.sin(turns)))
    shapes = [
        (radius, np.hypot(*(PATCH - middle).T) <= radius)
        for radius in RADII
        for middle in MIDDLES
        if radius + np.abs(middle).max() <= HALF_CELL
    ]
    to_bend_corners = np.hypot(*(PATCH[:, None] - ring(np.sqrt(0.5), SQUARE)).T)
    along_arms = np.maximum(PATCH @ arm_directions.T, 0)[..., None]
    to_arms = np.hypot(*np.moveaxis(PATCH[:, None] - along_arms * arm_directions, 2, 0)).T
    arms_by_width = [(half_width, [is_arm <= half_width for is_arm in to_arms]) for half_width in RADII]
    shapes += [
        (disc_radius, (disc_radius >= AWAY) | is_arm)
        for disc_radius in RADII
        for half_width, arms_so_wide in arms_by_width
        if half_width <= disc_radius
        for is_arm in arms_so_wide
    ]
    shapes += [
        (PIPE, first_arm | second_arm)
        for _, arms_so_wide in arms_by_width[:WIDE]
        for first_arm, second_arm in combinations(arms_so_wide, 2)
    ]
    shapes += [
        (PIPE, np.abs(to_corner - HALF_CELL) <= half_width)
        for half_width, _ in arms_by_width[:WIDE]
        for to_corner in to_bend_corners
    ]
    radii, is_inside = map(np.array, zip(*shapes, strict=True))
    return _Shapes(radii, np.ascontiguousarray(is_inside.T, np.float32))
