"""Attempts at the board of a picture, and the one that words, draft and pictures of a refusal are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import TypeVar

import numpy as np

from flowvision.corrections.draft import Draft, draft_of, draft_of_dots
from flowvision.errors import FlowvisionError
from flowvision.log import STAGES, Step
from flowvision.reading.candidates import Candidate
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.value import ancestors, find_ancestor
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.view import Floats

T = TypeVar("T")

CROP_MARGIN = 0.05
"""Margin round a board in the advice to crop to it, in pitches."""
SHARP_CELL_PX, SMALL_CELL_PX = 10.0, 16.0
"""Sharp pictures that were made smaller are read down to cells of 10 px (drawn to the pixel, of 7); of those
compressed as JPEG of quality 50 one in six fails at 15 px, and nearly all at 11."""
OF_GIVEN_SIZE = "even lattice", "lattice at an angle"
"""Strategies that place a lattice of the given size, whether or not its lines are seen."""
FEWEST_DOTS = 4
"""A lattice with fewer dots hardly looks like a board."""
WITH_DOTS, OPEN, SHARDS = 2.0, 0.7, 0.5
"""Factors of a fit's score: it has dots; its lines run on; its cells are of any shape, as lines make them."""
CLEARER = 1.25
"""Times the appeal of the attempt that the error is about: a person would choose one that has more."""
CLEARLY_MORE = 1.25
"""Times as many pairs: from here on the additional ones are no stains."""
MOST_DOTS = 2 / 3
"""Share of cells: where more seem to hold a dot, pipes or the pieces of another game were taken for dots."""


@dataclass(slots=True, eq=False)
class Attempt:
    """A strategy as it was tried on a region.

    ``fit``: ``None`` where it found nothing, or failed. ``latest``: its furthest result. ``failed``: the step
    that ended it furthest. ``dots``: the most that were seen on it. ``outcomes``: by kind of dots.
    """

    strategy: str
    region: BoardRegion | None
    fit: Fit | None = None
    latest: object = None
    failed: Step | None = None
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

    def find(self, kind: type[T]) -> T | None:
        """The latest result of a type that led to its furthest one."""
        return find_ancestor(self.latest, kind)

    def follow(self, step: Step) -> None:
        """Note a later step of the attempt."""
        if step.error is not None and (self.failed is None or _is_further(step, self.failed)):
            self.failed = step
        end = _end(step)
        if end is None:
            return
        self.outcomes[_kind_of_dots(step)] = end
        dots = step.find(Dots)
        self.dots = max(self.dots, len(dots.dots) if dots else 0)
        reached = step.own if isinstance(step.own, Dots) else step.source
        if len(list(ancestors(reached))) >= len(list(ancestors(self.latest))):
            self.latest = reached


@dataclass(frozen=True, eq=False)
class Refused:
    """The attempt that a refusal is told by: its ``latest`` result, and the ``error`` that it ended with.

    ``final_fit``: what the error that was raised is about. ``choice``: the attempt that a person would
    choose, where that is clearly another one.
    """

    latest: object
    error: FlowvisionError
    final_fit: Fit | None
    choice: Attempt | None
    attempts: list[Attempt]

    def find(self, kind: type[T]) -> T | None:
        """The latest result of a type that led to this one."""
        return find_ancestor(self.latest, kind)

    @property
    def reading(self) -> Reading | None:
        """The board that was read whole."""
        return _reading_of(self.latest)

    @cached_property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, open for changes; ``None``: no cells."""
        return draft_from(self.latest)


def attempts_in(steps: Iterable[Step]) -> list[Attempt]:
    """Every strategy that was tried on a region, a row for each fit that it found."""
    attempts, by_fit, tried = list[Attempt](), dict[int, Attempt](), set[tuple[str, int]]()
    for step in steps:
        key = step.name, id(step.source)
        if step.stage == "grid" and (step.result or step.error or key not in tried):
            tried.add(key)
            fit = step.result if isinstance(step.result, Fit) else None
            attempt = Attempt(step.name, find_ancestor(step.source, BoardRegion), fit, fit or step.source)
            if step.error is not None:
                attempt.outcomes[""] = step.error.stage_message
            attempts.append(attempt)
            if fit is not None:
                by_fit[id(fit)] = attempt
        elif step.stage != "grid":
            made = by_fit.get(id(find_ancestor(step.source, Fit)))
            if made is not None:
                made.follow(step)
    return attempts


def refused_attempt(final: FlowvisionError, steps: Sequence[Step]) -> Refused:
    """The attempt that a person would choose among all that came to nothing.

    It is the one that the error is about, or another that appeals clearly more. Of
    attempts at the same rows and columns, it is the one that saw most pairs of dots: less is left to a
    person. But where every dot has a partner, a pair or two more may be stains, and so may all be where one
    of them has none; where no dot was seen, what another attempt saw may be anything.
    """
    attempts, error = attempts_in(steps), final.origin
    failed = [step for step in steps if step.error is error]
    latest = _latest(failed[-1], steps) if failed else None
    final_fit = find_ancestor(failed[-1].source, Fit) if failed else None
    choice = _clearer_choice(attempts, final_fit)
    if choice is not None:
        latest = choice.latest
        if choice.failed is not None and choice.failed.error is not None:
            error, latest = choice.failed.error, _latest(choice.failed, steps)
    error, latest = _most_paired(steps, error, latest)
    return Refused(latest, error, final_fit, choice, attempts)


def draft_from(latest: object) -> Draft | None:
    """The board as far as a result shows it; ``None``: no cells."""
    if (reading := _reading_of(latest)) is not None:
        return draft_of(reading)
    geometry = find_ancestor(latest, BoardGeometry)
    return None if geometry is None else draft_of_dots(geometry, find_ancestor(latest, Dots))


def solved_from(step: Step, steps: Iterable[Step]) -> object:
    """The result that a step began with, with the solver's outcome where it is a reading."""
    interpretation = find_ancestor(step.source, Interpretation)
    for other in steps if interpretation else ():
        source, outcome = other.source, other.result
        if not isinstance(source, Interpretation) or source.reading is not _reading_of(interpretation):
            continue
        if isinstance(outcome, Solved | Unsolvable | GaveUp):
            return Candidate(source, outcome)
    return step.source


def _latest(step: Step, steps: Iterable[Step]) -> object:
    return step.own if isinstance(step.own, Dots | Pairing) else solved_from(step, steps)


def _reading_of(latest: object) -> Reading | None:
    interpretation = find_ancestor(latest, Interpretation)
    return interpretation.reading if interpretation else None


def _is_further(step: Step, other: Step) -> bool:
    return STAGES.index(step.stage) > STAGES.index(other.stage)


def _kind_of_dots(step: Step) -> str:
    hypothesis, interpretation = step.find(DotHypothesis), find_ancestor(step.source, Interpretation)
    words = [hypothesis.strategy] if hypothesis else []
    if interpretation is not None:
        words += ["with crossings"] if interpretation.crossings else []
        words += ["without walls"] if interpretation.ignored_walls else []
    return " ".join(words)


def _end(step: Step) -> str | None:
    """The end of a step in words; ``None`` where a later one tells more."""
    if step.error is not None:
        refused = f"refused by the check “{step.error.doubt.check}”: " if step.error.doubt else ""
        return refused + step.error.stage_message
    match step.result:
        case Dots() as dots:
            return f"{len(dots.dots)} dots"
        case Solved() | Unsolvable() | GaveUp() as outcome:
            return _solved(outcome)
    return None


def _solved(outcome: Outcome) -> str:
    match outcome:
        case Unsolvable():
            return "no solution"
        case GaveUp():
            return "no answer in time"
    if has_one_strict_solution(outcome):
        return "exactly one solution"
    return "a solution, but a path touches itself" if outcome.rules == "free" else "several solutions"


def _clearer_choice(attempts: Sequence[Attempt], final_fit: Fit | None) -> Attempt | None:
    """The attempt that a person would choose, where that is clearly another than the error is about.

    A lattice that was seen, where there is one: one of a given size may lie anywhere.
    """
    fitted = [item for item in attempts if item.fit is not None]
    choice = choice_of([item for item in fitted if item.strategy not in OF_GIVEN_SIZE] or fitted)
    if choice is None or choice.fit is final_fit or leaves_out_dots(choice, fitted):
        return None
    own = next((item for item in fitted if item.fit is final_fit), None)
    if own is None:
        return choice
    if own.strategy in OF_GIVEN_SIZE and choice.strategy not in OF_GIVEN_SIZE and choice.dots >= FEWEST_DOTS:
        return choice
    is_same = grid_option(own.fit) and grid_option(own.fit) == grid_option(choice.fit)
    return None if is_same or appeal_of(choice) < CLEARER * appeal_of(own) else choice


def _most_paired(
    steps: Sequence[Step], error: FlowvisionError, latest: object
) -> tuple[FlowvisionError, object]:
    """The attempt at the same rows and columns that saw most pairs of dots."""
    draft, dots = draft_from(latest), find_ancestor(latest, Dots)
    saw_none = dots is not None and not dots.dots  # what others took for dots may be digits
    if draft is None or draft.free is not None or saw_none:
        return error, latest
    best, most = (error, latest), _pairs(draft)
    is_complete = _is_complete(draft)
    if is_complete:
        most = max(most, ceil(CLEARLY_MORE * most) - 1)
    for step in steps:
        if step.error is None or find_ancestor(step.source, BoardGeometry) is None:
            continue
        other_latest = _latest(step, steps)
        other = draft_from(other_latest)
        if other is None or (other.tiling, other.size) != (draft.tiling, draft.size):
            continue
        if len(other.seen) > MOST_DOTS * len(other.marks):
            continue
        if _pairs(other) > most and (_is_complete(other) or not is_complete):
            best, most = (step.error, other_latest), _pairs(other)
    return best


def _is_complete(draft: Draft) -> bool:
    """Return whether there are dots, and every one has a partner."""
    return bool(draft.seen) and 2 * _pairs(draft) == len(draft.seen)


def _pairs(draft: Draft) -> int:
    """Colours of a draft that have their two dots."""
    letters = [dot.letter for dot in draft.seen.values()]
    return sum(letters.count(letter) == 2 for letter in draft.colours)


def choice_of(attempts: Iterable[Attempt]) -> Attempt | None:
    """The attempt whose lattice is the clearest, regular cells and those with dots before others."""
    return max(attempts, key=appeal_of, default=None)


def appeal_of(attempt: Attempt) -> float:
    """Likeness of an attempt to a board."""
    fit = attempt.fit
    assert fit is not None
    score = fit.score * (WITH_DOTS if attempt.dots >= FEWEST_DOTS else 1.0)
    if not fit.is_regular:
        return score * SHARDS
    return score * (OPEN if fit.is_open else 1.0)


def leaves_out_dots(choice: Attempt, others: Iterable[Attempt]) -> bool:
    """Whether dots that another lattice shows lie beyond the one of ``choice``: it is a part of the board."""
    fit = choice.fit
    if fit is None or fit.size is None:
        return False
    rows, cols = fit.size
    for other in others:
        dots = other.find(Dots)
        if dots is None or other is choice or other.fit is None or other.fit.size is None:
            continue
        if len(dots.dots) > choice.dots:
            places = fit.frame.to_cells([dot.centre_px for dot in dots.dots])
            inside = ((places >= 0) & (places <= (cols, rows))).all(axis=1)
            if inside.any() and not inside.all():
                return True
    return False


def grid_option(fit: Fit | None) -> str:
    """The value of `--grid` for a fit; empty where it has no rows and columns."""
    return f"{fit.size[1]}x{fit.size[0]}" if fit and fit.size else ""


def crop_option(corners_px: Floats, margin_px: float, size_px: tuple[int, int]) -> str:
    """The value of `--crop` for the box round corners (N, 2), with a margin, inside a picture of a size."""
    low = np.clip(corners_px.min(axis=0) - margin_px, 0, None)
    high = np.minimum(corners_px.max(axis=0) + margin_px, size_px)
    return ",".join(str(round(float(number))) for number in (*low, *(high - low)))
