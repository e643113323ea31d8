"""A part of the picture that may hold a board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flowvision.image.picture import Screenshot
from flowvision.value import value_type
from flowvision.vision.pixels.lines import Responses
from flowvision.vision.pixels.view import Floats, Gray, View


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
