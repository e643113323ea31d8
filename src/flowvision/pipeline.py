"""The stages in order, from a screenshot to the solved picture.

Vision offers readings best first; the solver chooses among them: a wrong reading hardly ever has
exactly one solution. Nothing here draws or prints; an observer is told what every stage found.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError
from flowvision.events import STAGES, Observer, StageFailed, Trail, Watch
from flowvision.files import read_bytes
from flowvision.image.codec import as_bgr, decode, encode
from flowvision.image.crop import turned
from flowvision.image.picture import Bgr, Screenshot
from flowvision.reading.candidates import readings_of
from flowvision.reading.options import Options
from flowvision.reading.partial_board import is_larger, is_part
from flowvision.reading.verdict import (
    Tried,
    confidence_of,
    doubtful,
    gave_up,
    is_settled,
    look_at,
    mended,
    most_credible,
    not_continued,
    repairs_of,
    strictly,
    unsolvable,
    warnings_of,
)
from flowvision.render.overlay import draw_over, draw_solution
from flowvision.solvers import Limits, Solved, Unsolvable, solve
from flowvision.vision.board.boxes import box_of, boxes_beside
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.crossings.result import Crossings
from flowvision.vision.dots.result import Dots
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.reading import Reading
from flowvision.vision.walls.result import SideReading

Source = str | os.PathLike[str] | bytes | NDArray[np.uint8] | Screenshot
"""A path (``-``: standard input), an encoded picture, an array of BGR pixels, or a ``Screenshot``."""


@dataclass(frozen=True, slots=True, eq=False)
class CheckedReading:
    """A reading that the solver was asked about. ``seconds`` per stage; ``confidence`` 0 to 1."""

    name: str
    reading: Reading
    outcome: Solved
    seconds: dict[str, float]
    warnings: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Answer(CheckedReading):
    """A checked reading, its solution, and the ``picture`` with the solution drawn on it."""

    picture: Bgr

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        return encode(self.picture)


def solve_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    in_place: bool = False,
) -> Answer:
    """The solved picture of a screenshot.

    ``in_place``: drawn on the decoded picture itself, or on the pixels given: what the observer was shown of
    them changes too. Raises a ``FlowvisionError`` that says which stage failed and what it saw.
    """
    options, watch = options or Options(), Watch(observer)
    shot = watch.run("decode", (), open_image, source, options.rotate)
    checked, trail = _largest(shot, options, watch)
    if options.keep_drawn:
        checked, trail = _continued(checked, trail, options, watch)
    reading, outcome = checked.reading, checked.outcome
    picture = watch.run(
        "draw",
        (*trail, outcome),
        draw_over if in_place else draw_solution,
        shot.bgr,
        reading.board,
        outcome.solution,
        reading.frame,
        reading.palette,
    )
    return Answer(
        checked.name, reading, outcome, checked.seconds, checked.warnings, checked.confidence, picture
    )


def read_image(
    source: Source, options: Options | None = None, observer: Observer | None = None
) -> CheckedReading:
    """What a screenshot shows, checked by the solver; nothing is drawn. Raises as ``solve_image`` does."""
    options, watch = options or Options(), Watch(observer)
    return _largest(watch.run("decode", (), open_image, source, options.rotate), options, watch)[0]


def open_image(source: Source, rotate: float = 0.0) -> Screenshot:
    """The decoded picture, turned clockwise by so many degrees. Raises ``ImageUnreadableError``."""
    if isinstance(source, Screenshot):
        shot = source
    elif isinstance(source, np.ndarray):
        shot = Screenshot(as_bgr(source))
    elif isinstance(source, bytes):
        shot = decode(source)
    else:
        shot = decode(read_bytes(source), os.fspath(source))
    return turned(shot, rotate) if rotate else shot


def _continued(
    checked: CheckedReading, trail: Trail, options: Options, watch: Watch
) -> tuple[CheckedReading, Trail]:
    """The solution that goes on from the pipes drawn. Raises ``UnsolvableError`` when none does."""
    from flowvision.solvers.continuation import continued
    from flowvision.vision.crossings.drawn_pipes import drawn_edges

    sides = next(result for result in trail if isinstance(result, SideReading))
    drawn = watch.run("pipes", trail, drawn_edges, sides, checked.reading.board, checked.reading.palette)
    limits = Limits(options.seconds)
    found = watch.run("solve", trail, continued, checked.reading.puzzle, drawn, checked.outcome, limits)
    if isinstance(found.outcome, Solved):
        return replace(checked, outcome=found.outcome), trail
    raise _failed(watch, trail, not_continued(checked.reading, found))


def _largest(shot: Screenshot, options: Options, watch: Watch) -> tuple[CheckedReading, Trail]:
    """The reading to believe, of the larger board where there are two. Raises as ``_read`` does."""
    end = perf_counter() + options.seconds
    best, trail = _read(shot, options, watch, end)
    region = next((result for result in trail if isinstance(result, BoardRegion)), None)
    for part in boxes_beside(region, shot) if region and options.crop is None else ():
        if perf_counter() > end:
            break
        with suppress(FlowvisionError):
            other, way = _read(shot, replace(options, crop=part), watch, end)
            larger, smaller = best, other
            if is_larger(other.reading, best.reading, shot):
                larger, smaller, trail = other, best, way
            box = box_of(smaller.reading.board, smaller.reading.frame, shot)
            where = ",".join(str(number) for number in box)
            two = (
                f"There are two boards in the picture; this is the larger one. For the other: --crop {where}."
            )
            return replace(larger, warnings=(*larger.warnings, two)), trail
    return best, trail


def _read(shot: Screenshot, options: Options, watch: Watch, end: float) -> tuple[CheckedReading, Trail]:
    """The reading to believe, looked for until ``end``. Raises the most telling error when there is none."""
    before, tried = len(watch.failures), list[Tried]()
    for trail, reading in islice(readings_of(shot, options, watch, end), options.readings):
        left = max(0.01, end - perf_counter())
        # A right reading is solved in milliseconds; a wrong one must not use up the time of the next.
        limits = Limits(min(left, options.seconds / 15))
        outcome = strictly(watch.run("solve", trail, solve, reading.puzzle, "sat", limits))
        if is_settled(outcome) and not (reading.confidence >= options.warn and _is_plain(trail)):
            # Imported only here: most readings are sure, and circles need modules of their own.
            from flowvision.reading.missed_dots import misses_dots

            if misses_dots(reading, shot, options.settings):
                outcome = Unsolvable(0.0, "dots were left out")
        if is_settled(outcome) or not _is_guess(trail):
            tried.append(Tried(reading, outcome, trail))
        if is_settled(outcome) or perf_counter() > end:
            break
    best = _as_drawn(most_credible(tried, options.sure) or _mended(tried, options, watch), watch)
    reading, confidence, outcome = best.reading, confidence_of(best), best.outcome
    if not isinstance(outcome, Solved):
        raise _failed(watch, best.trail, gave_up(reading, outcome))
    for failed in watch.failures[before:]:
        if any(is_part(reading, marks) for marks in _marks_of(failed)):
            raise failed.error
    for one in tried:
        if any(is_part(reading, result) for result in one.trail if isinstance(result, Dots)):
            raise _failed(watch, one.trail, unsolvable(one.reading))
    warnings = warnings_of(best)
    needed = options.sure if warnings else options.least
    if (
        (outcome.rules == "free" and not best.drawn)
        or reading.confidence < needed
        or confidence < options.believe
    ):
        raise _failed(watch, best.trail, doubtful(best, warnings))
    warnings += look_at(best, confidence, options.warn)
    return CheckedReading(shot.name, reading, outcome, watch.seconds, warnings, confidence), best.trail


def _marks_of(failed: StageFailed) -> list[Dots]:
    """The dots that were seen before a stage failed, or by it."""
    return [result for result in (*failed.trail, failed.error.evidence) if isinstance(result, Dots)]


def _is_plain(trail: Trail) -> bool:
    """Whether rows and columns were seen at once, not cells one by one, and dots as the game has them."""
    sides = next((result for result in trail if isinstance(result, SideReading)), None)
    return sides is not None and isinstance(sides.fit, GridFit) and sides.held is None


def _is_guess(trail: Trail) -> bool:
    """Whether more was assumed than seen: openings where there is no border to see them in."""
    return any(isinstance(result, Crossings) and not result.seen for result in trail)


def _as_drawn(best: Tried, watch: Watch) -> Tried:
    """Where a path touches itself in every solution: with the solution that is drawn on the board, if any."""
    if not isinstance(best.outcome, Solved) or best.outcome.rules == "strict":
        return best
    from flowvision.puzzle.drawn_pipes import drawn_solution, stumps_of
    from flowvision.vision.crossings.drawn_pipes import drawn_edges

    sides = next((result for result in best.trail if isinstance(result, SideReading)), None)
    if sides is None:
        return best
    drawn = watch.run("pipes", best.trail, drawn_edges, sides, best.reading.board, best.reading.palette)
    solution = drawn_solution(best.reading.puzzle, stumps_of(best.reading.puzzle, drawn))
    if solution is None:
        return best
    second = best.outcome.second if solution == best.outcome.solution else best.outcome.solution
    return replace(best, outcome=replace(best.outcome, solution=solution, second=second), drawn=True)


def _mended(tried: list[Tried], options: Options, watch: Watch) -> Tried:
    """The best refuted reading with its only repair. Raises the error of the stage that came furthest."""
    sure = [one for one in tried if one.reading.confidence >= options.least]
    offered = repairs_of(sure[0].reading, options.repair_seconds) if sure else None
    repaired = mended(sure[0], offered, options.repair_doubt) if offered else None
    if repaired:
        return repaired
    for one in tried:
        watch.fail("solve", unsolvable(one.reading, offered if one in sure[:1] else None), 0.0, one.trail)
    furthest = max(watch.failures, key=lambda failed: STAGES.index(failed.stage))
    raise furthest.error


def _failed(watch: Watch, trail: Trail, error: FlowvisionError) -> FlowvisionError:
    watch.fail("solve", error, 0.0, trail)
    return error
