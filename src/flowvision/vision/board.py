"""Regions that may hold a board, found by their lines, best first.

A mask (h, w) is 255 on the lines of a view. Corners (4, 2) are in pixels, clockwise from the top left.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import BoardNotFoundError
from flowvision.image.picture import CropBox, Frame, Screenshot, check_inside
from flowvision.log import made_of
from flowvision.puzzle.layout import Board
from flowvision.vision.pixels.lines import lines_mask
from flowvision.vision.pixels.view import (
    STEPS,
    Channel,
    Floats,
    Gray,
    PixelBox,
    View,
    dilated,
    shrink_of,
    view_of,
)
from flowvision.vision.settings import BOARD, GRID, LINES


class BoardEvidence(Struct, frozen=True, eq=False):
    """Lines seen in the whole picture.

    ``lines`` (h, w): 255 on thin bright lines, in a view of the picture; ``to_picture`` (3, 3): the map from
    its pixels to those of the picture. ``groups`` (4, 2) each: the corners of every group of lines
    considered.
    """

    lines: Gray
    to_picture: Floats
    groups: tuple[Floats, ...]


class BoardRegion(Struct, frozen=True, eq=False):
    """Corners (4, 2) of a board in ``shot``, in picture pixels, clockwise from the top left.

    ``score``: its line pixels, as a share of the best region's. ``view``: the pixels of the region and a
    margin round it. ``part``: the part of the picture that was searched.
    """

    shot: Screenshot
    corners_px: Floats
    score: float
    view: View
    evidence: BoardEvidence
    part: PicturePart

    source = made_of("shot")

    def moved(self, corners_px: Floats) -> BoardRegion:
        """Return the region with other corners, and the pixels round those."""
        view = self.part.zoomed(self.part.view(self.view.channel), corners_px, BOARD.margin)
        return replace(self, corners_px=corners_px, view=view)


def boxes_beside(region: BoardRegion, shot: Screenshot) -> list[CropBox]:
    """Return boxes that may hold another board: large groups of lines beside the region."""
    (x0, y0) = region.corners_px.min(axis=0)
    (x1, y1) = region.corners_px.max(axis=0)
    min_area = BOARD.other_size * (x1 - x0) * (y1 - y0)
    boxes = []
    for corners in region.evidence.groups:
        (left, top) = corners.min(axis=0)
        (right, bottom) = corners.max(axis=0)
        is_beside = right < x0 or left > x1 or bottom < y0 or top > y1
        if is_beside and (right - left) * (bottom - top) >= min_area:
            boxes.append(box_round(corners, BOARD.other_margin * min(right - left, bottom - top), shot))
    return boxes


def largest_group(view: View) -> float:
    """Return the area in picture pixels of the largest group of lines in a view."""
    boxes = [group.box for group in _outer_groups(lines_mask(view), BOARD.size * min(view.size))]
    return max(((box.x1 - box.x0) * (box.y1 - box.y0) for box in boxes), default=0) * view.scale**2


def parts_beside(box: CropBox, shot: Screenshot, is_screen: bool = False) -> list[CropBox]:
    """Return the parts of a picture beside a board's box with room for another one.

    ``is_screen``: above and below it are parts of the game's own screen.
    """
    height, width = shot.bgr.shape[:2]
    right, bottom = box.x + box.width, box.y + box.height
    room_on_screen = BOARD.screen_room if is_screen else BOARD.other_room  # in shorter sides of the board
    parts = (
        (CropBox(0, 0, box.x, height), BOARD.other_room),
        (CropBox(right, 0, width - right, height), BOARD.other_room),
        (CropBox(0, 0, width, box.y), room_on_screen),
        (CropBox(0, bottom, width, height - bottom), room_on_screen),
    )
    shorter = min(box.width, box.height)
    return [part for part, room in parts if min(part.width, part.height) >= max(1.0, room * shorter)]


def box_of(board: Board, frame: Frame, shot: Screenshot) -> CropBox:
    """Return the bounding box of a board, clipped to its picture."""
    return box_round(frame.to_px(board.layout.corners), margin=0.0, shot=shot)


def box_round(points_px: Floats, margin: float, shot: Screenshot) -> CropBox:
    """Return the bounding box of points (N, 2) with a margin in pixels, clipped to their picture."""
    size = shot.bgr.shape[1::-1]
    x0, y0 = np.clip(points_px.min(axis=0) - margin, 0, size).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(points_px.max(axis=0) + margin), 0, size).astype(int).tolist()
    return CropBox(x0, y0, x1 - x0, y1 - y0)


CELL_GAP, CELL_GAP_PX = 0.2, 3  # of a cell, pixels: cells grown by so much touch over lines and gaps
LATER = ("thin", "green")  # the channels that may show the same lines as another one


class LineGroup(NamedTuple):
    """A group of lines or cells in a view: its box, and its size: the number of its pixels on a mask."""

    box: PixelBox
    size: int


class PicturePart:
    """Searched part of a picture: the ``crop``, or all of it.

    Its pixels are shrunk once for all regions, whose corners stay in picture pixels. ``times``: enlargement
    of small pictures. Raises ``BoardNotFoundError`` for a crop outside.
    """

    def __init__(
        self, shot: Screenshot, crop: CropBox | tuple[int, int, int, int] | None = None, times: int = 1
    ) -> None:
        if crop is not None:
            check_inside(shot, crop)
        x, y, width, height = crop or (0, 0, *shot.bgr.shape[1::-1])
        self._shot, self._crop, self._times = shot, crop, times
        self._box = PixelBox(x, y, x + width, y + height)
        self._views: dict[PixelBox, View] = {}

    def regions(self, channels: Sequence[Channel]) -> Iterator[BoardRegion]:
        """Yield the regions that may hold a board, best first; last, the whole ``crop`` if one was given.

        The grid lines of a board are connected: it is the outer contour of the mask of thin lines with most
        line pixels inside. Where they touch other lines, its cells are still inner contours of one size, side
        by side. The best region of the first channel comes again with a wider margin: outer lines may be too
        thick for the mask. Other channels follow, for lines darker than their cells; then, only with their
        first regions and if their lines are new, for lines now brighter and now darker, or of another colour
        alone. Raises ``BoardNotFoundError`` when no contour is large enough.
        """
        with nullcontext() if self._crop is None else suppress(BoardNotFoundError):
            yield from self._regions(channels)
        if self._crop is not None:
            yield self.whole()

    def whole(self) -> BoardRegion:
        """Return all of the part as a region."""
        view = self._view(self._box)
        corners = _corners(self._box)
        evidence = BoardEvidence(lines_mask(view), view.to_picture, (corners,))
        return BoardRegion(self._shot, corners, score=1.0, view=view, evidence=evidence, part=self)

    def view(self, channel: Channel) -> View:
        """Return the pixels of all of the part."""
        return self._view(self._box, channel)

    def _view(self, box: PixelBox, channel: Channel = "brightest") -> View:
        """Return the pixels in a box, sampled at the first call."""
        if (view := self._views.get(box)) is None:
            view = view_of(self._shot, box, LINES.view_px, channel, times=self._times, limits=self._box)
            self._views[box] = view
        return view if view.channel == channel else view.in_channel(channel)

    def _regions(self, channels: Sequence[Channel]) -> Iterator[BoardRegion]:
        """Yield the regions channel by channel; raises ``BoardNotFoundError``."""
        is_any_found = False
        masks: list[Gray] = []
        for channel in channels:
            view = self.view(channel)
            mask = lines_mask(view)
            if channel in LATER and any(_has_same_lines(mask, other) for other in masks):
                continue
            masks.append(mask)
            region_count = BOARD.regions_later if channel in LATER else BOARD.regions
            region_count = 1 if channel == STEPS else region_count  # a last attempt: its best alone
            size_px = BOARD.size * min(view.size)
            # All lines that are connected.
            outer_groups = _outer_groups(mask, size_px)[:region_count]
            yield from self._zoomed(outer_groups, mask, view)
            # Cells side by side, where other lines touch the board's.
            cell_groups = _cell_groups(mask, size_px)[:region_count]
            yield from self._zoomed(cell_groups, mask, view)
            # More room round the best, for outer lines too thick for the mask.
            if channel == channels[0]:
                yield from self._zoomed(outer_groups[:1], mask, view, margin=BOARD.margin_wide)
            is_any_found |= bool(outer_groups or cell_groups)
        if not is_any_found:
            min_px = BOARD.size * min(np.ptp(_corners(self._box), axis=0) + 1)
            raise BoardNotFoundError(
                f"No board was found: no grid is larger than {min_px:.0f} pixels.",
                evidence=BoardEvidence(masks[0], self.view(channels[0]).to_picture, groups=()),
            )

    def _zoomed(
        self, groups: Sequence[LineGroup], mask: Gray, view: View, margin: float = BOARD.margin
    ) -> Iterator[BoardRegion]:
        """Yield the region of each group in a view, the largest group first."""
        to_picture = Frame.of_homography(view.to_picture)
        corners_px = tuple(to_picture.to_px(_corners(group.box)) for group in groups)
        evidence = BoardEvidence(mask, view.to_picture, corners_px)
        for group, corners in zip(groups, corners_px, strict=True):
            score = group.size / groups[0].size
            zoomed = self.zoomed(view, corners, margin)
            yield BoardRegion(self._shot, corners, score, zoomed, evidence, part=self)

    def zoomed(self, view: View, corners: Floats, margin: float) -> View:
        """Return a view's pixels round corners of the picture, sampled again if so few allow a finer scale.

        ``margin``: in lengths of the smaller side.
        """
        (x0, y0) = corners.min(axis=0)
        (x1, y1) = corners.max(axis=0)
        margin_px = margin * min(x1 - x0, y1 - y0)
        # Two more: ``int`` rounds down, and the end of a box is exclusive.
        box = PixelBox(
            max(self._box.x0, int(x0 - margin_px)),
            max(self._box.y0, int(y0 - margin_px)),
            min(self._box.x1, int(x1 + margin_px) + 2),
            min(self._box.y1, int(y1 + margin_px) + 2),
        )
        if shrink_of(box, LINES.view_px) != view.scale:
            return self._view(box, view.channel)
        return view.cut(view.part_in(box))


def _has_same_lines(mask: Gray, other: Gray) -> bool:
    """Return whether two masks differ by few of the first one's line pixels."""
    max_different = BOARD.same_lines * cv2.countNonZero(mask)
    return cv2.countNonZero(cv2.bitwise_xor(mask, other)) <= max_different


def _outer_groups(mask: Gray, size_px: float) -> list[LineGroup]:
    """Return the outer contours with sides from ``size_px``, those with most line pixels first.

    A box round the first and all that overlap it precedes them: pipes may cut a board's lines apart.
    """
    joined_mask = dilated(mask, size_px=3)
    contours, _ = cv2.findContours(joined_mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [_pixel_box(*cv2.boundingRect(contour)) for contour in contours]
    groups = [_group_of_lines(mask, box) for box in boxes if min(box.x1 - box.x0, box.y1 - box.y0) >= size_px]
    groups.sort(key=lambda group: -group.size)
    if not groups:
        return []
    joint_box = groups[0].box
    for (x0, y0, x1, y1), _ in groups[1:]:
        if x0 < joint_box.x1 and joint_box.x0 < x1 and y0 < joint_box.y1 and joint_box.y0 < y1:
            joint_box = PixelBox(
                min(x0, joint_box.x0), min(y0, joint_box.y0), max(x1, joint_box.x1), max(y1, joint_box.y1)
            )
    is_larger = joint_box != groups[0].box
    return [_group_of_lines(mask, joint_box), *groups] if is_larger else groups


def _group_of_lines(mask: Gray, box: PixelBox) -> LineGroup:
    """Return the lines in a box as a group."""
    return LineGroup(box, cv2.countNonZero(mask[box.y0 : box.y1, box.x0 : box.x1]))


def _pixel_box(x: int, y: int, width: int, height: int) -> PixelBox:
    """Return a box of OpenCV's as one of ours."""
    return PixelBox(x, y, x + width, y + height)


def _cell_groups(mask: Gray, size_px: float) -> list[LineGroup]:
    """Return groups of adjacent cells of one size, with sides from ``size_px``, the largest area first.

    They find a board whose lines touch others, of text, a window, or a larger board.
    """
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    parents = [] if tree is None else tree[0, :, 3].tolist()  # -1 of outer contours
    rects = [cv2.boundingRect(contour) for contour in itertools.compress(contours, np.array(parents) >= 0)]
    rects = [rect for rect in rects if min(rect[2:]) >= GRID.pitch_min_px]
    groups = list[LineGroup]()
    areas = np.array([width * height for _, _, width, height in rects])
    while len(areas) >= GRID.cells_min**2:
        # Cells of one board are equal but for widths of lines. From the largest on, until few are left.
        is_alike = np.isclose(areas, areas.max(), atol=0, rtol=0.25)
        if np.count_nonzero(is_alike) >= GRID.cells_min**2:
            grown_cells = np.zeros_like(mask)
            for x, y, width, height in itertools.compress(rects, is_alike):
                dx, dy = (max(CELL_GAP_PX, int(CELL_GAP * size)) for size in (width, height))
                grown_cells[max(0, y - dy) : y + height + dy, max(0, x - dx) : x + width + dx] = 255
            _, _, stats_with_ground, _ = cv2.connectedComponentsWithStats(grown_cells, connectivity=4)
            stats = stats_with_ground[1:].tolist()
            groups += [
                LineGroup(_pixel_box(x, y, width, height), area)
                for x, y, width, height, area in stats
                if min(width, height) >= size_px
            ]
        rects = list(itertools.compress(rects, ~is_alike))
        areas = areas[~is_alike]
    return sorted(groups, key=lambda group: -group.size)


def _corners(box: PixelBox) -> Floats:
    """Return the corners (4, 2) of a box: the middles of its outermost pixels."""
    x0 = box.x0
    y0 = box.y0
    x1 = box.x1 - 1
    y1 = box.y1 - 1
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
