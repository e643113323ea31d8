"""Dots of any size: the likeliest disc or pipe in each cell, and the size that enough cells have.

A patch holds the pixels sampled in one cell. Lengths in it are in cell widths, from the middle of the cell.
A shape is a disc or a pipe of one size and place in a patch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from flowvision.image.picture import Bgr
from flowvision.vision.dots.detection import cell_widths, grounds, in_round_cells, stretched
from flowvision.vision.dots.pairing import mutual_neighbours
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    Mask,
    Numbers,
    Singles,
    colour_distance,
    grid_points,
    is_inside,
    lab_of,
    median_lab,
    ring,
    sample,
    to_others,
)
from flowvision.vision.settings import DOTS, PAIRING, PIPES

REACH, PIXELS = 0.41, 29  # half a patch, clear of the lines, in cell widths; pixels across it
STEP = 2 * REACH / (PIXELS - 1)  # between two pixels of a patch
PATCH = grid_points(*2 * [np.linspace(-REACH, REACH, PIXELS)])
"""(pixels, 2): x and y of the pixels of a patch."""
AWAY = np.hypot(*PATCH.T)
"""(pixels,): their distances from the middle of the cell."""
RADII = STEP * np.arange(2.5, 16)  # of discs; half the widths of pipes
MIDDLES = 2 * STEP * grid_points(*2 * [np.arange(-3.0, 4.0)])
"""Middles of discs (N, 2), as far as a dot lies from the middle of its cell."""
HALF_CELL = 0.5  # no dot reaches out of its cell
INNER, ROUND = 0.1, (0.15, 0.26)  # radii: of the smallest dot, and of rings round a letter or a symbol on it
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
    """Discs (N,), some twice in a cell: the number of the cell, the radius in widths of its patch.

    ``contrast``: Lab distance from the ground of the cell. ``lab``, ``ground_lab`` (N, 3): the colours of
    disc and ground. ``clarity``: share of the evidence that a perfect disc has.
    """

    cells: Numbers
    radii: Floats
    contrast: Floats
    lab: Floats
    ground_lab: Floats
    clarity: Floats

    def chosen(self, which: Mask | Numbers) -> _Discs:
        """Return some of the discs."""
        return _Discs._make(column[which] for column in self)


def disc_models(geometry: BoardGeometry) -> tuple[DotModel, ...]:
    """Return models of discs of one size: of clear ones, with faint ones too, of two clear ones a colour.

    They are as round as in the picture, or as oblong as their cells: those that cover more of these first.
    """
    shapes = geometry.shapes
    round_patch = in_round_cells(geometry, PATCH)
    patches_and_sizes = [(round_patch, cell_widths(shapes).ravel())]
    # Dots on the sides of a cube are as oblique as their cells, some in oblong cells are as oblong.
    oblong_patch = stretched(PATCH, shapes)
    if not np.allclose(oblong_patch, round_patch, atol=STEP):
        patches_and_sizes.append((oblong_patch, np.sqrt(np.abs(np.linalg.det(shapes)))))
    models_of_patches = [
        _models(geometry, patch, size / np.median(size)) for patch, size in patches_and_sizes
    ]
    first, *others = sorted(models_of_patches, key=lambda models: _covered(models[0]), reverse=True)
    return first + tuple(replace(model, is_guess=True) for model in chain.from_iterable(others))


def _covered(model: DotModel) -> float:
    """Return the area that the rings of a model's cells enclose, but for a factor."""
    return len(model.cells or ()) * model.ring**2


def _models(geometry: BoardGeometry, patch: Floats, sizes: Floats) -> tuple[DotModel, ...]:
    """Return the models of the largest radii that enough cells share; one without cells if there are none.

    ``patch`` (cells, pixels, 2): offsets of each cell's pixels from its middle, in cell units. ``sizes``
    (cells,): of patches, by their median.
    """
    discs = _discs(geometry, patch)
    radii = discs.radii * sizes[discs.cells]  # in widths of the median patch, so that those of cells compare
    is_clear = discs.contrast >= DOTS.contrast
    models = list[DotModel]()
    for radius in islice(_common_radii(radii[is_clear], discs.cells[is_clear]), RADII_TRIED):
        is_alike = _are_alike(radii, radius)
        is_later_radius = bool(models)
        clear = discs.chosen(is_alike & is_clear)
        for in_cells, is_guess in (
            (clear.cells, is_later_radius),
            (discs.cells[is_alike], is_later_radius),
            *((in_cells, True) for in_cells in _cells_of_pairs(clear)),
        ):
            cells = frozenset(in_cells.tolist())
            if cells not in [model.cells for model in models]:
                # In widths of each cell again: by the largest one, the ring is inside the dots of all. At
                # least as that of a median cell, also without any cell.
                largest_size = sizes[in_cells].max(initial=1.0)
                ring_radius = float(RING * radius / largest_size)
                models.append(DotModel(ring_radius, cells, is_guess=is_guess))
    return tuple(models) or (DotModel(DOTS.ring, frozenset()),)


def _cells_of_pairs(discs: _Discs) -> Iterator[Numbers]:
    """Yield the cells of discs that pair by colour: the largest two of each, then the clearest ones.

    Of one disc a cell, and only if all others look like what the pipes of these colours leave: a piece or an
    end, half of it ground.
    """
    discs = discs.chosen(np.argsort(-discs.clarity, kind="stable"))
    _, first_of_cell = np.unique(discs.cells, return_index=True)
    discs = discs.chosen(np.sort(first_of_cell))  # still the clearest first
    between_lab = colour_distance(discs.lab[:, None], discs.lab)
    # The colour of a piece lies between its ground's and its pipe's.
    detour_lab = discs.contrast[:, None] + between_lab - colour_distance(discs.ground_lab[:, None], discs.lab)
    for is_paired in (_largest_two(between_lab, discs.radii), _clearest_pairs(between_lab)):
        is_piece = np.any(detour_lab[:, is_paired] < PIPES.alike, axis=1)
        if is_paired.any() and np.all(is_paired | is_piece):
            yield discs.cells[is_paired]


def _largest_two(between_lab: Floats, radii: Floats) -> Mask:
    """Return (N,): the largest two discs of each colour; ``between_lab`` (N, N): their distances."""
    is_alike = between_lab < PIPES.alike  # each also to itself
    # Place of each by radius, the largest first; of radii equal to 0.01 the first disc.
    rank = np.argsort(np.argsort(-radii.round(2), kind="stable"))
    larger_alike = np.count_nonzero(is_alike & (rank < rank[:, None]), axis=1)
    return np.asarray((np.count_nonzero(is_alike, axis=1) > 1) & (larger_alike < 2))


def _clearest_pairs(between_lab: Floats) -> Mask:
    """Return (N,): the most discs, from the first on, that all have exactly one partner."""
    numbers = np.arange(len(between_lab))
    for count in range(len(numbers) // 2 * 2, DOTS.count_min, -2):  # even ones
        first_lab = between_lab[:count, :count]
        nearest_lab, second_lab = np.sort(to_others(first_lab), axis=1)[:, :2].T
        is_clear = nearest_lab < np.minimum(PIPES.alike, second_lab - PAIRING.margin)
        if is_clear.all() and mutual_neighbours(first_lab):
            return numbers < count
    return np.zeros(len(numbers), bool)


def _common_radii(radii: Floats, cells: Numbers) -> Iterator[float]:
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


def _are_alike(radii: Floats, radius: float) -> Mask:
    """Return (N,): the radii that differ from another one by no more than those of one board."""
    max_difference = np.maximum(DOTS.alike_size * np.maximum(radii, radius), 1.5 * STEP)
    return np.asarray(np.abs(radii - radius) <= max_difference)


class _Seeds(NamedTuple):
    """Colours (N, 3) that may be a disc's, several in one cell: that of its middle, or of a ring round it.

    ``rings``: 0 for the middle, then 1 and more for ``ROUND``. ``contrast``: to the ground of the cell.
    """

    cells: Numbers
    rings: Numbers
    lab: Floats
    contrast: Floats


def _discs(geometry: BoardGeometry, patch: Floats) -> _Discs:
    """Return the discs of one colour in the cells, each seen with and without its rim.

    ``patch`` (cells, pixels, 2): offsets of each cell's pixels from its middle, in cell units.
    """
    fit = geometry.fit
    centres = np.array(geometry.board.layout.centres)
    is_square = fit.is_regular and geometry.board.squares is not None
    ground_lab = median_lab(sample(fit.view, fit.frame, centres, grounds(geometry, is_square)))
    patch_bgr = sample(fit.view, fit.frame, centres, patch)
    middle_lab, seeds = _seeds(patch_bgr, ground_lab)
    cells = seeds.cells
    pixel_lab = lab_of(patch_bgr[cells])
    max_distance_lab = HALF_WAY * seeds.contrast[:, None]
    with_rim = colour_distance(pixel_lab, ground_lab[cells, None]) >= max_distance_lab
    without_rim = colour_distance(pixel_lab, seeds.lab[:, None]) < max_distance_lab
    is_in_view = is_inside(fit.view, fit.frame, centres[cells], patch[cells])
    masks = np.array((with_rim, without_rim)) & is_in_view
    # (2, seeds): arrays of seeds (seeds,) count for both masks.
    radii, clarity = _radii(masks, is_in_view, SQUARE if is_square else ANY)
    pipe_cells = cells[(radii == PIPE).any(axis=0)]
    is_disc = (radii > 0) & ~np.isin(cells, pipe_cells)
    # The outer ring counts where what lies further in is much smaller, a symbol on the dot: else it only
    # shows the rim of the same dot.
    is_outer = seeds.rings == len(ROUND)
    largest_inner_radius = np.zeros(len(centres))
    np.maximum.at(largest_inner_radius, cells, np.where(is_disc & ~is_outer, radii, 0.0).max(axis=0))
    is_disc &= ~is_outer | (largest_inner_radius[cells] < SYMBOL * radii)
    with_disc = np.unique(cells[is_disc.any(axis=0)])
    # Between thick or rounded lines the ground itself looks like a disc.
    is_ground = _is_usual(middle_lab[with_disc], np.delete(middle_lab, pipe_cells, axis=0))
    is_disc &= ~np.isin(cells, with_disc[is_ground])
    _, seed = np.nonzero(is_disc)
    cells, contrast, lab = cells[seed], seeds.contrast[seed], seeds.lab[seed]
    return _Discs(cells, radii[is_disc], contrast, lab, ground_lab[cells], clarity[is_disc])


def _is_usual(lab: Floats, others_lab: Floats) -> Mask:
    """Return (N,): the colours (N, 3) that more than half of some others (M, 3) have."""
    is_alike = colour_distance(lab[:, None], others_lab) < DOTS.faint
    return np.asarray(2 * is_alike.sum(axis=1) > len(others_lab))


def _seeds(patch_bgr: Bgr, ground_lab: Floats) -> tuple[Floats, _Seeds]:
    """Return the colours (cells, 3) in the middles of cells, and those that may be a disc's.

    ``patch_bgr``: (cells, pixels, 3); ``ground_lab`` (cells, 3): of the ground in each cell.
    """
    is_on_ring = AWAY <= INNER, *(np.abs(AWAY - radius) <= STEP for radius in ROUND)
    # (rings, cells, 3), and all that follows (rings, cells).
    lab = np.array([median_lab(patch_bgr[:, is_on]) for is_on in is_on_ring])
    contrast = colour_distance(lab, ground_lab)
    is_seed = contrast >= DOTS.faint
    is_seed[1:] &= colour_distance(lab[1:], lab[:-1]) >= DOTS.faint
    rings, cells = np.nonzero(is_seed)
    return lab[0], _Seeds(cells, rings, lab[is_seed], contrast[is_seed])


def _radii(masks: Mask, is_in_view: Mask, ways: int) -> tuple[Floats, Floats]:
    """Return the radius (2, N) of the likeliest shape in each mask (2, N, pixels), 0 if it shows none.

    Then its share of the evidence for a whole shape. A letter may hide a part of a disc. ``is_in_view``
    (N, pixels): the pixels in the view. ``ways``: the number of directions in which pipes leave a cell.
    """
    shapes = _shapes(ways)
    pixels_in_shape = is_in_view.astype(np.float32) @ shapes.inside
    shown = masks.astype(np.float32)
    shown_in_shape = shown @ shapes.inside
    shown_in_all = shown.sum(axis=2)[..., None]
    # Shown pixels of a shape count for it; its hidden ones, and what is shown beyond it, count against it:
    # shown - HIDDEN · (pixels - shown) - (shown in all - shown).
    evidence = (1 + HIDDEN + 1) * shown_in_shape - HIDDEN * pixels_in_shape - shown_in_all
    best_shape = evidence.argmax(axis=2)
    pixels_in_best = pixels_in_shape[np.arange(len(is_in_view)), best_shape]
    best_evidence = np.take_along_axis(evidence, best_shape[..., None], axis=2)[..., 0]
    has_shape = best_evidence >= SHOWN * pixels_in_best
    has_ground = 2 * masks[..., CORNERS].sum(axis=2) <= len(CORNERS)
    has_middle = masks[..., AWAY <= INNER].mean(axis=2) >= HOLE
    radii = np.where(has_shape & has_ground & has_middle, shapes.radii[best_shape], 0.0)
    return radii, best_evidence / np.maximum(pixels_in_best, 1.0)


class _Shapes(NamedTuple):
    """Discs and pipes (S,) in a patch: radii, ``PIPE`` for pipes, and masks (pixels, S): 1.0 inside."""

    radii: Floats
    inside: Singles


@lru_cache(2)
def _shapes(ways: int) -> _Shapes:
    """Return the discs, alone or with one arm of a pipe, and the pipes that patches are compared with.

    An arm leads from the middle of the cell out of it, in one of ``ways`` directions. Pipes are two arms, or
    a quarter of a circle round a corner of the cell.
    """
    turns = 2 * np.pi * np.arange(ways) / ways
    arm_directions = np.column_stack((np.cos(turns), np.sin(turns)))
    along_arms = np.maximum(PATCH @ arm_directions.T, 0)[..., None]  # (pixels, ways, 1)
    # Distances (ways, pixels) from each arm, and (SQUARE, pixels) from a cell's corners, the first at 45°.
    to_arms = np.hypot(*(PATCH[:, None] - along_arms * arm_directions).T)
    to_bend_corners = np.hypot(*(PATCH[:, None] - ring(np.sqrt(0.5), SQUARE)).T)
    arms_of = {half_width: [to_arm <= half_width for to_arm in to_arms] for half_width in RADII.tolist()}
    discs = [
        (radius, np.hypot(*(PATCH - middle).T) <= radius)
        for radius in RADII
        for middle in MIDDLES
        if radius + np.abs(middle).max() <= HALF_CELL
    ]
    discs_with_arm = [
        (radius, (radius >= AWAY) | arm)
        for radius in RADII
        for half_width, arms in arms_of.items()
        if half_width <= radius
        for arm in arms
    ]
    pipe_widths = RADII[:WIDE].tolist()
    pipes = [
        (PIPE, first | second)
        for half_width in pipe_widths
        for first, second in combinations(arms_of[half_width], 2)
    ]
    bends = [
        (PIPE, np.abs(to_corner - HALF_CELL) <= half_width)
        for half_width in pipe_widths
        for to_corner in to_bend_corners
    ]
    radii, masks = zip(*discs, *discs_with_arm, *pipes, *bends, strict=True)
    return _Shapes(np.array(radii), np.ascontiguousarray(np.array(masks).T, np.float32))
