"""Rows and columns: one regular spacing per axis that closes on the board's edges.

Hough lines say how the lattice is tilted, Sobel responses where its lines lie and how far they reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, product

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.advice import Hint, Option
from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.axis_lines import AxisLines, GridEvidence, SeenLines, line_evidence
from flowvision.vision.grid.side_coverage import (
    Block,
    SideCoverage,
    grow_block,
    largest_block,
    most_seen_block,
    runs_on,
    side_coverage,
    trim_block,
)
from flowvision.vision.grid.spacing import (
    Spacing,
    extend,
    lattice_frame,
    line_score,
    score_upper_bound,
    share_of,
    squareness,
    straightness,
)
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.tints import tints_at
from flowvision.vision.pixels.view import Floats, View, colour_distance, lab_of, sample, view_of
from flowvision.vision.settings import GridSettings, Settings, TintSettings

PITCH_ALIKE = 0.06
"""Largest difference from a known pitch, as a share of it, of lines that belong to its lattice."""
CORNERS = np.array([(x, y) for x in (-0.4, 0.4) for y in (-0.4, 0.4)])
"""Points of a cell that no dot and no pipe reaches, clear of its lines; in widths of a cell."""
TURNS = 2
"""How often a region is rectified: the second time more exactly, because it is nearly upright then."""


def open_grids(seen: SeenLines, grid: GridSettings) -> Iterator[GridFit]:
    """The lattices of boards that are open at their edge: with all cells that lack only one side.

    Nothing but their lines says how far such boards go. So there are none in channels where the edge of a
    tint may look like a line.
    """
    if seen[2].view.plain:
        yield from islice(fits_in(seen, grid, is_open=True), grid.fits)


def tinted_grids(seen: SeenLines, settings: Settings) -> Iterator[GridFit]:
    """The lattices that lines and strong tints explain together, best first.

    Finished cells may be tinted as strongly as lines are drawn; then the ends of tints show the lattice.
    Only those that end where lines and tints do: a part of a tinted board looks as good as all of it.
    """
    found = fits_in(seen, settings.grid, tints=settings.tints)
    yield from (fit for fit in islice(found, settings.grid.fits) if fit.closed)


def turned_grids(upright: Sequence[GridFit], seen: SeenLines, settings: Settings) -> Iterator[GridFit]:
    """The lattices of a region as it is (``upright``, ``seen``) and of the region rectified, best first.

    Turned coarsely first: where it shows no lattice then, it is not turned more exactly. Raises
    ``GridNotFoundError`` when an axis has no regular lines, or when no lattice ends where its lines end.
    """
    from flowvision.vision.kinds.rectangular.rectify import rectified

    region, found = seen[2].region, list(upright)
    view = region.view
    coarse = rectified(view, settings.lines, settings.grid, coarse=True)
    if coarse is not None:
        seen = line_evidence(region, coarse, settings.lines, settings.grid)
        if next(fits_in(seen, settings.grid), None) is None:
            coarse = None
    for _ in range(TURNS if coarse else 0):
        turned = rectified(view, settings.lines, settings.grid)
        if turned is None:
            break
        view = turned
        found += fits_in(line_evidence(region, view, settings.lines, settings.grid), settings.grid)
    found.sort(key=lambda fit: -fit.score)
    if not found:
        evidence = seen[2]
        lines = [max((s.count + 1 for s in axis), default=0) for axis in evidence.spacings]
        raise GridNotFoundError(
            "No board was found: nowhere do lines frame cells on all four sides; "
            f"{lines[0]} vertical and {lines[1]} horizontal lines lie at even distances.",
            None,
            evidence,
        )
    yield from found[: settings.grid.fits]


def even_fit(region: BoardRegion, rows: int, cols: int, settings: Settings) -> GridFit:
    """A lattice of ``rows`` × ``cols`` from edge to edge of a region, whatever its lines are.

    Raises ``GridNotFoundError`` when its cells would be too small to be told apart.
    """
    view = region.view
    across, down, evidence = line_evidence(region, view, settings.lines, settings.grid)
    corners = np.linalg.inv(view.to_picture) @ np.column_stack((region.corners_px, np.ones(4))).T
    low, high = corners[:2].min(axis=1), corners[:2].max(axis=1)
    pitch = (high - low) / (cols, rows)
    if pitch.min() < settings.grid.pitch_min_px:
        raise GridNotFoundError(
            f"{rows} rows and {cols} columns would leave {pitch.min():.1f} px for a cell.",
            Hint("Check the numbers: {}, or cut the board out: {}.", Option("grid"), Option("crop")),
            evidence,
        )
    across_all, down_all = (
        Spacing(float(low[n]), float(pitch[n]), count, 1.0, 0.0) for n, count in enumerate((cols, rows))
    )
    cover = side_coverage((across.strong, down.strong), across_all, down_all, settings.grid)
    frame = lattice_frame(view, across_all, down_all)
    pitch_px = float(pitch.mean() * view.scale)
    return GridFit(rows, cols, frame, pitch_px, 0.0, 1.0, 1.0, True, cover, evidence, given=True)


def size_over(part: GridFit, region: BoardRegion, grid: GridSettings) -> tuple[int, int] | None:
    """How many rows and columns of a lattice reach from edge to edge of a region that holds more of it.

    ``None`` where its edges are not lines of the lattice: large dots and wide pipes hide most lines of a
    board, but not where it ends.
    """
    corners = part.frame.to_cells(region.corners_px)
    low, high = np.round(corners.min(axis=0)), np.round(corners.max(axis=0))
    off = np.abs(np.where(corners < (low + high) / 2, corners - low, corners - high)).max()
    cols, rows = (high - low).astype(int).tolist()
    is_held = (low <= 0).all() and (high >= (part.cols, part.rows)).all()
    is_more = part.rows * part.cols < rows * cols <= part.rows * part.cols / grid.extended_part
    return (rows, cols) if off <= grid.extended_off and is_held and is_more else None


def extended_fit(
    part: GridFit, region: BoardRegion, size: tuple[int, int], settings: Settings
) -> GridFit | None:
    """The lattice of a part, extended to all edges of a region; it is as sure as the part.

    ``None`` where cells are covered: empty ones that are of another colour than those of the part.
    """
    with suppress(GridNotFoundError):
        fit = replace(even_fit(region, *size, settings), given=False)
        (corners, middles), (known, _) = (_colours_of(one, fit.view) for one in (fit, part))
        is_like = colour_distance(corners[:, None], known).min(axis=1) <= settings.reading.covered
        if not (is_like | (colour_distance(corners, middles) >= settings.dots.contrast)).all():
            return None
        off = fit.frame.to_cells(part.outline_px())
        residual_px = float(np.sqrt(((off - np.round(off)) ** 2).mean())) * part.pitch_px
        straight = straightness(residual_px, part.pitch_px, settings.grid)
        # A lattice whose lines were seen comes before one whose lines were not.
        score = min(part.score, fit.quality)
        return replace(fit, residual_px=residual_px, straightness=straight, score=score, part=part)
    return None


def _colours_of(fit: GridFit, view: View) -> tuple[Floats, Floats]:
    """(cells, 3) each, in Lab: the usual colours of the corners of every cell, and of its middle."""
    cells = np.array([(col + 0.5, row + 0.5) for row, col in np.ndindex(fit.rows, fit.cols)])
    corners, middles = (
        np.median(lab_of(sample(view, fit.frame, cells, at)), axis=1) for at in (CORNERS, 0.25 * CORNERS)
    )
    return corners, middles


def placed_fit(
    region: BoardRegion, view: View, pitch: float, size: tuple[int, int] | None, settings: Settings
) -> GridFit | None:
    """The lattice of cells of a known pitch, a line of it at the rim of the view, where most of it is seen.

    ``size``: its rows and columns; ``None``: as many as are seen.
    """
    across, down, evidence = line_evidence(region, view, settings.lines, settings.grid)
    cols, rows = (
        next(
            (one for one in axis.spacings if abs(one.pitch / pitch - 1) < PITCH_ALIKE),
            Spacing(0.0, pitch, round(length / pitch), 1.0, 0.0),
        )
        for axis, length in zip((across, down), view.size, strict=True)
    )
    cols, rows = extend((cols, rows), view, settings.grid)
    cover = side_coverage((across.strong, down.strong), cols, rows, settings.grid)
    block = most_seen_block(cover, size)
    if block is None:
        return None
    if size is None:
        block = grow_block(block, cover, settings.grid)
    return _fit(evidence, (cols, rows), cover, block, block, settings.grid)


def fits_in(
    seen: SeenLines, grid: GridSettings, is_open: bool = False, tints: TintSettings | None = None
) -> Iterator[GridFit]:
    """The lattices that lines of an upright view show, best first; each once no other can score more.

    ``is_open``: those that reach as far as cells that lack one side. ``tints``: those of tinted cells.
    """
    (across, down, evidence), view = seen, seen[2].view
    pairs = list(product(across.spacings, down.spacings))
    if pairs:
        halves_across, halves_down = (
            [axis.spacings[0].every_second(first, grid.half_score) for first in (0, 1)]
            for axis in (across, down)
        )
        pairs += product(halves_across, halves_down)
        # Pieces of pipe in all cells lie half-way between the lines of one direction alone.
        pairs += product(halves_across, down.spacings[:1])
        pairs += product(across.spacings[:1], halves_down)
    bounded = [
        (pair, score_upper_bound(pair, view, grid)) for pair in sorted(pairs, key=line_score, reverse=True)
    ]
    bounded = [(pair, upper) for pair, upper in bounded if upper >= grid.score]
    best: dict[tuple[int, int, int], float] = {}
    waiting: list[GridFit] = []
    for number, (pair, _) in enumerate(bounded):
        for fit in closed_fits(evidence, (across, down), pair, grid, is_open, tints):
            key = (fit.rows, fit.cols, round(fit.pitch_px))
            if fit.score >= grid.score and best.get(key, 0.0) < fit.score:
                best[key] = fit.score
                waiting.append(fit)
        following = max((upper for _, upper in bounded[number + 1 :]), default=0.0)
        waiting.sort(key=lambda fit: fit.score)
        while waiting and waiting[-1].score >= following:
            yield waiting.pop()


def closed_fits(
    evidence: GridEvidence,
    seen: tuple[AxisLines, AxisLines],
    pair: tuple[Spacing, Spacing],
    grid: GridSettings,
    is_open: bool,
    tints: TintSettings | None,
) -> list[GridFit]:
    """The lattices that two spacings give when carried on over the whole view, each a block of framed cells.

    First that block grown by the outer cells whose border line most lines run up to, then as it is, then less
    the outer cells whose border is in scraps. Last, for open boards, the block of cells that lack one side.
    """
    view = evidence.view
    cols, rows = extend(pair, view, grid)
    cover = side_coverage((seen[0].strong, seen[1].strong), cols, rows, grid)
    if tints is not None:
        from flowvision.vision.kinds.rectangular.tints import with_tints

        tinted = with_tints(view, cols, rows, cover, tints)
        if tinted is None:
            return []
        cover = tinted
    block = largest_block(cover.framed(grid.side_cover))
    if block is None:
        return []
    grown, trimmed = grow_block(block, cover, grid), trim_block(block, cover, grid)
    blocks = [one for n, one in enumerate((grown, block, trimmed)) if one not in (grown, block)[:n]]
    reach = largest_block(cover.half_framed(grid.open_cover)) or block
    if is_open:
        opened = largest_block(cover.half_framed(grid.reach_cover))
        blocks = [] if opened is None or opened in blocks else [opened]
    fits = (_fit(evidence, (cols, rows), cover, one, reach, grid) for one in blocks)
    return [fit for fit in fits if fit is not None]


def _fit(
    evidence: GridEvidence,
    lattice: tuple[Spacing, Spacing],
    cover: SideCoverage,
    block: Block,
    reach: Block,
    grid: GridSettings,
) -> GridFit | None:
    """One block of a lattice as a fit; ``None`` where it is too small to be a board.

    ``reach``: the block of all cells that lack one side at most.
    """
    view, (cols, rows) = evidence.view, lattice
    ends_here = all(
        of.start <= far.start and far.stop <= of.stop for of, far in zip(block, reach, strict=True)
    )
    going_on = runs_on(block, cover, grid)
    rows, cols, cover = rows.cut(block[0]), cols.cut(block[1]), cover.cut(*block)
    least = min(cols.pitch, rows.pitch)
    if min(cols.count, rows.count) < grid.cells_min or least < grid.pitch_min_px:
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
        straightness(residual_px, pitch_px, grid),
        presence * square * area**grid.area_power * explained * (1 - grid.runs_on_cost * going_on),
        going_on < grid.runs_on and ends_here,
        cover,
        evidence,
    )


PIECES = 0.2, 0.3, 0.7, 0.8
"""Places along a line, beside whatever lies in the middle of a cell; in widths of a cell."""
MAX_SLANT = 1e-6
"""In a frame's matrix: what lies beside its diagonal, where rows are horizontal, columns vertical."""


def carried_on(fit: GridFit, shot: Screenshot, settings: Settings) -> GridFit | None:
    """The larger lattice in the whole picture of which a fit is a part; ``None`` where no tints go on.

    Only upright lattices are carried on: in a tilted picture tints are not sampled exactly enough.
    """
    matrix = _upright(fit)
    if matrix is None or not are_played_beyond(fit, shot, settings):
        return None
    return _larger(fit, matrix, settings, settings.tints)


def grown(fit: GridFit, settings: Settings) -> GridFit | None:
    """The larger lattice in the whole picture of which a fit is a part; ``None`` where its lines end.

    What lies in the cells may cut their lines into groups, each of which shows a part of the lattice.
    """
    matrix, seen = _upright(fit), fit.region.evidence
    if matrix is None or not _lines_go_on(fit, settings):
        return None
    larger = _larger(fit, matrix, settings)
    # Nothing is looked at beyond the part that was cut out by hand.
    low, high = seen.to_picture[:2, 2], seen.to_picture[:2] @ (*seen.lines.shape[::-1], 1)
    slack = settings.grid.closure * fit.pitch_px
    corners = larger.outline_px() if larger else np.empty((0, 2))
    return larger if ((corners >= low - slack) & (corners <= high + slack)).all() else None


def without_bare_rows(fit: GridFit, grid: GridSettings) -> GridFit | None:
    """The lattice less its outer rows and columns into which its lines do not reach; ``None`` without such.

    A line of text above a board, or a row of buttons below it, has an edge where a line would be; but the
    lines of the board end at its border.
    """
    crossing = fit.cover.vertical[:, 1:-1], fit.cover.horizontal[1:-1].T
    (top, bottom), (left, right) = (_bare(one, grid) for one in crossing)
    rows, cols = fit.rows - top - bottom, fit.cols - left - right
    if (rows, cols) == fit.size or min(rows, cols) < grid.cells_min:
        return None
    shift = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]])
    return replace(
        fit,
        rows=rows,
        cols=cols,
        frame=Frame.of_homography(fit.frame.homography @ shift),
        closed=True,
        cover=fit.cover.cut(slice(top, top + rows), slice(left, left + cols)),
    )


def _bare(crossing: Floats, grid: GridSettings) -> tuple[int, int]:
    """How many rows at either end hardly show the ``crossing`` lines (rows, lines) that the others show."""
    seen = np.nanmean(np.where(np.isnan(crossing), np.nan, crossing >= grid.side_cover), axis=1)
    is_bare = seen <= grid.bare * np.nanmedian(seen)
    first, last = (int(np.logical_and.accumulate(ends).sum()) for ends in (is_bare, is_bare[::-1]))
    return (first, last) if max(first, last) <= grid.bare_rows else (0, 0)


def _upright(fit: GridFit) -> Floats | None:
    """(3, 3): the map from the cells of a lattice to the picture; ``None`` where that is tilted."""
    matrix = np.reshape(fit.frame.matrix, (3, 3)) / fit.frame.matrix[8]
    return None if np.abs(matrix[[0, 1, 2, 2], [1, 0, 0, 1]]).max() > MAX_SLANT else matrix


def _larger(
    fit: GridFit, matrix: Floats, settings: Settings, tints: TintSettings | None = None
) -> GridFit | None:
    """The best lattice in the whole picture that has all cells of a fit, and more."""
    shot = fit.region.shot
    view = view_of(shot, None, settings.lines.view_px, fit.view.channel)
    across, down, evidence = line_evidence(fit.region, view, settings.lines, settings.grid)
    start_and_pitch = np.linalg.inv(view.to_picture) @ matrix
    cols, rows = (
        Spacing(start_and_pitch[n, 2], start_and_pitch[n, n], count, 1.0, fit.residual_px / view.scale)
        for n, count in enumerate((fit.cols, fit.rows))
    )
    found = closed_fits(evidence, (across, down), (cols, rows), settings.grid, False, tints)
    larger = [one for one in found if one.closed and _holds(one, fit)]
    return max(larger, key=lambda one: one.score, default=None)


def _holds(larger: GridFit, fit: GridFit) -> bool:
    """Whether one lattice has all cells of the other, and more."""
    corner = larger.frame.to_cells(fit.frame.to_px([(0, 0), (fit.cols, fit.rows)]))
    (left, top), (right, bottom) = np.round(corner).tolist()
    is_within = left >= 0 and top >= 0 and right <= larger.cols and bottom <= larger.rows
    return is_within and larger.rows * larger.cols > fit.rows * fit.cols


def _lines_go_on(fit: GridFit, settings: Settings) -> bool:
    """Whether beyond a side of the fit most of its inner lines are seen. Samples few pixels."""
    seen = fit.region.evidence
    along = np.array(PIECES)
    slack = max(1, round(settings.grid.line_slack * fit.pitch_px / seen.to_picture[0, 0]))
    lines = cv2.dilate(seen.lines, np.ones((2 * slack + 1, 2 * slack + 1), np.uint8))
    height, width = lines.shape
    for axis, count, across in ((0, fit.cols, fit.rows), (1, fit.rows, fit.cols)):
        for beyond in (-along, count + along):
            points = np.stack(np.meshgrid(beyond, np.arange(1.0, across), indexing="xy"), axis=-1)
            in_picture = fit.frame.to_px((points if axis == 0 else points[..., ::-1]).reshape(-1, 2))
            x, y = ((in_picture - seen.to_picture[:2, 2]) / seen.to_picture[0, 0]).round().astype(int).T
            is_inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            on = np.zeros(len(x), bool)
            on[is_inside] = lines[y[is_inside], x[is_inside]] > 0
            share = (2 * on.reshape(across - 1, -1).sum(axis=1) > len(along)).mean()
            if share >= settings.reading.lines_beyond:
                return True
    return False


def are_played_beyond(fit: GridFit, shot: Screenshot, settings: Settings) -> bool:
    """Whether beyond a side of the fit most cells beside it are tinted round a pipe. A look at few pixels.

    Never of a lattice that is tilted.
    """
    matrix = _upright(fit)
    if matrix is None:
        return False
    whole = View(shot.bgr, shot.bgr[:, :, 1], np.eye(3))
    along_x, along_y = (np.arange(count) + 0.5 for count in (fit.cols, fit.rows))
    beside = [
        *(np.column_stack((along_x, np.full(fit.cols, y))) for y in (-0.5, fit.rows + 0.5)),
        *(np.column_stack((np.full(fit.rows, x), along_y)) for x in (-0.5, fit.cols + 0.5)),
    ]
    frame = Frame(tuple(matrix.ravel().tolist()))
    _, is_tinted = tints_at(whole, frame, np.concatenate(beside), settings.tints)
    ends = np.cumsum([len(cells) for cells in beside])[:-1]
    return any(2 * np.count_nonzero(side) > side.size for side in np.split(is_tinted, ends))
