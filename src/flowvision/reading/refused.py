"""Pick the failed attempt that the message, draft and pictures of a refusal report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from flowvision.corrections import Draft, draft_of, draft_of_dots
from flowvision.errors import FlowvisionError
from flowvision.log import STAGES, Step, find_ancestor
from flowvision.reading.doubt import Candidate
from flowvision.solvers import Unsolvable
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.settings import DOTS

T = TypeVar("T")

WITH_DOTS, OPEN, SHARDS, GIVEN = 2.0, 0.7, 0.5, 0.2
"""Factors of a fit's score: it has dots; its lines continue; its cells have any shape, as shards do; its size
was given."""
CLEARER = 1.25
"""Factor by which the appeal of another attempt must exceed that of the one that raised the error."""


@dataclass(frozen=True, eq=False)
class Refused:
    """A refused picture. ``final``: the error that was raised; ``steps``: all of the run."""

    final: FlowvisionError
    steps: Sequence[Step]

    @cached_property
    def attempt(self) -> Step | None:
        """The failed step that looks most like a board, in doubt that which raised the error."""
        failed = [
            step
            for step in self.steps
            if step.find(BoardGeometry) is not None
            and (step.error is not None or isinstance(step.result, Unsolvable))
        ]
        own = next((step for step in reversed(self.steps) if step.error is self.final.origin), None)
        dots = dots_on(self.steps)

        def appeal(step: Step) -> tuple[float, int]:
            fit = step.find(Fit)
            assert fit is not None
            appeal = appeal_of(fit, len(dots[fit].dots) if fit in dots else 0)
            return (CLEARER if step is own else 1.0) * appeal, STAGES.index(step.stage)

        return max(failed, key=appeal, default=own)

    @property
    def error(self) -> FlowvisionError:
        """The error of the attempt."""
        return (self.attempt and self.attempt.error) or self.final.origin

    @cached_property
    def latest(self) -> object:
        """The last result of the attempt."""
        return _latest(self.attempt) if self.attempt else None

    def find(self, kind: type[T]) -> T | None:
        """Return the latest result of a type in the attempt."""
        return find_ancestor(self.latest, kind)

    @cached_property
    def reading(self) -> Reading | None:
        """The board that was read whole."""
        interpretation = self.find(Interpretation)
        return interpretation.reading if interpretation else None

    @cached_property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, open for changes; ``None``: no cells."""
        return draft_from(self.latest)


def draft_from(latest: object) -> Draft | None:
    """Return the board as far as a result shows it; ``None``: no cells."""
    if (interpretation := find_ancestor(latest, Interpretation)) is not None:
        return draft_of(interpretation.reading)
    geometry = find_ancestor(latest, BoardGeometry)
    return None if geometry is None else draft_of_dots(geometry, find_ancestor(latest, Dots))


def dots_on(steps: Iterable[Step]) -> dict[Fit, Dots]:
    """Return the most dots that were seen on each fit."""
    fullest: dict[Fit, Dots] = {}
    for step in steps:
        fit, dots = step.find(Fit), step.find(Dots)
        if fit and dots and (fit not in fullest or len(dots.dots) > len(fullest[fit].dots)):
            fullest[fit] = dots
    return fullest


def appeal_of(fit: Fit, dots: int) -> float:
    """Return how much a fit looks like a board: regular cells and cells with dots count more."""
    appeal = fit.score * (WITH_DOTS if dots >= DOTS.count_min else 1.0) * (GIVEN if fit.is_given else 1.0)
    if not fit.is_regular:
        return appeal * SHARDS
    return appeal * (OPEN if fit.is_open else 1.0)


def _latest(step: Step) -> object:
    if isinstance(step.source, Interpretation) and isinstance(step.result, Unsolvable):
        return Candidate(step.source, step.result)
    return step.own if isinstance(step.own, Dots | Pairing) else step.source
