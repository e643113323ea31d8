"""Boxes of whole pixels round boards, and round what lies beside them."""

from __future__ import annotations

import numpy as np

from flowvision.image.crop import CropBox
from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle.layout import Board
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import BoardSettings


def boxes_beside(region: BoardRegion, shot: Screenshot, board: BoardSettings) -> list[CropBox]:
    """Where another board may be: large groups of lines beside the region that was read, with a margin."""
    (x0, y0), (x1, y1) = region.corners_px.min(axis=0), region.corners_px.max(axis=0)
    least = board.other_size * (x1 - x0) * (y1 - y0)
    found = []
    for corners in region.evidence.candidates:
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        apart = right < x0 or left > x1 or bottom < y0 or top > y1
        if apart and (right - left) * (bottom - top) >= least:
            found.append(_box_round(corners, board.other_margin * min(right - left, bottom - top), shot))
    return found


def box_of(board: Board, frame: Frame, shot: Screenshot) -> CropBox:
    """The bounding box of a board in its picture, as far as it lies in it."""
    outlines = [point for cell in board.layout.cells for point in cell.outline]
    return _box_round(frame.to_px(outlines), 0.0, shot)


def _box_round(points_px: Floats, margin: float, shot: Screenshot) -> CropBox:
    """The bounding box of points and a margin round them, in pixels, as far as it lies in the picture."""
    size = shot.bgr.shape[1::-1]
    x0, y0 = np.clip(points_px.min(axis=0) - margin, 0, size).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(points_px.max(axis=0) + margin), 0, size).astype(int).tolist()
    return CropBox(x0, y0, x1 - x0, y1 - y0)
