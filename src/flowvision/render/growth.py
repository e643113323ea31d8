"""Pipes that grow: a solved picture uncovered piece by piece, so that its last frame is that very picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor

import cv2
import numpy as np

from flowvision.image.clip import Clip, Patch, changed_box
from flowvision.image.picture import Bgr, Floats, Frame
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.render.look import PIPE, RIM, PlacedBoard
from flowvision.render.paint import BITS, fixed
from flowvision.render.timeline import FramePlan, Piece, lines_along
from flowvision.value import value_type

RIMS = 2
"""Rims, of both sides together, that are uncovered with a pipe; others follow with their cell."""
CURVED = 0.2
"""How far curves of free boards may stray from straight lines, in cell widths."""
WHITE = 255

PixelBox = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not included."""


@value_type(eq=False)
class MovingPicture:
    """A picture before and after: ``base``, and ``final`` with all that is to be drawn of the solution.

    ``solved_with`` gives ``base`` with these flows drawn alone. It is asked where paths cross on bridges: a
    flow that is not there yet must not show under, or over, the one that is.
    """

    base: Bgr
    final: Bgr
    board: Board
    solution: Solution
    frame: Frame
    solved_with: Callable[[Sequence[int]], Bgr]


def clip_of(moving: MovingPicture, frames: Sequence[FramePlan]) -> Clip:
    """The frames of a plan as pictures: the base, then what changes, at last ``moving.final``.

    A frame in which nothing changes lengthens the one before.
    """
    canvas = moving.base.copy()
    patches = [Patch(0, 0, moving.base, frames[0].milliseconds)]
    solved, grown = moving.final, list[int]()
    for number, plan in enumerate(frames[1:], 2):
        boxes = []
        for piece in plan.grown:
            if piece.flow not in grown:
                grown.append(piece.flow)
                solved = moving.solved_with(grown) if moving.board.layout.bridges else moving.final
            boxes += _uncover(canvas, solved, moving, piece)
        if number == len(frames):
            boxes += _finish(canvas, moving.final)
        patches = _with_frame(patches, canvas, boxes, plan.milliseconds)
    return Clip(tuple(patches))


def _with_frame(
    patches: list[Patch], canvas: Bgr, boxes: Sequence[PixelBox], milliseconds: int
) -> list[Patch]:
    """The patches with one more: all that lies in the boxes."""
    if not boxes:
        last = patches[-1]
        return [*patches[:-1], Patch(last.x, last.y, last.bgr, last.milliseconds + milliseconds)]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = min(lefts), min(tops)
    part = canvas[top : max(bottoms), left : max(rights)].copy()
    return [*patches, Patch(left, top, part, milliseconds)]


def _finish(canvas: Bgr, final: Bgr) -> list[PixelBox]:
    """Make the picture the final one; the box in which it was not."""
    box = changed_box(canvas, final)
    if box is None:
        return []
    left, top, right, bottom = box
    canvas[top:bottom, left:right] = final[top:bottom, left:right]
    return [box]


def _uncover(canvas: Bgr, solved: Bgr, moving: MovingPicture, piece: Piece) -> list[PixelBox]:
    """Show a piece of a path, and all of the cells it has passed; the boxes that changed."""
    boxes = _uncover_line(canvas, solved, moving, piece)
    layout, path = moving.board.layout, moving.solution.paths[piece.flow]
    # A cell is done once the tip is in the middle of the next one; the last cell when all is there.
    done = range(floor(piece.start + 1e-6), floor(piece.end + 1e-6))
    strands = [path.vertices[place] for place in done]
    if piece.end >= len(path.edges) - 1e-6:
        strands.append(path.vertices[-1])
    for strand in strands:
        outline = moving.frame.to_px(layout.cell_at(strand).outline)
        boxes.append(_show(canvas, solved, outline))
    return [box for box in boxes if box[0] < box[2] and box[1] < box[3]]


def _uncover_line(canvas: Bgr, solved: Bgr, moving: MovingPicture, piece: Piece) -> list[PixelBox]:
    """Show a piece of a path, with round ends; the boxes that changed."""
    board, path = moving.board, moving.solution.paths[piece.flow]
    width = PIPE + RIMS * RIM + (CURVED if board.lattice is None else 0.0)
    width_px = width * PlacedBoard(board, moving.frame).cell_width_px
    return [
        _show(canvas, solved, moving.frame.to_px(line), width_px) for line in lines_along(board, path, piece)
    ]


def _show(canvas: Bgr, solved: Bgr, points_px: Floats, width_px: float | None = None) -> PixelBox:
    """Copy what lies under a line of that width, or else within an outline, from the solved picture."""
    reach = (width_px or 1.0) / 2 + 2
    low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
    left, top = (max(0, int(edge)) for edge in low)
    right, bottom = (min(most, int(edge) + 1) for most, edge in zip(canvas.shape[1::-1], high, strict=True))
    if left >= right or top >= bottom:
        return 0, 0, 0, 0
    mask = np.zeros((bottom - top, right - left), np.uint8)
    within = points_px - (left, top)
    if width_px is None:
        cv2.fillPoly(mask, [np.round(within).astype(np.int32)], WHITE)
    else:
        thickness = max(1, round(width_px))
        cv2.polylines(mask, [fixed(within)], False, WHITE, thickness, cv2.LINE_8, BITS)
    part = np.s_[top:bottom, left:right]
    cv2.copyTo(solved[part], mask, canvas[part])
    return left, top, right, bottom
