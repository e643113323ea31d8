"""The readings of a screenshot, best first: the strategies are walked as far as readings are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress

import numpy as np
from msgspec.structs import replace

from flowvision.errors import AmbiguousColoursError, FlowvisionError
from flowvision.reading.attempts import BoardCache, RegionCache
from flowvision.reading.candidates import FEW_COLOURS
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.strategies import (
    CHANNELS,
    DOTS,
    FITS,
    GIVEN_SIZE,
    VIEWS,
    WALLS,
    WITHOUT_LINES,
    DotStrategy,
    FitsOfRegion,
    Strategy,
    crossings_seen,
)
from flowvision.reading.walls import walls_seen, without
from flowvision.vision.assembly import Interpretation, assemble
from flowvision.vision.board import BoardRegion, PicturePart
from flowvision.vision.dots.detection import DotHypothesis, Dots, find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.dots.rim_walls import without_rim_walls
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import without_bare_rows
from flowvision.vision.pixels.lines import forget_lines
from flowvision.vision.settings import BoardSettings, Settings

SAME_CORNER = 0.15
"""Corners of two lattices nearer to one another are the same; in widths of a cell."""


class Regions:
    """The regions of a picture, in order: each is looked for when it is wanted, and then remembered.

    ``view``: how many times the picture is enlarged.
    """

    def __init__(self, view: Strategy[int], run: ReadingRun) -> None:
        self._run = run
        self._part = PicturePart(run.shot, run.settings, run.options.crop, view.attempt)
        found = self._part.regions([strategy.attempt for strategy in CHANNELS])
        self._coming = run.log.each("board", found, source=run.shot)
        self.seen: list[RegionCache] = []
        """Those so far."""

    def __iter__(self) -> Iterator[RegionCache]:
        """Those so far, then the others."""
        yield from self.seen
        for region in self._coming:
            cache = self._cache(region)
            self.seen.append(cache)
            yield cache

    def whole(self) -> RegionCache:
        """The whole picture, or all of its part that is looked at, as one region."""
        return self._cache(self._part.whole())

    def _cache(self, region: BoardRegion) -> RegionCache:
        return RegionCache(region, self._run.settings, self._run.options.rows_and_cols, self.seen)

    def close(self) -> None:
        """Forget them: they know one another, and would keep the picture until cycles are collected."""
        self.seen.clear()
        forget_lines()


def interpretations(
    run: ReadingRun, refuted: Callable[[], Iterable[Interpretation]] = tuple
) -> Iterator[Interpretation]:
    """Ways to read a picture, best first: of regions, of the whole picture, without walls, with other dots.

    ``refuted``: gives those so far that have no solution; asked once, when all boards have been looked at.
    """
    with closing(Regions(VIEWS[0], run)) as regions:
        yield from _in_regions(regions, run, refuted)


def _in_regions(
    regions: Regions, run: ReadingRun, refuted: Callable[[], Iterable[Interpretation]]
) -> Iterator[Interpretation]:
    """The interpretations of ``run``, of ``regions`` first."""
    settings, boards = run.settings, list[BoardCache]()
    for board in _boards(_fits(regions, run), run):
        boards.append(board)
        yield from _read_first(board, run)
    if run.is_over:
        return
    for board in _boards(_without_lines(regions.whole(), run), run):
        boards.append(board)
        yield from _read_with(DOTS[0], board, run)
    yield from _without_walls(refuted(), run)
    # Errors of a second attempt at a board would only hide the most telling one.
    aside = run.aside()
    likeliest = _likeliest(boards, settings)
    second = _second_attempts(likeliest, settings.board)
    for strategy in DOTS[1:]:
        for board in second:
            if run.is_over:
                return
            yield from _read_with(strategy, board, aside)
    if _are_small(likeliest, run):
        with closing(Regions(VIEWS[1], aside)) as larger:
            for board in _boards(_fits(larger, aside), aside):
                yield from _read_first(board, aside)


def _second_attempts(likeliest: Sequence[BoardCache], settings: BoardSettings) -> list[BoardCache]:
    """The boards on which other dots are looked for: first those in whose cells something is.

    Their lattices are the right ones: where one has a line too many, or one too few, dots lie beside its
    middles.
    """
    known = likeliest[: settings.likely]
    return sorted(known, key=lambda board: board.middles_px is None)[: settings.second_attempts]


def _are_small(likeliest: Sequence[BoardCache], run: ReadingRun) -> bool:
    """Return whether the likeliest cells have few pixels, or would have in a picture where none were seen."""
    if likeliest:
        return likeliest[0].geometry.fit.pitch_px < run.settings.grid.pitch_small_px
    return bool(VIEWS[1].attempt * min(run.shot.bgr.shape[:2]) < run.settings.lines.view_px)


def _boards(fits: Iterable[Fit], run: ReadingRun) -> Iterator[BoardCache]:
    """The boards cut out of fits, while the run is not over."""
    for fit in fits:
        with suppress(FlowvisionError):
            with run.log.step("sides", source=fit) as step:
                step.result = geometry = fit.cut_board(run.settings)
            yield BoardCache(geometry, run.settings)
        if run.is_over:
            return


def _read_first(board: BoardCache, run: ReadingRun) -> Iterator[Interpretation]:
    """A board read with the game's own dots; it is noted where it is full of another game's pieces."""
    yield from _read_with(DOTS[0], board, run)
    _refuse_pieces(board, run)


def _fits(regions: Regions, run: ReadingRun) -> Iterator[Fit]:
    """Yield fits: region by region, and for each strategy by strategy.

    Where the size is given, strategies come first: a lattice of that size that is seen in any region comes
    before one that is spread from edge to edge of the first, seen or not.
    """
    by_strategy = [(strategy,) for strategy in GIVEN_SIZE]
    for strategies in [FITS] if run.options.rows_and_cols is None else by_strategy:
        for cache in regions:
            yield from _fits_of(cache, strategies, run)


def _fits_of(
    cache: RegionCache, strategies: Sequence[Strategy[FitsOfRegion]], run: ReadingRun
) -> Iterator[Fit]:
    """Yield the fits of a region, strategy by strategy."""
    region, aside = cache.region, run.log.aside()
    for strategy in strategies:
        if region.view.channel in strategy.channels:
            fits = (fit.found_by(strategy.name) for fit in strategy.attempt(cache))
            yield from aside.each("grid", fits, strategy.name, region)
    # Why there is no lattice is the most telling failure, but only where nothing else explains the region.
    run.log.failures += [step for step in aside.failures if step.error is cache.failure]


def _without_lines(whole: RegionCache, run: ReadingRun) -> Iterator[Fit]:
    """Yield fits of the whole picture."""
    for strategy in WITHOUT_LINES:
        fits = (fit.found_by(strategy.name) for fit in strategy.attempt(whole))
        for fit in run.log.each("grid", fits, strategy.name, whole.region):
            if run.options.rows_and_cols in (None, fit.size):
                yield fit


def _without_walls(refuted: Iterable[Interpretation], run: ReadingRun) -> Iterator[Interpretation]:
    """The readings without a solution once more, without walls that may be none.

    Only of dots that were seen well: never are dots and walls doubted at the same time.
    """
    settings, sure = run.settings.walls, run.settings.reading.min_confidence_if_not_unique
    surely = [one for one in refuted if one.reading.confidence_without_walls >= sure]
    for strategy in WALLS:
        for one in surely:
            left_out = strategy.attempt(walls_seen(one), settings)
            if left_out:
                yield without(one, left_out)


def _read_with(strategy: DotStrategy, board: BoardCache, run: ReadingRun) -> Iterator[Interpretation]:
    """A board read with one kind of dots: as it is, then with what is seen of bridges and warps."""
    hypothesis = strategy.attempt(board)
    if hypothesis is None:
        return
    hypothesis = replace(hypothesis, strategy=strategy.name)
    settings, log = run.settings, run.log
    with suppress(FlowvisionError):
        with log.step("dots", strategy.name, hypothesis) as step:
            step.result = found = _dots(hypothesis, run)
        dots = without_rim_walls(found, settings)
        if dots is None:
            return
        if run.options.colours is not None:
            from flowvision.reading.resolve_pairing import counted_readings

            yield from counted_readings(dots, run)
            return
        with log.step("pairs", source=dots) as step:
            step.result = pairing = pair_dots(dots, settings.pairing)
        yield Interpretation(assemble(pairing, settings.pairing), pairing)
        # The plain reading was not believed: is something missing over which paths cross?
        for crossings in log.each("crossings", crossings_seen(pairing, settings), source=pairing):
            yield Interpretation(assemble(pairing, settings.pairing, crossings), crossings)


def _refuse_pieces(board: BoardCache, run: ReadingRun) -> None:
    """Note where a board that could not be read is full of the pieces of another game."""
    fit = board.geometry.fit
    is_whole = fit.is_lattice and not fit.is_open and fit.score >= run.settings.grid.whole
    if run.options.colours is not None or not is_whole:
        return
    from flowvision.vision.dots.copies import are_pieces

    found = are_pieces(board.geometry, run.settings)
    if found is not None:
        said = f"Found {len(found.dots)} discs of few colours."
        error = AmbiguousColoursError(said, None, found, doubt=FEW_COLOURS)
        run.log.fail("pairs", error, found)


def _dots(hypothesis: DotHypothesis, run: ReadingRun) -> Dots:
    """The dots; two of each colour, where the user gave the number of colours."""
    if run.options.colours is None:
        return find_dots(hypothesis, run.settings.dots)
    from flowvision.reading.resolve_pairing import counted_dots

    return counted_dots(hypothesis, run.settings.dots, run.options.colours)


def _likeliest(boards: Iterable[BoardCache], settings: Settings) -> list[BoardCache]:
    """The best attempt at each board that was seen more than once, rows and columns first.

    A part of a larger lattice comes after it, for it is no likelier: it shows more of its lines, and none of
    the rest of the board. A row into which no line reaches is no reason to call a lattice larger.
    """
    best: dict[tuple[object, ...], BoardCache] = {}
    for board in sorted(boards, key=lambda board: -board.geometry.fit.score):
        fit = board.geometry.fit
        cells = board.geometry.board.layout.cells
        at = 2 * fit.frame.to_px([cells[0].centre])[0] / fit.pitch_px
        key = fit.is_lattice, len(cells), *np.round(at).tolist()
        best.setdefault(key, board)
    fits = [board.geometry.fit for board in best.values()]
    fits = [(isinstance(fit, GridFit) and without_bare_rows(fit, settings.grid)) or fit for fit in fits]

    def rank(board: BoardCache) -> tuple[bool, bool, float, bool]:
        fit = board.geometry.fit
        larger = [other.score for other in fits if _is_part(fit, other)]
        score = min([fit.score, *larger])
        return not fit.is_lattice, fit.is_given, -score, bool(larger)

    return sorted(best.values(), key=rank)


def _is_part(fit: Fit, other: Fit) -> bool:
    """Whether a lattice is a part of another one with cells of its size, whose corners are its corners."""
    if not (fit.is_lattice and fit.size and other.is_lattice and other.size):
        return False
    (rows, cols), (other_rows, other_cols) = fit.size, other.size
    if rows * cols >= other_rows * other_cols:
        return False
    corners = other.frame.to_cells(fit.outline_px())
    is_inside = (corners > -SAME_CORNER).all() and (
        corners < (other_cols + SAME_CORNER, other_rows + SAME_CORNER)
    ).all()
    spans = np.ptp(corners, axis=0)
    is_same = np.abs(spans - (cols, rows)).max() < SAME_CORNER
    return bool(is_inside and is_same and np.abs(corners - np.round(corners)).max() < SAME_CORNER)
