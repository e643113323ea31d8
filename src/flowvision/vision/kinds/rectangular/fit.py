"""A lattice of squares that explains a region, and the board cut out of it: its holes and its walls."""

from __future__ import annotations

from typing import ClassVar

import cv2
import numpy as np

from flowvision.puzzle import boards
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.kinds.fit import BoardGeometry, RowsAndColumns, Side, squares
from flowvision.vision.pixels.line_weight import (
    ALONG,
    REACH,
    above_ground,
    bands_at,
    clarity,
    place_strengths,
    round_side,
    side_middles,
    steps_across,
    third_strongest,
    usual_strength,
)
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.strokes import odd_side_shares
from flowvision.vision.pixels.view import (
    Floats,
    Mask,
    View,
    colour_distance,
    grid_points,
    is_inside,
    lab_of,
    place_middles,
    sample,
)
from flowvision.vision.settings import CROSSINGS, DOTS, GRID, WALLS

INSIDE = 0.35
"""Extent of the inside of a place, from its middle, clear of its sides; in pitches."""


class GridFit(RowsAndColumns, frozen=True, eq=False):
    """The lattice that explains the region from edge to edge."""

    is_lattice: ClassVar[bool] = True

    residual_px: float  # how far the lines found lie from the lattice, root mean square
    straightness: float  # 0 to 1: how sure the lattice is by that distance
    score: float
    """0 to 1: how much of the lattice is seen, how square it is and how much of the view it explains."""
    is_open: bool  # whether lines continue past it
    cover: SideCoverage
    evidence: GridEvidence
    is_given: bool = False

    @property
    def region(self) -> BoardRegion:
        """Region that it explains."""
        return self.evidence.region

    @property
    def view(self) -> View:
        """The upright pixels in which the lattice was fitted."""
        return self.evidence.view

    @property
    def quality(self) -> float:
        """0 to 1: how much of the lattice's lines is seen, and how straight they lie on it."""
        if self.is_given:
            return 1.0
        cover = np.concatenate((self.cover.vertical.ravel(), self.cover.horizontal.ravel()))
        return min(float(np.nanmean(cover)), self.straightness)

    def cut_board(self) -> BoardGeometry:
        """Return the board: strong sides are walls; places that most of an outline surrounds are holes."""
        strength_at_places = [side_places(self.view, self, axis) for axis in AXES]
        vertical, horizontal = map(third_strongest, strength_at_places)
        # The axis with stronger lines is the measure: old screenshots have lines of 1 to 3 px on one board.
        plain_strength = max(
            usual_strength(inner, WALLS.strength) for inner in (vertical[:, 1:-1], horizontal[1:-1])
        )
        vertical = vertical / plain_strength
        horizontal = horizontal / plain_strength
        is_strong = (vertical > WALLS.strength, horizontal > WALLS.strength)
        odd = odd_side_shares(self.view, self.frame, self.size, self.pitch_px)
        complete = [
            np.maximum((part > WALLS.strength * plain_strength).mean(axis=2), odd_share)
            for part, odd_share in zip(strength_at_places, odd, strict=True)
        ]
        sides = [
            Side((col + x, row + y), float(strength), not is_wall[row, col], float(share[row, col]))
            for x, y, strengths, is_wall, share in (
                (0.0, 0.5, vertical, is_strong[0] | (odd[0] > 0), complete[0]),
                (0.5, 0.0, horizontal, is_strong[1] | (odd[1] > 0), complete[1]),
            )
            for (row, col), strength in np.ndenumerate(strengths)
        ]
        is_hole = hole_places(without_faint_rim(self.cover, (vertical, horizontal)), is_strong)
        is_notch = notch_places(self.cover, (vertical, horizontal))
        if is_notch.any() and _are_without_edges(self, is_notch):
            is_hole |= is_notch
        holes, cells = ({(r, c) for r, c in np.argwhere(part).tolist()} for part in (is_hole, ~is_hole))
        inner_sides = [side for side in sides if cells.issuperset(side.places)]
        walls = [side.places for side in inner_sides if not side.is_open]
        board = boards.square(self.rows, self.cols, holes, walls)
        # The colour of a wall is clear, however thick it is.
        by_strength = [
            side.strength for side in inner_sides if side.is_open or side.strength > WALLS.strength
        ]
        clear = clarity(np.array(by_strength), WALLS.strength)
        return BoardGeometry(board, self, squares(len(board.layout.cells)), tuple(sides), clear)


def hole_places(cover: SideCoverage, strong: tuple[Mask, Mask]) -> Mask:
    """Return (rows, cols): the places that hold no cell.

    ``strong``: vertical (rows, cols + 1) and horizontal (rows + 1, cols) sides as strong as a wall. Places
    with no side seen between them form a component, which is a hole when most of the sides round it are
    strong. A single place that shows all four sides is one only when all are strong. Not every place can be
    one.
    """
    rows, cols = cover.horizontal.shape[0] - 1, cover.vertical.shape[1] - 1
    is_seen = [~(side < GRID.side_cover) for side in (cover.vertical, cover.horizontal)]  # or off the view
    # Places and the sides between them are the pixels of a mask: 1 where the ground is open.
    open_ground = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    open_ground[1::2, 1::2] = 1
    open_ground[1::2, 2:-1:2] = ~is_seen[0][:, 1:-1]
    open_ground[2:-1:2, 1::2] = ~is_seen[1][1:-1]
    count, labels = cv2.connectedComponents(open_ground, connectivity=4)
    component = np.asarray(labels[1::2, 1::2], dtype=np.intp)
    seen_round, strong_round, unseen_round = np.zeros((3, count))
    for side_seen, side_strong in (
        (is_seen[0][:, :-1], strong[0][:, :-1]),  # left, right, upper and lower sides (rows, cols)
        (is_seen[0][:, 1:], strong[0][:, 1:]),
        (is_seen[1][:-1], strong[1][:-1]),
        (is_seen[1][1:], strong[1][1:]),
    ):
        seen_round += np.bincount(component[side_seen], minlength=count)
        strong_round += np.bincount(component[side_seen & side_strong], minlength=count)
        unseen_round += np.bincount(component[~side_seen], minlength=count)
    share = strong_round / np.maximum(seen_round, 1)
    is_hole = np.where(unseen_round > 0, share > WALLS.outline_share, (share == 1) & (seen_round == 4))
    holes = is_hole[component]
    return np.zeros_like(holes) if holes.all() else holes


def notch_places(cover: SideCoverage, strength: tuple[Floats, Floats]) -> Mask:
    """Return (rows, cols): the places that a board's border leaves out, such as its corners.

    No line lies between them and the outside, and lines lie round all cells. Each lacks two sides or more: a
    place that lacks one may be open to a warp. If the border has any other gap, there are none. ``strength``:
    of vertical and horizontal sides, 1.0 for a plain grid line.
    """
    is_open = [side < GRID.side_cover for side in (cover.vertical, cover.horizontal)]
    for rim in (0, -1):  # the border is plainly not drawn there
        is_open[0][:, rim] &= strength[0][:, rim] < CROSSINGS.border_seen
        is_open[1][rim] &= strength[1][rim] < CROSSINGS.border_seen
    rows, cols = len(is_open[0]), is_open[1].shape[1]
    # Places, the sides between them, and the outside are the pixels of a mask: 1 where the ground is open.
    ground = np.ones((2 * rows + 3, 2 * cols + 3), np.uint8)
    ground[1:-1, 1:-1] = 0
    ground[2:-1:2, 2:-1:2] = 1
    ground[2:-1:2, 1:-1:2] = is_open[0]
    ground[1:-1:2, 2:-1:2] = is_open[1]
    _, labels = cv2.connectedComponents(ground, connectivity=4)
    is_outside = np.asarray(np.equal(labels[2:-1:2, 2:-1:2], labels[0, 0]))
    open_round = np.sum((is_open[0][:, :-1], is_open[0][:, 1:], is_open[1][:-1], is_open[1][1:]), axis=0)
    has_opening = bool((open_round[is_outside] < 2).any())
    is_border_whole = all(
        np.array_equal(is_side_open, is_place_outside)
        for is_side_open, is_place_outside in (
            (is_open[0][:, 0], is_outside[:, 0]),
            (is_open[0][:, -1], is_outside[:, -1]),
            (is_open[1][0], is_outside[0]),
            (is_open[1][-1], is_outside[-1]),
        )
    )
    has_all_lines = not (is_outside.all(axis=0).any() or is_outside.all(axis=1).any())
    is_board = is_border_whole and has_all_lines and not has_opening
    return is_outside if is_board else np.zeros_like(is_outside)


def _are_without_edges(grid: GridFit, which: Mask) -> bool:
    """Return whether some places (rows, cols) hold neither a dot nor a pipe; a glow changes gradually."""
    steps = np.linspace(-INSIDE, INSIDE, 7)
    middles = place_middles(which.shape)[which.ravel()]
    lab = lab_of(sample(grid.view, grid.frame, middles, grid_points(steps, steps)))
    lab = lab.reshape(-1, len(steps), len(steps), lab.shape[-1])
    across, along = colour_distance(lab[:, 1:], lab[:, :-1]), colour_distance(lab[:, :, 1:], lab[:, :, :-1])
    return bool(max(across.max(), along.max()) < DOTS.contrast)


def without_faint_rim(cover: SideCoverage, strength: tuple[Floats, Floats]) -> SideCoverage:
    """Return the coverage without the outermost sides that are far weaker than the others.

    A glow ends like a line at the picture's edge. If most outermost sides are as strong as a wall, all of
    them are an outline. ``strength``: of vertical and horizontal sides, 1.0 for a plain grid line.
    """
    vertical = cover.vertical.copy()
    horizontal = cover.horizontal.copy()
    # Views of the four rims, whose sides are then changed in place.
    rims = [
        (sides[:, rim], strengths[:, rim])
        for sides, strengths in ((vertical, strength[0]), (horizontal.T, strength[1].T))
        for rim in (0, -1)
    ]
    rim_strengths = np.concatenate([strengths[sides > 0] for sides, strengths in rims])
    is_outline = np.count_nonzero(rim_strengths > WALLS.strength) > WALLS.outline_share * len(rim_strengths)
    min_strength = WALLS.strength if is_outline else CROSSINGS.border_missing
    for sides, strengths in rims:
        sides[(strengths < min_strength) & ~np.isnan(sides)] = 0.0
    return SideCoverage(vertical, horizontal)


def side_places(view: View, grid: GridFit, axis: Axis) -> Floats:
    """Return the weights at the places along the sides of a lattice, as of ``place_strengths``.

    (rows, cols + 1, places) for the vertical sides (axis 0), (rows + 1, cols, places) for the horizontal ones
    (axis 1). On a border the ground on the board and that beyond it are measured apart.
    """
    middles = side_middles(grid.size, axis)
    across_steps = steps_across(grid.pitch_px / view.scale)
    bands = bands_at(view, grid.frame, middles, axis, ALONG, across_steps)
    above_ground_bands = above_ground(bands)
    line_number = middles[:, axis]
    last_line_number = grid.cols if axis == 0 else grid.rows
    offsets = round_side(axis, ALONG, across_steps)
    middle_step = len(across_steps) // 2
    border_pitches = min(REACH, WALLS.border_reach * max(grid.rows, grid.cols))
    border_steps = round(border_pitches / REACH * middle_step)
    before, after = middle_step - border_steps, middle_step + border_steps
    # Per border: its sides, the steps of the ground on the board and off it, and the steps to ignore.
    for is_border, inner, outer, ignored in (
        (line_number == 0, -1, before, slice(None, before)),
        (line_number == last_line_number, 0, after, slice(after + 1, None)),
    ):
        is_in_picture = is_inside(view, grid.frame, middles[is_border], offsets)
        border_bands = bands[:, is_border] = _blackened(bands[:, is_border], is_in_picture, ignored)
        above_ground_bands[:, is_border] = border_bands - np.maximum(border_bands[inner], border_bands[outer])
    return place_strengths(bands, above_ground_bands).reshape(grid.rows + axis, -1, len(ALONG))


def _blackened(bands: Floats, is_in_picture: Mask, ignored: slice) -> Floats:
    """Return the bands of a border, 0 at places off the picture and at the ``ignored`` steps beyond it.

    Text, a glow or the end of a tint may lie there. ``is_in_picture`` (sides, places · steps): of the places.
    """
    steps, *shape = bands.shape
    is_shown = np.moveaxis(is_in_picture.reshape(*shape, steps), 2, 0)  # steps first, as in ``bands``
    is_shown[ignored] = False
    return np.where(is_shown, bands, 0.0)
