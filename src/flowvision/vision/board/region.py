"""A part of the picture that may hold a board, and boxes of whole pixels round boards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flowvision.image.crop import CropBox
from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle.layout import Board
from flowvision.value import value_type
from flowvision.vision.pixels.lines import Responses
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.settings import BoardSettings


@value_type(eq=False)
class BoardEvidence:
    """What was seen of lines in the whole picture.

    ``lines`` (h, w): 255 on thin bright lines, in a view of the picture; ``to_picture`` (3, 3): the map from
    its pixels to those of the picture. ``candidates`` (4, 2) each: the corners of every group of lines
    considered.
    """

    lines: Gray
    to_picture: Floats
    candidates: tuple[Floats, ...]


@value_type(eq=False)
class BoardRegion:
    """Where a board is in ``shot``: its corners (4, 2) in picture pixels, clockwise from the top left.

    ``score``: its number of line pixels, of that of the best region. ``view``: the pixels of the region and a
    margin round it.
    """

    shot: Screenshot
    corners_px: Floats
    score: float
    view: View
    evidence: BoardEvidence
    responses: Responses | None = None
    """What lines answer in the view, where that is known already."""

    @property
    def source(self) -> Screenshot:
        """The picture."""
        return self.shot

    def moved(self, shot: Screenshot, x_px: float, y_px: float) -> BoardRegion:
        """The same region in a larger picture, where its own picture lies that far to the right and down."""
        move = np.array([[1, 0, x_px], [0, 1, y_px], [0, 0, 1]])
        shift, seen = move[:2, 2], self.evidence
        candidates = tuple(corners + shift for corners in seen.candidates)
        return replace(
            self,
            shot=shot,
            corners_px=self.corners_px + shift,
            view=replace(self.view, to_picture=move @ self.view.to_picture),
            evidence=replace(seen, to_picture=move @ seen.to_picture, candidates=candidates),
        )


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
