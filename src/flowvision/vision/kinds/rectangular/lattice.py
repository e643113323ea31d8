"""Rows and columns: one regular spacing per axis that closes on the board's edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import (
    FLANKS,
    Block,
    Mask,
    SideCoverage,
    grow_block,
    largest_block,
    runs_on,
    side_coverage,
)
from flowvision.vision.grid.spacing import (
    GridEvidence,
    Spacing,
    extend,
    lattice_frame,
    line_evidence,
    line_score,
    score_upper_bound,
    share_of,
    squareness,
    straightness,
)
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.rectify import rectified
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import (
    Floats,
    View,
    brightest_channel,
    colour_distance,
    is_inside,
    lab_of,
    sample,
)
from flowvision.vision.settings import GRID, TINTS
from flowvision.words import Hint, Option


def tinted_grids(seen: GridEvidence) -> Iterator[GridFit]:
    """Yield the closed lattices that lines and the ends of strong tints show together, best first."""
    found = fits_in(seen, is_tinted=True)
    yield from (fit for fit in islice(found, GRID.fits) if not fit.is_open)


def turned_grids(upright: Iterable[GridFit], seen: GridEvidence) -> Iterator[GridFit]:
    """Yield the lattices of a region as it is and of the region rectified, best first."""
    found, view = list(upright), rectified(seen)
    if view is not None:
        found += fits_in(line_evidence(seen.region, view))
    yield from sorted(found, key=lambda fit: -fit.score)[: GRID.fits]


def no_lattice(seen: GridEvidence) -> GridNotFoundError:
    """Return the error about lines that frame no cells."""
    lines = [max((s.count + 1 for s in spacings), default=0) for spacings in seen.spacings]
    return GridNotFoundError(
        "No board was found: no lines frame cells on all four sides; "
        f"{lines[0]} vertical and {lines[1]} horizontal lines are evenly spaced.",
        None,
        seen,
    )


def even_fit(region: BoardRegion, rows: int, cols: int) -> GridFit:
    """Return a lattice of ``rows`` × ``cols`` spread over a region, regardless of its lines.

    Raises ``GridNotFoundError`` if its cells would be too small.
    """
    view = region.view
    evidence = line_evidence(region, view)
    corners = np.linalg.inv(view.to_picture) @ np.column_stack((region.corners_px, np.ones(4))).T
    low, high = corners[:2].min(axis=1), corners[:2].max(axis=1)
    pitch = (high - low) / (cols, rows)
    if pitch.min() < GRID.pitch_min_px:
        raise GridNotFoundError(
            f"{rows} rows and {cols} columns would leave {pitch.min():.1f} px for a cell.",
            Hint("Check the numbers: {}, or cut the board out: {}.", Option("grid"), Option("crop")),
            evidence,
        )
    across, down = (
        Spacing(float(low[n]), float(pitch[n]), count, 1.0, 0.0) for n, count in enumerate((cols, rows))
    )
    cover = _coverage(evidence, across, down)
    frame = lattice_frame(view, across, down)
    pitch_px = float(pitch.mean() * view.scale)
    return GridFit(rows, cols, frame, pitch_px, 0.0, 1.0, 1.0, False, cover, evidence, is_given=True)


def fits_in(seen: GridEvidence, is_tinted: bool = False) -> Iterator[GridFit]:
    """Yield the lattices that lines of an upright view show, best first; each once no other can score more.

    ``is_tinted``: those of tinted cells.
    """
    view, pairs = seen.view, product(*seen.spacings)
    bounded = [(pair, score_upper_bound(pair, view)) for pair in sorted(pairs, key=line_score, reverse=True)]
    bounded = [(pair, upper) for pair, upper in bounded if upper >= GRID.score]
    best: dict[tuple[int, int, int], float] = {}
    waiting: list[GridFit] = []
    for number, (pair, _) in enumerate(bounded):
        for fit in closed_fits(seen, pair, is_tinted):
            key = (fit.rows, fit.cols, round(fit.pitch_px))
            if fit.score >= GRID.score and best.get(key, 0.0) < fit.score:
                best[key] = fit.score
                waiting.append(fit)
        following = max((upper for _, upper in bounded[number + 1 :]), default=0.0)
        waiting.sort(key=lambda fit: fit.score)
        while waiting and waiting[-1].score >= following:
            yield waiting.pop()


def closed_fits(evidence: GridEvidence, pair: tuple[Spacing, Spacing], is_tinted: bool) -> list[GridFit]:
    """Return the lattices that two spacings give over the whole view, each a block of framed cells.

    First that block grown by outer cells without a border, then as it is, then with cells that lack a side.
    """
    view = evidence.view
    cols, rows = extend(pair, view)
    cover = _coverage(evidence, cols, rows)
    if is_tinted:
        tinted = with_tints(view, cols, rows, cover)
        if tinted is None:
            return []
        cover = tinted
    block = largest_block(cover.framed(GRID.side_cover))
    if block is None:
        return []
    reach = largest_block(cover.half_framed(GRID.open_cover)) or block
    found = grow_block(block, cover), block, reach
    blocks = [item for n, item in enumerate(found) if item not in found[:n]]
    fits = (_fit(evidence, (cols, rows), cover, item, reach) for item in blocks)
    return [fit for fit in fits if fit is not None]


def _coverage(evidence: GridEvidence, cols: Spacing, rows: Spacing) -> SideCoverage:
    across, down = evidence.axes
    return side_coverage((across.seen, down.seen), cols, rows)


def _fit(
    evidence: GridEvidence, lattice: tuple[Spacing, Spacing], cover: SideCoverage, block: Block, reach: Block
) -> GridFit | None:
    view, (cols, rows) = evidence.view, lattice
    ends_here = all(
        of.start <= far.start and far.stop <= of.stop for of, far in zip(block, reach, strict=True)
    )
    going_on = runs_on(block, cover)
    rows, cols, cover = rows.cut(block[0]), cols.cut(block[1]), cover.cut(*block)
    least = min(cols.pitch, rows.pitch)
    if min(cols.count, rows.count) < GRID.cells_min or least < GRID.pitch_min_px:
        return None
    presence = float((np.nanmean(cover.vertical) + np.nanmean(cover.horizontal)) / 2)
    explained, square, area = line_score((cols, rows)), squareness(cols, rows), share_of(view, cols, rows)
    pitch_px = float((cols.pitch + rows.pitch) / 2 * view.scale)
    residual_px = float(max(cols.residual, rows.residual) * view.scale)
    return GridFit(
        rows.count,
        cols.count,
        lattice_frame(view, cols, rows),
        pitch_px,
        residual_px,
        straightness(residual_px, pitch_px),
        presence * square * area**GRID.area_power * explained * (1 - GRID.runs_on_cost * going_on),
        going_on >= GRID.runs_on or not ends_here,
        cover,
        evidence,
    )


Scalar = TypeVar("Scalar", bound=np.generic)
TINT_CORNERS = np.array(
    [(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in ((0.4, 0.4), (0.32, 0.4), (0.4, 0.32))]
)
"""Points that no pipe reaches, clear of the lines; in widths of the cell from its middle."""
TINT_BESIDE = 0.09  # how far from a side its two cells are compared, clear of its line; in pitches


def with_tints(view: View, cols: Spacing, rows: Spacing, cover: SideCoverage) -> SideCoverage | None:
    """Return the visible share of every side, by lines or tints; ``None`` without enough tinted cells."""
    if min(rows.count, cols.count) < 1:  # below 0 where the lattice lies beyond the view
        return None
    frame = lattice_frame(view, cols, rows)
    tint, is_tinted = tints_of(view, frame, (rows.count, cols.count))
    if np.count_nonzero(is_tinted) < TINTS.cells_min:
        return None
    shown = [_shown(view, frame, tint, is_tinted, axis) for axis in AXES]
    return SideCoverage(np.maximum(cover.vertical, shown[0]), np.maximum(cover.horizontal, shown[1]))


def tints_of(view: View, frame: Frame, size: tuple[int, int]) -> tuple[Floats, Mask]:
    """Return the tint of every cell beside its pipe, (rows, cols, 3) in Lab, and which cells are tinted."""
    centres: Floats = np.indices(size)[::-1].reshape(2, -1).T + np.array((0.5, 0.5))
    bgr = sample(view, frame, centres, TINT_CORNERS)
    # The brightness comes first: colours take ten times as long, and on most boards no cell is tinted.
    value = np.sort(brightest_channel(bgr), axis=1)[:, len(TINT_CORNERS) // 2]
    is_tinted = (value >= TINTS.value_min) & (value <= TINTS.value_max)
    is_tinted &= is_inside(view, frame, centres, TINT_CORNERS).all(axis=1)
    tint = np.zeros((len(centres), 3))
    if is_tinted.any():
        corners = lab_of(bgr[is_tinted])
        tint[is_tinted] = np.sort(corners, axis=1)[:, len(TINT_CORNERS) // 2]
        is_even = colour_distance(corners, tint[is_tinted, None]) < TINTS.alike
        # A tinted cell is played: its middle shows a pipe or a dot, unlike the tint.
        middle = lab_of(sample(view, frame, centres[is_tinted], 0.04 * TINT_CORNERS[::3]))
        is_played = colour_distance(middle, tint[is_tinted, None]) >= TINTS.step
        is_tinted[is_tinted] = (is_even.mean(axis=1) >= TINTS.flat) & is_played.all(axis=1)
    return tint.reshape(*size, 3), np.asarray(is_tinted.reshape(size))


def _shown(view: View, frame: Frame, tint: Floats, is_tinted: Mask, axis: Axis) -> Floats:
    """Return the share of each side that tints show, (rows, cols + 1) or (rows + 1, cols)."""
    tinted = [_beside(is_tinted, axis, last) for last in (False, True)]
    is_asked = tinted[0] | tinted[1]
    cells = [_beside(tint, axis, last)[is_asked] for last in (False, True)]
    r, c = np.nonzero(is_asked)
    middles = np.column_stack((c, r + 0.5) if axis == 0 else (c + 0.5, r)).astype(np.float64)
    along = np.concatenate([np.linspace(*flank, 4) for flank in FLANKS]) - 0.5
    near: list[Floats] = []
    for away in (-TINT_BESIDE, TINT_BESIDE):
        across = np.full(len(along), away)
        offsets = np.column_stack((across, along) if axis == 0 else (along, across))
        near.append(lab_of(sample(view, frame, middles, offsets)))
    is_tint = [
        (colour_distance(points, cell[:, None]) < TINTS.alike) & has_tint[is_asked, None]
        for points, cell, has_tint in zip(near, cells, tinted, strict=True)
    ]
    differs = colour_distance(near[0], near[1]) >= TINTS.step
    ends = np.maximum(*((matches & differs).mean(axis=1) for matches in is_tint))
    within = (is_tint[0] & is_tint[1] & ~differs).mean(axis=1)
    shown = np.zeros(is_asked.shape)
    shown[is_asked] = np.maximum(ends, TINTS.within * within)
    return shown


def _beside(cells: NDArray[Scalar], axis: Axis, after: bool) -> NDArray[Scalar]:
    pad = [(0, 0)] * cells.ndim
    pad[1 - axis] = (0, 1) if after else (1, 0)
    return np.pad(cells, pad)
