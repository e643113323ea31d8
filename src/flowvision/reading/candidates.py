"""The readings of a screenshot, best first: the strategies, walked as far as anybody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from time import perf_counter

import numpy as np

from flowvision.errors import BoardNotFoundError, FlowvisionError
from flowvision.events import StageRunner
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import cut_out
from flowvision.reading.attempts import BoardCache, RegionCache
from flowvision.reading.options import Options
from flowvision.reading.result import AMBIGUOUS_PAIRING
from flowvision.reading.strategies import CHANNELS, CROSSINGS, DOTS, FITS, GIVEN_SIZE, WALLS, WITHOUT_LINES
from flowvision.reading.walls import walls_seen, without
from flowvision.vision.board import BoardRegion, find_boards, whole_picture
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing, find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.dots.rims import without_rim_walls
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import Views
from flowvision.vision.reading import Interpretation, assemble
from flowvision.vision.settings import Settings


def candidates(
    shot: Screenshot,
    options: Options,
    runner: StageRunner,
    deadline: float,
    refuted: Callable[[], Sequence[Interpretation]] = tuple,
) -> Iterator[Interpretation]:
    """Ways to read a picture, best first: of regions, of the whole picture, without walls, with other dots.

    Nothing new is begun after the ``deadline`` (``perf_counter``). ``refuted``: called once all boards were
    looked at; those of the interpretations so far that have no solution.
    """
    settings, boards = options.settings, list[BoardCache]()
    views = Views(shot, settings.lines.view_px)
    for region in runner.each("board", shot, _regions(views, options)):
        for fit in _fits(region, options, runner):
            board = _board(fit, settings, runner)
            if board is not None:
                boards.append(board)
                yield from _readings(DOTS[0].attempt(board), options, runner, deadline)
        if _is_past(runner, deadline):
            return
    for fit in _without_lines(views, options, runner):
        board = _board(fit, settings, runner)
        if board is not None:
            yield from _readings(DOTS[0].attempt(board), options, runner, deadline)
    yield from _without_walls(refuted(), options)
    # Errors of a second look at a board would only hide the most telling one.
    unranked = runner.unranked()
    likeliest = _likeliest(boards)[: settings.board.regions]
    for strategy in DOTS[1:]:
        for board in likeliest:
            if _is_past(runner, deadline):
                return
            yield from _readings(strategy.attempt(board), options, unranked, deadline)


def _is_past(runner: StageRunner, deadline: float) -> bool:
    """Whether time is up, or the dots were found to pair in several ways, which no other look changes."""
    return perf_counter() > deadline or any(one.error.refusal == AMBIGUOUS_PAIRING for one in runner.failures)


def _fits(region: BoardRegion, options: Options, runner: StageRunner) -> Iterator[Fit]:
    """What may explain a region, strategy by strategy."""
    cache, unranked = RegionCache(region, options.settings, options.rows_and_cols), runner.unranked()
    for strategy in GIVEN_SIZE if options.rows_and_cols else FITS:
        if region.view.channel in strategy.channels:
            fits = (fit.found_by(strategy.name) for fit in strategy.attempt(cache))
            yield from unranked.each("grid", region, fits, strategy.name)
    # Of all that was not found, the lattice tells most, and only where nothing else explains the region.
    runner.failures.extend(failed for failed in unranked.failures if failed.error is cache.failure)


def _without_lines(views: Views, options: Options, runner: StageRunner) -> Iterator[Fit]:
    """What may explain the whole picture where no lines do."""
    whole = _whole(views, options)
    for strategy in WITHOUT_LINES:
        fits = (fit.found_by(strategy.name) for fit in strategy.attempt(whole, options.settings))
        for fit in runner.each("grid", whole, fits, strategy.name):
            if options.rows_and_cols in (None, fit.size):
                yield fit


def _without_walls(refuted: Sequence[Interpretation], options: Options) -> Iterator[Interpretation]:
    """The readings without a solution once more, without walls that may be none.

    Only of dots that were seen well: never are dots and walls doubted at the same time.
    """
    settings, sure = options.settings.walls, options.min_confidence_if_not_unique
    surely = [one for one in refuted if one.reading.confidence_without_walls >= sure]
    for strategy in WALLS:
        for one in surely:
            left_out = strategy.attempt(walls_seen(one), settings)
            if left_out:
                yield without(one, left_out)


def _board(fit: Fit, settings: Settings, runner: StageRunner) -> BoardCache | None:
    """The board cut out of a fit; ``None`` where that fails, which the runner notes."""
    with suppress(FlowvisionError):
        return BoardCache(runner.run("sides", fit, fit.cut_board, settings), settings)
    return None


def _readings(
    hypothesis: DotHypothesis | None, options: Options, runner: StageRunner, deadline: float
) -> Iterator[Interpretation]:
    """The readings of one look at a board: as it is, then with what is seen of bridges and warps."""
    if hypothesis is None:
        return
    settings = options.settings
    with suppress(FlowvisionError):
        dots = runner.run("dots", hypothesis, _dots, hypothesis, options)
        mended = without_rim_walls(dots, settings)
        if mended is None:
            return
        dots = dots.on(mended)
        if options.colours is not None:
            from flowvision.reading.resolve_pairing import counted_readings

            yield from counted_readings(dots, options, _crossed, runner, deadline)
            return
        pairing = runner.run("pairs", dots, pair_dots, dots, settings.pairing)
        yield Interpretation(assemble(pairing, settings.pairing), pairing)
        # Asked for one more: is something missing over which paths cross?
        for crossings in runner.each("crossings", pairing, _crossed(pairing, settings)):
            yield Interpretation(assemble(pairing, settings.pairing, crossings), crossings)


def _dots(hypothesis: DotHypothesis, options: Options) -> Dots:
    """The dots; two of each colour, where the user gave the number of colours."""
    if options.colours is None:
        return find_dots(hypothesis, options.settings.dots)
    from flowvision.reading.resolve_pairing import counted_dots

    return counted_dots(hypothesis, options.settings.dots, options.colours)


def _crossed(pairing: Pairing, settings: Settings) -> Iterator[Crossings]:
    """The board with bridges, warps or both, as far as they are seen."""
    from flowvision.vision.crossings.crossings import find_crossings

    seen = find_crossings(pairing, settings.crossings, settings.pipes)
    for strategy in CROSSINGS:
        crossings = strategy.attempt(seen) if seen else None
        if crossings is not None:
            yield crossings


def _likeliest(boards: Iterable[BoardCache]) -> list[BoardCache]:
    """Of boards that were seen more than once the best look each, rows and columns first."""
    best: dict[tuple[object, ...], BoardCache] = {}
    for board in sorted(boards, key=lambda board: -board.geometry.fit.score):
        fit = board.geometry.fit
        cells = board.geometry.board.layout.cells
        at = fit.frame.to_px([cells[0].centre])[0] / fit.pitch_px
        key = fit.is_lattice, len(cells), *np.round(at).tolist()
        best.setdefault(key, board)
    return sorted(best.values(), key=lambda board: not board.geometry.fit.is_lattice)


def _regions(views: Views, options: Options) -> Iterator[BoardRegion]:
    """Where the board may be; all of a part that was cut out by hand is the last place to look."""
    shot, channels = views.shot, [strategy.attempt for strategy in CHANNELS]
    if options.crop is None:
        yield from find_boards(shot, options.settings, channels, views)
        return
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    with suppress(BoardNotFoundError):
        for region in find_boards(part, options.settings, channels):
            yield region.moved(shot, x, y)
    yield _whole(views, options)


def _whole(views: Views, options: Options) -> BoardRegion:
    """All of the picture as a region, or all of the part that was cut out by hand."""
    shot, lines = views.shot, options.settings.lines
    if options.crop is None:
        return whole_picture(shot, lines, views)
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    return whole_picture(part, lines).moved(shot, x, y)
