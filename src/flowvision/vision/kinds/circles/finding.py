"""Boards without lines, as on copies of the game, on the lattice through circles of one size.

They end where the ground does that the circles lie on, or where cells show neither a dot, a ring nor a pipe.
A place is a column and a row of the lattice, whole numbers in the middle of a cell. A rim is the edge of a
circle, of any colour; what lies round the board is the page.
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
from flowvision.vision.grid.spacing import Spacing, find_spacings, straightness
from flowvision.vision.kinds.fit import BoardGeometry, RowsAndColumns, Side, squares
from flowvision.vision.pixels.discs import apart, circles_in, contrast_of
from flowvision.vision.pixels.strokes import odd_side_shares, strokes_between
from flowvision.vision.pixels.view import (
    Floats,
    Mask,
    View,
    block_maxima,
    bounds_of,
    colour_distance,
    connected_groups,
    distances_between,
    lab_of,
    median_lab,
    place_middles,
    ring,
    sample,
    shift,
    to_others,
)
from flowvision.vision.settings import CIRCLES, DOTS, GRID, PIPES

MIDDLE = 0.05 * np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
"""Points in the middle of a cell, in pitches."""
CORNERS = 0.44 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""Points in the corners of a cell, from its middle; in pitches."""
GROUND = 0.38 * np.array([(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)])
"""The middle of a cell, and points on its ground, clear of pipes, dots and rounded corners; in pitches."""
GROUND_SEEN = 3
"""Points on the ground of a cell that show it: a pipe or a shadow may reach one of four."""
RIM, BESIDE_RIM = (0.65, 1.15), (0.4, 1.35)
"""Radii of the circles found: where the rim of another may be; inside and outside such a rim."""
RIM_POINTS = 32
ALONG = np.array([-0.4, -0.35, -0.3, 0.3, 0.35, 0.4])
ACROSS = np.array([-0.1, -0.04, -0.02, 0, 0.02, 0.04, 0.1])
"""Places along a side, from its middle, beside pipes and circles and clear of crossing lines; and across it,
with the ground at both ends; in pitches."""


class CellBox(NamedTuple):
    """A part of a lattice: its first column and row, how many it has, and the holes in it, (row, column)."""

    col: int
    row: int
    cols: int
    rows: int
    holes: tuple[Place, ...] = ()

    @classmethod
    def of(cls, rows: slice, cols: slice, holes: tuple[Place, ...] = ()) -> CellBox:
        """Return the part that has these rows and columns of the lattice."""
        return cls(cols.start, rows.start, cols.stop - cols.start, rows.stop - rows.start, holes)


class CircleFit(RowsAndColumns, frozen=True, eq=False):
    """A lattice of squares or oblongs without lines, each with a circle or a pipe in its middle.

    ``holes``: (row, column).
    """

    quality: float  # 0 to 1: how straight the circles lie on the lattice
    region: BoardRegion

    holes: tuple[Place, ...] = ()

    def cut_board(self) -> BoardGeometry:
        """Return the board: without lines, walls are odd strokes alone, as in the gaps between tiles."""
        vertical, horizontal = odd_side_shares(self.view, self.frame, self.size, self.pitch_px)
        sides = [
            Side((col + x, row + y), 0.0, is_open=False, completeness=float(shares[row, col]))
            for x, y, shares in ((0.0, 0.5, vertical), (0.5, 0.0, horizontal))
            for row, col in np.argwhere(shares).tolist()
        ]
        walls = [side.places for side in sides if not set(self.holes).intersection(side.places)]
        board = boards.square(self.rows, self.cols, self.holes, walls)
        return BoardGeometry(board, self, squares(len(board.layout.cells)), tuple(sides))


class Placed(NamedTuple):
    """Circles on a lattice: ``middles`` (N, 2) and ``radius`` in view pixels, and their ``places`` (N, 2)."""

    middles: Floats
    radius: float
    places: Floats

    @property
    def matrix(self) -> Floats:
        """(3, 3): the affine map from places to the view that fits the circles best."""
        return affine_map(self.places, self.middles)

    def chosen(self, which: Mask) -> Placed:
        """Return some of the circles."""
        return Placed(self.middles[which], self.radius, self.places[which])


def circle_boards(region: BoardRegion) -> Iterator[CircleFit]:
    """Yield the boards of circles in a region, the largest first, each with a region of its own."""
    board_of: dict[tuple[int, ...], CircleFit] = {}
    for placed in _lattices(region.view):
        for fit in _bounded(region, placed):
            # Boards of one size whose corners share a cell are one board, found in two groups.
            corner = np.round(fit.frame.to_px([(0, 0)])[0] / fit.pitch_px).astype(int).tolist()
            board_of.setdefault((fit.rows, fit.cols, *corner), fit)
    fits = sorted(board_of.values(), key=lambda fit: -fit.rows * fit.cols)
    outlines = tuple(fit.outline_px() for fit in fits)
    for fit, outline in zip(fits, outlines, strict=True):
        cut_region = replace(region, corners_px=outline, evidence=replace(region.evidence, groups=outlines))
        yield replace(fit, region=cut_region)


def cells_with_circles(view: View) -> tuple[Floats, tuple[int, int]] | None:
    """Return corners (4, 2) in the picture, rows and columns of the largest lattice between its circles.

    It need not be a board.
    """
    placed = max(_lattices(view), key=lambda lattice: len(lattice.places), default=None)
    if placed is None:
        return None
    first, last = placed.places.min(axis=0), placed.places.max(axis=0)
    cols, rows = (last - first + 1).astype(int).tolist()
    frame = _frame(view, placed.matrix, first)
    return frame.to_px([(0, 0), (cols, 0), (cols, rows), (0, rows)]), (rows, cols)


def _lattices(view: View) -> Iterator[Placed]:
    """Yield the lattices of circles in a view; in a large one only if circles of one size show at once."""
    if min(view.size) >= CIRCLES.prefilter_view_px and not _shows_circles(view):
        return
    for circles in _by_size(circles_in(view)):
        radius = float(np.median(circles[:, 2]))
        for middles in _groups(circles[:, :2]):
            placed = _placed(middles, radius) if len(middles) >= DOTS.count_min else None
            if placed:
                yield placed


def _shows_circles(view: View) -> bool:
    """Return whether circles of one size show: enough at half size, or many in the middle at full size.

    Takes less time than to find them all.
    """
    margin_x, margin_y = (round((1 - CIRCLES.prefilter_middle) / 2 * side) for side in view.size)
    middle_window = np.s_[margin_y : view.size[1] - margin_y, margin_x : view.size[0] - margin_x]
    middle = view.with_pixels(np.ascontiguousarray(view.bgr[middle_window]), view.gray[middle_window])
    return any(
        len(alike) >= min_count
        for part, min_count in ((_halved(view), DOTS.count_min), (middle, CIRCLES.prefilter_many))
        for alike in _by_size(circles_in(part))
    )


def _halved(view: View) -> View:
    """Return the contrast in the view at half size, where circles are found in a quarter of the time."""
    gray = block_maxima(contrast_of(view.bgr), size_px=2)
    return view.with_pixels(gray[:, :, None].repeat(3, axis=2), gray)


def _by_size(circles: Floats) -> Iterator[Floats]:
    """Yield circles (N, 3: x, y, radius) of one size, not concentric, for the most frequent sizes in turn.

    More than one size: buttons may be more than dots.
    """
    for _ in range(CIRCLES.sizes_tried):
        if not len(circles):
            return
        are_alike = np.abs(circles[:, 2][:, None] / circles[:, 2] - 1) < CIRCLES.alike_size
        is_frequent = are_alike[int(are_alike.sum(axis=1).argmax())]
        yield apart(circles[is_frequent])
        circles = circles[~is_frequent]


def _groups(middles: Floats) -> Iterator[Floats]:
    """Yield groups of neighbours among ``middles`` (N, 2), for one reach after the other: near ones first."""
    if not len(middles):
        return
    distances_px = distances_between(middles)
    usual_distance_px = float(np.median(to_others(distances_px).min(axis=1)))
    for reach in (CIRCLES.beside_near, CIRCLES.beside_oblong, CIRCLES.beside_far, np.inf):
        for is_in_group in connected_groups(distances_px <= reach * usual_distance_px):
            yield middles[is_in_group]


def _placed(middles: Floats, radius: float) -> Placed | None:
    """Return the circles on a lattice, if enough lie on one; ``middles`` (N, 2), ``radius``: in pixels."""
    for cols, rows in product(*(_spacings(along, radius) for along in middles.T)):
        # A lattice far finer than its circles would have no end of cells.
        if min(cols.pitch, rows.pitch) < 2 * radius:
            continue
        places_measured = (middles - (cols.start, rows.start)) / (cols.pitch, rows.pitch)
        places = np.round(places_measured)
        off_place = np.abs(places_measured - places).max(axis=1)
        # A faint disc is seen as two circles, one on each side of it: keep the nearest to each place.
        nearest_first = np.argsort(off_place)
        nearest = nearest_first[np.unique(places[nearest_first], axis=0, return_index=True)[1]]
        is_nearest = np.isin(np.arange(len(places)), nearest)
        is_on_place = is_nearest & (off_place <= GRID.off_lattice)
        if is_on_place.mean() >= CIRCLES.on_lattice:
            return Placed(middles, radius, places).chosen(is_on_place)
    return None


def _spacings(positions_px: Floats, radius: float) -> list[Spacing]:
    """Return the even spacings of circles by their positions (N,) on one axis; ``radius``: in pixels.

    Those within half a radius of each other form a line.
    """
    sorted_px = np.sort(positions_px)
    lines_px = np.split(sorted_px, np.flatnonzero(np.diff(sorted_px) > radius / 2) + 1)
    line_px = np.array([line.mean() for line in lines_px])
    heights = np.sqrt([len(line) for line in lines_px])  # squared there: a line weighs as many circles
    return find_spacings(line_px, heights, tolerance=GRID.off_lattice)


class Shown(NamedTuple):
    """Cells of the whole lattice, (rows, cols), that show a circle that was found, or any rim.

    ``frame``: of these cells in the picture; the middle of the first one is at (0.5, 0.5).
    """

    view: View
    frame: Frame
    has_circle: Mask
    has_rim: Mask


def _bounded(region: BoardRegion, placed: Placed) -> Iterator[CircleFit]:
    """Yield the boards that hold all circles of a lattice: the cells on the ground that these lie on.

    Then connected cells that all show something, if no lines separate them.
    """
    view, matrix = region.view, placed.matrix
    pitch = float(abs(np.linalg.det(matrix[:2, :2])) ** 0.5)
    first, last = _ends_in(view, matrix)
    cols, rows = (last - first + 1).tolist()
    shears = matrix[[0, 1], [1, 0]]  # how a column moves its circles down, and a row to the right
    is_upright = np.abs(shears).max() <= GRID.tilt_small * pitch
    if not is_upright or min(rows, cols) < 1:
        return
    # The middle of a cell that is cut off may lie just beyond the picture.
    is_in_view = ((placed.places >= first) & (placed.places <= last)).all(axis=1)
    placed = placed.chosen(np.asarray(is_in_view))
    has_circle = np.zeros((rows, cols), bool)
    col, row = (placed.places - first).astype(int).T
    has_circle[row, col] = True
    offsets_px = placed.middles - placed.places @ matrix[:2, :2].T - matrix[:2, 2]
    pitch_px = pitch * view.scale
    residual_px = float(np.sqrt((offsets_px**2).sum(axis=1).mean())) * view.scale
    whole = CircleFit(
        rows,
        cols,
        straightness(residual_px, pitch_px),
        region,
        frame=_frame(view, matrix, first),
        pitch_px=pitch_px,
    )
    shown = Shown(view, whole.frame, has_circle, _rims(view, whole.frame, (rows, cols), placed.radius))

    def cut(box: CellBox) -> CircleFit:
        """Return a part of the whole lattice."""
        frame = _frame(view, matrix, first + np.array((box.col, box.row)))
        return replace(whole, rows=box.rows, cols=box.cols, holes=box.holes, frame=frame)

    panel = _panel(shown)
    rectangle = _rectangle(shown)
    if panel is not None and min(panel.rows, panel.cols) >= GRID.cells_min:
        yield cut(panel)
    if rectangle is None or min(rectangle.rows, rectangle.cols) < GRID.cells_min:
        return
    fit = cut(rectangle)
    # Empty cells show lines alone; there are none where pipes fill all that the picture shows.
    is_full = fit.size == (rows, cols) and bool(np.all(_stands_out(*_colours(view, fit.frame, fit.size))))
    if not is_ruled(view, fit.frame, fit.size, is_full):
        yield fit


def _panel(shown: Shown) -> CellBox | None:
    """Return the box of the cells on the ground of circles; ``None`` if that has no end across and down.

    The ground may have several colours. Holes show nothing but the page.
    """
    has_circle = shown.has_circle
    if not has_circle.any():
        return None
    # With one row and column more at each end, of which the picture may show a part; [1:-1, 1:-1] is without.
    padded_drawn = np.pad(has_circle | shown.has_rim, 1)
    middles = place_middles(padded_drawn.shape) - 1.0
    lab = lab_of(sample(shown.view, shown.frame, middles, GROUND)).reshape(
        *padded_drawn.shape, len(GROUND), 3
    )
    corners = lab[:, :, 1:]  # all points but the middles of cells
    is_ground = _shows(corners, corners[1:-1, 1:-1][has_circle])
    rim_lab = np.concatenate((*corners[[0, -1]], *corners[:, [0, -1]].swapaxes(0, 1)))
    is_page = _shows(lab, rim_lab)
    # Connected cells with a circle or a rim, or with the ground at all corners.
    _, labels = cv2.connectedComponents(
        (is_ground.all(axis=2) | padded_drawn).astype(np.uint8), connectivity=4
    )
    is_board = np.asarray(np.equal(labels, labels[1:-1, 1:-1][has_circle][0]), bool)
    has_no_end = is_board[[0, -1]].any() and is_board[:, [0, -1]].any()
    if has_no_end or not is_board[1:-1, 1:-1][has_circle].all():
        return None
    is_cell = np.count_nonzero(is_ground, axis=2)[1:-1, 1:-1] >= GROUND_SEEN
    is_empty = np.all(is_page[1:-1, 1:-1], axis=2) & ~np.any(is_ground[1:-1, 1:-1], axis=2)
    for is_board_cell in (is_board[1:-1, 1:-1], _trimmed(is_board)[1:-1, 1:-1]):
        rows, cols = box = bounds_of(is_board_cell)
        is_hole = ~(is_board_cell | is_cell)[box]
        if is_board_cell[has_circle].all() and is_empty[box][is_hole].all():
            holes = tuple((row, col) for row, col in np.argwhere(is_hole).tolist())
            return CellBox.of(rows, cols, holes)
    return None


def _shows(lab: Floats, colours: Floats) -> Mask:
    """Return (…): points (…, 3) in Lab that show one of some colours (…, 3), as nearly as it can be seen."""
    is_shown = np.zeros(lab.shape[:-1], bool)
    for colour in np.unique(colours.reshape(-1, 3).round(), axis=0):
        is_shown |= colour_distance(lab, colour) < DOTS.faint
    return is_shown


def _trimmed(is_board: Mask) -> Mask:
    """Return cells (rows, cols) without the outermost rows and columns that are filled to a quarter or less.

    They are margin or buttons.
    """
    is_board = is_board.copy()
    rows, cols = bounds_of(is_board)
    for board_lines, lines, across in ((is_board, rows, cols), (is_board.T, cols, rows)):
        for end in (lines.start, lines.stop - 1):
            board_lines[end] &= 4 * np.count_nonzero(board_lines[end]) > across.stop - across.start
    return is_board


def _rims(view: View, frame: Frame, shape: tuple[int, int], radius: float) -> Mask:
    """Return (rows, cols): cells round whose middles a rim of about this radius (view pixels) shows.

    At each of ``RIM_POINTS`` directions some place near the radius must differ from both sides of the rim.
    """
    middles_px = frame.to_px(place_middles(shape))
    rim_factors = np.linspace(*RIM, ceil(2 * radius * (RIM[1] - RIM[0])))
    rings = np.stack([ring(factor, RIM_POINTS) for factor in (*BESIDE_RIM, *rim_factors)])
    offsets_px = radius * view.scale * rings
    ring_lab = lab_of(sample(view, PIXELS, middles_px, offsets_px.reshape(-1, 2)))
    ring_lab = ring_lab.reshape(len(middles_px), -1, RIM_POINTS, 3)
    inside_lab, outside_lab, rim_lab = ring_lab[:, :1], ring_lab[:, 1:2], ring_lab[:, 2:]
    contrast = np.minimum(colour_distance(rim_lab, inside_lab), colour_distance(rim_lab, outside_lab))
    is_rim_seen = contrast.max(axis=1) >= DOTS.contrast
    return np.asarray(is_rim_seen.mean(axis=1) >= DOTS.clear_share_min).reshape(shape)


def _rectangle(shown: Shown) -> CellBox | None:
    """Return the box of connected cells that all show something: a circle, a rim, or a pipe that joins two.

    ``None`` if the cells are no rectangle, or a circle is outside them.
    """
    has_circle, has_rim = shown.has_circle, shown.has_rim
    colours = _colours(shown.view, shown.frame, has_circle.shape)
    stands_out = _stands_out(*colours)
    if not (stands_out & has_circle).any():
        return None
    joins = _joins(colours.middles, stands_out)
    is_pipe = np.zeros(has_circle.shape, bool)
    for join in joins:
        is_pipe[join.before] |= join.is_joined
        is_pipe[join.behind] |= join.is_joined
    is_shown: Mask = has_circle | has_rim | is_pipe
    _, labels, stats, _ = cv2.connectedComponentsWithStats(is_shown.astype(np.uint8), connectivity=4)
    board = int(labels[stands_out & has_circle][0])
    is_on_board = labels == board
    if (has_circle & ~is_on_board).any():
        return None
    # A title or a frame may touch the board: first the box round the cells that must belong to it, if every
    # cell in the box shows something and no pipe leads out.
    rows, cols = box = bounds_of(has_circle | (is_on_board & has_rim))
    is_in_box = np.zeros(has_circle.shape, bool)
    is_in_box[box] = True
    leads_out = any(
        (join.is_joined & (is_in_box[join.before] != is_in_box[join.behind])).any() for join in joins
    )
    # Among circles, anything that stands out is a dot whose circle was missed.
    if (is_shown | stands_out)[is_in_box].all() and not leads_out:
        return CellBox.of(rows, cols)
    x, y, width, height, area = stats[board].tolist()
    return CellBox(x, y, width, height) if area == width * height else None


Part = tuple[slice, slice]


class Join(NamedTuple):
    """Cells joined to the next ones in a direction; ``before``, ``behind``: the slices of both."""

    is_joined: Mask
    before: Part
    behind: Part


def _joins(middle_lab: Floats, stands_out: Mask) -> list[Join]:
    """Return the cells that a pipe joins to those below and on their right: both stand out in one colour.

    ``middle_lab`` (rows, cols, 3): the colours in the middles of cells.
    """
    joins = list[Join]()
    for before, behind in (np.s_[:-1, :], np.s_[1:, :]), (np.s_[:, :-1], np.s_[:, 1:]):
        is_alike = colour_distance(middle_lab[before], middle_lab[behind]) < PIPES.alike
        joins.append(Join(is_alike & stands_out[before] & stands_out[behind], before, behind))
    return joins


def _ends_in(view: View, matrix: Floats) -> tuple[Floats, Floats]:
    """Return the first and the last place (2,) in a view; ``matrix``: from places to the view."""
    corners = Frame.of_homography(matrix).to_cells([(0, 0), view.size])
    return np.ceil(corners.min(axis=0)).astype(int), np.floor(corners.max(axis=0)).astype(int)


def _frame(view: View, matrix: Floats, first: Floats) -> Frame:
    """Return the frame in the picture of the cells from a ``first`` place (2,) on, for a map ``matrix``."""
    return Frame.of_homography(view.to_picture @ matrix @ shift(first[0] - 0.5, first[1] - 0.5))


class Colours(NamedTuple):
    """Colours of cells in Lab, (rows, cols, 3) each."""

    middles: Floats
    corners: Floats


def _colours(view: View, frame: Frame, size: tuple[int, int]) -> Colours:
    """Return the colours in the middles of cells and in their corners; ``size``: rows and columns."""
    middles, corners = (
        median_lab(sample(view, frame, place_middles(size), points)) for points in (MIDDLE, CORNERS)
    )
    return Colours(middles.reshape(*size, 3), corners.reshape(*size, 3))


def _stands_out(middles: Floats, corners: Floats) -> Mask:
    """Return (rows, cols): cells whose middle is unlike their corners."""
    return colour_distance(middles, corners) >= DOTS.contrast


def is_ruled(view: View, frame: Frame, size: tuple[int, int], is_full: bool = False) -> bool:
    """Return whether lines, unlike the ground on both sides, separate cells of a lattice (rows, columns).

    ``is_full``: pipes fill all cells. There many lines are what a solution leaves in view, few may be walls.
    """
    strokes = strokes_between(view, frame, size, ALONG, ACROSS)
    rise_lab = np.concatenate([item.rise.min(axis=1) for item in strokes])
    is_grid = (rise_lab >= DOTS.faint).mean() >= CIRCLES.ruled_share_min
    return bool((rise_lab >= DOTS.contrast).any() and not (is_full and is_grid))
