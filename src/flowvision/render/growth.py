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
from flowvision.render.curves import FramePlan, Piece, lines_along
from flowvision.render.look import PIPE, RIM, PlacedBoard
from flowvision.render.paint import BITS, corner_of, fixed, part_between

CURVED = 0.2
"""Largest distance of curves on free boards from straight lines, in cell widths."""
SLIGHTLY = 1e-6
"""Edges of a path by which rounding may be off."""

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
            last = patches[-1]
            patches[-1] = replace(last, milliseconds=last.milliseconds + milliseconds)
    return Clip(tuple(patches))


def _uncover(canvas: Bgr, solved: Bgr, placed: PlacedBoard, path: Path, piece: Piece) -> list[PixelBox]:
    """Show a piece of a path and the cells it completes; return the boxes that changed."""
    board, frame = placed.board, placed.frame
    width = PIPE + 2 * RIM + (CURVED if board.lattice is None else 0.0)
    width_px = width * placed.cell_width_px
    lines = lines_along(board, path, piece)
    boxes = [_show(canvas, solved, frame.to_px(line), width_px) for line in lines]
    # A cell is complete once the tip is in the middle of the next one, the last cell at the end.
    first, last = floor(piece.start + SLIGHTLY), floor(piece.end + SLIGHTLY)
    strands = list(path.vertices[first:last])
    if piece.end >= len(path.edges) - SLIGHTLY:
        strands.append(path.vertices[-1])
    outlines = [frame.to_px(board.layout.cell_at(strand).outline) for strand in strands]
    boxes += [_show(canvas, solved, outline) for outline in outlines]
    return [box for box in boxes if box]


def _show(canvas: Bgr, solved: Bgr, points_px: Floats, width_px: float | None = None) -> PixelBox | None:
    """Copy the pixels under a line of that width, or within an outline, from the solved picture.

    Return their box, ``None`` off the picture.
    """
    reach = (width_px or 1.0) / 2 + 2
    low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
    part = part_between(low, high + 1, canvas)
    changed = canvas[part]
    if not changed.size:
        return None
    mask = np.zeros(changed.shape[:2], np.uint8)
    local = points_px - corner_of(part)
    if width_px is None:
        cv2.fillPoly(mask, [np.round(local).astype(np.int32)], 255)
    else:
        thickness = max(1, round(width_px))
        cv2.polylines(mask, [fixed(local)], False, 255, thickness, cv2.LINE_8, BITS)
    cv2.copyTo(solved[part], mask, changed)
    rows, columns = part
    return columns.start, rows.start, columns.stop, rows.stop
