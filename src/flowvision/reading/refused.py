"""The attempt at a refused board that words, draft, corrections and debug pictures are all about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from flowvision.corrections.draft import Draft, draft_of, draft_of_dots
from flowvision.errors import FlowvisionError
from flowvision.events import STAGES, Event, StageDone, StageFailed, Trail
from flowvision.reading.candidates import Candidate
from flowvision.reading.history import (
    FEWEST_DOTS,
    OF_GIVEN_SIZE,
    RegionRecord,
    StrategyRecord,
    appeal_of,
    attempts_of,
    choice_of,
    grid_option,
    leaves_out_dots,
    regions_tried,
)
from flowvision.solvers import GaveUp, Solved, Unsolvable
from flowvision.vision.assembly import Interpretation
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import Fit

CLEARER = 1.25
"""Times the appeal of the reading that the error is about: one that a person would rather choose has more."""
CLEARLY_MORE = 1.25
"""Times as many pairs: from here on the additional ones are no stains."""
MOST_DOTS = 2 / 3
"""Share of cells: where more seem to hold a dot, pipes or the pieces of another game were taken for dots."""


@dataclass(frozen=True, eq=False)
class Refused:
    """An attempt at a board: the results it has, its ``trail``, and the ``error`` that it ended with.

    ``final_fit``: what the error that was raised is about. ``choice``: the attempt that a person would
    choose, where that is clearly another one. ``regions``: all that was tried.
    """

    trail: Trail
    error: FlowvisionError
    final_fit: Fit | None
    choice: StrategyRecord | None
    regions: list[RegionRecord]

    @cached_property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, open for changes; ``None``: no cells."""
        return draft_of_trail(self.trail)


def refused_attempt(final: FlowvisionError, events: Sequence[Event]) -> Refused:
    """The attempt that a person would choose among all that came to nothing.

    It is the one that the error is about, or another that appeals clearly more. Of
    attempts at the same rows and columns, it is the one that saw most pairs of dots: less is left to a
    person. But where every dot has a partner, a pair or two more may be stains, and so may all be where one
    of them has none; where no dot was seen, what another attempt saw may be anything.
    """
    regions = regions_tried(events)
    error, trail = final.origin, trail_of_error(events, final.origin)
    final_fit, choice = trail.fit, _clearer_choice(regions, trail)
    if choice is not None:
        error, trail = _reached(events, choice, error)
    error, trail = _most_paired(events, error, _with_evidence(error, trail))
    return Refused(trail, error, final_fit, choice, regions)


def draft_of_trail(trail: Trail) -> Draft | None:
    """The board as far as these results show it; ``None``: no cells."""
    if trail.reading is not None:
        return draft_of(trail.reading)
    return None if trail.geometry is None else draft_of_dots(trail.geometry, trail.dots)


def trail_of_error(events: Sequence[Event], error: FlowvisionError) -> Trail:
    """The results that lead to an error."""
    failed = [event for event in events if isinstance(event, StageFailed) and event.error is error]
    return _with_outcome(events, failed[-1].trail) if failed else Trail()


def _with_evidence(error: FlowvisionError, trail: Trail) -> Trail:
    """The trail, with what the stage that failed had."""
    return Trail(error.evidence) if isinstance(error.evidence, Dots | Pairing) else trail


def _with_outcome(events: Sequence[Event], trail: Trail) -> Trail:
    """The trail with what the solver made of its reading."""
    if trail.reading is None:
        return trail
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and event.trail.reading is trail.reading:
            return solved_trail(event)
    return trail


def solved_trail(event: StageDone) -> Trail:
    """The trail of an outcome."""
    interpretation, outcome = event.before, event.result
    if isinstance(interpretation, Interpretation) and isinstance(outcome, Solved | Unsolvable | GaveUp):
        return Trail(Candidate(interpretation, outcome))
    return event.trail


def _clearer_choice(regions: Iterable[RegionRecord], trail: Trail) -> StrategyRecord | None:
    """The attempt that a person would choose, where that is clearly another than the error is about.

    A lattice that was seen, where there is one: one of a given size may lie anywhere.
    """
    attempts = attempts_of(regions)
    choice = choice_of([one for one in attempts if one.strategy not in OF_GIVEN_SIZE] or attempts)
    if choice is None or choice.fit is trail.fit or leaves_out_dots(choice, attempts):
        return None
    own = next((one for one in attempts if one.fit is trail.fit), None)
    if own is None:
        return choice
    if own.strategy in OF_GIVEN_SIZE and choice.strategy not in OF_GIVEN_SIZE and choice.dots >= FEWEST_DOTS:
        return choice
    is_same = grid_option(own.fit) and grid_option(own.fit) == grid_option(choice.fit)
    return None if is_same or appeal_of(choice) < CLEARER * appeal_of(own) else choice


def _reached(
    events: Sequence[Event], choice: StrategyRecord, final: FlowvisionError
) -> tuple[FlowvisionError, Trail]:
    """The error that a reading ended with, and the results it had."""
    failed = [event for event in events if isinstance(event, StageFailed) and event.trail.fit is choice.fit]
    if not failed:
        return final, choice.trail
    furthest = max(failed, key=lambda event: STAGES.index(event.stage))
    return furthest.error, _with_outcome(events, furthest.trail)


def _most_paired(
    events: Sequence[Event], error: FlowvisionError, trail: Trail
) -> tuple[FlowvisionError, Trail]:
    """The attempt at the same rows and columns that saw most pairs of dots."""
    draft = draft_of_trail(trail)
    saw_none = trail.dots is not None and not trail.dots.dots  # what others took for dots may be digits
    if draft is None or draft.free is not None or saw_none:
        return error, trail
    best, most = (error, trail), _pairs(draft)
    is_complete = _is_complete(draft)
    if is_complete:
        most = max(most, ceil(CLEARLY_MORE * most) - 1)
    for failed in events:
        if not isinstance(failed, StageFailed) or failed.trail.geometry is None:
            continue
        other_trail = _with_evidence(failed.error, _with_outcome(events, failed.trail))
        other = draft_of_trail(other_trail)
        if other is None or (other.tiling, other.size) != (draft.tiling, draft.size):
            continue
        if len(other.seen) > MOST_DOTS * len(other.marks):
            continue
        if _pairs(other) > most and (_is_complete(other) or not is_complete):
            best, most = (failed.error, other_trail), _pairs(other)
    return best


def _is_complete(draft: Draft) -> bool:
    """Whether there are dots, and every one has a partner."""
    return bool(draft.seen) and 2 * _pairs(draft) == len(draft.seen)


def _pairs(draft: Draft) -> int:
    """How many colours of a draft have their two dots."""
    letters = [dot.letter for dot in draft.seen.values()]
    return sum(letters.count(letter) == 2 for letter in draft.colours)
