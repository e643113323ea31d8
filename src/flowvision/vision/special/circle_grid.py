"""Boards without lines, as copies of the game draw them: every cell shows a dot, a ring or a pipe.

Circles of one size lie in the middles of cells; the lattice through them goes on as far as cells show
something, and is a board where these fill a rectangle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from flowvision.image.picture import Frame
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.grid.lattice import see_lines
from flowvision.vision.grid.side_coverage import Mask, side_coverage
from flowvision.vision.grid.spacing import Spacing, find_spacings
from flowvision.vision.pixels.circles import circles_in
from flowvision.vision.pixels.sampling import ALIKE, lab_of, sample
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.settings import Settings
from flowvision.vision.special.fits import CircleFit

ALIKE_SIZE = 0.2
"""Of the radius: circles of one board differ by less; a ring has an inner and an outer one."""
BESIDE = (1.6, 3.2)
"""Of the usual distance between neighbours: circles of one board are nearer. With one in every cell, boards
beside one another are told apart by the first; dots alone lie further apart."""
OFF = 0.15
"""Of the pitch: how far from the middle of its cell a circle may lie."""
CLEAR = 2.0
"""Of the faintest line that is looked for: JPEG noise beside a ring stays below."""
RULED = 0.3
"""Of the length of all sides: a grid shows more, even in a photograph; JPEG blocks and pipes show 0.1."""
ON = 0.8
"""Of the circles side by side: how many lie on the lattice."""
MIDDLE = np.array([(0.0, 0.0), (-0.05, 0.0), (0.05, 0.0), (0.0, -0.05), (0.0, 0.05)])
# Of the pitch: round a corner of cells, where lines cross, and clear of them.
CROSSING = np.stack(np.meshgrid(*2 * [np.linspace(-0.04, 0.04, 5)]), axis=-1).reshape(-1, 2)
ROUND_IT = np.array([(-0.16, -0.16), (0.16, -0.16), (0.16, 0.16), (-0.16, 0.16)])
CORNERS = np.array([(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)])


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """Circles side by side: middles (N, 2) and their usual ``radius``, in view pixels."""

    middles: Floats
    radius: float


def circle_boards(region: BoardRegion, settings: Settings) -> Iterator[tuple[BoardRegion, CircleFit]]:
    """The boards of circles in a region, the largest first, each with a region of its own."""
    found: dict[tuple[int, ...], CircleFit] = {}
    for circles in _groups(circles_in(region.view, settings, settings.lines.view_px / 3)):
        fit = _fitted(region.view, circles, settings)
        if fit is not None:
            corner = np.round(fit.frame.to_px([(0, 0)])[0] / fit.pitch_px).astype(int).tolist()
            found.setdefault((fit.rows, fit.cols, *corner), fit)
    fits = sorted(found.values(), key=lambda fit: -fit.rows * fit.cols)
    boxes = tuple(
        fit.frame.to_px([(0, 0), (fit.cols, 0), (fit.cols, fit.rows), (0, fit.rows)]) for fit in fits
    )
    for fit, box in zip(fits, boxes, strict=True):
        yield replace(region, corners_px=box, evidence=replace(region.evidence, candidates=boxes)), fit


def _groups(circles: Floats) -> Iterator[Circles]:
    """Circles of the commonest size that lie side by side: near one another, then further apart."""
    if not len(circles):
        return
    alike = np.abs(circles[:, 2][:, None] / circles[:, 2] - 1) < ALIKE_SIZE
    chosen = circles[alike[int(alike.sum(axis=1).argmax())]]
    middles, radius = chosen[:, :2], float(np.median(chosen[:, 2]))
    apart = np.hypot(*np.moveaxis(middles[:, None] - middles, -1, 0))
    usual = float(np.median(np.where(np.eye(len(apart), dtype=bool), np.inf, apart).min(axis=1)))
    for reach in BESIDE:
        near, left = apart <= reach * usual, np.ones(len(middles), bool)
        while left.any():
            group = near[int(left.argmax())]
            while not np.array_equal(grown := near[group].any(axis=0), group):
                group = grown
            left &= ~group
            yield Circles(middles[group], radius)


def _fitted(view: View, circles: Circles, settings: Settings) -> CircleFit | None:
    """The board on a lattice through all these circles; ``None`` where there is none."""
    if len(circles.middles) < settings.dots.count_min:
        return None
    for cols, rows in product(*(_spacings(circles, axis, settings) for axis in (0, 1))):
        if min(cols.pitch, rows.pitch) < 2 * circles.radius:
            continue
        steps = (circles.middles - (cols.start, rows.start)) / (cols.pitch, rows.pitch)
        places = np.round(steps)
        on = np.abs(steps - places).max(axis=1) <= OFF
        # Buttons or letters may be as large.
        if on.mean() >= ON and len(np.unique(places[on], axis=0)) == np.count_nonzero(on):
            return _bounded(view, Circles(circles.middles[on], circles.radius), places[on], settings)
    return None


def _spacings(circles: Circles, axis: int, settings: Settings) -> list[Spacing]:
    """Even spacings of the middles along one axis; circles in line count as one peak."""
    ordered = np.sort(circles.middles[:, axis])
    lines = np.split(ordered, np.flatnonzero(np.diff(ordered) > circles.radius / 2) + 1)
    places = np.array([line.mean() for line in lines])
    heights = np.sqrt([len(line) for line in lines])
    return find_spacings(places, heights, settings.grid.pitch_min_px, OFF, settings.grid.fits)


def _bounded(view: View, circles: Circles, places: Floats, settings: Settings) -> CircleFit | None:
    """The rectangle of cells that show something; ``None`` where they fill none, or lines part them.

    ``places`` (N, 2): column and row of every circle.
    """
    numbered = np.column_stack((places, np.ones(len(places))))
    matrix = np.vstack((np.linalg.lstsq(numbered, circles.middles, rcond=None)[0].T, (0, 0, 1)))
    pitch = float(abs(np.linalg.det(matrix[:2, :2])) ** 0.5)
    first, last = _reach(view, matrix)
    cols, rows = (last - first + 1).tolist()
    # A lattice far finer than its circles would have no end of cells.
    if np.abs(matrix[[0, 1], [1, 0]]).max() > settings.grid.tilt_small * pitch or min(rows, cols) < 1:
        return None
    # The middle of a cell that is cut off may lie just beyond the picture.
    seen = ((places >= first) & (places <= last)).all(axis=1)
    circles, places, numbered = Circles(circles.middles[seen], circles.radius), places[seen], numbered[seen]
    cells = np.indices((rows, cols))[::-1].reshape(2, -1).T
    on = np.zeros((rows, cols), bool)
    on[tuple((places - first).astype(int).T[::-1])] = True
    frame = _frame(view, matrix, first)
    middle, stands_out = _colours(view, frame, cells + 0.5, settings)
    dots = stands_out & on.ravel()
    if not dots.any():
        return None
    away = np.linalg.norm(middle[:, None] - middle[dots], axis=2).min(axis=1)
    shown: Mask = on | (stands_out & (away < ALIKE)).reshape(rows, cols)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shown.astype(np.uint8), connectivity=4)
    board = int(labels.ravel()[dots][0])
    x, y, width, height, area = stats[board].tolist()
    inside = labels == board
    if (on & ~inside).any() or area < width * height or min(width, height) < settings.grid.cells_min:
        return None
    start = first + np.array((x, y))
    corner = matrix[:2, :2] @ (start - 0.5) + matrix[:2, 2]
    if _is_ruled(view, corner, (matrix[0, 0], matrix[1, 1]), (width, height), settings):
        return None
    off = circles.middles - numbered @ matrix[:2].T
    in_picture = np.column_stack((circles.middles, np.ones(len(places)))) @ view.to_picture.T
    return CircleFit(
        height,
        width,
        _frame(view, matrix, start),
        pitch * view.scale,
        float(np.sqrt((off**2).sum(axis=1).mean())) * view.scale,
        circles.radius / min(matrix[0, 0], matrix[1, 1]),
        np.column_stack((in_picture[:, :2], np.full(len(places), circles.radius * view.scale))),
        view,
    )


def _reach(view: View, matrix: Floats) -> tuple[Floats, Floats]:
    """The first and the last column and row whose middles lie in the view."""
    ends = Frame(tuple(matrix.ravel().tolist())).to_cells([(0, 0), view.size])
    return np.ceil(ends.min(axis=0)).astype(int), np.floor(ends.max(axis=0)).astype(int)


def _frame(view: View, matrix: Floats, first: Floats) -> Frame:
    """The frame of the board whose first column and row these are."""
    shift = np.array([[1, 0, first[0] - 0.5], [0, 1, first[1] - 0.5], [0, 0, 1]])
    return Frame(tuple((view.to_picture @ matrix @ shift).ravel().tolist()))


def _colours(view: View, frame: Frame, centres: Floats, settings: Settings) -> tuple[Floats, Mask]:
    """The colours (N, 3) in the middles of cells, in Lab, and whether each stands out from its corners."""
    middle, corners = (
        lab_of(np.median(sample(view, frame, centres, at), axis=1).astype(np.uint8))
        for at in (MIDDLE, CORNERS)
    )
    return middle, np.linalg.norm(middle - corners, axis=1) >= settings.dots.contrast


def _crossed(
    view: View, corner: Floats, pitches: tuple[float, float], size: tuple[int, int], settings: Settings
) -> float:
    """The share of the corners inside a board in which something stands out from all that is round it."""
    x, y = (part.ravel() for part in np.meshgrid(*(np.arange(1, count) for count in size)))
    frame = Frame.of_box(corner[0], corner[1], *pitches)
    own = replace(view, to_picture=np.eye(3))
    places = np.column_stack((x, y)).astype(np.float64)
    at, round_it = (lab_of(sample(own, frame, places, offsets)) for offsets in (CROSSING, ROUND_IT))
    away = np.linalg.norm(at[:, :, None] - round_it[:, None], axis=3).min(axis=2).max(axis=1)
    return float((away >= settings.dots.contrast).mean())


def _is_ruled(
    view: View,
    corner: Floats,
    pitches: tuple[float, float],
    size: tuple[int, int],
    settings: Settings,
) -> bool:
    """Whether bright or dark lines part cells: a board with lines may have walls among them.

    One that is seen whole is enough, or pieces on many sides.
    """
    cols, rows = (Spacing(float(corner[n]), float(pitches[n]), size[n], 1.0, 0.0) for n in (0, 1))
    # Between thick circles the ground looks like a line, but for where four of them meet.
    crossed = _crossed(view, corner, pitches, size, settings) >= RULED
    # Where two colours meet, their blend is darker than both in its brightest channel, but not as grey.
    grey = np.asarray(cv2.cvtColor(view.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    clear = replace(settings, lines=replace(settings.lines, step=CLEAR * settings.lines.step))
    for gray in (grey, np.bitwise_not(grey)):
        own = replace(view, gray=gray)
        cover = side_coverage((see_lines(own, 0, clear).strong, see_lines(own, 1, clear).strong), cols, rows)
        inner = np.concatenate((cover.upright[:, 1:-1].ravel(), cover.level[1:-1].ravel()))
        if (inner >= settings.grid.reach_cover).any() or (np.nanmean(inner) >= RULED and crossed):
            return True
    return False
