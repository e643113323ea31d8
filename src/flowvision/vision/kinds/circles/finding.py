"""Boards without lines, as on copies of the game, on the lattice through circles of one size.

It ends where the ground does that the circles lie on, or where cells show neither a dot, a ring nor a pipe.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.image.picture import PIXELS, Frame, affine_map
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Place
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import Mask
from flowvision.vision.grid.spacing import Spacing, find_spacings, straightness
from flowvision.vision.kinds.fit import BoardGeometry, RowsAndColumns, squares
from flowvision.vision.pixels.discs import apart, circles_in, contrast_of
from flowvision.vision.pixels.line_weight import round_side, side_middles
from flowvision.vision.pixels.lines import AXES
from flowvision.vision.pixels.view import Floats, View, colour_distance, lab_of, ring, sample
from flowvision.vision.settings import CIRCLES, DOTS, GRID, PIPES

MIDDLE = np.array([(0.0, 0.0), (-0.05, 0.0), (0.05, 0.0), (0.0, -0.05), (0.0, 0.05)])
"""Points in the middle of a cell, in pitches."""
CORNERS = np.array([(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)])
"""Points in the corners of a cell, from its middle; in pitches."""
GROUND = 0.38 * np.array([(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)])
"""The middle of a cell, and points on its ground, clear of pipes, dots and rounded corners; in pitches."""
GROUND_SEEN = 3
"""Points on the ground of a cell that show it: a pipe or a shadow may reach one of four."""
Box = tuple[int, int, int, int]
"""Column, row, width and height, in cells."""
RIM, BESIDE_RIM = (0.65, 1.15), (0.4, 1.35)
"""Radii of the circles found: where the rim of another may be; inside and outside such a rim."""
RIM_POINTS = 32
ALONG = np.array([-0.4, -0.35, -0.3, 0.3, 0.35, 0.4])
ACROSS = np.array([-0.1, -0.04, -0.02, 0, 0.02, 0.04, 0.1])
"""Places along a side, from its middle, beside pipes and circles and clear of crossing lines; and across it,
with the ground at both ends; in pitches."""


class CircleFit(RowsAndColumns, frozen=True, eq=False):
    """A lattice of squares or oblongs without lines, each with a circle or a pipe in its middle.

    ``radius``: the median one of the circles, in shorter sides of a cell.
    """

    residual_px: float  # how far the circles lie from the middles of their cells, root mean square
    quality: float  # 0 to 1: how straight they lie on the lattice
    radius: float
    region: BoardRegion

    holes: tuple[Place, ...] = ()

    def cut_board(self) -> BoardGeometry:
        """Return the board: without lines it has no walls."""
        board = boards.square(self.rows, self.cols, self.holes)
        return BoardGeometry(board, self, squares(len(board.layout.cells)), ())


class Placed(NamedTuple):
    """Circles: ``middles`` (N, 2) and ``radius`` in view pixels; ``places`` (N, 2): column, row."""

    middles: Floats
    radius: float
    places: Floats

    @property
    def matrix(self) -> Floats:
        """(3, 3): the affine map from column and row to the view that fits the circles best."""
        return affine_map(self.places, self.middles)

    def chosen(self, which: Mask) -> Placed:
        """Return some of the circles."""
        return Placed(self.middles[which], self.radius, self.places[which])


def circle_boards(region: BoardRegion) -> Iterator[CircleFit]:
    """Yield the boards of circles in a region, the largest first, each with a region of its own."""
    if min(region.view.size) >= CIRCLES.prefilter_view_px and not _shows_circles(region.view):
        return
    found: dict[tuple[int, ...], CircleFit] = {}
    for circles in _sizes(circles_in(region.view)):
        radius = float(np.median(circles[:, 2]))
        for middles in _groups(circles[:, :2]):
            is_enough = len(middles) >= DOTS.count_min
            placed = _placed(middles, radius) if is_enough else None
            for fit in _bounded(region, placed) if placed else ():
                # Boards of one size whose corners share a cell are one board, found in two groups.
                corner = np.round(fit.frame.to_px([(0, 0)])[0] / fit.pitch_px).astype(int).tolist()
                found.setdefault((fit.rows, fit.cols, *corner), fit)
    fits = sorted(found.values(), key=lambda fit: -fit.rows * fit.cols)
    boxes = tuple(fit.outline_px() for fit in fits)
    for fit, box in zip(fits, boxes, strict=True):
        cut_region = replace(region, corners_px=box, evidence=replace(region.evidence, groups=boxes))
        yield replace(fit, region=cut_region)


def _shows_circles(view: View) -> bool:
    (width, height) = view.size
    x, y = (round((1 - CIRCLES.prefilter_middle) / 2 * side) for side in (width, height))
    inside = np.s_[y : height - y, x : width - x]
    middle = view.with_pixels(np.ascontiguousarray(view.bgr[inside]), view.gray[inside])
    for part, least in ((_halved(view), DOTS.count_min), (middle, CIRCLES.prefilter_many)):
        if any(len(alike) >= least for alike in _sizes(circles_in(part))):
            return True
    return False


def _halved(view: View) -> View:
    """Return the contrast in the view at half size, where circles are found in a quarter of the time.

    The maximum of every four pixels: a ring may be one pixel wide.
    """
    contrast = cv2.dilate(contrast_of(view.bgr), np.ones((2, 2), np.uint8), anchor=(0, 0))[::2, ::2]
    gray = np.ascontiguousarray(contrast, np.uint8)
    to_picture = view.to_picture @ np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    return replace(view.with_pixels(gray[:, :, None].repeat(3, axis=2), gray), to_picture=to_picture)


def _sizes(circles: Floats) -> Iterator[Floats]:
    """Yield circles of one size, the most frequent sizes first: buttons may be more than dots."""
    for _ in range(CIRCLES.sizes):
        if not len(circles):
            return
        are_alike = np.abs(circles[:, 2][:, None] / circles[:, 2] - 1) < CIRCLES.alike_size
        is_alike = are_alike[int(are_alike.sum(axis=1).argmax())]
        yield apart(circles[is_alike])
        circles = circles[~is_alike]


def _groups(middles: Floats) -> Iterator[Floats]:
    if not len(middles):
        return
    away = np.hypot(*np.moveaxis(middles[:, None] - middles, -1, 0))
    usual = float(np.median(np.where(np.eye(len(away), dtype=bool), np.inf, away).min(axis=1)))
    for reach in (CIRCLES.beside_near, CIRCLES.beside_oblong, CIRCLES.beside_far, np.inf):
        near, left = away <= reach * usual, np.ones(len(middles), bool)
        while left.any():
            group = near[int(left.argmax())]
            while not np.array_equal(grown := near[group].any(axis=0), group):
                group = grown
            left &= ~group
            yield middles[group]


def _placed(middles: Floats, radius: float) -> Placed | None:
    for cols, rows in product(*(_spacings(along, radius) for along in middles.T)):
        if min(cols.pitch, rows.pitch) < 2 * radius:
            continue
        steps = (middles - (cols.start, rows.start)) / (cols.pitch, rows.pitch)
        places, on = np.round(steps), np.zeros(len(steps), bool)
        off = np.abs(steps - places).max(axis=1)
        nearest = np.argsort(off)
        # A faint disc is seen as two circles, one on each side of it: keep one per place.
        on[nearest[np.unique(places[nearest], axis=0, return_index=True)[1]]] = True
        on &= off <= CIRCLES.off_lattice
        if on.mean() >= CIRCLES.on_lattice:
            return Placed(middles, radius, places).chosen(on)
    return None


def _spacings(along: Floats, radius: float) -> list[Spacing]:
    ordered = np.sort(along)
    lines = np.split(ordered, np.flatnonzero(np.diff(ordered) > radius / 2) + 1)
    places = np.array([line.mean() for line in lines])
    heights = np.sqrt([len(line) for line in lines])
    return find_spacings(places, heights, CIRCLES.off_lattice)


def _bounded(region: BoardRegion, placed: Placed) -> Iterator[CircleFit]:
    view, matrix = region.view, placed.matrix
    pitch = float(abs(np.linalg.det(matrix[:2, :2])) ** 0.5)
    first, last = _reach(view, matrix)
    cols, rows = (last - first + 1).tolist()
    # A lattice far finer than its circles would have no end of cells.
    if np.abs(matrix[[0, 1], [1, 0]]).max() > GRID.tilt_small * pitch or min(rows, cols) < 1:
        return
    # The middle of a cell that is cut off may lie just beyond the picture.
    in_view = ((placed.places >= first) & (placed.places <= last)).all(axis=1)
    placed = placed.chosen(np.asarray(in_view))
    on = np.zeros((rows, cols), bool)
    on[tuple((placed.places - first).astype(int).T[::-1])] = True
    off = placed.middles - placed.places @ matrix[:2, :2].T - matrix[:2, 2]
    pitch_px = pitch * view.scale
    residual_px = float(np.sqrt((off**2).sum(axis=1).mean())) * view.scale
    radius = placed.radius / float(matrix.diagonal()[:2].min())
    sureness = straightness(residual_px, pitch_px)
    whole = _frame(view, matrix, first)
    rims = _rims(view, whole, on.shape, placed.radius)

    def fit(box: Box, holes: tuple[Place, ...] = ()) -> CircleFit:
        column, row, width, height = box
        frame = _frame(view, matrix, first + np.array((column, row)))
        return CircleFit(
            height, width, residual_px, sureness, radius, region, holes, frame=frame, pitch_px=pitch_px
        )

    panel, rectangle = _panel(view, whole, on | rims, on), _rectangle(view, whole, on, rims)
    if panel is not None and min(panel[0][2:]) >= GRID.cells_min:
        yield fit(*panel)
    if rectangle is None or min(rectangle[2:]) < GRID.cells_min:
        return
    found = fit(rectangle)
    cells = np.asarray(np.indices(rectangle[2:]).reshape(2, -1).T, np.float64)
    # Empty cells show lines alone; there are none where pipes fill all that the picture shows.
    contrast = colour_distance(*_colours(view, found.frame, cells + 0.5))
    is_full = rectangle[2:] == (cols, rows) and bool((contrast >= DOTS.contrast).all())
    if not is_ruled(view, found.frame, found.size, is_full):
        yield found


def _panel(view: View, frame: Frame, drawn: Mask, on: Mask) -> tuple[Box, tuple[Place, ...]] | None:
    """Return the box of the cells on the ground of circles, and the holes in it; ``None`` if it has no end.

    ``on`` (rows, cols): cells with a circle; ``drawn``: with a rim as well. The ground may have several
    colours. Holes show nothing but the page round the board.
    """
    if not on.any():
        return None
    # With the places round them, of which the picture may show a part.
    wide = np.pad(drawn, 1)
    places = np.asarray(np.indices(wide.shape)[::-1].reshape(2, -1).T, np.float64)
    lab = lab_of(sample(view, frame, places - 0.5, GROUND)).reshape(*wide.shape, len(GROUND), 3)
    corners = lab[:, :, 1:]
    is_ground = _shows(corners, corners[1:-1, 1:-1][on])
    is_page = _shows(lab, np.concatenate((*corners[[0, -1]], *corners[:, [0, -1]].swapaxes(0, 1))))
    _, labels = cv2.connectedComponents((is_ground.all(axis=2) | wide).astype(np.uint8), connectivity=4)
    board = np.asarray(np.equal(labels, labels[1:-1, 1:-1][on][0]), bool)
    if (board[[0, -1]].any() and board[:, [0, -1]].any()) or not board[1:-1, 1:-1][on].all():
        return None
    is_cell = np.count_nonzero(is_ground, axis=2)[1:-1, 1:-1] >= GROUND_SEEN
    is_hole = np.all(is_page[1:-1, 1:-1], axis=2) & ~np.any(is_ground[1:-1, 1:-1], axis=2)
    for inner in (board[1:-1, 1:-1], _trimmed(board)[1:-1, 1:-1]):
        x, y, width, height = cv2.boundingRect(inner.astype(np.uint8))
        inside = np.s_[y : y + height, x : x + width]
        holes = ~(inner | is_cell)[inside]
        if inner[on].all() and is_hole[inside][holes].all():
            return (x, y, width, height), tuple((r, c) for r, c in np.argwhere(holes).tolist())
    return None


def _shows(lab: Floats, colours: Floats) -> Mask:
    """Return (…): points (…, 3) that show one of some colours (…, 3)."""
    shown = np.zeros(lab.shape[:-1], bool)
    for colour in np.unique(colours.reshape(-1, 3).round(), axis=0):
        shown |= colour_distance(lab, colour) < DOTS.faint
    return shown


def _trimmed(board: Mask) -> Mask:
    """Return cells without outer rows and columns that have at most a quarter of them: margin or buttons."""
    board = board.copy()
    x, y, width, height = cv2.boundingRect(board.astype(np.uint8))
    first, last = (y, x), (y + height - 1, x + width - 1)
    for lines, length, *ends in zip((board, board.T), (width, height), first, last, strict=True):
        for end in ends:
            lines[end] &= 4 * np.count_nonzero(lines[end]) > length
    return board


def _rims(view: View, frame: Frame, shape: tuple[int, int], radius: float) -> Mask:
    """Return (rows, cols): cells round whose middles a rim of about this radius (view pixels) shows."""
    middles = frame.to_px(np.indices(shape)[::-1].reshape(2, -1).T + 0.5)
    within = np.linspace(*RIM, ceil(2 * radius * (RIM[1] - RIM[0])))
    offsets = radius * view.scale * np.stack([ring(factor, RIM_POINTS) for factor in (*BESIDE_RIM, *within)])
    seen = lab_of(sample(view, PIXELS, middles, offsets.reshape(-1, 2)))
    seen = seen.reshape(len(middles), -1, RIM_POINTS, 3)
    away = [colour_distance(seen[:, 2:], seen[:, factor, None]) for factor in (0, 1)]
    shows = np.minimum(*away).max(axis=1) >= DOTS.contrast
    return np.asarray(shows.mean(axis=1) >= DOTS.clear).reshape(shape)


def _rectangle(view: View, frame: Frame, on: Mask, rims: Mask) -> Box | None:
    """Return column, row, width and height of the board: connected cells that all show something.

    ``on`` (rows, cols): cells with a circle; ``rims``: with a rim. Others show something if pipes join them.
    ``None`` if the cells are no rectangle, or a circle is outside them.
    """
    cells = np.asarray(np.indices(on.shape)[::-1].reshape(2, -1).T, np.float64)
    middle, corners = (colours.reshape(*on.shape, 3) for colours in _colours(view, frame, cells + 0.5))
    stands_out = colour_distance(middle, corners) >= DOTS.contrast
    if not (stands_out & on).any():
        return None
    joins, is_pipe = _joins(middle, stands_out), np.zeros(on.shape, bool)
    for joined, before, after in joins:
        is_pipe[before] |= joined
        is_pipe[after] |= joined
    shown: Mask = on | rims | is_pipe
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shown.astype(np.uint8), connectivity=4)
    board = int(labels[stands_out & on][0])
    is_own = labels == board
    if (on & ~is_own).any():
        return None
    # A title or a frame may touch the board: first the box round the cells that must belong to it, if every
    # cell in the box shows something and no pipe leads out.
    left, top, wide, tall = cv2.boundingRect((on | (is_own & rims)).astype(np.uint8))
    inside = np.zeros(on.shape, bool)
    inside[top : top + tall, left : left + wide] = True
    leads_out = any((joined & (inside[before] != inside[after])).any() for joined, before, after in joins)
    # Among circles, anything that stands out is a dot whose circle was missed.
    if (shown | stands_out)[inside].all() and not leads_out:
        return left, top, wide, tall
    x, y, width, height, area = stats[board].tolist()
    return (x, y, width, height) if area == width * height else None


Part = tuple[slice, slice]
Join = tuple[Mask, Part, Part]
"""Which neighbours in one direction are joined, and the cells before and after (slices of all cells)."""


def _joins(middle: Floats, stands_out: Mask) -> list[Join]:
    joins = list[Join]()
    for before, after in (np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:]):
        is_alike = colour_distance(middle[before], middle[after]) < PIPES.alike
        joins.append((is_alike & stands_out[before] & stands_out[after], before, after))
    return joins


def _reach(view: View, matrix: Floats) -> tuple[Floats, Floats]:
    ends = Frame.of_homography(matrix).to_cells([(0, 0), view.size])
    return np.ceil(ends.min(axis=0)).astype(int), np.floor(ends.max(axis=0)).astype(int)


def _frame(view: View, matrix: Floats, first: Floats) -> Frame:
    shift = np.array([[1, 0, first[0] - 0.5], [0, 1, first[1] - 0.5], [0, 0, 1]])
    return Frame.of_homography(view.to_picture @ matrix @ shift)


def _colours(view: View, frame: Frame, centres: Floats) -> tuple[Floats, Floats]:
    """Return the colours (N, 3) in the middles of cells and in their corners, in Lab."""
    middle, corners = (
        lab_of(np.median(sample(view, frame, centres, at), axis=1).astype(np.uint8))
        for at in (MIDDLE, CORNERS)
    )
    return middle, corners


def is_ruled(view: View, frame: Frame, size: tuple[int, int], is_full: bool = False) -> bool:
    """Return whether lines, unlike the ground on both sides, separate cells of a lattice (rows, columns).

    Where pipes fill all cells, only few lines do: they may be walls.
    """
    rises = []
    for axis in AXES:
        middles = side_middles(size, axis)
        inner = middles[middles[:, axis] % size[1 - axis] > 0]
        lab = lab_of(sample(view, frame, inner, round_side(axis, ALONG, ACROSS)))
        before, *on_side, after = np.moveaxis(lab.reshape(len(inner), len(ALONG), len(ACROSS), 3), 2, 0)
        # The blend of two colours that meet lies between them: it is no line.
        detours = [colour_distance(before, at) + colour_distance(at, after) for at in on_side]
        off = np.max(detours, axis=0) - colour_distance(before, after)
        rises.append(off.min(axis=1) / 2)
    rise = np.concatenate(rises)
    is_grid = (rise >= DOTS.faint).mean() >= CIRCLES.ruled
    return bool((rise >= DOTS.contrast).any() and not (is_full and is_grid))
