"""Frames of growing pipes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.image.clip import Clip, Patch, changed_box
from flowvision.image.picture import Bgr, Floats
from flowvision.puzzle.model import Path, Solution
from flowvision.render.look import PIPE, RIM, PlacedBoard
from flowvision.render.paint import BITS, fixed
from flowvision.render.turns import FramePlan, Piece, lines_along

PixelBox = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not included."""


def clip_of(
    base: Bgr,
    final: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    frames: Sequence[FramePlan],
    solved_with: Callable[[Sequence[int]], Bgr],
) -> Clip:
    """Return the frames of a plan: the ``base``, then the changes, finally the ``final`` picture.

    A frame without a change lengthens the one before. ``solved_with`` draws some flows alone; it is called
    where paths cross on bridges, so that no flow shows before its turn.
    """
    canvas = base.copy()
    patches = [Patch(0, 0, base, frames[0][1])]
    solved, grown = final, list[int]()
    for number, (pieces, milliseconds) in enumerate(frames[1:], 2):
        boxes = list[PixelBox]()
        for piece in pieces:
            if piece.flow not in grown:
                grown.append(piece.flow)
                solved = solved_with(grown) if placed.board.layout.bridges else final
            boxes += _uncover(canvas, solved, placed, solution.paths[piece.flow], piece)
        if number == len(frames) and (box := changed_box(canvas, final)):
            boxes.append(box)
            canvas[:] = final
        if boxes:
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            left, top = min(lefts), min(tops)
            part = canvas[top : max(bottoms), left : max(rights)].copy()
            patches.append(Patch(left, top, part, milliseconds))
        else:
            patches[-1] = replace(patches[-1], milliseconds=patches[-1].milliseconds + milliseconds)
    return Clip(tuple(patches))


def _uncover(canvas: Bgr, solved: Bgr, placed: PlacedBoard, path: Path, piece: Piece) -> list[PixelBox]:
    board, frame = placed.board, placed.frame
    # Curves of free boards lie up to 0.2 beside straight lines.
    width = PIPE + 2 * RIM + (0.2 if board.lattice is None else 0.0)
    width_px = width * placed.cell_width_px
    boxes = [_show(canvas, solved, frame.to_px(line), width_px) for line in lines_along(board, path, piece)]
    # A cell is complete once the tip is in the middle of the next one, the last cell at the end.
    strands = list(path.vertices[floor(piece.start + 1e-6) : floor(piece.end + 1e-6)])
    if piece.end >= len(path.edges) - 1e-6:
        strands.append(path.vertices[-1])
    outlines = [frame.to_px(board.layout.cell_at(strand).outline) for strand in strands]
    boxes += [_show(canvas, solved, outline) for outline in outlines]
    return [box for box in boxes if box[0] < box[2] and box[1] < box[3]]


def _show(canvas: Bgr, solved: Bgr, points_px: Floats, width_px: float | None = None) -> PixelBox:
    """Copy the pixels under a line of that width, or within an outline, from the solved picture."""
    reach = (width_px or 1.0) / 2 + 2
    low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
    left, top = (max(0, int(edge)) for edge in low)
    right, bottom = (min(size, int(edge) + 1) for size, edge in zip(canvas.shape[1::-1], high, strict=True))
    if left >= right or top >= bottom:
        return 0, 0, 0, 0
    mask = np.zeros((bottom - top, right - left), np.uint8)
    local = points_px - (left, top)
    if width_px is None:
        cv2.fillPoly(mask, [np.round(local).astype(np.int32)], 255)
    else:
        thickness = max(1, round(width_px))
        cv2.polylines(mask, [fixed(local)], False, 255, thickness, cv2.LINE_8, BITS)
    part = np.s_[top:bottom, left:right]
    cv2.copyTo(solved[part], mask, canvas[part])
    return left, top, right, bottom
