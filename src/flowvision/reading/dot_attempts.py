"""How each strategy looks for dots; what was seen of a board is remembered for the next one.

Modules of copies' dots are imported where they are used: most boards are the game's own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from flowvision.events import Trail
from flowvision.image.picture import Screenshot
from flowvision.vision.board.boxes import box_of
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.settings import Settings

if TYPE_CHECKING:
    from flowvision.vision.dots.disc_models import DiscBoard

Look = tuple[BoardGeometry, DotModel]
"""A board, and what its dots look like."""


class BoardMemo:
    """What has been seen of a board, and the trail that leads to it."""

    def __init__(self, sides: BoardGeometry, trail: Trail, shot: Screenshot, settings: Settings) -> None:
        self.sides = sides
        self.trail = trail
        self.shot = shot
        self.settings = settings

    @cached_property
    def discs(self) -> DiscBoard | None:
        """The board with discs of one size; ``None`` where there are none."""
        from flowvision.vision.dots.disc_models import disc_board
        from flowvision.vision.dots.glance import middles_of_discs
        from flowvision.vision.pixels.discs import discs_round

        sides, settings = self.sides, self.settings
        middles = middles_of_discs(sides, settings.dots) if sides.fit.is_lattice else None
        if middles is None:
            return None
        box = box_of(sides.board, sides.fit.frame, self.shot)
        discs = discs_round(self.shot, box, sides.fit.pitch_px, settings, middles)
        return disc_board(sides, discs, settings)


def usual(memo: BoardMemo) -> Look:
    """The dots of the game."""
    return memo.sides, memo.sides.fit.usual_dots(memo.settings.dots)


def measured(memo: BoardMemo) -> Look | None:
    """The discs of one size in the middles of cells."""
    from flowvision.vision.dots.measured import measured_discs

    model = measured_discs(memo.sides, memo.settings.dots) if memo.sides.fit.is_lattice else None
    return (memo.sides, model) if model else None


def filled_discs(memo: BoardMemo) -> Look | None:
    """The filled discs of one size alone."""
    from flowvision.vision.dots.disc_models import filled_discs as model

    return (memo.discs.sides, model(memo.discs, memo.settings.dots)) if memo.discs else None


def wide_rings(memo: BoardMemo) -> Look | None:
    """Those, and whatever fills an annulus as large."""
    from flowvision.vision.dots.disc_models import wide_ring

    return (memo.discs.sides, wide_ring(memo.discs, memo.settings.dots)) if memo.discs else None


def rimmed_discs(memo: BoardMemo) -> Look | None:
    """The filled discs, and those within a rim."""
    from flowvision.vision.dots.disc_models import rimmed_discs as model

    rimmed = model(memo.discs, memo.settings.dots) if memo.discs else None
    return (memo.discs.sides, rimmed) if memo.discs and rimmed else None


def small(memo: BoardMemo) -> Look | None:
    """Smaller dots than the game's."""
    from flowvision.vision.dots.disc_models import small_dots

    model = small_dots(memo.sides.fit, memo.settings.dots)
    return (memo.sides, model) if model else None
