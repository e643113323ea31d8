"""Boards of hexagons: the connected cells of a flat-topped lattice whose sides are seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.kinds.hexagonal.fit import HEIGHT, SIDES, HexagonFit, centre, neighbours
from flowvision.vision.pixels.line_weight import above_both, above_ground, steps_across, typical_strength
from flowvision.vision.pixels.lines import free_lines
from flowvision.vision.pixels.view import Floats, Gray, View, median, sample_brightest, view_frame
from flowvision.vision.settings import GRID, HEXAGONS, LINE_WEIGHT

Singles = NDArray[np.float32]

STEP_PX = 0.5  # between two heights that are tried
NEIGHBOURS = 4  # heights on both sides of a peak that must be lower: 2 px


def periods(lines: Gray) -> list[float]:
    """Return likely heights of hexagons in pixels: where lines repeat in all three directions.

    ``lines`` (h, w): 255 on lines.
    """
    heights = np.arange(GRID.pitch_min_px * 2, min(lines.shape) / GRID.cells_min, STEP_PX)
    if not heights.size:
        return []
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    # Each lag and those round it; straight upwards no other lags are needed.
    upward_lags, sideward_lags = (int(rows[-1]) + 2, 2), (int(halves[-1]) + 2, int(cols[-1]) + 2)
    repeats = _autocorrelation(lines, upward_lags[0], sideward_lags[1])
    straight = _repeated(repeats, lines.shape, 1, upward_lags)[rows, 0]
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    slanted = [
        _repeated(repeats, lines.shape, direction, sideward_lags)[halves, cols] for direction in (1, -1)
    ]
    score = np.minimum(straight, np.minimum(*slanted))
    padded_score = np.pad(score, NEIGHBOURS, constant_values=-np.inf)
    highest_near = np.lib.stride_tricks.sliding_window_view(padded_score, 2 * NEIGHBOURS + 1).max(axis=1)
    peaks = np.flatnonzero((score > HEXAGONS.period_peak * score.max()) & (score == highest_near))
    peaks = peaks[(peaks > 0) & (peaks < len(score) - 1)]
    distinct_heights: list[float] = []
    for n in sorted(peaks, key=lambda n: -score[n]):
        if all(abs(heights[n] / other - 1) > HEXAGONS.period_alike for other in distinct_heights):
            distinct_heights.append(float(heights[n]))
    return distinct_heights


def _repeated(repeats: Singles, shape: tuple[int, ...], direction: int, lags: tuple[int, int]) -> Floats:
    """Return the autocorrelation per pixel at or next to every lag, for a picture of this shape.

    ``repeats``: from ``_autocorrelation``, with lag 0 at [0, 0]. ``direction``: 1 for lags down, -1 for lags
    up. ``lags``: how many down or up, and to the right.
    """
    down, right = (np.arange(number) for number in lags)
    overlap = np.outer(shape[0] - down, shape[1] - right)
    # Lags up are the last rows of a circular autocorrelation: row -1 is one up.
    mean_product = np.maximum(repeats[direction * down, : lags[1]], 0) / overlap
    return np.asarray(cv2.dilate(mean_product, np.ones((3, 3))), np.float64)


def _autocorrelation(lines: Gray, down: int, right: int) -> Singles:
    """Return the circular autocorrelation of lines, for shifts of ``down`` and ``right`` pixels and less."""
    height, width = lines.shape
    # An even width, twice the best size for its half: transforms of odd widths take twice as long.
    padded_size = cv2.getOptimalDFTSize(height + down), 2 * cv2.getOptimalDFTSize((width + right + 1) // 2)
    # 1 on lines and 0 elsewhere, less their mean, in half of NumPy's time.
    signed_ink = cv2.addWeighted(lines, 1 / 255, lines, 0, -cv2.mean(lines)[0] / 255, dtype=cv2.CV_32F)
    padding = padded_size[0] - height, padded_size[1] - width
    padded = np.asarray(
        cv2.copyMakeBorder(signed_ink, 0, padding[0], 0, padding[1], cv2.BORDER_CONSTANT), np.float32
    )
    # In place: new memory would take a third of the time.
    # Without ``nonzeroRows`` for the padding: with it OpenCV takes a transform a third as fast.
    cv2.dft(padded, padded)
    cv2.mulSpectrums(padded, padded, 0, padded, conjB=True)
    cv2.dft(padded, padded, cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    return padded


Pixels = NDArray[np.intp]
MAX_POINTS = 12_000  # pixels of lines that are folded; of more, evenly spread ones
FOLDED = 84, 144
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, about 96 to a width.

Both are products of small primes: to transform 83 rows takes twice as long."""


class Points(NamedTuple):
    """Pixels of lines (N,) in a view of this shape; they are folded round their ``middle``, (x, y)."""

    y: Pixels
    x: Pixels
    shape: tuple[int, ...]
    middle: Floats


def frame_of(lines: Gray, height_px: float, width_px: int) -> Frame | None:
    """Return the frame of hexagons, about this high, that matches the lines folded into ``FOLDED`` best.

    Its scales across and down are refined in ever finer steps; ``None`` if the match is still poor after the
    coarsest. ``lines`` (h, w): 255 on lines; ``width_px``: their maximum width.
    """
    points = _points(lines)
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])  # pixels per width of a hexagon: x, y
    sides_spectrum = np.asarray(cv2.dft(_pattern(HEXAGONS.line * width_px / float(scale[0]))), np.float32)
    best_match, place = _matched(points, scale, sides_spectrum)
    for step in (0.012, 0.006, 0.003, 0.0015, 0.0008):
        for axes_changed in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                scale_tried = scale * (1 + sign * step * np.array(axes_changed))
                match_tried, place_tried = _matched(points, scale_tried, sides_spectrum)
                if match_tried > best_match:
                    best_match, place, scale = match_tried, place_tried, scale_tried
        if best_match < HEXAGONS.match:
            return None
    # A lattice repeats after 1.5 units across and ``HEIGHT`` down; ``place`` is in rows and columns of that.
    row, col = place
    offset = 1.5 * col / FOLDED[1], HEIGHT * row / FOLDED[0]
    (x, y), (unit_x, unit_y) = (points.middle + scale * offset).tolist(), scale.tolist()
    return Frame.of_box(x, y, unit_x, unit_y)


def _points(lines: Gray) -> Points:
    """Return line pixels, thinned to at most ``MAX_POINTS``, and their middle."""
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    return Points(y, x, lines.shape, np.round([x.mean(), y.mean()]) if len(places) else np.zeros(2))


def _folded(points: Points, scale: Floats) -> Singles:
    """Return the number of points at each place of the repeated part of a lattice (``FOLDED``).

    ``scale`` (2,): pixels per width of a hexagon, across and down.
    """
    axes = zip(points.shape, points.middle[::-1], scale[::-1], FOLDED, (HEIGHT, 1.5), strict=True)
    # Looked up for every row or column of the picture, not worked out for every point.
    rows, cols = (
        np.floor((np.arange(size) - middle_px) * (bin_count / unit_px / period)).astype(np.intp) % bin_count
        for size, middle_px, unit_px, bin_count, period in axes
    )
    places = rows.take(points.y) * FOLDED[1] + cols.take(points.x)
    return np.bincount(places, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED).astype(np.float32)


def _matched(points: Points, scale: Floats, sides_spectrum: Singles) -> tuple[float, tuple[int, int]]:
    """Return the best correlation of the folded lines with the sides, per point.

    Then the shift at which they match best: row and column in the oblong. ``scale``: as for ``_folded``;
    ``sides_spectrum``: the transform of ``_pattern``.
    """
    lines = np.asarray(cv2.dft(_folded(points, scale)), np.float32)
    product = cv2.mulSpectrums(lines, sides_spectrum, 0, conjB=True)
    match = np.asarray(cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT))
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / max(1, len(points.x)), (row, col)


def _pattern(width: float) -> Singles:
    """Return the sides of hexagons in the oblong, one of them round (0, 0): 1 on sides, below 0 elsewhere.

    ``width``: of a side's ridge, in widths of a hexagon.
    """
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT
    from_middle = np.full(FOLDED, np.inf)  # from the middle of its hexagon, in widths
    for cx, cy in ((0, 0), (1.5, 0), (0, HEIGHT), (1.5, HEIGHT), (0.75, HEIGHT / 2)):
        dx, dy = np.abs(x - cx), np.abs(y - cy)
        from_middle = np.minimum(from_middle, np.maximum(dy, HEIGHT * dx + dy / 2))
    ridge = np.exp(-(((HEIGHT / 2 - from_middle) / width) ** 2))
    return np.asarray(ridge - ridge.mean(), np.float32)


ALONG_SHORT = np.linspace(-0.43, 0.43, 17)
"""Lengths of a side: the places along it. A pipe of a third of a cell's width hides two thirds of it."""


def fit_hexagons(region: BoardRegion) -> HexagonFit:
    """Return the lattice of hexagons that explains most of a region.

    Raises ``GridNotFoundError`` when too few hexagons are seen.
    """
    min_cells = GRID.cells_min**2
    lines = free_lines(region.view)
    best: HexagonFit | None = None
    for height_px in periods(lines.mask)[: GRID.fits]:
        frame = frame_of(lines.mask, height_px, lines.width_px)
        fit = _seen(region, frame) if frame else None
        if fit is not None and (best is None or fit.count * fit.quality > best.count * best.quality):
            best = fit
        if best is not None and best.is_sure:
            break
    if best is None or best.count < min_cells or best.quality < HEXAGONS.quality:
        seen_text = f"{best.count} side by side, {best.quality:.0%} of their sides" if best else "none"
        raise GridNotFoundError(
            f"Hexagons: found {seen_text}; at least {min_cells} and {HEXAGONS.quality:.0%} needed.",
            None,
            best,
        )
    return best


def _seen(region: BoardRegion, frame: Frame) -> HexagonFit | None:
    """Return the cells that show at the places of a lattice; ``None`` if there are none."""
    view = region.view
    low, corner = frame.to_cells([(0, 0), np.subtract(view.size, 1)])
    # An even number of columns before the first keeps the odd ones half a cell higher.
    left = 2 * int(np.floor(low[0] / 1.5)) - 2
    top = int(np.floor(low[1] / HEIGHT)) - 1
    cols = int(np.ceil(corner[0] / 0.75)) - left + 2
    rows = int(np.ceil(corner[1] / HEIGHT)) - top + 2
    # The layout of boards has the middle of its first cell at (1/2, height).
    origin = np.array([left * 0.75 - 0.5, (top - 1) * HEIGHT])
    to_view = frame.homography @ np.array([[1, 0, origin[0]], [0, 1, origin[1]], [0, 0, 1]])
    to_picture = view.to_picture @ to_view
    placed = Frame.of_homography(to_picture)
    strength_seen, share_seen, middle_share, raised = side_strengths(
        view, placed, (rows, cols), float(to_view[0, 0])
    )
    strength = _without_false_walls(strength_seen, plain_strength(strength_seen), middle_share, raised)
    is_side_seen = strength >= HEXAGONS.side
    is_strong = strength > HEXAGONS.wall
    is_plain = is_side_seen & ~is_strong
    is_cell = (is_side_seen.sum(axis=2) >= HEXAGONS.sides) & is_plain.any(axis=2)
    is_cell = _largest(_without_scraps(is_cell, share_seen < HEXAGONS.border), is_strong)
    if not is_cell.any():
        return None
    (is_cell, strength_seen, is_side_seen, middle_share, raised), shift = _trimmed(
        is_cell, (is_cell, strength_seen, is_side_seen, middle_share, raised)
    )
    final = Frame.of_homography(to_picture @ shift)
    strength = _without_false_walls(
        strength_seen, plain_strength(strength_seen[is_cell]), middle_share, raised
    )
    pitch_px = float(to_view[0, 0] * view.scale)
    return HexagonFit(is_cell, strength, is_side_seen, region, frame=final, pitch_px=pitch_px)


def _without_false_walls(strength: Floats, plain: float, middle: Floats, raised: Floats) -> Floats:
    """Return the strengths of sides in plain lines: at most 1 if a pipe hides the middle.

    So is a side along the edge of a tint, which is no wall above the brighter of the two grounds.
    ``strength``, ``middle``, ``raised``: from ``side_strengths``; ``plain``: the strength of a plain line.
    """
    is_at_edge = (strength > HEXAGONS.wall * plain) & (raised <= HEXAGONS.wall * plain)
    is_plain = (middle < HEXAGONS.middle_shown) | is_at_edge
    return np.where(is_plain, np.minimum(strength / plain, 1.0), strength / plain)


Part = NDArray[Any]
"""A value of every cell, (rows, cols)."""


def _trimmed(cells: Mask, cell_values: tuple[Part, ...]) -> tuple[tuple[Part, ...], Floats]:
    """Return the parts cut to the rows and columns that hold cells, and the shift of their frame."""
    first_col = int(np.nonzero(cells)[1].min())
    # Odd columns lie half a cell higher: if one becomes column 0, the even ones are renumbered a row down.
    is_odd = first_col % 2 == 1
    if is_odd:
        cell_values = tuple(_with_even_columns_a_row_down(part) for part in cell_values)
    rows, cols = np.nonzero(cell_values[0])
    first_row = int(rows.min())
    window = np.s_[first_row : int(rows.max()) + 1, first_col : int(cols.max()) + 1]
    down = HEIGHT * (first_row - 0.5 * is_odd)
    shift = np.array([[1, 0, 0.75 * first_col], [0, 1, down], [0, 0, 1]])
    return tuple(part[window] for part in cell_values), shift


def _with_even_columns_a_row_down(part: Part) -> Part:
    padded = np.concatenate((part, np.zeros_like(part[:1])))
    padded[:, ::2] = np.roll(padded[:, ::2], 1, axis=0)
    return padded


def side_strengths(
    view: View, frame: Frame, size: tuple[int, int], width_px: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the strength of every side of a lattice (rows, cols, 6), its visible share, that of its middle.

    Last, its strength above the brighter of the grounds on both sides. Each side is measured once, from one
    of its two cells. ``width_px``: of a hexagon in the view.
    """
    rows, cols = size
    places = np.indices((rows, cols)).reshape(2, -1)
    in_view = view_frame(frame, view)
    across_steps = steps_across(width_px)
    along, across = (part.ravel() for part in np.meshgrid(ALONG_SHORT * 0.5, across_steps, indexing="ij"))
    measured = np.zeros((4, rows, cols, len(SIDES)))
    for side, direction in enumerate(SIDES[: len(SIDES) // 2]):
        # The lattice reaches beyond the view, where all is black.
        middles_px = in_view.to_px(centre(*places) + HEIGHT / 2 * direction)
        away_px = np.maximum(-middles_px, middles_px - view.size).max(axis=1)
        # The farthest sample of a side is a quarter of a width from its middle.
        row_measured, col_measured = places[:, away_px <= 0.3 * width_px]
        offsets = np.outer(across + HEIGHT / 2, direction) + np.outer(along, (-direction[1], direction[0]))
        values = sample_brightest(view, frame, centre(row_measured, col_measured), offsets)
        # A smaller range of brightness holds no line.
        with_line = np.flatnonzero(np.ptp(values, axis=1) >= LINE_WEIGHT.step)
        by_side_place_step = values[with_line].reshape(len(with_line), len(ALONG_SHORT), len(across_steps))
        bands = np.moveaxis(by_side_place_step, 2, 0).astype(np.float64, order="C")
        measured[:3, row_measured[with_line], col_measured[with_line], side] = typical_strength(
            bands, above_ground(bands, short=True)
        )
        measured[3, row_measured[with_line], col_measured[with_line], side] = typical_strength(
            bands, above_both(bands)
        )[0]
        row, col = neighbours(row_measured, col_measured)[side]  # the cells whose opposite side it is
        is_inside = (row >= 0) & (row < rows) & (col >= 0) & (col < cols)
        measured[:, row[is_inside], col[is_inside], side + 3] = measured[
            :, row_measured[is_inside], col_measured[is_inside], side
        ]
    return measured[0], measured[1], measured[2], measured[3]


def plain_strength(sides: Floats) -> float:
    """Return the median strength of plain lines: of sides not much above the fainter quarter."""
    visible = sides[sides > 0]
    if not visible.size:
        return 1.0
    return median(visible[visible <= HEXAGONS.wall * np.percentile(visible, 25)])


def _without_scraps(cells: Mask, scraps: Mask) -> Mask:
    """Remove cells with too many fragmentary outer sides, until no such cell is left.

    They are text: no pipe crosses an outer side, so it shows completely.
    """
    # Outer or not, no cell with fewer is ever left out.
    to_check = _places(cells & (np.count_nonzero(scraps, axis=2) >= HEXAGONS.scraps))
    if not to_check:
        return cells
    cells_left = set(_places(cells))
    while to_check:
        place = to_check.pop()
        neighbours_of_cell = neighbours(*place)
        outer_sides = [side for side, beside in enumerate(neighbours_of_cell) if beside not in cells_left]
        if place in cells_left and np.count_nonzero(scraps[place][outer_sides]) >= HEXAGONS.scraps:
            cells_left.remove(place)
            to_check += [beside for beside in neighbours_of_cell if beside in cells_left]
    return _mask(cells_left, cells.shape)


def _largest(cells: Mask, strong: Mask) -> Mask:
    """Return the largest group of cells that share a side without a wall."""
    cells_left = set(_places(cells))
    is_wall = strong.tolist()
    best: set[tuple[int, int]] = set()
    while cells_left:
        group, to_visit = set(), [cells_left.pop()]
        while to_visit:
            row, col = to_visit.pop()
            group.add((row, col))
            for beside, has_wall in zip(neighbours(row, col), is_wall[row][col], strict=True):
                if beside in cells_left and not has_wall:
                    cells_left.remove(beside)
                    to_visit.append(beside)
        best = max(best, group, key=len)
    return _mask(best, cells.shape)


def _places(mask: Mask) -> list[tuple[int, int]]:
    return [(row, col) for row, col in np.argwhere(mask).tolist()]


def _mask(places: set[tuple[int, int]], shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape, bool)
    for place in places:
        mask[place] = True
    return mask
