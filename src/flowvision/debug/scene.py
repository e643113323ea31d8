"""What a debug picture may draw from: the results that led to the one it shows."""

from __future__ import annotations

from typing import TypeVar

from flowvision.debug.canvas import Canvas, Floats, box_round
from flowvision.events import Trail
from flowvision.image.picture import Bgr, Screenshot
from flowvision.value import value_type
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.dots.result import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.reading import Reading
from flowvision.vision.settings import Settings

T = TypeVar("T")


@value_type(eq=False)
class Panel:
    """One picture of the debug folder: its file ``name``, and a ``caption`` that explains it in a line.

    ``old_name``: another name it is written by as well, for programs that know that one. ``on_page``: whether
    the page shows it; some are kept for programs alone.
    """

    name: str
    title: str
    caption: str
    bgr: Bgr
    old_name: str = ""
    on_page: bool = True


@value_type(eq=False)
class Scene:
    """The screenshot, the results so far, and the thresholds they were found with."""

    shot: Screenshot
    trail: Trail
    settings: Settings
    solved: Bgr | None = None
    """The picture with its solution, where it was drawn already."""

    @property
    def region(self) -> BoardRegion:
        """Where the board was looked for."""
        return _there(self.trail.region)

    @property
    def sides(self) -> BoardGeometry:
        """The board cut out."""
        return _there(self.trail.sides)

    @property
    def dots(self) -> Dots:
        """The dots."""
        return _there(self.trail.dots)

    @property
    def reading(self) -> Reading:
        """What was read."""
        return _there(self.trail.reading)

    def canvas(self, dim: float = 0.45, points_px: Floats | None = None) -> Canvas:
        """The board and a margin round it (or round ``points_px``), dimmed, to draw on."""
        corners = self.region.corners_px if points_px is None else points_px
        return Canvas(self.shot.bgr, box_round(corners), dim)


def _there(result: T | None) -> T:
    if result is None:
        raise LookupError("The stage that finds it was not reached.")
    return result
