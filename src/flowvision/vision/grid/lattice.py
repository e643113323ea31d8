"""Rows and columns: one regular spacing per axis that closes on the board's edges.

Hough lines say how the lattice is tilted, Sobel responses where its lines lie and how far they
reach. Both axes are seen by the same code, the axis as an argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import ceil

import cv2
import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.grid.fit import GridEvidence, GridFit
from flowvision.vision.grid.side_coverage import (
    Block,
    Mask,
    SideCoverage,
    grow_block,
    largest_block,
    runs_on,
    side_coverage,
    trim_block,
)
from flowvision.vision.grid.spacing import Spacing, find_peaks, find_spacings
from flowvision.vision.pixels.lines import Axis, is_tilted, line_mask, line_response, mean_along, noise_step
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class AxisLines:
    """What was seen across one axis.

    ``strong`` (along, across): pixels on lines; ``profile``: their share per position; ``mask`` (h, w): 255
    where they go on; ``spacings``: even spacings that explain the peaks.
    """

    strong: Mask
    profile: Floats
    mask: Gray
    spacings: tuple[Spacing, ...]
    tilted: bool


def open_grids(region: BoardRegion, settings: Settings) -> Iterator[GridFit]:
    """The lattices of boards whose outer cells are open: with all cells that lack but one side.

    None where more than lines may look like one: nothing but their lines says how far such boards go.
    """
    if region.view.plain:
        yield from islice(fits_in(region.view, settings, is_open=True), settings.grid.fits)


def upright_grids(region: BoardRegion, settings: Settings) -> Iterator[GridFit]:
    """The lattices that explain a region as it is, best first."""
    yield from fits_in(region.view, settings)


def turned_grids(region: BoardRegion, upright: Sequence[GridFit], settings: Settings) -> Iterator[GridFit]:
    """The same with those of the region turned upright, best first.

    Raises ``GridNotFoundError`` when an axis has no regular lines, or when no lattice ends where
    its lines end.
    """
    from flowvision.vision.grid.rectify import straightened

    view, found = region.view, list(upright)
    for _ in range(2):
        turned = straightened(view, settings)
        if turned is None:
            break
        view = turned
        found += fits_in(view, settings)
    found.sort(key=lambda fit: -fit.score)
    if not found:
        evidence = line_evidence(view, settings)[2]
        lines = [max((s.count + 1 for s in axis), default=0) for axis in evidence.spacings]
        raise GridNotFoundError(
            f"Looked for rows and columns: found {lines[0]} upright and {lines[1]} level lines at even "
            "distances, but none that frame cells.",
            None,
            evidence,
        )
    yield from found[: settings.grid.fits]


def even_fit(region: BoardRegion, rows: int, cols: int, settings: Settings) -> GridFit:
    """The lattice of so many rows and columns from edge to edge of a region, whatever lines show.

    Raises ``GridNotFoundError`` when its cells would be too small to be told apart.
    """
    view = region.view
    across, down, evidence = line_evidence(view, settings)
    corners = np.linalg.inv(view.to_picture) @ np.column_stack((region.corners_px, np.ones(4))).T
    low, high = corners[:2].min(axis=1), corners[:2].max(axis=1)
    pitch = (high - low) / (cols, rows)
    if pitch.min() < settings.grid.pitch_min_px:
        raise GridNotFoundError(
            f"{rows} rows and {cols} columns would leave {pitch.min():.1f} px for a cell.",
            "Check the numbers of `--grid ROWSxCOLS`, or cut the board out with `--crop`.",
            evidence,
        )
    lattice = tuple(
        Spacing(float(low[n]), float(pitch[n]), count, 1.0, 0.0) for n, count in enumerate((cols, rows))
    )
    cover = side_coverage((across.strong, down.strong), *lattice)
    box = Frame.of_box(lattice[0].start, lattice[1].start, lattice[0].pitch, lattice[1].pitch)
    frame = Frame(tuple(map(float, (view.to_picture @ np.reshape(box.matrix, (3, 3))).ravel())))
    pitch_px = float(pitch.mean() * view.scale)
    return GridFit(rows, cols, frame, pitch_px, 0.0, 1.0, True, cover, evidence, given=True)


def line_evidence(view: View, settings: Settings) -> tuple[AxisLines, AxisLines, GridEvidence]:
    """The lines across and down a view."""
    across = see_lines(view, 0, settings)
    down = see_lines(view, 1, settings)
    evidence = GridEvidence(
        view,
        (across.profile, down.profile),
        (across.mask, down.mask),
        (settings.grid.hough_share, settings.grid.tilt_small),
        (across.spacings, down.spacings),
        across.tilted or down.tilted,
    )
    return across, down, evidence


def fits_in(view: View, settings: Settings, is_open: bool = False) -> Iterator[GridFit]:
    """The lattices of an upright view, best first; each is yielded once no other can be better.

    ``is_open``: those that reach as far as cells with one side missing.
    """
    across, down, evidence = line_evidence(view, settings)
    pairs = list(product(across.spacings, down.spacings))
    if pairs:
        first, second = across.spacings[0], down.spacings[0]
        pairs += product(map(first.every_second, (0, 1)), map(second.every_second, (0, 1)))
    pairs = [pair for pair in pairs if _bound(pair) >= settings.grid.score]
    pairs.sort(key=_bound, reverse=True)
    found: dict[tuple[int, int, int], float] = {}
    waiting: list[GridFit] = []
    for number, pair in enumerate(pairs):
        for fit in _close(view, (across, down), pair, settings, evidence, is_open):
            key = (fit.rows, fit.cols, round(fit.pitch_px))
            if fit.score >= settings.grid.score and found.get(key, 0.0) < fit.score:
                found[key] = fit.score
                waiting.append(fit)
        following = _bound(pairs[number + 1]) if number + 1 < len(pairs) else 0.0
        waiting.sort(key=lambda fit: fit.score)
        while waiting and waiting[-1].score >= following:
            yield waiting.pop()


def _bound(pair: tuple[Spacing, Spacing]) -> float:
    """The most that the lattice of two spacings can score."""
    return min(pair[0].score, pair[1].score)


def see_lines(view: View, axis: Axis, settings: Settings) -> AxisLines:
    """The lines across ``axis`` of a view, and the even spacings through them."""
    shorter = min(view.size)
    width_px = max(3, round(settings.lines.width * shorter))
    response = line_response(view.gray, axis, width_px)
    step = noise_step(response, settings.lines.step, settings.lines.noise)
    mask = line_mask(response, axis, step, max(7, round(settings.lines.run_length * shorter)))
    # Every third place along a line is enough for a median.
    thinned = np.s_[::3] if axis == 0 else np.s_[:, ::3]
    on_lines = response[thinned][mask[thinned] > 0]
    if on_lines.size:
        step = max(step, settings.lines.share * float(np.median(on_lines)))
    seen = np.greater_equal(response, ceil(step))
    strong = seen if axis == 0 else seen.T
    sharpness = mean_along(cv2.threshold(response, 8 * step, 0, cv2.THRESH_TRUNC)[1], axis)
    profile = mean_along(seen.view(np.uint8), axis)
    top = float(np.sort(profile)[-2 * width_px :].mean()) if profile.size else 0.0
    places, heights = find_peaks(profile, sharpness, settings.grid.peak_share * top)
    spacings = find_spacings(
        places, heights, settings.grid.pitch_min_px, settings.grid.spacing, settings.grid.fits
    )
    return AxisLines(strong, profile, mask, tuple(spacings), is_tilted(strong, settings.grid.tilt_least))


def _close(
    view: View,
    lines: tuple[AxisLines, AxisLines],
    pair: tuple[Spacing, Spacing],
    settings: Settings,
    evidence: GridEvidence,
    is_open: bool,
) -> list[GridFit]:
    """The lattices that two spacings give when carried on over the whole view: its block of framed cells.

    First grown by the outer cells that lack a border line, where most do, then as it is, then less its
    outer cells whose border is in scraps; or, of an open board, the block of cells that lack one side.
    """
    cols, rows = (
        spacing.over(size, rims, settings.grid.closure)
        for spacing, size, rims in zip(pair, view.size, view.rims, strict=True)
    )
    cover = side_coverage((lines[0].strong, lines[1].strong), cols, rows)
    block = largest_block(cover.framed(settings.grid.side_cover))
    if block is None:
        return []
    grown = grow_block(block, cover, settings.grid.open_cover)
    trimmed = trim_block(block, cover, settings.grid.reach_cover)
    blocks = [one for n, one in enumerate((grown, block, trimmed)) if one not in (grown, block)[:n]]
    reach = largest_block(cover.half_framed(settings.grid.open_cover)) or block
    if is_open:
        opened = largest_block(cover.half_framed(settings.grid.reach_cover))
        blocks = [] if opened is None or opened in blocks else [opened]
    fits = (_fit(view, (cols, rows), cover, one, reach, settings, evidence) for one in blocks)
    return [fit for fit in fits if fit is not None]


def _fit(
    view: View,
    lattice: tuple[Spacing, Spacing],
    cover: SideCoverage,
    block: Block,
    reach: Block,
    settings: Settings,
    evidence: GridEvidence,
) -> GridFit | None:
    """One block of a lattice as a fit; ``None`` where it is too small to be a board.

    ``reach``: how far cells go that may lack a side.
    """
    cols, rows = lattice
    ends_here = all(
        of.start <= far.start and far.stop <= of.stop for of, far in zip(block, reach, strict=True)
    )
    going_on = runs_on(block, cover, settings.grid.open_cover)
    rows, cols, cover = rows.cut(block[0]), cols.cut(block[1]), cover.cut(*block)
    least = min(cols.pitch, rows.pitch)
    if min(cols.count, rows.count) < settings.grid.cells_min or least < settings.grid.pitch_min_px:
        return None
    presence = float((np.nanmean(cover.upright) + np.nanmean(cover.level)) / 2)
    squareness = least / max(cols.pitch, rows.pitch)
    area = cols.count * rows.count * cols.pitch * rows.pitch / (view.size[0] * view.size[1])
    box = Frame.of_box(cols.start, rows.start, cols.pitch, rows.pitch)
    to_picture = view.to_picture @ np.asarray(box.matrix).reshape(3, 3)
    return GridFit(
        rows.count,
        cols.count,
        Frame(tuple(float(number) for number in to_picture.ravel())),
        float((cols.pitch + rows.pitch) / 2 * view.scale),
        float(max(cols.residual, rows.residual) * view.scale),
        presence * squareness * area**0.25 * min(cols.score, rows.score) * (1 - 0.5 * going_on),
        going_on < 0.5 and ends_here,
        cover,
        evidence,
    )
