"""Attempts of a run, as the debug page lists them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from flowvision.log import Step
from flowvision.solvers import GaveUp, Solved, Unsolvable
from flowvision.value import find_ancestor
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import DotHypothesis, Dots
from flowvision.vision.kinds.fit import Fit


@dataclass(slots=True, eq=False)
class Attempt:
    """A strategy as it was tried on a region.

    ``fit``: ``None`` where it found nothing, or failed. ``dots``: the most that were seen on it.
    ``outcomes``: by kind of dots.
    """

    strategy: str
    region: BoardRegion | None
    fit: Fit | None = None
    dots: int = 0
    outcomes: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> str:
        """The size of the fit, in words."""
        return self.fit.size_text() if self.fit is not None else ""

    @property
    def text(self) -> str:
        """The end of the attempt, in a line."""
        if self.fit is None and not self.outcomes:
            return "found nothing"
        outcomes = (f"{dots}: {end}" if dots else end for dots, end in self.outcomes.items())
        return ", ".join(filter(None, (self.size, "; ".join(outcomes))))


def attempts_in(steps: Iterable[Step]) -> list[Attempt]:
    """Return every strategy that was tried on a region, a row for each fit that it found."""
    attempts, by_fit, tried = list[Attempt](), dict[Fit, Attempt](), set[tuple[str, int]]()
    for step in steps:
        key = step.name, id(step.source)
        if step.stage == "grid" and (step.result or step.error or key not in tried):
            tried.add(key)
            fit = step.result if isinstance(step.result, Fit) else None
            attempt = Attempt(step.name, find_ancestor(step.source, BoardRegion), fit)
            if step.error is not None:
                attempt.outcomes[""] = step.error.stage_message
            attempts.append(attempt)
            if fit is not None:
                by_fit[fit] = attempt
        elif (found := find_ancestor(step.source, Fit)) in by_fit and (end := _end(step)):
            dots = step.find(Dots)
            by_fit[found].outcomes[_kind_of_dots(step)] = end
            by_fit[found].dots = max(by_fit[found].dots, len(dots.dots) if dots else 0)
    return attempts


def _kind_of_dots(step: Step) -> str:
    hypothesis, interpretation = step.find(DotHypothesis), find_ancestor(step.source, Interpretation)
    words = [hypothesis.strategy] if hypothesis else []
    if interpretation is not None:
        words += ["with crossings"] if interpretation.crossings else []
        words += ["without walls"] if interpretation.ignored_walls else []
    return " ".join(words)


def _end(step: Step) -> str:  # noqa: PLR0911
    """Return the end of a step in words; empty where a later one tells more."""
    if step.error is not None:
        doubt = f"refused, {step.error.doubt.code}: " if step.error.doubt else ""
        return doubt + step.error.stage_message
    match step.result:
        case Dots() as dots:
            return f"{len(dots.dots)} dots"
        case Unsolvable():
            return "no solution"
        case GaveUp():
            return "no answer in time"
        case Solved(rules="free"):
            return "a solution, but a path touches itself"
        case Solved(unique=True):
            return "exactly one solution"
        case Solved():
            return "several solutions"
    return ""
