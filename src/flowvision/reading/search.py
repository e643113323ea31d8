"""Search for the reading to believe: solve readings, best first, until one has exactly one solution.

From the picture to the answer: regions, fits of cells, boards cut out of them, dots, interpretations (boards
with paired dots), candidates (solved and doubted interpretations), the believed one. A candidate is settled
by exactly one strict solution: no path touches itself. A run is telling if its errors may name the one to
raise; errors of second attempts at a picture would only hide those of the first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product

import numpy as np
from msgspec.structs import replace

from flowvision.doubts import Doubt, FewPairs, LowConfidence, RunsOn, Unsure, Walls, WallsDisagree
from flowvision.errors import DoubtfulReadingError, FlowvisionError, UnsolvableError
from flowvision.log import STAGES
from flowvision.reading.doubts import (
    TRUSTED,
    all_doubts,
    confidence_of,
    sides_of,
    swapped_size_doubt,
    trusted,
    unsure_doubt,
    with_doubts,
    with_solver_doubts,
)
from flowvision.reading.run import Believed, Candidate, ReadingRun, gave_up
from flowvision.reading.strategies import (
    DOT_MODELS,
    FITS,
    GIVEN_SIZE,
    WITHOUT_LINES,
    BoardCache,
    DotStrategy,
    FitsOfRegion,
    RegionCache,
    Strategy,
)
from flowvision.reading.title import run_of_titled_size
from flowvision.reading.walls import incomplete, walls_seen, with_believed_walls, without
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution, solve
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import PicturePart
from flowvision.vision.crossings.crossings import crossings_of
from flowvision.vision.dots.detection import DotHypothesis, Dots, find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.lines import forget_lines
from flowvision.vision.pixels.view import LINE_CHANNELS, STEPS, Channel
from flowvision.vision.settings import BOARD, GRID, LINES, READING

ENLARGED = 2
"""Times that a picture of cells below 16 pixels is enlarged: its lines and dots are hardly wider than one."""


def _caches(part: PicturePart, run: ReadingRun, channels: Sequence[Channel]) -> Iterator[RegionCache]:
    """Yield the cache of each region of a part in some channels; it holds those of earlier regions."""
    earlier: tuple[RegionCache, ...] = ()
    for region in run.each("board", part.regions(channels), source=run.shot):
        cache = RegionCache(region, run.options.rows_and_cols, earlier)
        earlier += (cache,)
        yield cache


class Search:
    """A search for the board in one picture: the ``boards`` cut out and the candidates ``tried`` so far."""

    def __init__(self, run: ReadingRun) -> None:
        self.run = run
        self.part = PicturePart(run.shot, run.options.crop)
        self.boards: list[BoardCache] = []
        self.tried: list[Candidate] = []
        self.retried: list[Interpretation] = []
        """Refuted ones that were tried again without some of their walls."""

    @property
    def likeliest(self) -> list[BoardCache]:
        """The boards, lattices first; of a board that was seen several times the best attempt."""
        return _likeliest(self.boards)


def _on_lines(search: Search) -> Iterator[Interpretation]:
    """Yield the readings of boards in which lines separate cells."""
    yield from _on_boards(search, _fits(search.part, search.run, LINE_CHANNELS))


def _on_cells_without_lines(search: Search) -> Iterator[Interpretation]:
    """Yield the readings of boards without lines, such as circles, anywhere in the part."""
    yield from _on_boards(search, _without_lines(RegionCache(search.part.whole()), search.run))


def _on_boards(search: Search, fits: Iterator[Fit]) -> Iterator[Interpretation]:
    """Yield the readings of each fit with the game's dots, and add its board to those of the search."""
    for board in _boards(fits, search.run):
        search.boards.append(board)
        yield from _with_usual_dots(board, search.run)


def _with_usual_dots(board: BoardCache, run: ReadingRun) -> Iterator[Interpretation]:
    """Yield the readings of a board with the dots that are tried on every board."""
    usual, *_ = DOT_MODELS
    yield from _read_with(usual, board, run)


def _without_walls(search: Search) -> Iterator[Interpretation]:
    """Yield the refuted readings again, with incomplete walls open, then with all of them open."""
    refuted = (candidate.source for candidate in search.tried if isinstance(candidate.outcome, Unsolvable))
    to_retry = [interpretation for interpretation in refuted if interpretation not in search.retried]
    search.retried += to_retry
    for interpretation in to_retry:
        # Only with well-seen dots: dots and walls are never doubted at the same time.
        if interpretation.reading.confidence_without_walls < READING.seen_surely:
            continue
        walls = walls_seen(interpretation)
        # Glare, a halo or a pointer shows a part of a wall; a false wall may look complete, too.
        partial_walls = incomplete(walls, lower=1.0)
        if partial_walls:
            yield without(interpretation, partial_walls)
        if len(walls) > len(partial_walls):
            yield without(interpretation, walls)


def _with_other_dots(search: Search) -> Iterator[Interpretation]:
    """Yield the readings of the likeliest boards with faint dots, then with dots of any size."""
    run, (_, *other_dots) = replace(search.run, is_telling=False), DOT_MODELS
    for strategy, board in product(other_dots, _second_attempts(search.likeliest)):
        if run.is_over:
            return
        yield from _read_with(strategy, board, run)


def _enlarged(search: Search) -> Iterator[Interpretation]:
    """Yield the readings of an enlarged picture if its cells are small: a second attempt, so not telling.

    Its boards are not noted in the search, as no later attempt returns to them.
    """
    run = replace(search.run, is_telling=False)
    if not _are_small(search.likeliest, run):
        return
    larger = PicturePart(run.shot, run.options.crop, ENLARGED)
    for board in _boards(_fits(larger, run, LINE_CHANNELS), run):
        yield from _with_usual_dots(board, run)


def _on_steps(search: Search) -> Iterator[Interpretation]:
    """Yield the readings of cells that only their colours tell apart, if no board was solved.

    A doubt about a solved board stands: no part of it, or board of another size, evades its title. The boards
    of earlier attempts are dropped, and the search is no longer telling.
    """
    is_solved = any(isinstance(candidate.outcome, Solved) for candidate in search.tried)
    if is_solved or search.run.options.grid is not None:
        return
    search.run, search.boards = replace(search.run, is_telling=False), []
    yield from _on_boards(search, _fits(search.part, search.run, (STEPS,)))
    yield from _with_other_dots(search)


ATTEMPTS: tuple[Callable[[Search], Iterator[Interpretation]], ...] = (
    _on_lines,
    _on_cells_without_lines,
    _without_walls,
    _with_other_dots,
    _without_walls,
    _enlarged,
    _on_steps,
)
"""Ways to read a picture, best first; each sees what earlier ones found."""


def interpretations(search: Search) -> Iterator[Interpretation]:
    """Yield the results of all attempts until the search is over."""
    for attempt in ATTEMPTS:
        yield from attempt(search)
        if search.run.is_over:
            return


def _second_attempts(likeliest: Sequence[BoardCache]) -> list[BoardCache]:
    """Return the boards to read again with other dots, those with discs first.

    Discs lie in the middles of cells only if the lattice is right: an extra line moves all middles.
    """
    boards = likeliest[: BOARD.likely_max]
    return sorted(boards, key=lambda board: not board.has_discs)[: BOARD.second_attempts]


def _are_small(likeliest: Sequence[BoardCache], run: ReadingRun) -> bool:
    """Return whether cells of the likeliest board, or without one the whole picture, are small."""
    if likeliest:
        return likeliest[0].geometry.fit.pitch_px < GRID.pitch_small_px
    shortest_side_px = min(run.shot.bgr.shape[:2])
    return bool(ENLARGED * shortest_side_px < LINES.view_px)


def _boards(fits: Iterable[Fit], run: ReadingRun) -> Iterator[BoardCache]:
    """Yield the board cut out of each fit, as far as its sides can be measured, until the run is over."""
    for fit in fits:
        with suppress(FlowvisionError):
            with run.step("sides", source=fit) as step:
                step.result = geometry = fit.cut_board()
            yield BoardCache(geometry)
        if run.is_over:
            return


def _fits(part: PicturePart, run: ReadingRun, channels: Sequence[Channel]) -> Iterator[Fit]:
    """Yield the fits of all regions of a part in some channels."""
    caches = _caches(part, run, channels)
    if run.options.rows_and_cols is None:
        for cache in caches:
            yield from _fits_of(cache, FITS, run)
        return
    # A lattice of the given size seen in any region comes before one spread over the first region.
    for strategy, cache in product(GIVEN_SIZE, caches):
        yield from _fits_of(cache, (strategy,), run)


def _fits_of(
    cache: RegionCache, strategies: Sequence[Strategy[FitsOfRegion]], run: ReadingRun
) -> Iterator[Fit]:
    """Yield the fits of one region, by each of the strategies that are tried in its channel."""
    region = cache.region
    for strategy in strategies:
        if region.view.channel in strategy.channels:
            fits = (fit.found_by(strategy.name) for fit in strategy.attempt(cache))
            run_of_strategy = replace(run, is_telling=run.is_telling and strategy.is_telling)
            yield from run_of_strategy.each("grid", fits, strategy.name, region)


def _without_lines(whole: RegionCache, run: ReadingRun) -> Iterator[Fit]:
    """Yield the fits of all strategies that need no lines, only those of the given size if there is one."""
    for strategy in WITHOUT_LINES:
        fits = (fit.found_by(strategy.name) for fit in strategy.attempt(whole))
        for fit in run.each("grid", fits, strategy.name, whole.region):
            if run.options.rows_and_cols in (None, fit.size):
                yield fit


def _read_with(strategy: DotStrategy, board: BoardCache, run: ReadingRun) -> Iterator[Interpretation]:
    """Yield the readings of a board with the dots of each model of a strategy."""
    for model in strategy.attempt(board):
        yield from _read(DotHypothesis(board.geometry, model, strategy.name), run)


def _read(hypothesis: DotHypothesis, run: ReadingRun) -> Iterator[Interpretation]:
    """Yield the readings of a board with dots of one model: plain, then with bridges and warps.

    Yield no more of them after a ``FlowvisionError``, which the log notes.
    """
    with suppress(FlowvisionError):
        with run.step("dots", hypothesis.strategy, hypothesis) as step:
            step.result = dots = _dots(hypothesis, run)
        if run.options.colours is not None:
            from flowvision.reading.resolve_pairing import counted_readings

            yield from counted_readings(dots, run)
            return
        with run.step("pairs", source=dots) as step:
            step.result = pairing = pair_dots(dots)
            plain = Interpretation.of(pairing)
        yield plain
        # The plain reading was not believed: bridges or warps may be missing.
        possible_crossings = (Interpretation.of(pairing, crossings) for crossings in crossings_of(pairing))
        yield from run.each("crossings", possible_crossings, source=pairing)


def _dots(hypothesis: DotHypothesis, run: ReadingRun) -> Dots:
    """Return the dots of a board, two for each colour if their number was given. Raises ``DotsError``."""
    if run.options.colours is None:
        return find_dots(hypothesis)
    from flowvision.reading.resolve_pairing import counted_dots

    return counted_dots(hypothesis, run.options.colours)


def _likeliest(boards: Iterable[BoardCache]) -> list[BoardCache]:
    """Return the boards without duplicates: lattices that were seen, then those spread over a region, others.

    Each kind has the best first. Boards of one kind are duplicates if they have equally many cells, the first
    of them within half a cell of one another; the best of them is kept.
    """
    best_at: dict[tuple[object, ...], BoardCache] = {}
    for board in sorted(boards, key=lambda board: -board.geometry.fit.score):
        fit = board.geometry.fit
        cells = board.geometry.board.layout.cells
        (first_cell_px,) = fit.frame.to_px(cells[0].centre)
        x, y = np.round(2 * first_cell_px / fit.pitch_px).tolist()
        best_at.setdefault((fit.is_lattice, len(cells), x, y), board)
    fits = {board: board.geometry.fit for board in best_at.values()}
    # A fit of the given size was not seen: it is spread over its region.
    return sorted(fits, key=lambda board: (not fits[board].is_lattice, fits[board].is_given))


def read_board(run: ReadingRun) -> Believed:
    """Return the reading of one board to believe, if need be of the size that its title names.

    Raises the ``FlowvisionError`` of the furthest attempt if all fail.
    """
    if run.options.trust:  # only what is refused without it needs it
        doubting = run.trial(dataclasses.replace(run.options, trust=False))
        if believed := _tried_read(doubting, run, read_board):
            return believed
    if as_given := _read_as_given(run):
        return as_given
    try:
        return _read_board(run)
    except FlowvisionError:
        titled = run_of_titled_size(run)
        if titled and (believed := _tried_read(titled, run, _read_board)):
            return believed
        raise


def _tried_read(
    trial: ReadingRun,
    run: ReadingRun,
    reader: Callable[[ReadingRun], Believed],
    accepts: Callable[[Believed], bool] = bool,
) -> Believed | None:
    """Read in a trial; if it succeeds and is accepted, its steps become those of the run, else ``None``."""
    with suppress(FlowvisionError):
        believed = reader(trial)
        if accepts(believed):
            run.log.adopt(trial.log)
            return believed
    return None


def _read_as_given(run: ReadingRun) -> Believed | None:
    """Read without the given size and number of colours; return the board if it has both and no doubts.

    So giving them never makes an answer worse.
    """
    given_size, given_colours = run.options.rows_and_cols, run.options.colours
    if given_size is None and given_colours is None:
        return None

    def is_as_given(believed: Believed) -> bool:
        """Return true for a board of the given size and number of colours without doubts."""
        lattice, flow_count = believed.reading.lattice, len(believed.reading.puzzle.terminals)
        size = lattice.size if lattice else None
        has_size, has_colours = given_size in (None, size), given_colours in (None, flow_count)
        return has_size and has_colours and not any(doubt.weight for doubt in believed.doubts)

    options = dataclasses.replace(run.options, grid=None, colours=None, trust=False)
    return _tried_read(run.trial(options), run, _read_board, is_as_given)


def _read_board(run: ReadingRun) -> Believed:
    """Search, and return the best reading if no doubt refuses it.

    Raises the ``FlowvisionError`` of what refuses it, or of the furthest attempt.
    """
    log = run.log
    tried = _tried(run)
    best = _best_of(tried, run)
    if not isinstance(best.outcome, Solved):
        raise log.fail("solve", gave_up(best.reading, best.outcome), best)
    if run.alike_dots is not None:
        raise run.alike_dots
    confidence = confidence_of(best)
    refusal = _refusal(best, confidence, run)
    if refusal and (isinstance(refusal, Walls) or not run.options.trust):
        raise log.fail("solve", refused(best, refusal), best)
    for candidate in tried:  # only noted in the log: it may be the intended board
        if isinstance(candidate.refusal, FewPairs):
            log.fail("solve", refused(candidate, candidate.refusal), candidate)
    believed = _believed(best, confidence, run)
    if isinstance(refusal, Unsure):  # trusted: a warning
        return replace(believed, doubts=(replace(refusal, weight=TRUSTED), *believed.doubts))
    return believed


def _believed(best: Candidate, confidence: float, run: ReadingRun) -> Believed:
    """Return the best candidate as believed: without doubtful walls, and with all doubts that are left."""
    with run.step("doubts", "walls", best.source) as step:
        forget_lines()  # a cache: what follows looks at other parts of the picture
        final, about_walls = with_believed_walls(best, run)
        step.result = final.source
    # The doubts about the solution stay those from before walls were left out: where that allows several
    # solutions, ``about_walls`` says so, and the board itself is not in doubt.
    doubts = all_doubts(replace(best, source=final.source))
    if not final.source.cells_paired_by_solution:  # else the doubtful dots are named already
        doubts += unsure_doubt(final, confidence)
    doubts += about_walls + swapped_size_doubt(final.reading, run.options.rows_and_cols)
    assert isinstance(final.outcome, Solved)
    return Believed(final.source, final.outcome, doubts, confidence)


def _best_of(tried: Sequence[Candidate], run: ReadingRun) -> Candidate:
    """Return the most credible candidate. Raises the ``FlowvisionError`` of the furthest attempt.

    If a path touches itself in its solution, that may be drawn on the board: then it is the outcome.
    """
    best = most_credible(tried)
    if best is None and run.options.trust:
        best = most_credible([trusted(candidate) for candidate in tried])
    if best is None:
        raise _furthest_error(tried, run)
    if not isinstance(best.outcome, Solved) or best.outcome.rules == "strict":
        return best
    from flowvision.reading.play_state import play_seen

    play = play_seen(best.source, best.outcome, run)
    return with_solver_doubts(replace(best, outcome=play.outcome), is_drawn=play.state == "solved")


def _refusal(best: Candidate, confidence: float, run: ReadingRun) -> Doubt | None:
    """Return the doubt that refuses the best candidate, if any: about its walls, solution or confidence."""
    if _has_another_answer(best, run):
        return WallsDisagree(sides_of(best.source.ignored_walls))
    for doubt in best.about_solution:
        if doubt.weight >= 1:
            return doubt
    lower = READING.min_confidence
    return LowConfidence(best.reading.size, confidence, lower) if confidence < lower else None


def _has_another_answer(best: Candidate, run: ReadingRun) -> bool:
    """Return whether some walls were ignored, and with all of them open there is one other solution."""
    source, outcome = best.source, best.outcome
    walls = walls_seen(source) if source.ignored_walls else ()
    if not isinstance(outcome, Solved) or len(walls) == len(source.ignored_walls):
        return False
    open_outcome = solve(without(source, walls).reading.puzzle, seconds=run.seconds_left)
    return has_one_strict_solution(open_outcome) and _cells_of(open_outcome) != _cells_of(outcome)


def _cells_of(outcome: Solved) -> list[tuple[int, ...]]:
    """Return the strands of every path; edges have other numbers on a board with other walls."""
    return [path.vertices for path in outcome.solution.paths]


def _tried(run: ReadingRun) -> list[Candidate]:
    """Solve interpretations and doubt them, until one is settled and clearly read, or time is up.

    Return all candidates but guesses that are not settled.
    """
    search = Search(run)
    for interpretation in islice(interpretations(search), READING.readings):
        outcome = run.solve(interpretation, READING.share_of_time)
        if isinstance(outcome, GaveUp) and outcome.rules == "free":  # strict solutions are ruled out by then
            outcome = Unsolvable(outcome.seconds, "in every solution a path would touch itself")
        candidate = _seen_to_run_on(with_doubts(Candidate(interpretation, outcome), run), search.tried)
        is_settled = has_one_strict_solution(outcome) and candidate.refusal is None
        if is_settled or not _is_guess(interpretation):
            search.tried.append(candidate)
        is_clear = interpretation.reading.confidence_without_walls >= READING.seen_well
        if (is_settled and is_clear) or run.is_late:
            break
    return search.tried


def _seen_to_run_on(candidate: Candidate, tried: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the strongest doubt of all that its board runs on.

    Fits of the same cells lie a little apart, so that one shows more beyond them than another.
    """

    def runs_on(other: Candidate) -> list[Doubt]:
        return [doubt for doubt in other.doubts if isinstance(doubt, RunsOn)]

    own = runs_on(candidate)
    of_same_board = [doubt for other in tried if _is_same(other, candidate) for doubt in runs_on(other)]
    strongest = max((*own, *of_same_board), key=lambda doubt: doubt.weight, default=None)
    if strongest is None or strongest in own:
        return candidate
    others = [doubt for doubt in candidate.doubts if doubt not in own]
    return replace(candidate, doubts=(strongest, *others))


def _is_same(one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates have the same rows and columns, and the same pairs of dots there."""
    pairs, pairs_of_other = (set(map(frozenset, c.reading.puzzle.terminals)) for c in (one, other))
    return one.reading.lattice == other.reading.lattice and pairs == pairs_of_other


def _is_guess(interpretation: Interpretation) -> bool:
    """Return whether walls, bridges, warps or dots were assumed without being seen."""
    crossings, dots = interpretation.crossings, interpretation.dots
    are_crossings_assumed = crossings is not None and not crossings.seen
    are_dots_assumed = dots is not None and dots.hypothesis.is_guess
    return bool(interpretation.ignored_walls) or are_crossings_assumed or are_dots_assumed


def most_credible(tried: Sequence[Candidate]) -> Candidate | None:
    """Return the best of the candidates that are not refuted; a settled one has exactly one strict solution.

    Settled, clearly read ones come first, then other settled ones, then solvable ones. All give way to a
    strictly solved, surely read one with 50 % more cells: a part of a board may have one solution where the
    whole has several.
    """
    open_ones = [candidate for candidate in tried if not candidate.is_refuted]
    sure_ones = (
        candidate
        for candidate in open_ones
        if _is_strict(candidate.outcome) and candidate.reading.confidence >= READING.seen_surely
    )
    most_cells = max(map(_cells, sure_ones), default=0)

    def rank(candidate: Candidate) -> tuple[bool, ...]:
        """Return flags that order candidates, the weightiest first."""
        outcome = candidate.outcome
        is_part = READING.part_ratio * _cells(candidate) <= most_cells
        is_settled = has_one_strict_solution(outcome)
        is_clear = is_settled and candidate.reading.confidence_without_walls >= READING.seen_well
        return not is_part, is_clear, is_settled, _is_strict(outcome), isinstance(outcome, Solved)

    return max(open_ones, key=rank, default=None)


def _cells(candidate: Candidate) -> int:
    """Return the number of its cells."""
    return len(candidate.reading.board.layout.cells)


def _is_strict(outcome: Outcome) -> bool:
    """Return whether it is solved by paths that do not touch themselves."""
    return isinstance(outcome, Solved) and outcome.rules == "strict"


def _furthest_error(tried: Sequence[Candidate], run: ReadingRun) -> FlowvisionError:
    """Return the error of the latest stage; note refuted candidates as failures of ``solve`` before."""
    log = run.log
    for candidate in tried:
        if candidate.refusal is not None:
            log.fail("solve", refused(candidate, candidate.refusal), candidate)
            continue
        message = f"Read {candidate.reading.size}; this board has no solution."
        log.fail("solve", UnsolvableError(message, read=candidate.reading), candidate)
    error = max(log.failures, key=lambda step: STAGES.index(step.stage)).error
    assert error is not None
    return error


def refused(candidate: Candidate, doubt: Doubt) -> DoubtfulReadingError:
    """Return the error for a reading that a doubt refuses; its other doubts follow that one in the error."""
    reading = candidate.reading
    message = f"Read {reading.size}, with a confidence of {reading.confidence:.2f}."
    others = [item for item in all_doubts(candidate) if item.code != doubt.code]
    return DoubtfulReadingError(message, doubts=(doubt, *others), read=reading)
