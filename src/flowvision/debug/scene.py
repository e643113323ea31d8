"""What a debug picture may draw from: the results that led to the one it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from flowvision.debug.canvas import Canvas, Floats, box_round
from flowvision.events import Trail
from flowvision.image.picture import Bgr, Screenshot
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One picture of the debug folder: its file ``name``, and a ``caption`` that explains it in a line."""

    name: str
    title: str
    caption: str
    bgr: Bgr


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The screenshot, the results so far, and the thresholds they were found with."""

    shot: Screenshot
    trail: Trail
    settings: Settings

    def find(self, kind: type[T]) -> T:
        """The result of that kind. Raises ``LookupError`` when there is none yet."""
        for result in self.trail:
            if isinstance(result, kind):
                return result
        raise LookupError(kind.__name__)

    def canvas(self, dim: float = 0.45, points_px: Floats | None = None) -> Canvas:
        """The board and a margin round it (or round ``points_px``), dimmed, to draw on."""
        corners = self.find(BoardRegion).corners_px if points_px is None else points_px
        return Canvas(self.shot.bgr, box_round(corners), dim)
