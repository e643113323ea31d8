"""Find a second board in the picture, and believe the larger one.

If the second cannot be read, the answer names its place and has less confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.doubts import CoveringBoard, FailedBoard, LowConfidence, SmallerBoard
from flowvision.errors import DoubtfulReadingError, FlowvisionError
from flowvision.image.picture import CropBox, Screenshot, are_apart
from flowvision.log import Log, Step
from flowvision.puzzle.layout import DOT_RADIUS
from flowvision.reading.doubts import few_pairs_doubt
from flowvision.reading.run import Believed, ReadingRun
from flowvision.reading.search import read_board
from flowvision.reading.strategies import BRIGHT_OR_DARK
from flowvision.reading.title import is_titled
from flowvision.solvers import Unsolvable
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import BoardRegion, box_of, box_round, boxes_beside, largest_group, parts_beside
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, PixelBox, View, view_of
from flowvision.vision.settings import BOARD, DOTS, READING
from flowvision.words import Option

UNREAD = 0.31
"""Weight of the doubt that another board could not be read: an answer remains if all else is sure, with a
warning. In 29 of 36 such answers the other board was intended."""
FEWEST_CELLS = 5
"""Cells per side of the game's smallest boards."""
CELL_PX = 60.0
"""Width of the largest cells when searching for discs: circles take a third of the time."""
SMOOTH_PX = 11
"""Width of the smoothing there: it removes blocks of a tenth of a cell and keeps discs of a board."""
DISC_STEP, DISC_CORE = 20, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
"""Smallest contrast of discs in some channel (of 255); a brush narrower than the dots of 15 cells to a side,
and wider than letters and rims of buttons."""
RADIUS_MAX = 0.45
"""Radius of the largest dot, in widths of these cells."""
ALIKE = 0.2
"""Share of the radius by which dots of one board differ if drawn in coarse blocks. With 0.12, as on the board
that was read, just as many of 431 real pictures show another one."""


class BoxedBoard(NamedTuple):
    """A board that was read, and its box in the picture."""

    believed: Believed
    box: CropBox


class Part(NamedTuple):
    """A part of the picture beside a board, and its pixels."""

    box: CropBox
    view: View


def larger_board(first: Believed, run: ReadingRun) -> Believed:
    """Return the larger board of a picture, with a doubt about another one.

    A board that cannot be read lowers the confidence. Raises ``DoubtfulReadingError`` if too little is left.
    """
    first_box = box_of(first.reading.board, first.reading.frame, run.shot)
    board, second, parts = BoxedBoard(first, first_box), None, list[Part]()
    is_uncropped = run.options.crop is None
    if is_uncropped:  # else nothing beside the crop counts
        boxes = parts_beside(first_box, run.shot, is_screen=is_titled(first.reading, run))
        parts = [Part(box, _view_of(box, run.shot)) for box in boxes]
        second = _second_board(first.source, first_box, parts, run)
    if second:
        board = larger_of(board, second)
    boxes_read = [first_box, second.box] if second else [first_box]
    unread_box = other_failed(_not_believed(run.log), board.box, boxes_read, run.shot)
    is_only_board = unread_box is None and second is None
    # The size of dots, by which discs are searched, is known only on boards of squares.
    if is_uncropped and is_only_board and first.reading.board.squares is not None:
        with run.step("board", "discs beside", first.source) as step:
            step.result = unread_box = discs_beside(first_box, parts, first.reading, run.shot)
    return _with_unread_board(board, unread_box, run)


def _with_unread_board(board: BoxedBoard, unread_box: CropBox | None, run: ReadingRun) -> Believed:
    """Return a board with the doubt that another one in the picture could not be read, if there is one.

    Raises ``DoubtfulReadingError`` if too little confidence is left.
    """
    believed, own_box = board
    if unread_box is None:
        return believed
    is_apart = are_apart(unread_box, own_box)
    doubt = FailedBoard(_crop_to(unread_box), weight=UNREAD) if is_apart else CoveringBoard(weight=UNREAD)
    confidence, lower = round((1 - doubt.weight) * believed.confidence, 3), READING.min_confidence
    if confidence < lower and not run.options.trust:
        reading = believed.reading
        message = f"Read {reading.size}, beside another board."
        doubts = LowConfidence(reading.size, confidence, lower), doubt
        error = DoubtfulReadingError(message, doubts=doubts, read=reading)
        raise run.log.fail("solve", error, believed.source)
    return replace(believed, confidence=confidence, doubts=(doubt, *believed.doubts))


def _second_board(
    first: Interpretation, own_box: CropBox, parts: Sequence[Part], run: ReadingRun
) -> BoxedBoard | None:
    """Return the first other board that can be read and is large enough; ``own_box``: of the first one."""
    region = first.geometry.fit.region if first.geometry else None
    boxes = _boxes_to_read(region, own_box, parts, run.shot) if region else ()
    for box_to_read in run.each("board", iter(boxes), name="beside", source=region):
        if run.is_late:
            break
        with suppress(FlowvisionError):
            other = read_board(run.of_part(box_to_read))
            # This is not asked where a crop was given; but here the crop is our own.
            if doubt := few_pairs_doubt(other.reading):
                message = f"Read {other.reading.size}."
                error = DoubtfulReadingError(message, doubts=(doubt,), read=other.reading)
                run.log.fail("solve", error, other.source)  # only noted: the first board was read
                continue
            box = box_of(other.reading.board, other.reading.frame, run.shot)
            middle = CropBox(box.x + box.width // 2, box.y + box.height // 2, 1, 1)
            if area_of(box) >= BOARD.other_size * area_of(own_box) and are_apart(middle, own_box):
                return BoxedBoard(other, box)
    return None


def larger_of(first: BoxedBoard, second: BoxedBoard) -> BoxedBoard:
    """Return the first of two boards, or the second if clearly larger, with a doubt about the other one."""
    is_larger = area_of(second.box) > READING.larger * area_of(first.box)
    larger, smaller = (second, first) if is_larger else (first, second)
    doubts = *larger.believed.doubts, SmallerBoard(_crop_to(smaller.box), weight=0.0)
    believed = replace(larger.believed, doubts=doubts, other_board=smaller.box)
    return BoxedBoard(believed, larger.box)


def area_of(box: CropBox) -> int:
    """Return the number of pixels in a box."""
    return box.width * box.height


def _crop_to(box: CropBox) -> Option:
    """Return the option that reads a box alone."""
    return Option("crop", ",".join(map(str, box)))


def _boxes_to_read(
    region: BoardRegion, own_box: CropBox, parts: Sequence[Part], shot: Screenshot
) -> Iterator[CropBox]:
    """Yield boxes of other groups of lines in the region's view, then parts that have one in their own.

    A part has the threshold of its own noise, which fainter lines exceed too.
    """
    yield from boxes_beside(region, shot)
    min_area_px = BOARD.other_size * area_of(own_box)
    for part in parts:
        if any(largest_group(part.view.in_channel(channel)) >= min_area_px for channel in BRIGHT_OR_DARK):
            yield part.box


def _view_of(box: CropBox, shot: Screenshot) -> View:
    """Return the pixels in a box, made smaller if a small board in it would have cells above ``CELL_PX``."""
    upper_left, lower_right = _corners_of(box)
    return view_of(shot, PixelBox(*upper_left, *lower_right), FEWEST_CELLS * CELL_PX)


def _not_believed(log: Log) -> list[Step]:
    """Return the steps that failed, then those in which a board was found to have no solution."""
    return [*log.failures, *(step for step in log.steps if isinstance(step.result, Unsolvable))]


def other_failed(
    failures: Sequence[Step], own_box: CropBox, boxes_read: Sequence[CropBox], shot: Screenshot
) -> CropBox | None:
    """Return the box of another board that could not be read: beside this one, or much larger.

    It has closed rows and columns and enough dots for a board, more if it is much smaller; a much larger one
    may be partly covered. ``own_box``: of this board; ``boxes_read``: of all boards that were read.
    """
    other_boxes_read = [box for box in boxes_read if box != own_box]
    for step in failures:
        geometry, seen_dots = step.find(BoardGeometry), step.find(Dots)
        if geometry is None or not geometry.fit.is_lattice or geometry.fit.is_open:
            continue
        box = box_of(geometry.board, geometry.fit.frame, shot)
        dot_count = len(seen_dots.dots) if seen_dots else 0
        area_ratio = area_of(box) / area_of(own_box)
        min_dots = READING.discs_beside if area_ratio < BOARD.other_small else DOTS.count_min
        is_beside = area_ratio >= BOARD.other_size and are_apart(box, own_box) and dot_count >= min_dots
        is_larger = area_ratio >= READING.much_larger and dot_count >= READING.dots_min
        is_unread = all(are_apart(box, box_read) for box_read in other_boxes_read)
        if (is_beside or is_larger) and is_unread:
            return box
    return None


def discs_beside(
    own_box: CropBox, parts: Sequence[Part], reading: Reading, shot: Screenshot
) -> CropBox | None:
    """Return the box of discs of one size beside or around a board, spaced like the dots of another one.

    Its lines may be blurred, lost in noise, or covered by this board. ``own_box``: of the board that was
    read; ``parts``: parts of the picture beside it with room for another.
    """
    height, width = shot.bgr.shape[:2]
    min_extent_px = READING.discs_apart * min(own_box.width, own_box.height)
    for part in parts:
        if box := _box_of_discs(part, own_box, (min_extent_px, min_extent_px), reading, shot):
            return box
    if max(own_box.width / width, own_box.height / height) > READING.room_round:  # too little room
        return None
    whole = CropBox(0, 0, width, height)
    around = Part(whole, _view_of(whole, shot))
    return _box_of_discs(around, own_box, (own_box.width, own_box.height), reading, shot)


def _box_of_discs(
    part: Part, own_box: CropBox, min_extents_px: tuple[float, float], reading: Reading, shot: Screenshot
) -> CropBox | None:
    """Return the box of discs of one size in a part, at least as wide and as high as ``min_extents_px``.

    Those within the board that was read are ignored.
    """
    upper_left, lower_right = _corners_of(own_box)
    discs = _discs_in(part.view, reading.pitch_px)
    is_outside = (discs[:, :2] < upper_left) | (discs[:, :2] > lower_right)
    middles_px, radii_px = np.split(discs[is_outside.any(axis=1)], [2], axis=1)
    # The largest size with enough discs: letters and buttons are discs too.
    for radius_px in np.sort(radii_px, axis=None)[::-1].tolist():
        alike_px = middles_px[np.abs(radii_px[:, 0] / radius_px - 1) <= ALIKE]
        if len(alike_px) < READING.discs_beside or (np.ptp(alike_px, axis=0) < min_extents_px).any():
            continue
        is_beside = (alike_px[:, 1] > upper_left[1]) & (alike_px[:, 1] < lower_right[1])
        # Rows of buttons lie above and below a board.
        if are_apart(part.box, own_box) or np.count_nonzero(is_beside) >= READING.dots_min:
            margin_px = radius_px / DOT_RADIUS
            corners_px = alike_px.min(axis=0) - margin_px, alike_px.max(axis=0) + margin_px
            return box_round(np.clip(corners_px, *_corners_of(part.box)), margin=0.0, shot=shot)
    return None


def _corners_of(box: CropBox) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the upper left and the lower right corner, x first."""
    return (box.x, box.y), (box.x + box.width, box.y + box.height)


def _discs_in(part: View, pitch_px: float) -> Floats:
    """Return (N, 3): middles x, y and radii, in pixels of the picture, of discs up to the size of dots.

    ``pitch_px``: of the board that was read. Cells of another one are as large at most, or as wide as
    ``FEWEST_CELLS`` in the part, if that is more.
    """
    # Imported only here: most boards fill their picture, and circles need modules of their own.
    from flowvision.vision.pixels.discs import contrast_of, discs_in

    # From here on in pixels of the part, of which each has ``part.scale`` of the picture.
    cell_px = max(pitch_px / part.scale, min(part.size) / FEWEST_CELLS)
    scale = min(1.0, CELL_PX / cell_px)
    size = max(1, round(scale * part.size[0])), max(1, round(scale * part.size[1]))
    small = np.asarray(cv2.resize(part.bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    # Finding circles takes ten times as long as this check for pieces that are wide enough.
    stands_out = (contrast_of(small) >= DISC_STEP).astype(np.uint8)
    piece_count, _ = cv2.connectedComponents(cv2.erode(stands_out, DISC_CORE))  # and the ground
    if piece_count - 1 < READING.discs_beside:
        return np.empty((0, 3))
    # Noise makes edges everywhere, and discs of coarse blocks are round when they are smoothed.
    smooth = np.asarray(cv2.stackBlur(small, (SMOOTH_PX, SMOOTH_PX)), np.uint8)
    discs = discs_in(smooth, scale * cell_px, CELL_PX, RADIUS_MAX) * part.scale / scale
    offset_px = part.to_picture[:2, 2]
    return np.asarray(discs + np.append(offset_px, 0))
