"""What dots look like on the boards of the game: how wide an annulus they fill, for each kind of cells."""

from __future__ import annotations

from flowvision.vision.dots.result import DotModel
from flowvision.vision.settings import DotSettings
from flowvision.vision.special.fits import CellFit, CircleFit, Fit, HexagonFit
from flowvision.vision.walls.walls import HEXAGON_SQUARE


def usual_dots(fit: Fit, asked: DotSettings) -> DotModel:
    """The game's own dots: their size depends on the kind of cells; without lines it was measured."""
    match fit:
        case CircleFit():
            return DotModel("circle", asked.circle_ring * fit.radius, "corners")
        case HexagonFit():
            return DotModel("usual", asked.hexagon_ring / HEXAGON_SQUARE)
        case CellFit():
            return DotModel("usual", asked.free_ring)
        case _:
            return DotModel("usual", asked.ring)


def small_dots(fit: Fit, asked: DotSettings) -> DotModel | None:
    """Smaller dots than the usual ones, with thinner pipes; ``None`` where the usual ones are as small."""
    small = DotModel("small", asked.small_ring)
    return small if usual_dots(fit, asked).ring > small.ring else None
