"""The checks that a reading must pass to be believed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step
from flowvision.reading.beyond import dots_beyond, lines_beyond, reaches_out, square_dots, squares_of
from flowvision.reading.candidates import (
    AMBIGUOUS_PAIRING,
    ANSWER_UNSURE,
    FEW_PAIRS,
    Beyond,
    Candidate,
    confidence_of,
)
from flowvision.reading.cut_off import crossed_edges, cut_line, cut_sides, hides_dots
from flowvision.reading.doubt import Doubt, refusing
from flowvision.reading.messages import doubtful, solver_doubts, unsolvable
from flowvision.reading.options import Options
from flowvision.reading.partial_board import (
    are_few_pairs,
    are_same_cells,
    has_odd_cells,
    is_part,
    is_uneven,
    joins_boards,
    lacks_cells,
    merges_cells,
)
from flowvision.reading.walls import walls_seen, without
from flowvision.solvers import Limits, Solved, Unsolvable, has_one_strict_solution, solve
from flowvision.value import find_ancestor
from flowvision.vision.assembly import Interpretation
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.settings import SETTINGS, Settings

MISSED_DOTS = "missed dots"


class Case(Struct, frozen=True, eq=False):
    """A candidate that is to be believed, and all else that was seen of its picture."""

    candidate: Candidate
    shot: Screenshot
    options: Options
    failures: Sequence[Step] = ()
    tried: Sequence[Candidate] = ()
    settings: Settings = SETTINGS

    @property
    def confidence(self) -> float:
        """0 to 1: that of the answer."""
        return confidence_of(self.candidate, self.settings.reading)

    @property
    def is_placed(self) -> bool:
        """Whether size and part were both given: what lies beyond that lattice is no part of the board."""
        return bool(self.options.grid and self.options.crop)

    def is_part_of(self, dots: Dots) -> bool:
        """Return whether dots of another attempt show that this board was read in part."""
        settings = self.settings
        return is_part(self.candidate.reading, dots, settings.reading, settings.dots)


Finding = tuple[Candidate | Step, dict[str, float]]
"""The candidate or failed step that an objection is about, and the numbers that were compared."""


class Check(Struct, frozen=True):
    """One reason to refuse a reading.

    ``at_once``: made of every candidate; one that it objects to is refuted, and the next one is tried. The
    other checks are made of the candidate that would be believed; their objection ends the search.
    """

    name: str
    objection: Callable[[Case], Finding | None]
    why: str
    at_once: bool = False


def has_cells_beyond(case: Case) -> Finding | None:
    """Beyond its border lines go on and end later, in this attempt at its cells or in another one.

    Where size and part were given, nothing is looked for beyond their lattice; what others see is no reason.
    """
    own = case.candidate
    others = () if case.is_placed else case.tried
    attempts = [one for one in (own, *others) if one.beyond is not None and one.beyond.has_cells]
    has_cells = any(one is own or are_same_cells(own.reading, one.reading) for one in attempts)
    return (case.candidate, {}) if has_cells and has_one_strict_solution(own.outcome) else None


def misses_dots(case: Case) -> Finding | None:
    """Discs of the size of its dots stand in cells without one, or beside it on its lattice.

    Where size and part were given, nothing is looked for beyond their lattice.
    """
    candidate, settings = case.candidate, case.settings
    if not has_one_strict_solution(candidate.outcome):
        return None
    if any(is_refused_alike(candidate, other, MISSED_DOTS) for other in case.tried):
        return (case.candidate, {})
    beside = settings.reading.beside
    if case.is_placed:
        beside = 0
    elif _is_confident_plain_board(case):
        beyond = candidate.beyond
        if beyond is not None and beyond.is_searched and beyond.dots < settings.reading.dots_min:
            return None
        beside = settings.reading.right_beside
    settings = replace(settings, reading=replace(settings.reading, beside=beside))
    # Imported only here: on most boards no place may hold one, and circles need modules of their own.
    from flowvision.reading import missed_dots

    missed = missed_dots.misses_dots(candidate.reading, case.shot, settings)
    return (case.candidate, {}) if missed else None


def is_refused_alike(candidate: Candidate, other: Candidate, check: str) -> bool:
    """Return whether another attempt at the same cells has the same pairs, and was refused by that check."""
    if other.doubt is None or other.doubt.check != check:
        return False
    pairs, others = ({frozenset(pair) for pair in one.reading.puzzle.terminals} for one in (candidate, other))
    return pairs == others and are_same_cells(candidate.reading, other.reading)


def is_part_of_tinted_board(case: Case) -> Finding | None:
    """Beside its lattice cells go on that are tinted so strongly that no line shows between them."""
    geometry = case.candidate.source.geometry
    fit = geometry.fit if geometry else None
    # Only a lattice of squares is carried on beyond its edge.
    if not has_one_strict_solution(case.candidate.outcome) or not isinstance(fit, GridFit) or fit.given:
        return None
    from flowvision.vision.kinds.rectangular.lattice import are_played_beyond

    return (case.candidate, {}) if are_played_beyond(fit, case.shot, case.settings) else None


def is_cut_by_picture(case: Case) -> Finding | None:
    """The picture ends before the middles of a row or column, where dots are hardly seen.

    Cells that are no squares are cut where lines lead from them to the edge of the picture. Where size and
    part were given, the board may reach beyond it: then that is said.
    """
    candidate = case.candidate
    geometry, dots = candidate.source.geometry, candidate.source.dots
    if geometry is None or dots is None or case.is_placed or not has_one_strict_solution(candidate.outcome):
        return None
    if geometry.fit.size is None:
        is_cut = bool(crossed_edges(geometry, case.shot, case.settings, case.options.crop))
    else:
        is_cut = candidate.beyond is not None and hides_dots(candidate.beyond.cut, dots)
    return (case.candidate, {}) if is_cut else None


def has_few_pairs(case: Case) -> Finding | None:
    """It has fewer pairs than any level of its size, and its size, part or colours were not given."""
    options, reading = case.options, case.candidate.reading
    is_given = options.grid or options.crop or options.colours
    if is_given or not isinstance(case.candidate.outcome, Solved):
        return None
    is_few = are_few_pairs(reading, case.settings.reading)
    return (case.candidate, {}) if is_few else None


def is_part_of_failed_attempt(case: Case) -> Finding | None:
    """An attempt that failed had seen dots beyond this one."""
    for failed in case.failures:
        seen = (find_ancestor(failed.source, Dots), failed.own)
        if failed.error and any(isinstance(dots, Dots) and case.is_part_of(dots) for dots in seen):
            return failed, {}
    return None


def is_part_of_other_candidate(case: Case) -> Finding | None:
    """Another candidate has dots beyond this one."""
    for other in case.tried:
        dots = other.source.dots if other.source is not case.candidate.source else None
        if dots is not None and case.is_part_of(dots):
            return (other, {})
    return None


def lacks_cells_of_lattice(case: Case) -> Finding | None:
    """The same dots were seen about as surely on a lattice that ends where lines end, with more cells."""
    own, source, settings = case.candidate.reading, case.candidate.source, case.settings.reading
    seen = case.candidate.beyond
    runs_on = _is_lattice(source) and (seen is None or not seen.is_searched or 2 * seen.share >= 1)
    for other in () if _is_lattice(source, closed=True) else case.tried:
        is_as_sure = other.reading.confidence >= settings.about_as_sure * own.confidence
        is_larger = _is_lattice(other.source, closed=True) and is_as_sure
        # A lattice beyond which most lines run on may lack a row; of other cells, some among them.
        if is_larger and lacks_cells(own, other.reading, beyond=runs_on):
            return (other, {})
    return None


def has_cells_of_other_boards(case: Case) -> Finding | None:
    """Cells found one by one: merged, cut in two, of two boards, or the dots fit a lattice of more."""
    own = case.candidate
    if not has_one_strict_solution(own.outcome) or _is_lattice(own.source):
        return None
    if has_odd_cells(own.reading):
        return (case.candidate, {})
    for failed in case.failures:
        geometry = failed.find(BoardGeometry) if failed.stage in ("dots", "pairs") else None
        if geometry is None or not geometry.fit.is_lattice or geometry.fit.is_open:
            continue
        if merges_cells(own.reading, geometry, case.settings.dots) or joins_boards(own.reading, geometry):
            return (case.candidate, {})
    return None


def assumes_openings(case: Case) -> Finding | None:
    """More rows and columns are taken as open than may be by chance, and no line reaches out beside them."""
    crossings, settings = case.candidate.source.crossings, case.settings.reading
    is_refused = case.candidate.is_assumed and crossings and len(crossings.warps) > settings.assumed_max
    return (case.candidate, {}) if is_refused else None


def has_ambiguous_pairs(case: Case) -> Finding | None:
    """Another attempt had dots that its solutions pair in several ways."""
    for failed in case.failures:
        if failed.error and failed.error.doubt is AMBIGUOUS_PAIRING:
            return failed, {}
    return None


def has_uneven_rows(case: Case) -> Finding | None:
    """One row or column is clearly narrower than the next: two pictures were put together."""
    return (case.candidate, {}) if is_uneven(case.candidate.reading) else None


def touches_itself(case: Case) -> Finding | None:
    """In every solution a path touches itself, and none of these is drawn on the board."""
    outcome = case.candidate.outcome
    is_free = isinstance(outcome, Solved) and outcome.rules == "free"
    return (case.candidate, {}) if is_free and not case.candidate.is_drawn else None


def has_another_answer(case: Case) -> Finding | None:
    """Without some of its walls it has exactly one solution, without any of them exactly one other."""
    own, outcome = case.candidate.source, case.candidate.outcome
    walls = walls_seen(own) if own.ignored_walls else ()
    if not isinstance(outcome, Solved) or len(walls) == len(own.ignored_walls):
        return None
    bare = Candidate(without(own, walls), outcome).reading.puzzle
    other = solve(bare, limits=Limits(case.options.seconds))
    ways = [[path.vertices for path in o.solution.paths] for o in (outcome, other) if isinstance(o, Solved)]
    return (case.candidate, {}) if has_one_strict_solution(other) and ways[0] != ways[1] else None


def is_reader_unsure(case: Case) -> Finding | None:
    """The board was seen badly; more confidence is wanted where a warning is due."""
    settings, reading = case.settings.reading, case.candidate.reading
    one = case.candidate
    # A solution confirms what was seen, but not what was changed or paired until there was one.
    is_chosen_by_solution = bool(one.repair or one.source.resolved)
    is_settled = has_one_strict_solution(one.outcome) and not is_chosen_by_solution
    saw = reading.confidence_without_walls if is_settled else reading.confidence
    doubted = bool(solver_doubts(one))
    wanted = settings.min_confidence_if_not_unique if doubted else settings.min_reading_confidence
    return (case.candidate, {"saw": saw, "wanted": wanted}) if saw < wanted else None


def is_answer_unsure(case: Case) -> Finding | None:
    """The confidence that is left after the solver's answer is too low."""
    saw, wanted = case.confidence, case.settings.reading.min_confidence
    return (case.candidate, {"saw": saw, "wanted": wanted}) if saw < wanted else None


CHECKS = (
    Check(
        "cells beyond", has_cells_beyond, "by chance a part of a board may have one solution", at_once=True
    ),
    Check(MISSED_DOTS, misses_dots, "by chance a part of the dots may have one solution", at_once=True),
    Check(
        "part of a tinted board",
        is_part_of_tinted_board,
        "by chance a part of a board may have one solution",
        at_once=True,
    ),
    Check(
        "cut by the picture",
        is_cut_by_picture,
        "by chance a part of a board may have one solution",
        at_once=True,
    ),
    Check(FEW_PAIRS.check, has_few_pairs, str(FEW_PAIRS.facts["why"]), at_once=True),
    Check(
        "cells of other boards",
        has_cells_of_other_boards,
        "cells found one by one may be merged by pipes, cut in two, or those of two boards",
        at_once=True,
    ),
    Check(
        "part of a failed attempt",
        is_part_of_failed_attempt,
        "by chance a part of a board may have one solution",
    ),
    Check("part of another candidate", is_part_of_other_candidate, "the larger one is nearer to the board"),
    Check("cells of a lattice", lacks_cells_of_lattice, "cells found one by one may be merged, or lost"),
    Check(
        "openings assumed", assumes_openings, "on a board without a border all ends may be open, or cut off"
    ),
    Check(AMBIGUOUS_PAIRING.check, has_ambiguous_pairs, str(AMBIGUOUS_PAIRING.facts["why"])),
    Check("uneven rows", has_uneven_rows, "two pictures put together have half a row too many"),
    Check("path touches itself", touches_itself, "no published level needs a path that touches itself"),
    Check("another answer without walls", has_another_answer, "of two ways to be rid of a wall one is wrong"),
    Check("reader unsure", is_reader_unsure, "the weakest of lines, dots and colours counts"),
    Check(ANSWER_UNSURE.check, is_answer_unsure, str(ANSWER_UNSURE.facts["why"])),
)
"""Checks that a reading must pass to be believed, in order."""


def refuted_at_once(case: Case) -> Candidate:
    """The candidate with what goes on beyond it; refuted where a check made at once has an objection."""
    case = _with_beyond(case)
    found = _first_objection(case, at_once=True)
    return replace(case.candidate, doubt=found[1]) if found else case.candidate


def raise_if_refused(case: Case, log: Log) -> None:
    """Raise the error of the first check that has an objection, with its doubt."""
    if found := _first_objection(case, at_once=False):
        about, doubt = found
        if isinstance(about, Step):
            assert about.error is not None
            raise log.fail(about.stage, about.error.refused_by(doubt), about.source)
        raise log.fail("solve", _error_about(about).refused_by(doubt), about.source)


def _error_about(candidate: Candidate) -> FlowvisionError:
    if isinstance(candidate.outcome, Unsolvable):
        return unsolvable(candidate.reading)
    return doubtful(candidate.reading, None, solver_doubts(candidate))


def _first_objection(case: Case, at_once: bool) -> tuple[Candidate | Step, Doubt] | None:
    """The first objection of the checks made at once, or of the others: what it is about, and its doubt."""
    for check in CHECKS:
        found = check.objection(case) if check.at_once == at_once else None
        if found is not None:
            return found[0], refusing(check.name, check.why, **found[1])
    return None


def _with_beyond(case: Case) -> Case:
    """The case with what goes on beyond the lattice of its candidate, where it may be believed."""
    candidate, settings = case.candidate, case.settings.reading
    beyond = _searched_beyond(case)
    geometry = candidate.source.geometry if isinstance(candidate.outcome, Solved) else None
    if geometry is not None and geometry.fit.is_lattice:
        cut = cut_sides(geometry.fit, case.shot, settings.border_cut)
        line = None if cut or case.options.grid else cut_line(geometry.fit, case.shot)
        lacks = line if line is not None and line.is_evident and line.rows != line.cols else None
        if cut or lacks:
            beyond = replace(beyond or Beyond(is_searched=False), cut=cut, lacks=lacks)
    return replace(case, candidate=replace(candidate, beyond=beyond)) if beyond else case


def _searched_beyond(case: Case) -> Beyond | None:
    """Lines, dots and discs that go on beyond what was read; ``None`` where these are not looked for."""
    candidate, source, settings = case.candidate, case.candidate.source, case.settings.reading
    if not has_one_strict_solution(candidate.outcome) or source.dots is None:
        return None
    on = squares_of(source, case.shot)
    if on is None:
        return None
    warps = source.crossings.warps if source.crossings is not None else ()
    beyond = lines_beyond(on, settings, warps)
    if not beyond.has_cells:
        places = [on.cells[dot.cell] for dot in source.dots.dots]
        dots, discs = dots_beyond(on, places, settings)
        beyond = replace(beyond, dots=dots, discs=discs, squares=square_dots(on, places))
    if candidate.is_assumed and source.crossings is not None:
        is_out = reaches_out(on, warps, settings)
        beyond = replace(beyond, reaches_out=is_out)
    return beyond


def _is_confident_plain_board(case: Case) -> bool:
    """Whether it has rows and columns between lines, dots as the game has them, and needs no warning."""
    candidate, dots = case.candidate, case.candidate.source.dots
    if dots is None or not _is_lattice(candidate.source):
        return False
    usual = dots.geometry.fit.usual_dots(case.settings.dots)
    return dots.hypothesis.model == usual and candidate.reading.confidence >= case.settings.reading.warn_below


def _is_lattice(interpretation: Interpretation, closed: bool = False) -> bool:
    """Return whether the board has rows and columns between lines; ``closed``: and ends where these end."""
    fit = interpretation.geometry.fit if interpretation.geometry else None
    return fit is not None and fit.is_lattice and not (closed and fit.is_open)
