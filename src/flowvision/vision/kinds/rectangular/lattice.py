"""Rows and columns: one regular spacing per axis that closes on the board's edges.

A pair of spacings, of columns and of rows, is a lattice over the whole view. A fit is a block of its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
from msgspec.structs import replace

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import (
    Block,
    SideCoverage,
    grow_block,
    largest_block,
    runs_on,
    side_coverage,
    trim_block,
)
from flowvision.vision.grid.spacing import (
    ROUNDING,
    GridEvidence,
    Pair,
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
from flowvision.vision.grid.tints import has_tints_beside, with_tints
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.rectify import rectified
from flowvision.vision.pixels.view import View
from flowvision.vision.settings import GRID
from flowvision.words import Hint, Option


def turned_grids(upright: Iterable[GridFit], lines: GridEvidence) -> Iterator[GridFit]:
    """Yield the best lattices of a region: those found ``upright`` as it is, and those of it rectified."""
    fits = list(upright)
    view = rectified(lines)
    if view is not None:
        fits += fits_in(line_evidence(lines.region, view))
    yield from sorted(fits, key=lambda fit: -fit.score)[: GRID.fits]


def no_lattice(evidence: GridEvidence) -> GridNotFoundError:
    """Return the error about lines that frame no cells."""
    vertical, horizontal = (
        max((spacing.count + 1 for spacing in spacings), default=0) for spacings in evidence.spacings
    )
    return GridNotFoundError(
        "No board was found: no lines frame cells on all four sides; "
        f"{vertical} vertical and {horizontal} horizontal lines are evenly spaced.",
        evidence=evidence,
    )


def even_fit(region: BoardRegion, rows: int, cols: int) -> GridFit:
    """Return a lattice of ``rows`` × ``cols`` spread over a region, regardless of its lines.

    Raises ``GridNotFoundError`` if its cells would be too small.
    """
    view = region.view
    evidence = line_evidence(region, view)
    corners = Frame.of_homography(view.to_picture).to_cells(region.corners_px)
    first_px = corners.min(axis=0)
    last_px = corners.max(axis=0)
    pitch = (last_px - first_px) / (cols, rows)
    if pitch.min() < GRID.pitch_min_px:  # both in view pixels
        raise GridNotFoundError(
            f"{rows} rows and {cols} columns would leave {pitch.min():.1f} px for a cell.",
            Hint("Check the numbers: {}, or cut the board out: {}.", Option("grid"), Option("crop")),
            evidence,
        )
    across, down = (
        Spacing(start, pitch_of_axis, count, score=1.0, residual=0.0)
        for start, pitch_of_axis, count in zip(first_px.tolist(), pitch.tolist(), (cols, rows), strict=True)
    )
    cover = _coverage(evidence, across, down)
    frame = lattice_frame(view, across, down)
    pitch_px = float(pitch.mean() * view.scale)
    return GridFit(
        rows,
        cols,
        residual_px=0.0,
        straightness=1.0,
        score=1.0,
        is_open=False,
        cover=cover,
        evidence=evidence,
        is_given=True,
        frame=frame,
        pitch_px=pitch_px,
    )


def fits_in(evidence: GridEvidence) -> Iterator[GridFit]:
    """Yield the lattices that an upright view shows, best first; each once no other can score more.

    Of those whose corners share a cell, only the best.
    """
    view = evidence.view
    pairs = product(*evidence.spacings)
    bounded = [(pair, score_upper_bound(pair, view)) for pair in sorted(pairs, key=line_score, reverse=True)]
    bounded = [(pair, upper) for pair, upper in bounded if upper >= GRID.score]
    best_score_of: dict[tuple[object, ...], float] = {}
    fits_waiting: list[GridFit] = []  # by score, rising
    for number, (pair, _) in enumerate(bounded):
        for fit in closed_fits(evidence, pair):
            corner_cells = np.round(fit.outline_px()[::2] / fit.pitch_px)  # of two opposite corners
            key = fit.size, *corner_cells.ravel().tolist()
            if fit.score >= GRID.score and best_score_of.get(key, 0.0) < fit.score:
                best_score_of[key] = fit.score
                fits_waiting.append(fit)
        best_possible = max((upper for _, upper in bounded[number + 1 :]), default=0.0)
        fits_waiting.sort(key=lambda fit: fit.score)
        while fits_waiting and fits_waiting[-1].score >= best_possible:
            yield fits_waiting.pop()


def closed_fits(evidence: GridEvidence, pair: tuple[Spacing, Spacing]) -> list[GridFit]:
    """Return the fits of a pair of spacings, continued over the whole view: several blocks of its cells.

    ``block`` is the largest group of framed cells. First it is grown by outer cells without a border, then as
    it is, then with cells that lack a side (``outer_block``). Last, and never before these, it is ``trimmed``
    by outer rows and columns with few framed cells: text or buttons.
    """
    view = evidence.view
    cols, rows = extend(pair, view)
    cover = _coverage(evidence, cols, rows)
    framed = cover.framed(GRID.side_cover)
    half_framed = cover.half_framed(GRID.open_cover)
    block = largest_block(framed)
    if block is None:
        return []
    # Beside an opening, lines that reach out seem to enclose a place that is no cell: the only one of its
    # column (cols,) or its row (rows, 1).
    is_alone = (half_framed.sum(axis=0) == 1) | (half_framed.sum(axis=1, keepdims=True) == 1)
    # The board may be this large: ``_fit`` calls every lattice that ends before it open.
    outer_block = largest_block(half_framed & (framed | ~is_alone)) or block
    blocks = list[Block]()
    for likely_block in (grow_block(block, cover), block, outer_block):
        if likely_block not in blocks:
            blocks.append(likely_block)
    likely_fits = [_fit(evidence, (cols, rows), cover, likely_block, outer_block) for likely_block in blocks]
    fits = [fit for fit in likely_fits if fit is not None]
    trimmed_block = trim_block(block, cover)
    is_new = trimmed_block not in blocks
    trimmed = _fit(evidence, (cols, rows), cover, trimmed_block, outer_block) if is_new else None
    if trimmed is not None:
        lowest = min((fit.score for fit in fits), default=1.0)
        below_all = (1 - ROUNDING) * lowest  # so that sorting by score never puts it before these
        fits.append(replace(trimmed, score=min(trimmed.score, below_all)))
    return fits


def _coverage(evidence: GridEvidence, cols: Spacing, rows: Spacing) -> SideCoverage:
    """Return the share of every side of a lattice that lines and the ends of tints show."""
    across, down = evidence.axes
    return with_tints(evidence.view, cols, rows, side_coverage((across.seen, down.seen), cols, rows))


def _fit(
    evidence: GridEvidence, lattice: tuple[Spacing, Spacing], cover: SideCoverage, block: Block, reach: Block
) -> GridFit | None:
    """Return a block of a lattice; ``None`` if it or its cells are too small.

    ``lattice``: its columns and rows over the whole view, with their ``cover``. ``reach``: the block that the
    board may have, in which smaller ones are open.
    """
    view, (cols, rows) = evidence.view, lattice
    holds_reach = all(
        pieces.start <= reached.start and reached.stop <= pieces.stop
        for pieces, reached in zip(block, reach, strict=True)
    )
    share_running_on = runs_on(block, cover)
    rows = rows.cut(block[0])
    cols = cols.cut(block[1])
    cover = cover.cut(*block)
    shorter_pitch = min(cols.pitch, rows.pitch)
    if min(cols.count, rows.count) < GRID.cells_min or shorter_pitch < GRID.pitch_min_px:
        return None
    presence = float((np.nanmean(cover.vertical) + np.nanmean(cover.horizontal)) / 2)
    explained = line_score((cols, rows))
    square = squareness(cols, rows)
    area = share_of(view, cols, rows)
    score = presence * square * area**GRID.area_power * explained * (1 - GRID.runs_on_cost * share_running_on)
    pitch_px = float((cols.pitch + rows.pitch) / 2 * view.scale)
    residual_px = float(max(cols.residual, rows.residual) * view.scale)
    return GridFit(
        rows.count,
        cols.count,
        residual_px,
        straightness(residual_px, pitch_px),
        score=score,
        is_open=share_running_on >= GRID.runs_on or not holds_reach,
        cover=cover,
        evidence=evidence,
        frame=lattice_frame(view, cols, rows),
        pitch_px=pitch_px,
    )


def grown(fit: GridFit) -> Iterator[GridFit]:
    """Yield the lattices that continue one over tinted cells beside it, wherever these lie in the picture.

    Lines on tints are hardly seen, so a region may end before the board does.
    """
    view = fit.region.part.view(fit.view.channel)
    pair = _spacings_in(view, fit)
    larger = _continued(fit, view, pair) if pair is not None else None
    if larger is None:
        return
    # A region round it is searched like any other, with the spacings of that lattice as well.
    region = fit.region.moved(larger.outline_px())
    region_lines = line_evidence(region, region.view)
    pair = _spacings_in(region.view, larger)
    assert pair is not None  # both views are upright
    for spacings, spacing in zip(region_lines.spacings, pair, strict=True):
        spacings.append(spacing)
    yield from (found for found in fits_in(region_lines) if found.rows * found.cols > fit.rows * fit.cols)


def _continued(fit: GridFit, view: View, pair: Pair) -> GridFit | None:
    """Return a fit with the rows, columns and frame of the block that lines and tints frame round it.

    ``None`` if none is larger, or no tints and no missing border let one expect it. ``view``: of the searched
    part of the picture. ``pair``: the fit's spacings there.
    """
    cols, rows = extend(pair, view)
    first_col, first_row = (
        round((spacing.start - extended.start) / extended.pitch)
        for spacing, extended in zip(pair, (cols, rows), strict=True)
    )
    block = slice(first_row, first_row + fit.rows), slice(first_col, first_col + fit.cols)
    if not (has_tints_beside(view, cols, rows, block) or _lacks_border(fit.cover)):
        return None
    cover = _coverage(line_evidence(fit.region, view), cols, rows)
    whole_block = largest_block(cover.framed(GRID.side_cover))
    if whole_block is None or whole_block == block:
        return None
    whole_rows, whole_cols = grow_block(whole_block, cover)
    cols = cols.cut(whole_cols)
    rows = rows.cut(whole_rows)
    return replace(fit, rows=rows.count, cols=cols.count, frame=lattice_frame(view, cols, rows))


def _lacks_border(cover: SideCoverage) -> bool:
    """Return whether one of the four outermost lines is hidden at half of its sides or more."""
    borders = cover.vertical[:, 0], cover.vertical[:, -1], cover.horizontal[0], cover.horizontal[-1]
    return any(np.mean(border < GRID.side_cover) >= GRID.runs_on for border in borders)


def _spacings_in(view: View, fit: GridFit) -> Pair | None:
    """Return a lattice's spacings in another view; ``None`` if it lies aslant there."""
    (pitch_x, lean, x), (rise, pitch_y, y), (*vanishing, _) = (
        np.linalg.inv(view.to_picture) @ fit.frame.homography
    ).tolist()
    if any((lean, rise, *vanishing)):
        return None
    quality = fit.quality
    return Spacing(x, pitch_x, fit.cols, quality, residual=0.0), Spacing(y, pitch_y, fit.rows, quality, 0.0)
