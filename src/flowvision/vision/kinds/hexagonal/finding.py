"""Boards of hexagons: the connected cells of a flat-topped lattice whose sides are seen.

Its period is found first, then its place: lines are folded into the oblong that repeats, and matched with the
sides of hexagons. Sides are numbered as in ``SIDES``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.puzzle.layout import Place
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.hexagonal.fit import (
    COLUMN,
    HEIGHT,
    SIDES,
    HexagonFit,
    centre,
    neighbours,
    outer_sides,
)
from flowvision.vision.pixels.line_weight import above_both, above_ground, bands_of, short_sides, steps_across
from flowvision.vision.pixels.lines import free_lines
from flowvision.vision.pixels.view import (
    Floats,
    Gray,
    Mask,
    Numbers,
    Singles,
    View,
    grid_points,
    median,
    sample_brightest,
    shift,
    view_frame,
)
from flowvision.vision.settings import GRID, HEXAGONS, LINE_WEIGHT

STEP_PX = 0.5  # between two heights that are tried
NEIGHBOURS = 4  # heights on both sides of a peak that must be lower: 2 px


def periods(lines: Gray) -> list[float]:
    """Return the likely heights of hexagons, in pixels, the likeliest first.

    At these lines repeat in all three directions. ``lines`` (h, w): 255 on lines.
    """
    heights = np.arange(GRID.pitch_min_px * 2, min(lines.shape) / GRID.cells_min, STEP_PX)
    if not heights.size:
        return []
    # Lags of whole pixels: straight down, and down and to the right to the middle of the next cell.
    down = np.round(heights).astype(int)
    half_down = np.round(heights / 2).astype(int)
    right = np.round(heights * HEIGHT).astype(int)
    # How many lags down and to the right, from 0: up to the largest, and one more, which lies beside it.
    straight_lags = (int(down[-1]) + 2, 2)
    slanted_lags = (int(half_down[-1]) + 2, int(right[-1]) + 2)
    repeats = _autocorrelation(lines, straight_lags[0], slanted_lags[1])
    straight = _repeated(repeats, lines.shape, straight_lags)[down, 0]
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    slanted = [
        _repeated(repeats, lines.shape, slanted_lags, is_up)[half_down, right] for is_up in (False, True)
    ]
    score = np.minimum(straight, np.minimum(*slanted))
    distinct_heights: list[float] = []
    for height in heights[_peaks(score)].tolist():
        if all(abs(height / other - 1) > HEXAGONS.period_alike for other in distinct_heights):
            distinct_heights.append(height)
    return distinct_heights


def _peaks(score: Floats) -> Numbers:
    """Return the numbers of the scores (N,) that are highest within ``NEIGHBOURS``, the highest first.

    None at an end, and none far below the highest.
    """
    padded_score = np.pad(score, NEIGHBOURS, constant_values=-np.inf)
    highest_near = np.lib.stride_tricks.sliding_window_view(padded_score, 2 * NEIGHBOURS + 1).max(axis=1)
    is_peak = (score > HEXAGONS.period_peak * score.max()) & (score == highest_near)
    is_peak[[0, -1]] = False
    peaks = np.flatnonzero(is_peak)
    return peaks[np.argsort(-score[peaks], kind="stable")]


def _repeated(repeats: Singles, shape: tuple[int, ...], lags: tuple[int, int], is_up: bool = False) -> Floats:
    """Return (down, right): the autocorrelation per pixel at or next to every lag; ``shape``: of the picture.

    ``repeats``: from ``_autocorrelation``, with lag 0 at [0, 0]. ``lags``: how many down, or up if ``is_up``,
    and how many to the right.
    """
    down, right = (np.arange(number) for number in lags)
    overlap = np.outer(shape[0] - down, shape[1] - right)
    mean_product = np.maximum(repeats[-down if is_up else down, : lags[1]], 0) / overlap
    return np.asarray(cv2.dilate(mean_product, np.ones((3, 3))), np.float64)


def _autocorrelation(lines: Gray, down: int, right: int) -> Singles:
    """Return the circular autocorrelation of lines (h, w), for lags up to ``down`` and ``right`` pixels.

    Row -n is the lag of n pixels up.
    """
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


SCALE_STEPS = 0.012, 0.006, 0.003, 0.0015, 0.0008  # of the scale: one that is off by the first still matches
MAX_POINTS = 12_000  # pixels of lines that are folded; of more, evenly spread ones
FOLDED = 84, 144
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, about 96 to a width.

Both are products of small primes: to transform 83 rows takes twice as long."""
PERIOD = HEIGHT, 2 * COLUMN
"""Down and across, in widths of a hexagon: distances after which their lattice repeats."""


class Points(NamedTuple):
    """Pixels of lines, by their rows and columns (N,), in a view of this shape (h, w).

    ``middle`` (2,): x and y of their mean, in whole pixels, which is folded to (0, 0).
    """

    y: Numbers
    x: Numbers
    shape: tuple[int, ...]
    middle: Floats


def frame_of(lines: Gray, height_px: float, width_px: int) -> Frame | None:
    """Return the frame of hexagons, about this high, that matches lines best: from cell units to the view.

    Its scales across and down are refined in ever finer steps; ``None`` if the match is poor even so.
    ``lines`` (h, w): 255 on lines; ``width_px``: their maximum width. The middle of a hexagon is at (0, 0).
    """
    points = _points(lines)
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])  # pixels per width of a hexagon: x, y
    sides_spectrum = np.asarray(
        cv2.dft(_pattern(HEXAGONS.line_half_width * width_px / float(scale[0]))), np.float32
    )
    best_match, place = _matched(points, scale, sides_spectrum)
    for step in SCALE_STEPS:
        for axes_changed in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                scale_tried = scale * (1 + sign * step * np.array(axes_changed))
                match_tried, place_tried = _matched(points, scale_tried, sides_spectrum)
                if match_tried > best_match:
                    best_match, place, scale = match_tried, place_tried, scale_tried
        if best_match < HEXAGONS.match_min:
            return None
    row, col = place
    offset = PERIOD[1] * col / FOLDED[1], PERIOD[0] * row / FOLDED[0]
    (x, y) = (points.middle + scale * offset).tolist()
    (unit_x, unit_y) = scale.tolist()
    return Frame.of_box(x, y, unit_x, unit_y)


def _points(lines: Gray) -> Points:
    """Return the pixels of lines (h, w), thinned to about ``MAX_POINTS``."""
    places = np.flatnonzero(lines > 0)  # of Booleans, in a fifth of the time
    places = places[:: max(1, len(places) // MAX_POINTS)]
    y, x = divmod(places, lines.shape[1])
    return Points(y, x, lines.shape, np.round([x.mean(), y.mean()]) if len(places) else np.zeros(2))


def _folded(points: Points, scale: Floats) -> Singles:
    """Return the number of points in each of the ``FOLDED`` rows and columns of the oblong that repeats.

    ``scale`` (2,): pixels per width of a hexagon, across and down.
    """
    axes = zip(points.shape, points.middle[::-1], scale[::-1], FOLDED, PERIOD, strict=True)
    # Looked up for every row or column of the picture, not worked out for every point.
    rows, cols = (
        np.floor((np.arange(size) - middle_px) * (bin_count / unit_px / period)).astype(np.intp) % bin_count
        for size, middle_px, unit_px, bin_count, period in axes
    )
    places = rows.take(points.y) * FOLDED[1] + cols.take(points.x)
    return np.bincount(places, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED).astype(np.float32)


def _matched(points: Points, scale: Floats, sides_spectrum: Singles) -> tuple[float, tuple[int, int]]:
    """Return the best correlation of the folded lines with the sides, per point: 1.0 if all lie on sides.

    Then the place of a hexagon's middle that gives it: row and column in the oblong. ``scale``: as for
    ``_folded``; ``sides_spectrum``: the transform of ``_pattern``.
    """
    lines = np.asarray(cv2.dft(_folded(points, scale)), np.float32)
    product = cv2.mulSpectrums(lines, sides_spectrum, 0, conjB=True)
    match = cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / max(1, len(points.x)), (row, col)


def _pattern(width: float) -> Singles:
    """Return the sides of hexagons in the oblong, one of them round (0, 0): about 1 on sides, else below 0.

    ``width``: half of a side's width, in widths of a hexagon.
    """
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * PERIOD[1], row / FOLDED[0] * PERIOD[0]
    # From the nearest middle towards a side, in widths: half of ``HEIGHT`` on a side.
    from_middle = np.full(FOLDED, np.inf)
    corners = [(right, down) for right in (0, PERIOD[1]) for down in (0, PERIOD[0])]
    for middle_x, middle_y in (*corners, (PERIOD[1] / 2, PERIOD[0] / 2)):
        dx, dy = np.abs(x - middle_x), np.abs(y - middle_y)
        from_middle = np.minimum(from_middle, np.maximum(dy, HEIGHT * dx + dy / 2))
    ridge = np.exp(-(((HEIGHT / 2 - from_middle) / width) ** 2))
    return np.asarray(ridge - ridge.mean(), np.float32)


ALONG_SHORT = np.linspace(-0.43, 0.43, 17)
"""The places along a side, from its middle, in its lengths.

A pipe of a third of a cell's width hides two thirds of it."""


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
    if best is None or best.count < min_cells or best.quality < HEXAGONS.quality_min:
        seen_text = f"{best.count} side by side, {best.quality:.0%} of their sides" if best else "none"
        raise GridNotFoundError(
            f"Hexagons: found {seen_text}; at least {min_cells} and {HEXAGONS.quality_min:.0%} needed.",
            evidence=best,
        )
    return best


class Sides(NamedTuple):
    """Evidence of the sides of a lattice, (rows, cols, 6) each.

    ``strength``: how bright and thick a side is. ``shown``, ``middle_shown``: the share of it that shows, and
    of its middle third. ``raised``: its strength above the brighter of the grounds on both sides.
    """

    strength: Floats
    shown: Floats
    middle_shown: Floats
    raised: Floats


def _seen(region: BoardRegion, frame: Frame) -> HexagonFit | None:
    """Return the cells that show at the places of a lattice; ``None`` if there are none.

    ``frame``: from cell units to the region's view, with the middle of a hexagon at (0, 0).
    """
    view = region.view
    size, to_view = _lattice_over(view, frame)
    width_px = float(to_view[0, 0])
    placed = view.placed(to_view)
    sides = side_strengths(view, placed, size, width_px)
    strength = _without_false_walls(sides, plain_strength(sides.strength))
    is_side_seen = strength >= HEXAGONS.side_strength_min
    is_strong = strength > HEXAGONS.wall_strength_min
    is_plain = is_side_seen & ~is_strong
    is_cell = (is_side_seen.sum(axis=2) >= HEXAGONS.sides_min) & is_plain.any(axis=2)
    is_cell = _largest(_without_scraps(is_cell, sides.shown < HEXAGONS.border_shown_min), is_strong)
    if not is_cell.any():
        return None
    window = _window_of(is_cell)
    is_cell, is_side_seen = window.cut(is_cell), window.cut(is_side_seen)
    sides = Sides._make(map(window.cut, sides))
    # Compared with the cells' own plain lines.
    strength = _without_false_walls(sides, plain_strength(sides.strength[is_cell]))
    final = Frame.of_homography(placed.homography @ window.shift)
    pitch_px = float(width_px * view.scale)
    return HexagonFit(is_cell, strength, is_side_seen, region, frame=final, pitch_px=pitch_px)


def _lattice_over(view: View, frame: Frame) -> tuple[tuple[int, int], Floats]:
    """Return the rows and columns of a lattice that covers a view, and its map (3, 3) to the view.

    ``frame``: as for ``_seen``. The layout of boards has the middle of its first cell at (1/2, HEIGHT).
    """
    low, high = frame.to_cells([(0, 0), np.subtract(view.size, 1)])
    # With a cell or two to spare. An even number of columns before the first keeps the odd ones half a cell
    # higher.
    left = 2 * int(np.floor(low[0] / PERIOD[1])) - 2
    top = int(np.floor(low[1] / HEIGHT)) - 1
    cols = int(np.ceil(high[0] / COLUMN)) - left + 2
    rows = int(np.ceil(high[1] / HEIGHT)) - top + 2
    return (rows, cols), frame.homography @ shift(left * COLUMN - 0.5, (top - 1) * HEIGHT)


def _without_false_walls(sides: Sides, plain: float) -> Floats:
    """Return (rows, cols, 6): the strengths of sides in plain lines: at most 1 if a pipe hides the middle.

    So is a side along the edge of a tint, which is no wall above the brighter of the two grounds. ``plain``:
    the strength of a plain line.
    """
    min_wall = HEXAGONS.wall_strength_min * plain
    is_at_edge = (sides.strength > min_wall) & (sides.raised <= min_wall)
    is_plain = (sides.middle_shown < HEXAGONS.middle_shown) | is_at_edge
    return np.where(is_plain, np.minimum(sides.strength / plain, 1.0), sides.strength / plain)


Part = NDArray[Any]
"""A value of every cell or side, (rows, cols) or (rows, cols, 6)."""


class _Window(NamedTuple):
    """The rows and columns of a lattice that hold cells.

    ``is_odd``: the first column is an odd one. As odd columns lie half a cell higher, and it becomes column
    0, the even ones are renumbered a row down.
    """

    rows: slice
    cols: slice
    is_odd: bool

    def cut(self, part: Part) -> Part:
        """Return the part of the window."""
        part = _with_even_columns_a_row_down(part) if self.is_odd else part
        return part[self.rows, self.cols]

    @property
    def shift(self) -> Floats:
        """The map (3, 3) from the window's cell units to the lattice's."""
        return shift(COLUMN * self.cols.start, HEIGHT * (self.rows.start - 0.5 * self.is_odd))


def _window_of(cells: Mask) -> _Window:
    """Return the window of all cells (rows, cols)."""
    first_col = int(np.nonzero(cells)[1].min())
    is_odd = first_col % 2 == 1
    rows, cols = np.nonzero(_with_even_columns_a_row_down(cells) if is_odd else cells)
    return _Window(slice(int(rows.min()), int(rows.max()) + 1), slice(first_col, int(cols.max()) + 1), is_odd)


def _with_even_columns_a_row_down(part: Part) -> Part:
    """Return a part with one more row, below."""
    padded = np.concatenate((part, np.zeros_like(part[:1])))
    padded[:, ::2] = np.roll(padded[:, ::2], 1, axis=0)
    return padded


def side_strengths(view: View, frame: Frame, size: tuple[int, int], width_px: float) -> Sides:
    """Return the evidence of the sides of a lattice, ``size`` (rows, columns), in a view; 0 beyond it.

    ``frame``: of the lattice, into the picture; ``width_px``: of a hexagon in the view.
    """
    rows, cols = size
    places = np.indices(size).reshape(2, -1)
    in_view = view_frame(frame, view)
    measured = np.zeros((len(Sides._fields), rows, cols, len(SIDES)))
    # Each side is measured once, from one of its two cells.
    for side, direction in enumerate(SIDES[: len(SIDES) // 2]):
        # The lattice reaches beyond the view, where all is black.
        middles_px = in_view.to_px(centre(*places) + HEIGHT / 2 * direction)
        away_px = np.maximum(-middles_px, middles_px - view.size).max(axis=1)
        # The farthest sample of a side is a quarter of a width from its middle.
        near_view = places[:, away_px <= 0.3 * width_px]
        with_line, values = _measured(view, frame, centre(*near_view), direction, width_px)
        row, col = near_view[:, with_line]
        measured[:, row, col, side] = values
        row, col = neighbours(row, col)[side]  # the cells whose opposite side, three further on, it is
        is_inside = (row >= 0) & (row < rows) & (col >= 0) & (col < cols)
        measured[:, row[is_inside], col[is_inside], side + 3] = values[:, is_inside]
    return Sides(*measured)


def _measured(
    view: View, frame: Frame, centres: Floats, direction: Floats, width_px: float
) -> tuple[Numbers, Floats]:
    """Return the numbers (N,) of cells with a line on one side, and what that shows: ``Sides`` (4, N).

    ``centres`` (cells, 2): their middles. ``direction`` (2,): from there to the side.
    """
    across_steps = steps_across(width_px)
    side_length = 0.5  # in widths of a hexagon
    across, along = grid_points(across_steps, ALONG_SHORT * side_length).T
    offsets = np.outer(across + HEIGHT / 2, direction) + np.outer(along, (-direction[1], direction[0]))
    values = sample_brightest(view, frame, centres, offsets)
    # A smaller range of brightness holds no line.
    with_line = np.flatnonzero(np.ptp(values, axis=1) >= LINE_WEIGHT.step)
    bands = bands_of(values[with_line], len(ALONG_SHORT), len(across_steps))
    raised = short_sides(bands, above_both(bands)).strength
    return with_line, np.array((*short_sides(bands, above_ground(bands, short=True)), raised))


def plain_strength(sides: Floats) -> float:
    """Return the median strength of plain lines: of sides not much above the fainter quarter."""
    visible = sides[sides > 0]
    if not visible.size:
        return 1.0
    return median(visible[visible <= HEXAGONS.wall_strength_min * np.percentile(visible, 25)])


def _without_scraps(cells: Mask, scraps: Mask) -> Mask:
    """Return cells (rows, cols) without those with too many outer sides in scraps, until there are no such.

    They are text: no pipe crosses an outer side, so it shows completely. ``scraps`` (rows, cols, 6): sides
    of which only a part shows.
    """
    may_be_text = np.count_nonzero(scraps, axis=2) >= HEXAGONS.scraps_of_text  # if all its sides were outer
    is_any_text = (cells & may_be_text).any()
    while is_any_text:
        is_text = np.count_nonzero(outer_sides(cells) & scraps, axis=2) >= HEXAGONS.scraps_of_text
        cells = cells & ~is_text
        is_any_text = is_text.any()
    return cells


def _largest(cells: Mask, walls: Mask) -> Mask:
    """Return (rows, cols): the largest group of cells that share sides without a wall.

    ``walls`` (rows, cols, 6): sides that are strong.
    """
    cells_left: set[Place] = {(row, col) for row, col in np.argwhere(cells).tolist()}
    is_wall = walls.tolist()
    largest_group: set[Place] = set()
    while cells_left:
        group = set[Place]()
        to_visit = [cells_left.pop()]
        while to_visit:
            row, col = to_visit.pop()
            group.add((row, col))
            for beside, has_wall in zip(neighbours(row, col), is_wall[row][col], strict=True):
                if beside in cells_left and not has_wall:
                    cells_left.remove(beside)
                    to_visit.append(beside)
        largest_group = max(largest_group, group, key=len)
    is_in_group = np.zeros(cells.shape, bool)
    for place in largest_group:
        is_in_group[place] = True
    return is_in_group
