"""What to believe: which candidate, how much, and the checks that it must pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flowvision.errors import FlowvisionError, Refusal
from flowvision.events import StageFailed, StageRunner, Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.messages import doubtful, unsolvable, warnings_of
from flowvision.reading.options import Options
from flowvision.reading.partial_board import is_part, is_uneven, lacks_cells
from flowvision.reading.result import Candidate
from flowvision.reading.walls import walls_seen, without
from flowvision.solvers import (
    GaveUp,
    Limits,
    Outcome,
    Solved,
    Unsolvable,
    has_one_strict_solution,
    solve,
)
from flowvision.vision.dots.result import Dots
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.settings import ReadingSettings


def refute_free_rules(outcome: Outcome) -> Outcome:
    """The outcome, where a search for paths that touch themselves was cut short: that refutes a reading."""
    if isinstance(outcome, GaveUp) and outcome.rules == "free":
        return Unsolvable(outcome.seconds, "in every solution a path would touch itself")
    return outcome


def most_credible(tried: Sequence[Candidate], sure: float, asked: ReadingSettings) -> Candidate | None:
    """The first settled reading, else the first solvable one, else the first not refuted, if any.

    A settled reading gives way to a solvable one of half as many cells again that was read surely: a part
    of a board may have one solution where the whole has several.
    """
    whole = max(
        (_cells(one) for one in tried if _is_strict(one.outcome) and one.reading.confidence >= sure),
        default=0,
    )

    def rank(one: Candidate) -> tuple[bool, ...]:
        part = asked.part * _cells(one) <= whole
        outcome = one.outcome
        is_solved = isinstance(outcome, Solved)
        return not part, has_one_strict_solution(outcome), _is_strict(outcome), is_solved

    open_ones = [one for one in tried if not isinstance(one.outcome, Unsolvable)]
    return max(open_ones, key=rank, default=None)


def _cells(one: Candidate) -> int:
    return len(one.reading.board.layout.cells)


def _is_strict(outcome: Outcome) -> bool:
    """Whether it is solved, and no path touches itself."""
    return isinstance(outcome, Solved) and outcome.rules == "strict"


def confidence_of(candidate: Candidate) -> float:
    """0 to 1: the reader's confidence, strengthened by a unique solution or weakened by what casts doubt.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution. A wall too many does not
    make it wrong, nor, on 700 published boards, did one too few: then walls have no say.
    """
    reading = candidate.reading
    if candidate.repair:
        return round(0.8 * reading.confidence, 3)
    if has_one_strict_solution(candidate.outcome):
        sure = reading.confidence_without_walls
        return round(0.95 * sure if candidate.trail.opened else 1 - 0.1 * (1 - sure), 3)
    weight = 0.8 if _is_strict(candidate.outcome) or candidate.drawn else 0.6
    return round(weight * reading.confidence, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A candidate that is to be believed, and all else that was seen of its picture."""

    candidate: Candidate
    shot: Screenshot
    options: Options
    failures: Sequence[StageFailed] = ()
    tried: Sequence[Candidate] = ()

    @property
    def confidence(self) -> float:
        """0 to 1: that of the answer."""
        return confidence_of(self.candidate)

    def is_part_of(self, dots: Dots) -> bool:
        """Whether dots of another look show that this board was read in part."""
        settings = self.options.settings
        return is_part(self.candidate.reading, dots, settings.reading, settings.dots)

    def doubtful(self, saw: float | None = None, wanted: float | None = None) -> Objection:
        """The objection that this reading may be wrong."""
        return Objection(
            doubtful(self.candidate, warnings_of(self.candidate)), self.candidate.trail, saw, wanted
        )


@dataclass(frozen=True, slots=True, eq=False)
class Objection:
    """What a check has against a case: the error that says so, and the trail that leads to it."""

    error: FlowvisionError
    trail: Trail
    saw: float | None = None
    wanted: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One reason to refuse a reading. ``at_once``: asked of every candidate, and refutes it for good."""

    name: str
    objection: Callable[[Case], Objection | None]
    why: str
    at_once: bool = False


def misses_dots(case: Case) -> Objection | None:
    """Discs of the size of its dots stand in cells without one, or beside it on its lattice."""
    candidate, settings = case.candidate, case.options.settings
    if not has_one_strict_solution(candidate.outcome) or _is_sure_of_the_game(case):
        return None
    # Imported only here: most readings are sure, and circles need modules of their own.
    from flowvision.reading import missed_dots

    missed = missed_dots.misses_dots(candidate.reading, case.shot, settings)
    return Objection(unsolvable(candidate.reading), candidate.trail) if missed else None


def is_part_of_failed_look(case: Case) -> Objection | None:
    """A look at the board that failed had seen dots beyond this one."""
    for failed in case.failures:
        seen = (failed.trail.dots, failed.error.evidence)
        if any(isinstance(dots, Dots) and case.is_part_of(dots) for dots in seen):
            return Objection(failed.error, failed.trail)
    return None


def is_part_of_other_candidate(case: Case) -> Objection | None:
    """Another candidate has dots beyond this one."""
    for other in case.tried:
        dots = other.trail.dots
        if dots is not None and case.is_part_of(dots):
            return Objection(unsolvable(other.reading), other.trail)
    return None


def lacks_cells_of_lattice(case: Case) -> Objection | None:
    """The same dots were seen more surely on a lattice with more cells: the picture is torn, say."""
    candidate = case.candidate
    if isinstance(candidate.trail.fit, GridFit):
        return None
    for other in case.tried:
        is_lattice = isinstance(other.trail.fit, GridFit) and other.trail.fit.closed
        is_surer = other.reading.confidence > candidate.reading.confidence
        if is_lattice and is_surer and lacks_cells(candidate.reading, other.reading):
            return Objection(doubtful(other, warnings_of(other)), other.trail)
    return None


def has_uneven_rows(case: Case) -> Objection | None:
    """One row or column is clearly narrower than the next: two pictures were put together."""
    return case.doubtful() if is_uneven(case.candidate.reading) else None


def touches_itself(case: Case) -> Objection | None:
    """In every solution a path touches itself, and none of these is drawn on the board."""
    outcome = case.candidate.outcome
    is_free = isinstance(outcome, Solved) and outcome.rules == "free"
    return case.doubtful() if is_free and not case.candidate.drawn else None


def has_another_answer(case: Case) -> Objection | None:
    """Without some of its walls it has this solution alone, without any of them another one alone."""
    trail, outcome = case.candidate.trail, case.candidate.outcome
    walls = walls_seen(trail) if trail.opened else ()
    if not isinstance(outcome, Solved) or len(walls) == len(trail.opened):
        return None
    bare = Candidate(without(trail, walls), outcome).reading
    other = solve(bare.puzzle, limits=Limits(case.options.seconds))
    if not has_one_strict_solution(other):
        return None
    ways = [[path.vertices for path in one.solution.paths] for one in (outcome, other)]
    return case.doubtful() if ways[0] != ways[1] else None


def is_reader_unsure(case: Case) -> Objection | None:
    """The board was seen badly; more is asked where a warning is due."""
    options, reading = case.options, case.candidate.reading
    is_settled = has_one_strict_solution(case.candidate.outcome) and not case.candidate.repair
    saw = reading.confidence_without_walls if is_settled else reading.confidence
    doubted = bool(warnings_of(case.candidate))
    wanted = options.min_confidence_if_not_unique if doubted else options.min_reading_confidence
    return case.doubtful(saw, wanted) if saw < wanted else None


def is_answer_unsure(case: Case) -> Objection | None:
    """With what the solver says, too little confidence is left."""
    saw, wanted = case.confidence, case.options.min_confidence
    return case.doubtful(saw, wanted) if saw < wanted else None


CHECKS = (
    Check("missed dots", misses_dots, "by chance a part of the dots may have one solution", at_once=True),
    Check("part of a look that failed", is_part_of_failed_look, "by chance a part of a board may have one"),
    Check("part of another candidate", is_part_of_other_candidate, "the larger one is nearer to the board"),
    Check("cells of a lattice", lacks_cells_of_lattice, "cells found one by one may be merged, or lost"),
    Check("uneven rows", has_uneven_rows, "two pictures put together have half a row too many"),
    Check("path touches itself", touches_itself, "no published level is solved so"),
    Check("another answer without walls", has_another_answer, "of two ways to be rid of a wall one is wrong"),
    Check("reader unsure", is_reader_unsure, "the weakest of lines, dots and colours counts"),
    Check("answer unsure", is_answer_unsure, "on damaged pictures no such answer was right"),
)
"""What a reading must pass to be believed, in order."""


def refuted_at_once(case: Case) -> Candidate:
    """The candidate; refuted where a check that is asked at once has an objection."""
    for check in CHECKS:
        if check.at_once and check.objection(case):
            return replace(
                case.candidate, outcome=Unsolvable(0.0, check.name), refusal=Refusal(check.name, check.why)
            )
    return case.candidate


def raise_if_refused(case: Case, runner: StageRunner) -> None:
    """Raise the error of the first check that has an objection; it names the check."""
    for check in CHECKS:
        objection = None if check.at_once else check.objection(case)
        if objection is None:
            continue
        objection.error.refusal = Refusal(check.name, check.why, objection.saw, objection.wanted)
        is_new = all(failed.error is not objection.error for failed in case.failures)
        raise runner.fail("solve", objection.error, objection.trail) if is_new else objection.error


def _is_sure_of_the_game(case: Case) -> bool:
    """Whether rows and columns were seen at once, not cells one by one, and dots as the game has them."""
    trail, candidate = case.candidate.trail, case.candidate
    plain = isinstance(trail.fit, GridFit) and trail.model is not None and trail.model.background == "ring"
    return plain and candidate.reading.confidence >= case.options.warn_below
