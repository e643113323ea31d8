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
    board_of: dict[tuple[int, ...], CircleFit] = {}
    for circles in _sizes(circles_in(region.view)):
        radius = float(np.median(circles[:, 2]))
        for middles in _groups(circles[:, :2]):
            is_enough = len(middles) >= DOTS.count_min
            placed = _placed(middles, radius) if is_enough else None
            for fit in _bounded(region, placed) if placed else ():
                # Boards of one size whose corners share a cell are one board, found in two groups.
                corner = np.round(fit.frame.to_px([(0, 0)])[0] / fit.pitch_px).astype(int).tolist()
                board_of.setdefault((fit.rows, fit.cols, *corner), fit)
    fits = sorted(board_of.values(), key=lambda fit: -fit.rows * fit.cols)
    outlines = tuple(fit.outline_px() for fit in fits)
    for fit, outline in zip(fits, outlines, strict=True):
        cut_region = replace(region, corners_px=outline, evidence=replace(region.evidence, groups=outlines))
        yield replace(fit, region=cut_region)


def _shows_circles(view: View) -> bool:
    """Return whether circles of one size show: enough at half size, or many in the middle at full size.

    Takes less time than to find them all.
    """
    (width, height) = view.size
    margin_x, margin_y = (round((1 - CIRCLES.prefilter_middle) / 2 * side) for side in (width, height))
    middle_window = np.s_[margin_y : height - margin_y, margin_x : width - margin_x]
    middle = view.with_pixels(np.ascontiguousarray(view.bgr[middle_window]), view.gray[middle_window])
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
    """Yield groups of neighbours among ``middles`` (N, 2), for one reach after the other: near ones first."""
    if not len(middles):
        return
    distances_px = np.hypot(*np.moveaxis(middles[:, None] - middles, -1, 0))
    usual_distance_px = float(
        np.median(np.where(np.eye(len(distances_px), dtype=bool), np.inf, distances_px).min(axis=1))
    )
    for reach in (CIRCLES.beside_near, CIRCLES.beside_oblong, CIRCLES.beside_far, np.inf):
        is_neighbour, is_left = distances_px <= reach * usual_distance_px, np.ones(len(middles), bool)
        while is_left.any():
            is_in_group = is_neighbour[int(is_left.argmax())]
            while not np.array_equal(is_in_larger := is_neighbour[is_in_group].any(axis=0), is_in_group):
                is_in_group = is_in_larger
            is_left &= ~is_in_group
            yield middles[is_in_group]


def _placed(middles: Floats, radius: float) -> Placed | None:
    """Return the circles on a lattice, if enough lie on one; ``middles`` (N, 2), ``radius``: in pixels."""
    for cols, rows in product(*(_spacings(along, radius) for along in middles.T)):
        if min(cols.pitch, rows.pitch) < 2 * radius:
            continue
        places_measured = (middles - (cols.start, rows.start)) / (cols.pitch, rows.pitch)
        places, is_on_place = np.round(places_measured), np.zeros(len(places_measured), bool)
        off_place = np.abs(places_measured - places).max(axis=1)
        nearest_first = np.argsort(off_place)
        # A faint disc is seen as two circles, one on each side of it: keep one per place.
        is_on_place[nearest_first[np.unique(places[nearest_first], axis=0, return_index=True)[1]]] = True
        is_on_place &= off_place <= CIRCLES.off_lattice
        if is_on_place.mean() >= CIRCLES.on_lattice:
            return Placed(middles, radius, places).chosen(is_on_place)
    return None


def _spacings(positions_px: Floats, radius: float) -> list[Spacing]:
    """Return the even spacings of circles by their positions (N,) on one axis."""
    sorted_px = np.sort(positions_px)
    lines_px = np.split(sorted_px, np.flatnonzero(np.diff(sorted_px) > radius / 2) + 1)
    line_px = np.array([line.mean() for line in lines_px])
    weights = np.sqrt([len(line) for line in lines_px])
    return find_spacings(line_px, weights, CIRCLES.off_lattice)


def _bounded(region: BoardRegion, placed: Placed) -> Iterator[CircleFit]:
    view, matrix = region.view, placed.matrix
    pitch = float(abs(np.linalg.det(matrix[:2, :2])) ** 0.5)
    first, last = _reach(view, matrix)
    cols, rows = (last - first + 1).tolist()
    # A lattice far finer than its circles would have no end of cells.
    if np.abs(matrix[[0, 1], [1, 0]]).max() > GRID.tilt_small * pitch or min(rows, cols) < 1:
        return
    # The middle of a cell that is cut off may lie just beyond the picture.
    is_in_view = ((placed.places >= first) & (placed.places <= last)).all(axis=1)
    placed = placed.chosen(np.asarray(is_in_view))
    has_circle = np.zeros((rows, cols), bool)
    has_circle[tuple((placed.places - first).astype(int).T[::-1])] = True
    offsets_px = placed.middles - placed.places @ matrix[:2, :2].T - matrix[:2, 2]
    pitch_px = pitch * view.scale
    residual_px = float(np.sqrt((offsets_px**2).sum(axis=1).mean())) * view.scale
    radius = placed.radius / float(matrix.diagonal()[:2].min())
    line_quality = straightness(residual_px, pitch_px)
    whole = _frame(view, matrix, first)
    rims = _rims(view, whole, has_circle.shape, placed.radius)

    def fit(box: Box, holes: tuple[Place, ...] = ()) -> CircleFit:
        column, row, width, height = box
        frame = _frame(view, matrix, first + np.array((column, row)))
        return CircleFit(
            height, width, residual_px, line_quality, radius, region, holes, frame=frame, pitch_px=pitch_px
        )

    panel, rectangle = (
        _panel(view, whole, has_circle | rims, has_circle),
        _rectangle(view, whole, has_circle, rims),
    )
    if panel is not None and min(panel[0][2:]) >= GRID.cells_min:
        yield fit(*panel)
    if rectangle is None or min(rectangle[2:]) < GRID.cells_min:
        return
    fit_in_rectangle = fit(rectangle)
    cells = np.asarray(np.indices(rectangle[2:]).reshape(2, -1).T, np.float64)
    # Empty cells show lines alone; there are none where pipes fill all that the picture shows.
    contrast = colour_distance(*_colours(view, fit_in_rectangle.frame, cells + 0.5))
    is_full = rectangle[2:] == (cols, rows) and bool((contrast >= DOTS.contrast).all())
    if not is_ruled(view, fit_in_rectangle.frame, fit_in_rectangle.size, is_full):
        yield fit_in_rectangle


def _panel(view: View, frame: Frame, drawn: Mask, has_circle: Mask) -> tuple[Box, tuple[Place, ...]] | None:
    """Return the box of the cells on the ground of circles, and the holes in it; ``None`` if it has no end.

    ``has_circle``, ``drawn`` (rows, cols): cells with a circle, and those with a circle or a rim. The ground
    may have several colours. Holes show nothing but the page round the board.
    """
    if not has_circle.any():
        return None
    # With the places round them, of which the picture may show a part.
    padded_drawn = np.pad(drawn, 1)
    places = np.asarray(np.indices(padded_drawn.shape)[::-1].reshape(2, -1).T, np.float64)
    lab = lab_of(sample(view, frame, places - 0.5, GROUND)).reshape(*padded_drawn.shape, len(GROUND), 3)
    corners = lab[:, :, 1:]
    is_ground = _shows(corners, corners[1:-1, 1:-1][has_circle])
    is_page = _shows(lab, np.concatenate((*corners[[0, -1]], *corners[:, [0, -1]].swapaxes(0, 1))))
    _, labels = cv2.connectedComponents(
        (is_ground.all(axis=2) | padded_drawn).astype(np.uint8), connectivity=4
    )
    is_board = np.asarray(np.equal(labels, labels[1:-1, 1:-1][has_circle][0]), bool)
    if (is_board[[0, -1]].any() and is_board[:, [0, -1]].any()) or not is_board[1:-1, 1:-1][has_circle].all():
        return None
    is_cell = np.count_nonzero(is_ground, axis=2)[1:-1, 1:-1] >= GROUND_SEEN
    is_hole = np.all(is_page[1:-1, 1:-1], axis=2) & ~np.any(is_ground[1:-1, 1:-1], axis=2)
    for is_inner_cell in (is_board[1:-1, 1:-1], _trimmed(is_board)[1:-1, 1:-1]):
        x, y, width, height = cv2.boundingRect(is_inner_cell.astype(np.uint8))
        inside = np.s_[y : y + height, x : x + width]
        holes = ~(is_inner_cell | is_cell)[inside]
        if is_inner_cell[has_circle].all() and is_hole[inside][holes].all():
            return (x, y, width, height), tuple((r, c) for r, c in np.argwhere(holes).tolist())
    return None


def _shows(lab: Floats, colours: Floats) -> Mask:
    """Return (…): points (…, 3) that show one of some colours (…, 3)."""
    is_shown = np.zeros(lab.shape[:-1], bool)
    for colour in np.unique(colours.reshape(-1, 3).round(), axis=0):
        is_shown |= colour_distance(lab, colour) < DOTS.faint
    return is_shown


def _trimmed(is_board: Mask) -> Mask:
    """Return cells without outer rows and columns that have at most a quarter of them: margin or buttons."""
    is_board = is_board.copy()
    x, y, width, height = cv2.boundingRect(is_board.astype(np.uint8))
    first, last = (y, x), (y + height - 1, x + width - 1)
    for board_lines, length, *end_numbers in zip(
        (is_board, is_board.T), (width, height), first, last, strict=True
    ):
        for number in end_numbers:
            board_lines[number] &= 4 * np.count_nonzero(board_lines[number]) > length
    return is_board


def _rims(view: View, frame: Frame, shape: tuple[int, int], radius: float) -> Mask:
    """Return (rows, cols): cells round whose middles a rim of about this radius (view pixels) shows."""
    middles_px = frame.to_px(np.indices(shape)[::-1].reshape(2, -1).T + 0.5)
    rim_factors = np.linspace(*RIM, ceil(2 * radius * (RIM[1] - RIM[0])))
    offsets = (
        radius * view.scale * np.stack([ring(factor, RIM_POINTS) for factor in (*BESIDE_RIM, *rim_factors)])
    )
    ring_lab = lab_of(sample(view, PIXELS, middles_px, offsets.reshape(-1, 2)))
    ring_lab = ring_lab.reshape(len(middles_px), -1, RIM_POINTS, 3)
    rim_contrasts = [colour_distance(ring_lab[:, 2:], ring_lab[:, factor, None]) for factor in (0, 1)]
    is_rim_seen = np.minimum(*rim_contrasts).max(axis=1) >= DOTS.contrast
    return np.asarray(is_rim_seen.mean(axis=1) >= DOTS.clear).reshape(shape)


def _rectangle(view: View, frame: Frame, has_circle: Mask, rims: Mask) -> Box | None:
    """Return column, row, width and height of the board: connected cells that all show something.

    ``has_circle``, ``rims`` (rows, cols): cells with a circle, and those with a rim. Others show something if
    pipes join them. ``None`` if the cells are no rectangle, or a circle is outside them.
    """
    cells = np.asarray(np.indices(has_circle.shape)[::-1].reshape(2, -1).T, np.float64)
    middle_lab, corner_lab = (
        colours.reshape(*has_circle.shape, 3) for colours in _colours(view, frame, cells + 0.5)
    )
    stands_out = colour_distance(middle_lab, corner_lab) >= DOTS.contrast
    if not (stands_out & has_circle).any():
        return None
    joins, is_pipe = _joins(middle_lab, stands_out), np.zeros(has_circle.shape, bool)
    for is_joined, before, after in joins:
        is_pipe[before] |= is_joined
        is_pipe[after] |= is_joined
    is_shown: Mask = has_circle | rims | is_pipe
    _, labels, stats, _ = cv2.connectedComponentsWithStats(is_shown.astype(np.uint8), connectivity=4)
    board = int(labels[stands_out & has_circle][0])
    is_own = labels == board
    if (has_circle & ~is_own).any():
        return None
    # A title or a frame may touch the board: first the box round the cells that must belong to it, if every
    # cell in the box shows something and no pipe leads out.
    left, top, wide, tall = cv2.boundingRect((has_circle | (is_own & rims)).astype(np.uint8))
    is_in_box = np.zeros(has_circle.shape, bool)
    is_in_box[top : top + tall, left : left + wide] = True
    leads_out = any(
        (is_joined & (is_in_box[before] != is_in_box[after])).any() for is_joined, before, after in joins
    )
    # Among circles, anything that stands out is a dot whose circle was missed.
    if (is_shown | stands_out)[is_in_box].all() and not leads_out:
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
    corners_in_cells = Frame.of_homography(matrix).to_cells([(0, 0), view.size])
    return np.ceil(corners_in_cells.min(axis=0)).astype(int), np.floor(corners_in_cells.max(axis=0)).astype(
        int
    )


def _frame(view: View, matrix: Floats, first: Floats) -> Frame:
    shift = np.array([[1, 0, first[0] - 0.5], [0, 1, first[1] - 0.5], [0, 0, 1]])
    return Frame.of_homography(view.to_picture @ matrix @ shift)


def _colours(view: View, frame: Frame, centres: Floats) -> tuple[Floats, Floats]:
    """Return the colours (N, 3) in the middles of cells and in their corners, in Lab."""
    middle, corners = (
        lab_of(np.median(sample(view, frame, centres, points), axis=1).astype(np.uint8))
        for points in (MIDDLE, CORNERS)
    )
    return middle, corners


def is_ruled(view: View, frame: Frame, size: tuple[int, int], is_full: bool = False) -> bool:
    """Return whether lines, unlike the ground on both sides, separate cells of a lattice (rows, columns).

    Where pipes fill all cells, only few lines do: they may be walls.
    """
    rises_by_axis = []
    for axis in AXES:
        middles = side_middles(size, axis)
        inner_middles = middles[middles[:, axis] % size[1 - axis] > 0]
        lab = lab_of(sample(view, frame, inner_middles, round_side(axis, ALONG, ACROSS)))
        before, *across_side, after = np.moveaxis(
            lab.reshape(len(inner_middles), len(ALONG), len(ACROSS), 3), 2, 0
        )
        # The blend of two colours that meet lies between them: it is no line.
        detours_lab = [
            colour_distance(before, line_lab) + colour_distance(line_lab, after) for line_lab in across_side
        ]
        detour_lab = np.max(detours_lab, axis=0) - colour_distance(before, after)
        rises_by_axis.append(detour_lab.min(axis=1) / 2)
    rise = np.concatenate(rises_by_axis)
    is_grid = (rise >= DOTS.faint).mean() >= CIRCLES.ruled
    return bool((rise >= DOTS.contrast).any() and not (is_full and is_grid))
