"""Dots of any size: the likeliest disc or pipe in each cell, and the size that enough cells have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

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
    patches = [(in_round_cells(geometry, PATCH), cell_widths(shapes).ravel())]
    # Dots on the sides of a cube are as oblique as their cells, some in oblong cells are as oblong.
    oblong = stretched(PATCH, shapes)
    if not np.allclose(oblong, patches[0][0], atol=STEP):
        patches.append((oblong, np.sqrt(np.abs(np.linalg.det(shapes)))))
    found = [_models(geometry, patch, size / np.median(size)) for patch, size in patches]
    found.sort(key=lambda models: -len(models[0].cells or ()) * models[0].ring ** 2)
    first, *others = found
    return first + tuple(replace(model, is_guess=True) for model in chain.from_iterable(others))


def _models(geometry: BoardGeometry, patch: Floats, sizes: Floats) -> tuple[DotModel, ...]:
    """Return the models; ``patch`` (cells, pixels, 2): offsets; ``sizes`` (cells,): of patches, about 1."""
    discs = _discs(geometry, patch)
    radii, is_clear = discs.radii * sizes[discs.cells], discs.contrast >= DOTS.contrast
    models = list[DotModel]()
    for radius in islice(_common_radii(radii[is_clear], discs.cells[is_clear]), RADII_TRIED):
        is_alike = _are_alike(radii, radius)
        best = _clearest(discs, np.flatnonzero(is_alike & is_clear))
        seen = np.flatnonzero(is_alike & is_clear), np.flatnonzero(is_alike)
        is_guess = bool(models)
        for number, chosen in enumerate((*seen, *_pairs(discs, best))):
            cells = discs.cells[chosen]
            ring_radius = float(RING * radius / sizes[cells].max(initial=1.0))
            if frozenset(cells.tolist()) not in [model.cells for model in models]:
                guess = is_guess or number >= len(seen)
                models.append(DotModel(ring_radius, frozenset(cells.tolist()), is_guess=guess))
    return tuple(models) or (DotModel(DOTS.ring, frozenset()),)


def _clearest(discs: _Discs, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the clearest disc of each cell, of those with these numbers, the clearest first."""
    order = numbers[np.argsort(-discs.clarity[numbers], kind="stable")]
    return order[np.sort(np.unique(discs.cells[order], return_index=True)[1])]


def _pairs(discs: _Discs, best: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield discs that pair by their colours: two of each, then the clearest ones.

    The others must be what pipes of these colours leave: a piece or an end, half of it ground.
    """
    lab = discs.lab[best]
    apart = colour_distance(lab[:, None], lab)
    from_ground = colour_distance(discs.ground[best, None], lab)
    is_piece = discs.contrast[best, None] + apart - from_ground < PIPES.alike
    for chosen in (_largest_two(discs, best, apart), _clearest_pairs(apart)):
        others = np.delete(np.arange(len(best)), chosen)
        if len(chosen) and is_piece[others][:, chosen].any(axis=1).all():
            yield best[chosen]


def _largest_two(discs: _Discs, best: NDArray[np.intp], apart: Floats) -> NDArray[np.intp]:
    """Return the numbers of the largest two of each colour."""
    order = np.lexsort((-discs.clarity[best], -discs.radii[best].round(2)))
    is_alike = (apart < PIPES.alike)[order][:, order]
    is_pair = is_alike.sum(axis=1) > 1
    return np.asarray(order[is_pair & (np.tril(is_alike, -1).sum(axis=1) < 2)])


def _clearest_pairs(apart: Floats) -> NDArray[np.intp]:
    """Return the most numbers, from the first, that all have one partner."""
    for count in range(len(apart) // 2 * 2, DOTS.count_min, -2):
        others = apart[:count, :count] + np.diag(np.full(count, np.inf))
        first, second = np.sort(others, axis=1)[:, :2].T
        if mutual_neighbours(others) and (first < np.minimum(PIPES.alike, second - PAIRING.margin)).all():
            return np.arange(count)
    return np.arange(0)


def _common_radii(radii: Floats, cells: NDArray[np.intp]) -> Iterator[float]:
    """Yield the radii that discs in enough cells have, the largest first."""
    ordered = np.sort(radii)[::-1]
    while len(ordered):
        common = ordered[0]
        for _ in range(3):  # to the middle of those of about this size
            is_alike = _are_alike(radii, common)
            common = np.median(radii[is_alike])
        if len(np.unique(cells[is_alike])) >= DOTS.count_min:
            yield float(common)
            ordered = ordered[ordered < radii[is_alike].min()]
        else:
            ordered = ordered[ordered < ordered[0]]


def _are_alike(radii: Floats, radius: float) -> Masks:
    upper = np.maximum(DOTS.alike_size * np.maximum(radii, radius), 1.5 * STEP)
    return np.asarray(np.abs(radii - radius) <= upper)


def _discs(geometry: BoardGeometry, patch: Floats) -> _Discs:
    """Return the discs of one colour in the cells, each seen with and without its rim."""
    fit, centres = geometry.fit, np.array(geometry.board.layout.centres)
    is_square = fit.is_regular and geometry.board.squares is not None
    around = sample(fit.view, fit.frame, centres, grounds(geometry, is_square))
    bgr = sample(fit.view, fit.frame, centres, patch)
    ground, *colours = (
        lab_of(np.median(part, axis=1).astype(np.uint8))
        for part in (around, bgr[:, AWAY <= INNER], *(bgr[:, np.abs(AWAY - away) <= STEP] for away in ROUND))
    )
    lab, contrast = np.array(colours), colour_distance(np.array(colours), ground)
    is_seed = contrast >= DOTS.faint
    is_seed[1:] &= colour_distance(lab[1:], lab[:-1]) >= DOTS.faint
    seed, cells = np.nonzero(is_seed)
    colour, contrast = lab[is_seed][:, None], contrast[is_seed]
    seen, reach = lab_of(bgr[cells]), HALF_WAY * contrast[:, None]
    # With its rim, gloss and letter, and without them.
    masks = np.concatenate(
        (colour_distance(seen, ground[cells, None]) >= reach, colour_distance(seen, colour) < reach)
    )
    known = is_inside(fit.view, fit.frame, centres[cells], patch[cells])
    radii, clarity = _radii(masks & np.tile(known, (2, 1)), known, SQUARE if is_square else ANY)
    cells, contrast, colour = np.tile(cells, 2), np.tile(contrast, 2), np.tile(colour[:, 0], (2, 1))
    pipes = cells[radii == PIPE]
    found = (radii > 0) & ~np.isin(cells, pipes)
    # The outer ring shows the rim of a dot as well, where it is no symbol's surroundings.
    largest, is_outer = np.zeros(len(centres)), np.tile(seed, 2) == len(ROUND)
    np.maximum.at(largest, cells[found & ~is_outer], radii[found & ~is_outer])
    found &= ~is_outer | (largest[cells] < SYMBOL * radii)
    # Between thick or rounded lines the ground itself looks like a disc: most cells without a pipe have it.
    others = np.delete(lab[0], pipes, axis=0)
    alike = colour_distance(lab[0, cells[found], None], others) < DOTS.faint
    found[found] = 2 * alike.sum(axis=1) <= len(others)
    cells = cells[found]
    return _Discs(cells, radii[found], contrast[found], colour[found], ground[cells], clarity[found])


def _radii(masks: Masks, known: Masks, ways: int) -> tuple[Floats, Floats]:
    """Return the radius (2 N,) of the likeliest shape in each mask (2 N, pixels), 0 if it shows none.

    Then its share of the evidence for a whole shape.
    ``known`` (N, pixels): those in the view. ``ways``: the directions in which pipes leave a cell. A letter
    may hide a part of a disc.
    """
    shapes = _shapes(ways)
    whole = np.tile(known.astype(np.float32) @ shapes.inside, (2, 1))
    shown = masks.astype(np.float32)
    evidence = (1 + HIDDEN + 1) * (shown @ shapes.inside) - HIDDEN * whole - shown.sum(axis=1)[:, None]
    best = np.arange(len(masks)), evidence.argmax(axis=1)
    is_clear = (evidence[best] >= SHOWN * whole[best]) & (2 * masks[:, CORNERS].sum(axis=1) <= len(CORNERS))
    is_clear &= masks[:, AWAY <= INNER].mean(axis=1) >= HOLE
    return np.where(is_clear, shapes.radii[best[1]], 0.0), evidence[best] / np.maximum(whole[best], 1.0)


class _Shapes(NamedTuple):
    """Discs and pipes (S,) in a patch: radii, ``PIPE`` for pipes, and the pixels (pixels, S) inside."""

    radii: Floats
    inside: NDArray[np.float32]


@lru_cache(2)
def _shapes(ways: int) -> _Shapes:
    """Return the masks of discs and pipes that patches of cells are compared with."""
    turns = 2 * np.pi * np.arange(ways) / ways
    to = np.column_stack((np.cos(turns), np.sin(turns)))
    discs = [
        (radius, np.hypot(*(PATCH - middle).T) <= radius)
        for radius in RADII
        for middle in MIDDLES
        if radius + np.abs(middle).max() <= HALF_CELL
    ]
    bends = np.hypot(*(PATCH[:, None] - ring(np.sqrt(0.5), SQUARE)).T)
    along = np.maximum(PATCH @ to.T, 0)[..., None]
    arms = np.hypot(*np.moveaxis(PATCH[:, None] - along * to, 2, 0)).T
    bars = [(half, [arm <= half for arm in arms]) for half in RADII]
    discs += [(of, (of >= AWAY) | arm) for of in RADII for half, bar in bars if half <= of for arm in bar]
    discs += [(PIPE, one | other) for _, bar in bars[:WIDE] for one, other in combinations(bar, 2)]
    discs += [(PIPE, np.abs(bend - HALF_CELL) <= half) for half, _ in bars[:WIDE] for bend in bends]
    radii, inside = map(np.array, zip(*discs, strict=True))
    return _Shapes(radii, np.ascontiguousarray(inside.T, np.float32))
