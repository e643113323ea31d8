"""What is not as it should be on the way to a refusal, in words that need no knowledge of the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from flowvision.debug.attempts import Attempt, Region
from flowvision.debug.discs import CellDiscs, cell_discs
from flowvision.debug.scene import Scene
from flowvision.errors import FlowvisionError
from flowvision.reading.options import Options
from flowvision.vision.special.fits import Fit


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    ``panel``: the picture that shows it. ``says``: what, with numbers. ``means``: what that mostly comes
    from. ``option``: what to add to the command. ``threshold``: the one that decided; it ``saw`` this value.
    """

    panel: str
    says: str
    means: str = ""
    option: str = ""
    threshold: str = ""
    saw: float | None = None


@dataclass(frozen=True, eq=False)
class Seen:
    """All that is known of a refusal: the results on the way to it, those a person would choose.

    ``error``: why that reading went no further. ``final``: what was raised in the end, and ``final_fit`` what
    it is about.
    """

    scene: Scene
    error: FlowvisionError
    final: FlowvisionError
    options: Options
    final_fit: Fit | None = None
    regions: list[Region] = field(default_factory=list)
    choice: Attempt | None = None

    @cached_property
    def discs(self) -> CellDiscs:
        """What is in the middles of the cells."""
        return cell_discs(self.scene.sides, self.scene.settings.dots)
