"""What was tried on a picture, in order, how each strategy ended, and which one a person would choose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flowvision.events import Event, StageDone, StageFailed, Trail
from flowvision.reading.options import Options
from flowvision.reading.strategies import FITS, GIVEN_SIZE, WITHOUT_LINES
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import Channel, Floats

CROP_MARGIN = 0.05
"""Margin round a board in the advice to crop to it, in pitches."""
SHARP_CELL_PX, SMALL_CELL_PX = 10.0, 16.0
"""Sharp pictures that were made smaller are read down to cells of 10 px (drawn to the pixel, of 7); of those
compressed as JPEG of quality 50 one in six fails at 15 px, and nearly all at 11."""
WHOLE = "the whole picture"
SETTLED = "exactly one solution"
"""How an attempt ends after which no other strategy is tried."""
OF_GIVEN_SIZE = "even lattice", "lattice at an angle"
"""Strategies that place a lattice of the given size, whether or not its lines are seen."""
FEWEST_DOTS = 4
"""With fewer dots nobody would take a lattice for a board."""
WITH_DOTS, OPEN, SHARDS = 2.0, 0.7, 0.5
"""Factors of a fit's score: it has dots; its lines go on; its cells are of any shape, as lines make them."""


@dataclass(slots=True)
class StrategyRecord:
    """A strategy as it was tried on a region: the ``fit`` it found, and the ``outcomes`` by kind of dots.

    ``trail``: as far as it came. ``dots``: the most that were seen on it. ``is_answer``: it was believed.
    """

    region: int
    strategy: str
    fit: Fit | None
    trail: Trail
    outcomes: dict[str, str] = field(default_factory=dict)
    dots: int = 0
    is_skipped: bool = False
    is_answer: bool = False

    @property
    def size(self) -> str:
        """The size of the fit, in words."""
        return self.fit.size_text() if self.fit is not None else ""

    @property
    def text(self) -> str:
        """How it ended, in a line."""
        outcomes = "; ".join(
            f"{dots}: {outcome}" if dots else outcome for dots, outcome in self.outcomes.items()
        )
        return ", ".join(filter(None, (self.size, outcomes)))


@dataclass(slots=True)
class RegionRecord:
    """A part of the picture that was looked at, and what was tried on it."""

    number: int
    words: str
    attempts: list[StrategyRecord] = field(default_factory=list)
    channel: Channel | None = None
    """In which its lines were looked for; ``None`` for the whole picture."""


def regions_tried(events: Sequence[Event]) -> list[RegionRecord]:
    """Every region with the strategies that found something in it, or failed with an error."""
    regions: dict[int, RegionRecord] = {}
    attempts: dict[int, StrategyRecord] = {}
    for event in events:
        match event:
            case StageDone("board", BoardRegion() as found):
                regions[id(found)] = RegionRecord(
                    len(regions) + 1, _region_words(found), channel=found.view.channel
                )
            case StageDone("grid", found):
                fit: Any = found
                region = _region(regions, event.trail)
                made = StrategyRecord(region.number, fit.strategy, fit, Trail(fit))
                attempts[id(fit)] = made
                region.attempts.append(made)
            case StageFailed("grid", error):
                region = _region(regions, event.trail)
                made = StrategyRecord(
                    region.number, event.trail.strategy, None, event.trail, {"": error.stage_message}
                )
                region.attempts.append(made)
            case _:
                made_before = attempts.get(id(event.trail.fit))
                if made_before is not None:
                    _follow(made_before, event)
    return list(regions.values())


def regions_of(events: Sequence[Event], options: Options) -> list[RegionRecord]:
    """Every region with every strategy in order; those that found nothing say why."""
    return with_skipped(regions_tried(events), options)


def with_skipped(found_regions: list[RegionRecord], options: Options) -> list[RegionRecord]:
    """The regions with the strategies that found nothing in them, each in its place."""
    for region in found_regions:
        _add_skipped(region, options, is_last=region is found_regions[-1])
    tried = {one.strategy for region in found_regions for one in region.attempts}
    if found_regions and not any(one.is_answer for one in attempts_of(found_regions)):
        rows = [row for row in WITHOUT_LINES if row.name not in tried]
        whole = RegionRecord(len(found_regions) + 1, WHOLE)
        why = "found nothing, or was not reached: "
        whole.attempts = [_skipped(whole.number, row.name, why + row.why_none) for row in rows]
        found_regions += [whole] if rows else []
    return found_regions


def attempts_of(regions: Iterable[RegionRecord]) -> list[StrategyRecord]:
    """All attempts that fitted something."""
    return [one for region in regions for one in region.attempts if one.fit is not None]


def _region(regions: dict[int, RegionRecord], trail: Trail) -> RegionRecord:
    whole = RegionRecord(len(regions) + 1, WHOLE)
    return regions.setdefault(id(trail.region), whole)


def channel_name(channel: Channel) -> str:
    """The name of the channel in which lines were looked for."""
    return "the negative" if channel == "negative" else f"the {channel} channel"


def _region_words(region: BoardRegion) -> str:
    low, high = region.corners_px.min(axis=0), region.corners_px.max(axis=0)
    width, height = (high - low + 1).round().astype(int).tolist()
    x, y = low.round().astype(int).tolist()
    return f"{channel_name(region.view.channel)}, {width} × {height} px at {x}, {y}"


def _follow(attempt: StrategyRecord, event: Event) -> None:
    """Note what became of an attempt at a fit."""
    dots_tried = event.trail.dot_strategy
    if event.trail.crossings is not None:
        dots_tried += " with crossings"
    if event.trail.ignored_walls:
        dots_tried += " without walls"
    outcome = _outcome(event)
    attempt.is_answer = attempt.is_answer or event.stage == "draw"
    if outcome is None:
        return
    attempt.outcomes.pop("", None) if dots_tried else None
    attempt.outcomes[dots_tried] = outcome
    found = event.error.evidence if isinstance(event, StageFailed) else event.result
    dots = event.trail.dots or (found if isinstance(found, Dots) else None)
    attempt.dots = max(attempt.dots, len(dots.dots) if dots else 0)
    if len(event.trail) >= len(attempt.trail):
        attempt.trail = event.trail
        if isinstance(found, Dots):
            attempt.trail = Trail(found)


def _outcome(event: Event) -> str | None:
    if isinstance(event, StageFailed):
        refused = f"refused by the check “{event.error.refusal.check}”: " if event.error.refusal else ""
        return refused + event.error.stage_message
    match event.result:
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
        return SETTLED
    return "a solution, but a path touches itself" if outcome.rules == "free" else "several solutions"


def _add_skipped(region: RegionRecord, options: Options, is_last: bool) -> None:
    """Put in the strategies of its channel that found nothing, in their places."""
    rows = [one for one in (GIVEN_SIZE if options.grid else FITS) if region.channel in (None, *one.channels)]
    names = [one.name for one in rows]
    if any(one.strategy in {row.name for row in WITHOUT_LINES} for one in region.attempts):
        return
    tried = {one.strategy for one in region.attempts}
    last = max((names.index(name) for name in tried if name in names), default=-1)
    is_settled = is_last and any(SETTLED in one.outcomes.values() for one in region.attempts)
    for place, row in enumerate(rows):
        if row.name in tried:
            continue
        is_late = is_settled and place > last
        why = "skipped: an answer was found before" if is_late else f"found nothing: {row.why_none}"
        region.attempts.append(_skipped(region.number, row.name, why))
    region.attempts.sort(key=lambda one: names.index(one.strategy) if one.strategy in names else len(names))


def _skipped(region: int, strategy: str, why: str) -> StrategyRecord:
    """A strategy that fitted nothing."""
    return StrategyRecord(region, strategy, None, Trail(), {"": why}, is_skipped=True)


def choice_of(attempts: Iterable[StrategyRecord]) -> StrategyRecord | None:
    """The attempt whose lattice is the clearest, regular cells and those with dots before others."""
    return max(attempts, key=appeal_of, default=None)


def leaves_out_dots(choice: StrategyRecord, others: Iterable[StrategyRecord]) -> bool:
    """Whether dots that another lattice shows lie beyond the one of ``choice``: it is a part of the board."""
    fit = choice.fit
    if fit is None or fit.size is None:
        return False
    rows, cols = fit.size
    for other in others:
        dots = other.trail.dots
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


def appeal_of(attempt: StrategyRecord) -> float:
    """How much an attempt looks like a board."""
    fit = attempt.fit
    assert fit is not None
    score = fit.score * (WITH_DOTS if attempt.dots >= FEWEST_DOTS else 1.0)
    if not fit.is_regular:
        return score * SHARDS
    return score * (OPEN if fit.is_open else 1.0)
