"""Boards of hexagons: one flat-topped lattice fitted to all thin lines of a region at once.

Cells need not be seen one by one: pipes and letters may hide most lines, the rest still repeats. The pitch
comes from the lines' autocorrelation, the place from folding them into one cell of the lattice.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import GridNotFoundError
from flowvision.picture import Frame
from flowvision.vision.cells import free_lines
from flowvision.vision.cover import Mask
from flowvision.vision.hexagons import HEIGHT, SIDES, centre, neighbour
from flowvision.vision.results import BoardRegion, Floats, HoneycombFit
from flowvision.vision.sample import sample
from flowvision.vision.settings import Settings
from flowvision.vision.strength import above_ground, steps_across, typical_strength
from flowvision.vision.view import Gray, View, brightest_channel

Singles = NDArray[np.float32]

ALONG_SHORT = np.linspace(-0.43, 0.43, 17)
"""Of a side's length: a pipe of a third of a cell's width hides two thirds of a hexagon's side."""
MIDDLE_SHOWN = 0.5
"""Of the middle third of a side: a wall shows all of it, a side that a pipe crosses nothing."""
LEAST_SHOWN = 0.05
"""Of the strongest side: an outline is up to eight times a plain line."""
ENOUGH, SURE = 15, 0.97
"""Cells, and how well they are seen: with so many no other pitch needs to be tried."""
ALIKE = 0.02
"""Heights that differ by less become one when the lattice is placed."""
FOLDED = (round(96 * HEIGHT), 96 * 3 // 2)
"""Rows and columns of pixels that the lines are folded into: the oblong that repeats, 96 to a width."""


def fit_honeycomb(region: BoardRegion, settings: Settings) -> HoneycombFit:
    """The lattice of hexagons that explains most of a region.

    Raises ``GridNotFoundError`` when too few hexagons are seen.
    """
    view = region.view
    width_px = 2 * max(2, round(settings.free_line_width * min(view.size) / 2)) + 1
    above = free_lines(view.value, width_px)
    lines = np.asarray(cv2.threshold(above, settings.free_line_step, 255, cv2.THRESH_BINARY)[1], np.uint8)
    best: HoneycombFit | None = None
    for height_px in _pitches(lines, settings)[: settings.grids]:
        frame = _placed(lines, height_px, width_px, settings.hexagon_match)
        fit = _seen(view, frame, settings) if frame else None
        if fit is not None and (best is None or fit.count * fit.quality > best.count * best.quality):
            best = fit
        if best is not None and best.count >= ENOUGH and best.quality > SURE:
            break
    if best is None or best.count < settings.cells_min**2 or best.quality < settings.hexagon_quality:
        seen = f"{best.count} side by side, {best.quality:.0%} of their sides" if best else "none"
        raise GridNotFoundError(
            f"Looked for hexagons: found {seen}; at least {settings.cells_min**2} and "
            f"{settings.hexagon_quality:.0%} wanted.",
            None,
            best,
        )
    return best


def _pitches(lines: Gray, settings: Settings) -> list[float]:
    """How high hexagons may be, in pixels, likeliest first: lags at which lines repeat in three ways."""
    ink = lines.astype(np.float32) / 255
    ink -= ink.mean()
    reach = min(ink.shape) // 3 + 2
    room = [cv2.getOptimalDFTSize(size + reach) - size for size in ink.shape]
    padded = cv2.copyMakeBorder(ink, 0, room[0], 0, room[1], cv2.BORDER_CONSTANT, value=[0])
    spectrum = np.asarray(cv2.dft(padded, nonzeroRows=len(ink)), np.float32)
    repeats = _correlated(spectrum, spectrum)
    lags = np.arange(reach)
    overlap = np.outer(ink.shape[0] - lags, ink.shape[1] - lags)
    near = np.maximum(repeats[:reach, :reach], 0) / overlap
    # Lags up and to the right equal those down and to the right only on boards that are symmetric.
    upwards = np.maximum(repeats[-lags, :reach], 0) / overlap
    near, upwards = (np.asarray(cv2.dilate(part, np.ones((3, 3))), np.float64) for part in (near, upwards))
    heights = np.arange(settings.pitch_min_px * 2, min(ink.shape) / 3, 0.5)
    rows, halves = np.round(heights).astype(int), np.round(heights / 2).astype(int)
    cols = np.round(heights * HEIGHT).astype(int)
    score = np.minimum(near[rows, 0], np.minimum(near[halves, cols], upwards[halves, cols]))
    peaks = [
        n
        for n in range(1, len(score) - 1)
        if score[n] > 0.3 * score.max() and score[n] == score[max(0, n - 4) : n + 5].max()
    ]
    apart: list[float] = []
    for n in sorted(peaks, key=lambda n: -score[n]):
        if all(abs(heights[n] / other - 1) > ALIKE for other in apart):
            apart.append(float(heights[n]))
    return apart


def _placed(lines: Gray, height_px: float, width_px: int, least: float) -> Frame | None:
    """The frame, in view pixels, of the lattice of that height: where the folded lines match a hexagon best.

    Its scales across and down are tried a little larger and smaller, in ever finer steps; ``None`` where
    the match is below ``least`` after the coarsest of them.
    """
    y, x = (part.astype(np.float64) for part in np.nonzero(lines))
    every = max(1, len(x) // 12_000)
    x, y = x[::every], y[::every]
    scale = np.array([height_px / HEIGHT, height_px / HEIGHT])
    sought = _pattern(max(0.02, 0.35 * width_px / float(scale[0])))
    best, shift = _matched(x, y, scale, sought)
    for step in (0.012, 0.006, 0.003, 0.0015, 0.0008):
        for grown in ((1, 1), (1, 0), (0, 1)):
            for sign in (-1, 1):
                tried = scale * (1 + sign * step * np.array(grown))
                score, moved = _matched(x, y, tried, sought)
                if score > best:
                    best, scale, shift = score, tried, moved
        if best < least:
            return None
    return Frame.of_box(
        float(shift[0] * scale[0]), float(shift[1] * scale[1]), float(scale[0]), float(scale[1])
    )


def _correlated(spectrum: Singles, sought: Singles) -> Singles:
    """How well two pictures agree at every lag, (0, 0) first, from their spectra as OpenCV packs them."""
    product = cv2.mulSpectrums(spectrum, sought, 0, conjB=True)
    flags = cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT
    return np.asarray(cv2.dft(product, flags=flags), np.float32)


def _matched(x: Floats, y: Floats, scale: Floats, sought: Singles) -> tuple[float, Floats]:
    """How well lines folded into the lattice's oblong (two hexagons) match its sides, and where.

    The place is that of the middle of a hexagon, in widths.
    """
    rows = (y * (FOLDED[0] / scale[1] / HEIGHT)).astype(np.int32) % FOLDED[0]
    cols = (x * (FOLDED[1] / scale[0] / 1.5)).astype(np.int32) % FOLDED[1]
    folded = np.bincount(rows * FOLDED[1] + cols, minlength=FOLDED[0] * FOLDED[1]).reshape(FOLDED)
    match = _correlated(np.asarray(cv2.dft(folded.astype(np.float32)), np.float32), sought)
    row, col = divmod(int(match.argmax()), FOLDED[1])
    return float(match[row, col]) / len(x), np.array([col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT])


def _pattern(width: float) -> Singles:
    """The spectrum of what is looked for: the sides of hexagons round (0, 0) in the oblong.

    1 on them, less than 0 elsewhere; ``width`` of the lines in widths of a hexagon.
    """
    row, col = np.indices(FOLDED)
    x, y = col / FOLDED[1] * 1.5, row / FOLDED[0] * HEIGHT
    away = np.full(FOLDED, np.inf)
    for cx, cy in ((0, 0), (1.5, 0), (0, HEIGHT), (1.5, HEIGHT), (0.75, HEIGHT / 2)):
        dx, dy = np.abs(x - cx), np.abs(y - cy)
        away = np.minimum(away, np.maximum(dy, HEIGHT * dx + dy / 2))
    ridge = np.exp(-(((HEIGHT / 2 - away) / width) ** 2))
    return np.asarray(cv2.dft((ridge - ridge.mean()).astype(np.float32)), np.float32)


def _seen(view: View, frame: Frame, settings: Settings) -> HoneycombFit | None:
    """The hexagons of a lattice whose sides are seen, those that hang together; ``frame`` in view pixels."""
    inverse = np.linalg.inv(np.reshape(frame.matrix, (3, 3)))
    corner = inverse @ np.array([view.size[0] - 1.0, view.size[1] - 1.0, 1.0])
    low = inverse @ np.array([0.0, 0.0, 1.0])
    # An even number of columns before the first keeps the odd ones half a cell higher.
    left = 2 * int(np.floor(low[0] / 1.5)) - 2
    top = int(np.floor(low[1] / HEIGHT)) - 1
    cols = int(np.ceil(corner[0] / 0.75)) - left + 2
    rows = int(np.ceil(corner[1] / HEIGHT)) - top + 2
    # The layout of boards has the middle of its first cell at (1/2, height).
    origin = np.array([left * 0.75 - 0.5, (top - 1) * HEIGHT])
    moved = np.reshape(frame.matrix, (3, 3)) @ np.array([[1, 0, origin[0]], [0, 1, origin[1]], [0, 0, 1]])
    to_picture = view.to_picture @ moved
    placed = Frame(tuple(float(n) for n in to_picture.ravel()))
    strength, share, middle, bright = side_strengths(view, placed, rows, cols, float(moved[0, 0]))
    strength = _uncrossed(strength / plain_strength(strength), middle)
    shown = strength >= settings.hexagon_side
    strong = strength > settings.hexagon_wall
    plain = shown & ~strong
    # A pipe through a cell hides two of its sides, on small boards from end to end.
    hidden = ~shown & (bright >= (np.median(bright[plain]) if plain.any() else np.inf))
    framed = (shown | hidden).sum(axis=2) >= settings.hexagon_sides
    cells = framed & (shown.sum(axis=2) >= settings.hexagon_sides - 1) & plain.any(axis=2)
    cells = _largest(_bounded(cells, share < settings.hexagon_border), strong)
    if not cells.any():
        return None
    (cells, strength, shown, middle), shift = _trimmed(cells, (cells, strength, shown, middle))
    final = Frame(tuple(float(n) for n in (to_picture @ shift).ravel()))
    strength = _uncrossed(strength / plain_strength(strength[cells]), middle)
    return HoneycombFit(final, float(moved[0, 0] * view.scale), cells, strength, shown, view)


def _uncrossed(strength: Floats, middle: Floats) -> Floats:
    """The strengths of sides, in plain lines, where those whose middle hardly shows are plain at most.

    A pipe hides it, which crosses no wall; what shows beside the pipe may be the ends of an outline.
    """
    return np.where(middle < MIDDLE_SHOWN, np.minimum(strength, 1.0), strength)


def _trimmed(cells: Mask, parts: tuple[NDArray[Any], ...]) -> tuple[tuple[NDArray[Any], ...], Floats]:
    """The rows and columns that hold cells, and how the frame moves when they are cut out.

    Boards begin with a column that is not half a cell higher: where the first one is, every other column
    slides down by a cell, and the frame up by half a one.
    """
    first = int(np.nonzero(cells)[1].min())
    slid = first % 2 == 1
    if slid:
        parts = tuple(_slid(part) for part in parts)
    rows, cols = np.nonzero(parts[0])
    window = np.s_[int(rows.min()) : int(rows.max()) + 1, first : int(cols.max()) + 1]
    down = HEIGHT * (int(rows.min()) - 0.5 * slid)
    return tuple(part[window] for part in parts), np.array([[1, 0, 0.75 * first], [0, 1, down], [0, 0, 1]])


def _slid(part: NDArray[Any]) -> NDArray[Any]:
    """One more row; the even columns moved down by one."""
    padded = np.concatenate((part, np.zeros_like(part[:1])))
    padded[1:, ::2] = part[:, ::2]
    padded[0, ::2] = 0
    return padded


def side_strengths(
    view: View, frame: Frame, rows: int, cols: int, width_px: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """(rows, cols, 6) each: how bright and thick every side is, how much of it shows, and of its middle.

    At last how bright its middle is, a line or not.

    Each is looked at once, from one of its two cells; 0 at the rim of the lattice where that is not there.
    """
    r, c = (index.ravel() for index in np.indices((rows, cols)))
    centres = centre(r, c)
    reach = steps_across(width_px)
    along, across = (part.ravel() for part in np.meshgrid(ALONG_SHORT * 0.5, reach, indexing="ij"))
    third = len(ALONG_SHORT) // 3
    seen = np.zeros((4, rows, cols, len(SIDES)))
    for side, way in enumerate(SIDES[: len(SIDES) // 2]):
        offsets = np.outer(across + HEIGHT / 2, way) + np.outer(along, (-way[1], way[0]))
        # Beyond the view counts as black, so that a line on the picture's rim is seen.
        values = brightest_channel(sample(view, frame, centres, offsets, cv2.BORDER_CONSTANT))
        bands = values.astype(np.float64).reshape(len(centres), len(ALONG_SHORT), len(reach))
        seen[:3, r, c, side] = typical_strength(bands, above_ground(bands, short=True))
        seen[3, r, c, side] = np.median(bands[:, third:-third, len(reach) // 2], axis=1)
        beyond = neighbour(r, c, side)
        there = (beyond[0] >= 0) & (beyond[1] < cols) & (beyond[0] < rows) & (beyond[1] >= 0)
        seen[:, beyond[0][there], beyond[1][there], side + 3] = seen[:, r[there], c[there], side]
    return seen[0], seen[1], seen[2], seen[3]


def plain_strength(sides: Floats) -> float:
    """The median strength of plain lines: of the sides that show, those not much above the lower quarter.

    On a small or branched board most sides are outline.
    """
    shown = sides[sides > LEAST_SHOWN * float(sides.max(initial=0.0))]
    if not shown.size:
        return 1.0
    low = float(np.percentile(shown, 25))
    return float(np.median(shown[shown <= 1.75 * low]))


def _bounded(cells: Mask, scraps: Mask) -> Mask:
    """The cells less those with two outer sides in scraps, one after another.

    Such are lines of text beside the board: pipes cross no outer side, so it is seen whole.
    """
    kept = {(int(r), int(c)) for r, c in np.argwhere(cells)}
    todo = list(kept)
    while todo:
        place = todo.pop()
        around = [neighbour(*place, side) for side in range(len(SIDES))]
        outer = [side for side, other in enumerate(around) if other not in kept]
        if place in kept and np.count_nonzero(scraps[place][outer]) >= 2:
            kept.remove(place)
            todo += [other for other in around if other in kept]
    return _mask(kept, cells.shape)


def _largest(cells: Mask, strong: Mask) -> Mask:
    """The cells of the largest group that hangs together through sides that are no walls."""
    left = {(int(r), int(c)) for r, c in np.argwhere(cells)}
    best: set[tuple[int, int]] = set()
    while left:
        group, todo = set(), [left.pop()]
        while todo:
            place = todo.pop()
            group.add(place)
            for side in range(len(SIDES)):
                other = neighbour(*place, side)
                if other in left and not strong[(*place, side)]:
                    left.remove(other)
                    todo.append(other)
        best = max(best, group, key=len)
    return _mask(best, cells.shape)


def _mask(places: set[tuple[int, int]], shape: tuple[int, ...]) -> Mask:
    """True at these places."""
    mask = np.zeros(shape, bool)
    for place in places:
        mask[place] = True
    return mask
