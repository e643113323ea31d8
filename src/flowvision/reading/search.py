"""The reading to believe: candidates are solved one by one until one has exactly one solution.

Where none has, the best is repaired by moving a dot by a cell, or swapping two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from flowvision.errors import BoardNotFoundError, FlowvisionError, Refusal
from flowvision.events import STAGES
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import CropBox, cut_out
from flowvision.reading.attempts import RegionCache
from flowvision.reading.interpretations import interpretations
from flowvision.reading.messages import (
    cut_warning,
    doubtful,
    gave_up,
    least_sure_warning,
    other_warning,
    swapped_size_warning,
    unsolvable,
    warnings_of,
)
from flowvision.reading.partial_board import are_few_pairs, is_larger, other_failed
from flowvision.reading.result import FEW_PAIRS, Candidate, CheckedReading, most_credible, refute_free_rules
from flowvision.reading.run import Run
from flowvision.reading.strategies import BRIGHT_OR_DARK
from flowvision.reading.verdict import Case, is_part_of_failed_attempt, raise_if_refused, refuted_at_once
from flowvision.reading.walls import incomplete, walls_seen, with_believed_walls
from flowvision.solvers import Limits, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.board import BoardRegion, box_of, boxes_beside, find_boards, rooms_beside
from flowvision.vision.reading import Interpretation, Reading
from flowvision.vision.settings import Settings

if TYPE_CHECKING:
    from flowvision.solvers.repairs import Repair, Repairs

NO_SOLUTION = Refusal("no solution", "every board of the game has one")
"""The check that the solver makes."""


def read_board(run: Run) -> tuple[CheckedReading, Interpretation]:
    """The reading to believe, of the larger board where there are two, and what led to it.

    Raises the most telling ``FlowvisionError`` when there is none.
    """
    shot, options, settings = run.shot, run.options, run.settings
    best, found, is_only = _larger_read(run)
    other = other_failed(run.runner.failures, best.reading, shot, settings)
    if other is None and is_only and options.crop is None and _has_room(best, shot, settings):
        from flowvision.reading.missed_dots import discs_in_room

        other = discs_in_room(best.reading, shot, settings)
    if other is None:
        return best, found
    # What is believed has at least the confidence that is asked for.
    confidence = max(options.min_confidence, round(settings.reading.not_read * best.confidence, 3))
    return replace(best, warnings=(*best.warnings, other_warning(other)), confidence=confidence), found


def _larger_read(run: Run) -> tuple[CheckedReading, Interpretation, bool]:
    """The reading to believe, of the larger of two boards that can be read; whether there was but one."""
    shot, settings = run.shot, run.settings
    best, found = _read(run)
    seen = found.geometry.fit.region if found.geometry and run.options.crop is None else None
    for part in _parts_beside(seen, best, shot, settings) if seen else ():
        if run.is_late:
            break
        with suppress(FlowvisionError):
            other, its_source = _read(run.of_part(part))
            if are_few_pairs(other.reading, settings.reading):  # our own crop, not the user's
                run.runner.fail("solve", doubtful(other.reading, FEW_PAIRS), its_source)
                continue
            larger, smaller = best, other
            if is_larger(other.reading, best.reading, shot, settings.reading):
                larger, smaller, found = other, best, its_source
            box = box_of(smaller.reading.board, smaller.reading.frame, shot)
            where = ",".join(str(number) for number in box)
            two = (
                f"There are two boards in the picture; this is the larger one. For the other: --crop {where}."
            )
            return replace(larger, warnings=(*larger.warnings, two)), found, False
    return best, found, True


def _has_room(best: CheckedReading, shot: Screenshot, settings: Settings) -> bool:
    """Whether another board as large may lie beside the one that was read."""
    is_lattice = best.reading.board.squares is not None
    return is_lattice and bool(rooms_beside(_box(best, shot), shot, settings.board))


def _box(best: CheckedReading, shot: Screenshot) -> CropBox:
    return box_of(best.reading.board, best.reading.frame, shot)


def _parts_beside(
    seen: BoardRegion, best: CheckedReading, shot: Screenshot, settings: Settings
) -> Iterator[CropBox]:
    """Where another board may be: where lines beside the region show it, or a lattice of other light."""
    boxes = boxes_beside(seen, shot, settings.board)
    yield from boxes
    own = _box(best, shot)
    least = settings.board.other_size * own.width * own.height
    for room in () if boxes else rooms_beside(own, shot, settings.board):
        regions = islice(_regions_in(cut_out(shot, room), settings), settings.board.regions)
        # A region holds its lattice, and texts and buttons are smaller than a board.
        large = (region for region in regions if region.view.gray.size * region.view.scale**2 >= least)
        grids = (RegionCache(region, settings).best_upright for region in large)
        closed = [grid for grid in grids if grid is not None and grid.closed]
        if any(np.ptp(grid.outline_px(), axis=0).prod() >= least for grid in closed):
            yield room


def _regions_in(part: Screenshot, settings: Settings) -> Iterator[BoardRegion]:
    """The regions that bright or dark lines show in a part of the picture."""
    with suppress(BoardNotFoundError):
        yield from find_boards(part, settings, BRIGHT_OR_DARK)


def _read(run: Run) -> tuple[CheckedReading, Interpretation]:
    """The reading of one board."""
    shot, options, runner = run.shot, run.options, run.runner
    before = len(runner.failures)
    tried = _tried(run)
    sure = options.min_reading_confidence, options.min_confidence_if_not_unique
    best = most_credible(tried, *sure, run.settings.reading) or _repaired(tried, run)
    if isinstance(best.outcome, Solved) and best.outcome.rules == "free":
        from flowvision.reading.drawn import as_drawn

        best = as_drawn(best, run)
    if not isinstance(best.outcome, Solved):
        raise runner.fail("solve", gave_up(best.reading, best.outcome), best.source)
    case = Case(best, shot, options, tuple(runner.failures[before:]), tuple(tried))
    raise_if_refused(case, runner)
    for one in tried:  # a board all the same, which may be the one that was meant
        if one.refusal is not None and one.refusal.check == FEW_PAIRS.check:
            runner.fail("solve", doubtful(one.reading, one.refusal), one.source)
    confidence = case.confidence
    # Walls that are left out may leave the board several solutions: that is said of the walls, not of it.
    settled, about_walls = with_believed_walls(best, run)
    warnings = warnings_of(replace(best, source=settled.source)) + about_walls
    assert isinstance(settled.outcome, Solved)
    warnings += swapped_size_warning(settled.reading, options.rows_and_cols)
    warnings += cut_warning(best, run.settings.reading.lines_beyond)
    if not settled.source.resolved:  # what was in doubt is named already
        warnings += least_sure_warning(settled, confidence, options.warn_below)
    checked = CheckedReading(
        shot.name, settled.reading, settled.outcome, dict(runner.seconds), warnings, confidence
    )
    return checked, settled.source


def _tried(run: Run) -> list[Candidate]:
    """Interpretations with what the solver made of them, up to the first settled one that was seen well."""
    options, tried = run.options, list[Candidate]()

    def refuted() -> list[Interpretation]:
        return [one.source for one in tried if isinstance(one.outcome, Unsolvable)]

    for one in islice(interpretations(run, refuted), options.readings):
        outcome = refute_free_rules(run.solve(one, run.settings.reading.share_of_time))
        case = Case(Candidate(one, outcome), run.shot, options, run.runner.failures, tried)
        candidate = refuted_at_once(case)
        settled = has_one_strict_solution(outcome) and candidate.refusal is None
        is_guess = bool(one.ignored_walls) or (one.crossings is not None and not one.crossings.seen)
        if settled or not is_guess:
            tried.append(candidate)
        is_sure = one.reading.confidence_without_walls >= options.min_reading_confidence
        if (settled and is_sure) or run.is_late:
            break
    return tried


def _repaired(tried: list[Candidate], run: Run) -> Candidate:
    """The best refuted candidate with its only repair. Raises the error of the stage that came furthest."""
    options, runner = run.options, run.runner
    seen = [one for one in tried if one.refusal is None]
    sure = [one for one in seen if one.reading.confidence >= options.min_reading_confidence]
    offered = repairs_of(sure[0].reading, options.repair_seconds) if sure else None
    mended = repaired(sure[0], offered, options.repair_doubt) if offered else None
    if mended:
        return mended
    for one in tried:
        if one.refusal is not None:
            runner.fail("solve", doubtful(one.reading, one.refusal), one.source)
            continue
        in_part = incomplete(walls_seen(one.source), run.settings.walls.whole)
        repairs = offered if one in sure[:1] else None
        # Only the first failure's details reach the user.
        without = _left_out(one) if one is tried[0] and not (repairs and repairs.found) else ()
        details = {"repairs": repairs, "in_part": in_part, "without": without}
        runner.fail("solve", unsolvable(one.reading, details, NO_SOLUTION), one.source)
    if tried and not seen:  # parts of a board: a failed attempt at the whole tells more
        whole = is_part_of_failed_attempt(Case(tried[0], run.shot, options, runner.failures))
        if whole:
            raise whole.error
    raise max(runner.failures, key=lambda failed: STAGES.index(failed.stage)).error


def _left_out(one: Candidate) -> tuple[int, ...]:
    """The flows without any one of which a reading has a solution."""
    from flowvision.solvers.repairs import omissions

    return omissions(one.reading.puzzle).flows


def repairs_of(reading: Reading, seconds: float) -> Repairs:
    """The changes of one or two dots that give a reading exactly one solution, the doubtful dots first."""
    from flowvision.solvers.repairs import repairs

    return repairs(reading.board, reading.puzzle, _doubts(reading), Limits(seconds))


def _doubts(reading: Reading) -> dict[int, float]:
    """How doubtful the dot on each strand is, 0 to 1."""
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
    """Where the dots of each flow lie, in pixels; those that are moved, in the middles of their cells."""
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
