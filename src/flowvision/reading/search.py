"""The reading to believe: candidates are solved one by one until one has exactly one solution.

Where none has, the best is repaired by moving a dot by a cell, or swapping two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from flowvision.errors import FlowvisionError
from flowvision.log import STAGES, Step
from flowvision.reading.candidates import (
    FEW_PAIRS,
    Candidate,
    CheckedReading,
    most_credible,
    refute_free_rules,
)
from flowvision.reading.doubt import refusing
from flowvision.reading.interpretations import interpretations
from flowvision.reading.messages import (
    doubtful,
    doubts_of,
    gave_up,
    swapped_size_doubt,
    unsolvable,
    unsure_doubt,
)
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.verdict import Case, is_part_of_failed_attempt, raise_if_refused, refuted_at_once
from flowvision.reading.walls import incomplete_walls, walls_seen, with_believed_walls
from flowvision.solvers import Limits, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.assembly import Interpretation, Reading

if TYPE_CHECKING:
    from flowvision.solvers.repairs import Repair, Repairs

NO_SOLUTION = refusing("no solution", "every board of the game has one")
"""The check that the solver makes."""


def read_board(run: ReadingRun) -> tuple[CheckedReading, Interpretation]:
    """The reading of one board to believe, and what led to it.

    Raises the most telling ``FlowvisionError`` when there is none.
    """
    shot, options, log, settings = run.shot, run.options, run.log, run.settings.reading
    before = len(log.failures)
    tried = _tried(run)
    sure = settings.min_reading_confidence, settings.min_confidence_if_not_unique
    best = most_credible(tried, *sure, run.settings.reading) or _repaired(tried, run)
    if isinstance(best.outcome, Solved) and best.outcome.rules == "free":
        from flowvision.reading.play_state import as_drawn

        best = as_drawn(best, run)
    if not isinstance(best.outcome, Solved):
        raise log.fail("solve", gave_up(best.reading, best.outcome), best.source)
    case = Case(best, shot, options, tuple(log.failures[before:]), tuple(tried), run.settings)
    raise_if_refused(case, log)
    for one in tried:  # told as well: it may be the board that was meant
        if one.doubt is not None and one.doubt.check == FEW_PAIRS.check:
            log.fail("solve", doubtful(one.reading, one.doubt), one.source)
    confidence = case.confidence
    # Walls that are left out may leave the board several solutions: that is said of the walls, not of it.
    settled, about_walls = with_believed_walls(best, run)
    assert isinstance(settled.outcome, Solved)
    doubts = doubts_of(replace(best, source=settled.source), run.settings.reading.lines_beyond)
    if not settled.source.resolved:  # what was in doubt is named already
        doubts += unsure_doubt(settled, confidence, settings.warn_below)
    doubts += about_walls + swapped_size_doubt(settled.reading, options.rows_and_cols)
    checked = CheckedReading(
        shot.name, settled.reading, settled.outcome, log.seconds, doubts, confidence, beyond=best.beyond
    )
    return checked, settled.source


def _tried(run: ReadingRun) -> list[Candidate]:
    """Interpretations with what the solver made of them, up to the first settled one that was seen well."""
    settings, tried = run.settings.reading, list[Candidate]()

    def refuted() -> list[Interpretation]:
        return [one.source for one in tried if isinstance(one.outcome, Unsolvable)]

    for one in islice(interpretations(run, refuted), settings.readings):
        outcome = refute_free_rules(run.solve(one, run.settings.reading.share_of_time))
        case = Case(Candidate(one, outcome), run.shot, run.options, run.log.failures, tried, run.settings)
        candidate = refuted_at_once(case)
        settled = has_one_strict_solution(outcome) and candidate.doubt is None
        is_guess = bool(one.ignored_walls) or (one.crossings is not None and not one.crossings.seen)
        if settled or not is_guess:
            tried.append(candidate)
        is_sure = one.reading.confidence_without_walls >= settings.min_reading_confidence
        if (settled and is_sure) or run.is_late:
            break
    return tried


def _repaired(tried: list[Candidate], run: ReadingRun) -> Candidate:
    """The best refuted candidate with its only repair. Raises the error of the stage that came furthest."""
    settings, log = run.settings.reading, run.log
    seen = [one for one in tried if one.doubt is None]
    sure = [one for one in seen if one.reading.confidence >= settings.min_reading_confidence]
    offered = repairs_of(sure[0].reading, settings.repair_seconds) if sure else None
    mended = repaired(sure[0], offered, settings.repair_doubt) if offered else None
    if mended:
        return mended
    for one in tried:
        if one.doubt is not None:
            log.fail("solve", doubtful(one.reading, one.doubt), one.source)
            continue
        in_part = incomplete_walls(walls_seen(one.source), run.settings.walls)
        repairs = offered if one in sure[:1] else None
        # Only the first failure's details reach the user.
        without = _left_out(one) if one is tried[0] and not (repairs and repairs.found) else ()
        details = {"repairs": repairs, "in_part": in_part, "without": without}
        log.fail("solve", unsolvable(one.reading, details, NO_SOLUTION), one.source)
    if tried and not seen:  # parts of a board: a failed attempt at the whole tells more
        case = Case(tried[0], run.shot, run.options, log.failures, settings=run.settings)
        whole = is_part_of_failed_attempt(case)
        if whole and isinstance(whole[0], Step):
            raise _furthest([whole[0]])
    raise _furthest(log.failures)


def _furthest(failures: Sequence[Step]) -> FlowvisionError:
    """The error of the stage that came furthest, the first of equals."""
    error = max(failures, key=lambda step: STAGES.index(step.stage)).error
    assert error is not None
    return error


def _left_out(one: Candidate) -> tuple[int, ...]:
    """The flows without any one of which a reading has a solution."""
    from flowvision.solvers.repairs import omissions

    return omissions(one.reading.puzzle)


def repairs_of(reading: Reading, seconds: float) -> Repairs:
    """The changes of one or two dots that give a reading exactly one solution, the doubtful dots first."""
    from flowvision.solvers.repairs import repairs

    return repairs(reading.board, reading.puzzle, _doubts(reading), Limits(seconds))


def _doubts(reading: Reading) -> dict[int, float]:
    """Doubt about the dot on each strand, 0 to 1."""
    return {
        dot: doubt
        for pair, doubts in zip(reading.puzzle.terminals, reading.dot_doubts, strict=False)
        for dot, doubt in zip(pair, doubts, strict=True)
    }


def repaired(refuted: Candidate, offered: Repairs, min_doubt: float) -> Candidate | None:
    """The refuted reading with its only repair; ``None`` where there are several, or dots were seen well.

    ``min_doubt``: how doubtful every changed dot must be, 0 to 1.
    """
    if len(offered.found) != 1 or not offered.complete:
        return None
    repair, reading = offered.found[0], refuted.reading
    doubt_of = _doubts(reading)
    if min(doubt_of.get(change.read, 0.0) for change in repair.changes) < min_doubt:
        return None
    changed = replace(reading, puzzle=repair.puzzle, ends_px=_ends(reading, repair))
    return Candidate(replace(refuted.source, reading=changed), repair.outcome, repair.text)


def _ends(reading: Reading, repair: Repair) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Dots of each flow, in pixels; moved ones in the middles of their cells."""
    layout = reading.board.layout
    seen = {
        dot: place
        for pair, places in zip(reading.puzzle.terminals, reading.ends_px, strict=True)
        for dot, place in zip(pair, places, strict=True)
    }

    def place(dot: int) -> tuple[float, float]:
        if dot in seen:
            return seen[dot]
        x, y = reading.frame.to_px([layout.cells[layout.cell_of[dot]].centre])[0].tolist()
        return x, y

    return tuple((place(a), place(b)) for a, b in repair.puzzle.terminals)
