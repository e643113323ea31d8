"""What is not as it should be on the way to a refusal, in words that need no knowledge of the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from flowvision.debug.attempts import Attempt, Region
from flowvision.debug.colour_groups import ColourGroup, colour_groups
from flowvision.debug.covered import Covered, covered_cells
from flowvision.debug.discs import CellDiscs, cell_discs
from flowvision.debug.marks import Mark
from flowvision.debug.picture_kind import PictureKind, kind_of
from flowvision.debug.scene import Scene
from flowvision.errors import FlowvisionError
from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.vision.kinds.fit import Fit


@value_type
class Finding:
    """One thing that is not as it should be.

    ``panel``: the picture of the stage where it shows. ``says``: what, in a sentence. ``means``: more about
    it, as far as it was measured. ``then``: what to do next. ``option``: what to add to the command.
    ``marks``: where it is in the picture. ``detail``: the numbers, for those who want them. ``threshold``:
    the one that decided; it ``saw`` this value.
    """

    panel: str
    says: str
    means: str = ""
    option: str = ""
    threshold: str = ""
    saw: float | None = None
    then: str = ""
    detail: str = ""
    marks: tuple[Mark, ...] = ()


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

    @cached_property
    def groups(self) -> tuple[ColourGroup, ...]:
        """The dots by colour."""
        marks = self.scene.trail.dots
        return colour_groups(marks) if marks is not None else ()

    @cached_property
    def covered(self) -> Covered:
        """The cells that something lies over."""
        return covered_cells(self.scene)

    @cached_property
    def kind(self) -> PictureKind:
        """How sharp the picture is, and what it looks like."""
        return kind_of(self.scene.shot.bgr)
