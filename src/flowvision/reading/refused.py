"""Picks the failed step that words, draft and pictures of a refusal are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TypeVar

import numpy as np

from flowvision.corrections.draft import Draft, draft_of, draft_of_dots
from flowvision.errors import FlowvisionError
from flowvision.log import STAGES, Step
from flowvision.reading.candidates import Candidate
from flowvision.solvers import Unsolvable
from flowvision.value import find_ancestor
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.view import Floats

T = TypeVar("T")

CROP_MARGIN = 0.05
"""Margin around a board in the advice to crop, in pitches."""
SHARP_CELL_PX, SMALL_CELL_PX = 10.0, 16.0
"""Sharp pictures that were made smaller are read down to cells of 10 px (drawn to the pixel, of 7); of those
compressed as JPEG of quality 50 one in six fails at 15 px, and nearly all at 11."""
FEWEST_DOTS = 4
"""Fewest dots of a lattice that looks like a board."""
WITH_DOTS, OPEN, SHARDS = 2.0, 0.7, 0.5
"""Factors of a fit's score: it has dots; its lines run on; its cells are of any shape, as lines make them."""
CLEARER = 1.25
"""Times the appeal of the fit, or the pairs, of another attempt: a person would choose one that has more."""
MAX_DOTS = 2 / 3
"""Largest share of cells with a dot; with more, pipes or other pieces were taken for dots."""


@dataclass(frozen=True, eq=False)
class Refused:
    """The attempt to report: its ``latest`` result, and the ``error`` that it ended with.

    ``final_fit``: the fit of the error that was raised. ``choice``: another fit, where a person would clearly
    choose that.
    """

    latest: object
    error: FlowvisionError
    final_fit: Fit | None
    choice: Fit | None

    def find(self, kind: type[T]) -> T | None:
        """Return the latest result of a type that led to this one."""
        return find_ancestor(self.latest, kind)

    @property
    def reading(self) -> Reading | None:
        """The board that was read whole."""
        return _reading_of(self.latest)

    @cached_property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, open for changes; ``None``: no cells."""
        return draft_from(self.latest)


def refused_attempt(final: FlowvisionError, steps: Sequence[Step]) -> Refused:
    """Return the attempt that a person would choose among all that failed.

    It is the one that the error is about, or another whose fit appeals clearly more. Of attempts at the same
    rows and columns, it is the one with most pairs of dots: less is left to a person. But where every dot has
    a partner, a pair or two more may be stains; where no dot was seen, what another attempt saw may be
    anything.
    """
    failed = [step for step in steps if step.error is not None or isinstance(step.result, Unsolvable)]
    failed = [step for step in failed if step.find(Fit) is not None]
    own = next((step for step in reversed(steps) if step.error is final.origin), None)
    clearer = _clearer(failed, own, dots_on(steps))
    best = _most_paired(failed, clearer or own)
    error = best.error if best and best.error else final.origin
    fit = clearer.find(Fit) if clearer else None
    return Refused(_latest(best) if best else None, error, own.find(Fit) if own else None, fit)


def draft_from(latest: object) -> Draft | None:
    """Return the board as far as a result shows it; ``None``: no cells."""
    if (reading := _reading_of(latest)) is not None:
        return draft_of(reading)
    geometry = find_ancestor(latest, BoardGeometry)
    return None if geometry is None else draft_of_dots(geometry, find_ancestor(latest, Dots))


def dots_on(steps: Iterable[Step]) -> dict[Fit, Dots]:
    """Return the most dots that were seen on each fit."""
    most: dict[Fit, Dots] = {}
    for step in steps:
        fit, dots = step.find(Fit), step.find(Dots)
        if fit is None or dots is None:
            continue
        if fit not in most or len(dots.dots) > len(most[fit].dots):
            most[fit] = dots
    return most


def _latest(step: Step) -> object:
    if isinstance(step.source, Interpretation) and isinstance(step.result, Unsolvable):
        return Candidate(step.source, step.result)
    return step.own if isinstance(step.own, Dots | Pairing) else step.source


def _reading_of(latest: object) -> Reading | None:
    interpretation = find_ancestor(latest, Interpretation)
    return interpretation.reading if interpretation else None


def _clearer(failed: Sequence[Step], own: Step | None, dots: Mapping[Fit, Dots]) -> Step | None:
    """Return the step that a person would choose, where that is clearly another than the error is about.

    A lattice that was seen, if any: one of a given size may be anywhere.
    """

    def appeal(fit: Fit) -> tuple[bool, float]:
        return not fit.is_given, appeal_of(fit, len(dots[fit].dots) if fit in dots else 0)

    cut = [step for step in (own, *failed) if step is not None and step.find(BoardGeometry) is not None]
    fits = [fit for step in cut if (fit := step.find(Fit)) is not None]
    choice, own_fit = max(fits, key=appeal, default=None), own.find(Fit) if own in cut and own else None
    if choice is None or choice is own_fit or leaves_out_dots(choice, dots):
        return None
    if own_fit is not None:
        (is_seen, much), (is_own_seen, own_much) = appeal(choice), appeal(own_fit)
        has_dots = choice in dots and len(dots[choice].dots) >= FEWEST_DOTS
        is_same = bool(own_fit.size) and own_fit.size == choice.size
        if not (is_seen and not is_own_seen and has_dots) and (is_same or much < CLEARER * own_much):
            return None
    ends = (step for step in failed if step.find(Fit) is choice)
    return max(ends, key=lambda step: STAGES.index(step.stage))


def leaves_out_dots(choice: Fit, dots: Mapping[Fit, Dots]) -> bool:
    """Return whether dots on another lattice are beyond the one of ``choice``: it is a part of the board."""
    own = len(dots[choice].dots) if choice in dots else 0
    for other, found in dots.items():
        if choice.size is None or other is choice or other.size is None or len(found.dots) <= own:
            continue
        places = choice.frame.to_cells([dot.centre_px for dot in found.dots])
        inside = ((places >= 0) & (places <= choice.size[::-1])).all(axis=1)
        if inside.any() and not inside.all():
            return True
    return False


def _most_paired(failed: Sequence[Step], chosen: Step | None) -> Step | None:
    latest = _latest(chosen) if chosen else None
    draft, dots = draft_from(latest), find_ancestor(latest, Dots)
    saw_none = dots is not None and not dots.dots  # what others took for dots may be digits
    if draft is None or draft.free is not None or saw_none:
        return chosen
    most, is_complete = _pairs(draft), _is_complete(draft)
    if is_complete:
        most = max(most, ceil(CLEARER * most) - 1)
    for step in failed:
        other = draft_from(_latest(step))
        if other is None or (other.tiling, other.size) != (draft.tiling, draft.size):
            continue
        if len(other.seen) > MAX_DOTS * len(other.marks):
            continue
        if _pairs(other) > most and (_is_complete(other) or not is_complete):
            chosen, most = step, _pairs(other)
    return chosen


def _is_complete(draft: Draft) -> bool:
    return bool(draft.seen) and 2 * _pairs(draft) == len(draft.seen)


def _pairs(draft: Draft) -> int:
    letters = [dot.letter for dot in draft.seen.values()]
    return sum(letters.count(letter) == 2 for letter in draft.colours)


def appeal_of(fit: Fit, dots: int) -> float:
    """Return the likeness of a fit to a board: regular cells and those with dots before others."""
    score = fit.score * (WITH_DOTS if dots >= FEWEST_DOTS else 1.0)
    if not fit.is_regular:
        return score * SHARDS
    return score * (OPEN if fit.is_open else 1.0)


def grid_option(fit: Fit | None) -> str:
    """Return the value of `--grid` for a fit; empty where it has no rows and columns."""
    return f"{fit.size[1]}x{fit.size[0]}" if fit and fit.size else ""


def crop_option(corners_px: Floats, margin_px: float, size_px: tuple[int, int]) -> str:
    """Return the value of `--crop` for the box around corners (N, 2) with a margin."""
    low = np.clip(corners_px.min(axis=0) - margin_px, 0, None)
    high = np.minimum(corners_px.max(axis=0) + margin_px, size_px)
    return ",".join(str(round(float(number))) for number in (*low, *(high - low)))
