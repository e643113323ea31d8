"""A part of the picture that may hold a board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flowvision.vision.pixels.view import Floats, Gray, View


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """What was seen of lines in the whole picture.

    ``lines``: 255 where there are thin bright lines, in the pixels of a smaller view; ``to_picture``
    (3, 3) maps those to picture pixels. ``candidates``: corners of every contour weighed.
    """

    lines: Gray
    to_picture: Floats
    candidates: tuple[Floats, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardRegion:
    """Where a board is: its corners (4, 2) in picture pixels, clockwise from the top left.

    ``view``: the pixels of the region and a margin round it.
    """

    corners_px: Floats
    score: float
    view: View
    evidence: BoardEvidence

    def moved(self, x_px: float, y_px: float) -> BoardRegion:
        """The same region where its picture is a part of a larger one, that far to the right and down."""
        move = np.array([[1, 0, x_px], [0, 1, y_px], [0, 0, 1]])
        shift, seen = move[:2, 2], self.evidence
        candidates = tuple(corners + shift for corners in seen.candidates)
        return replace(
            self,
            corners_px=self.corners_px + shift,
            view=replace(self.view, to_picture=move @ self.view.to_picture),
            evidence=replace(seen, to_picture=move @ seen.to_picture, candidates=candidates),
        )
