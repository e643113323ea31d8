"""How much each candidate is to be believed, and which one most."""

from __future__ import annotations

from collections.abc import Sequence

from flowvision.reading.result import Candidate
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.settings import ReadingSettings


def refute_free_rules(outcome: Outcome) -> Outcome:
    """The outcome, where a search for paths that touch themselves was cut short: that refutes a reading."""
    if isinstance(outcome, GaveUp) and outcome.rules == "free":
        return Unsolvable(outcome.seconds, "in every solution a path would touch itself")
    return outcome


def most_credible(tried: Sequence[Candidate], sure: float, settings: ReadingSettings) -> Candidate | None:
    """The first settled reading, else the first solvable one, else the first not refuted, if any.

    A settled reading gives way to a solvable one of half as many cells again that was read surely: a part
    of a board may have one solution where the whole has several.
    """
    whole = max(
        (_cells(one) for one in tried if _is_strict(one.outcome) and one.reading.confidence >= sure),
        default=0,
    )

    def rank(one: Candidate) -> tuple[bool, ...]:
        part = settings.part * _cells(one) <= whole
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


def confidence_of(candidate: Candidate, settings: ReadingSettings) -> float:
    """0 to 1: the reader's confidence, strengthened by a unique solution or weakened by what casts doubt.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution. A wall too many does not
    make it wrong, nor, on 700 published boards, did one too few: then walls have no say.
    """
    reading = candidate.reading
    if candidate.repair:
        return round(settings.repaired * reading.confidence, 3)
    if candidate.source.resolved:
        return round(settings.resolved_pairing * reading.confidence, 3)
    if has_one_strict_solution(candidate.outcome):
        sure = reading.confidence_without_walls
        if candidate.source.ignored_walls:
            return round(settings.without_walls * sure, 3)
        if candidate.is_assumed:
            return round(settings.assumed * sure, 3)
        unexplained = candidate.beyond.share if candidate.beyond else 0.0
        return round((1 - settings.doubt_left * (1 - sure)) * (1 - settings.unexplained * unexplained), 3)
    is_drawn = _is_strict(candidate.outcome) or candidate.drawn
    return round((settings.one_of_several if is_drawn else settings.touching_itself) * reading.confidence, 3)
