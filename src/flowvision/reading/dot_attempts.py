"""How each strategy looks for dots; what was seen of a board is remembered for the next one.

Modules of copies' dots are imported where they are used: most boards are the game's own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from flowvision.vision.board.region import box_of
from flowvision.vision.dots.result import DotHypothesis
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.settings import Settings

if TYPE_CHECKING:
    from flowvision.vision.dots.copies import DiscBoard


class BoardCache:
    """What has been seen of a board."""

    def __init__(self, geometry: BoardGeometry, settings: Settings) -> None:
        self.geometry = geometry
        self.settings = settings

    @cached_property
    def discs(self) -> DiscBoard | None:
        """The board with discs of one size; ``None`` where there are none."""
        from flowvision.vision.dots.copies import disc_board, middles_of_discs
        from flowvision.vision.pixels.discs import discs_round

        geometry, fit, settings = self.geometry, self.geometry.fit, self.settings
        middles = middles_of_discs(geometry, settings.dots) if fit.is_lattice else None
        if middles is None:
            return None
        shot = fit.region.shot
        box = box_of(geometry.board, fit.frame, shot)
        discs = discs_round(shot, box, fit.pitch_px, settings, middles)
        return disc_board(geometry, discs, settings)


def usual(board: BoardCache) -> DotHypothesis:
    """The dots of the game."""
    return DotHypothesis(board.geometry, board.geometry.fit.usual_dots(board.settings.dots))


def measured(board: BoardCache) -> DotHypothesis | None:
    """The discs of one size in the middles of cells."""
    from flowvision.vision.dots.copies import measured_discs

    geometry = board.geometry
    model = measured_discs(geometry, board.settings.dots) if geometry.fit.is_lattice else None
    return DotHypothesis(geometry, model) if model else None


def filled_discs(board: BoardCache) -> DotHypothesis | None:
    """The filled discs of one size alone."""
    from flowvision.vision.dots.copies import filled_discs as model

    discs = board.discs
    return DotHypothesis(discs.sides, model(discs, board.settings.dots)) if discs else None


def wide_rings(board: BoardCache) -> DotHypothesis | None:
    """Those, and whatever fills an annulus as large."""
    from flowvision.vision.dots.copies import wide_ring

    discs = board.discs
    return DotHypothesis(discs.sides, wide_ring(discs, board.settings.dots)) if discs else None


def rimmed_discs(board: BoardCache) -> DotHypothesis | None:
    """The filled discs, and those within a rim."""
    from flowvision.vision.dots.copies import rimmed_discs as model

    discs = board.discs
    rimmed = model(discs, board.settings.dots) if discs else None
    return DotHypothesis(discs.sides, rimmed) if discs and rimmed else None


def small(board: BoardCache) -> DotHypothesis | None:
    """Smaller dots than the game's."""
    from flowvision.vision.dots.copies import small_dots

    model = small_dots(board.geometry.fit, board.settings.dots)
    return DotHypothesis(board.geometry, model) if model else None
