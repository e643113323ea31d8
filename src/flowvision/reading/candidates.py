"""The readings of a screenshot, best first: the strategies, walked as far as anybody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from time import perf_counter

import numpy as np

from flowvision.errors import BoardNotFoundError, FlowvisionError
from flowvision.events import StageRunner, Trail
from flowvision.image.crop import cut_out
from flowvision.image.picture import Screenshot
from flowvision.reading.dot_attempts import BoardMemo, Look
from flowvision.reading.fit_attempts import RegionMemo
from flowvision.reading.options import Options
from flowvision.reading.result import TOLD_TWO_WAYS
from flowvision.reading.strategies import CHANNELS, CROSSINGS, DOTS, FITS, GIVEN_SIZE, WALLS, WITHOUT_LINES
from flowvision.reading.walls import walls_seen, without
from flowvision.vision.board.contours import find_boards, whole_picture
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.crossings.result import Crossings
from flowvision.vision.dots.detection import find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.dots.result import Dots
from flowvision.vision.dots.rims import without_rim_walls
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.view import Views
from flowvision.vision.reading import assemble
from flowvision.vision.settings import Settings


def candidates(
    shot: Screenshot, options: Options, runner: StageRunner, end: float, refuted: Sequence[Trail] = ()
) -> Iterator[Trail]:
    """Trails that end in a reading, best first: of regions, of the whole picture, without walls, other dots.

    Nothing new is begun after the time ``end`` (``perf_counter``). ``refuted``: those of the trails so far
    whose readings have no solution; whoever asks on adds to it.
    """
    settings, boards = options.settings, list[BoardMemo]()
    views = Views(shot, settings.lines.view_px)
    for region in runner.each("board", Trail(shot), _regions(views, options)):
        for trail in _fits(Trail(shot, region), region, options, runner):
            board = _board(trail, shot, settings, runner)
            if board is not None:
                boards.append(board)
                yield from _readings(board, DOTS[0].attempt(board), options, runner, end)
        if _is_over(runner, end):
            return
    for trail in _without_lines(views, options, runner):
        board = _board(trail, shot, settings, runner)
        if board is not None:
            yield from _readings(board, DOTS[0].attempt(board), options, runner, end)
    yield from _without_walls(refuted, options)
    # What is amiss on a second look at a board would only mislead whoever asks for the most telling error.
    unranked = runner.unranked()
    likeliest = _likeliest(boards)[: settings.board.regions]
    for strategy in DOTS[1:]:
        for board in likeliest:
            if _is_over(runner, end):
                return
            yield from _readings(board, strategy.attempt(board), options, unranked, end)


def _is_over(runner: StageRunner, end: float) -> bool:
    """Whether time is up, or the dots were found to pair in several ways, which no other look changes."""
    return perf_counter() > end or any(one.error.refusal == TOLD_TWO_WAYS for one in runner.failures)


def _fits(trail: Trail, region: BoardRegion, options: Options, runner: StageRunner) -> Iterator[Trail]:
    """What may explain a region, strategy by strategy."""
    memo, unranked = (
        RegionMemo(region, options.settings, options.rows_and_cols, trail.shot),
        runner.unranked(),
    )
    for strategy in GIVEN_SIZE if options.grid else FITS:
        if region.view.channel not in strategy.channels:
            continue
        tried = trail.with_(strategy=strategy.name)
        for fit in unranked.each("grid", tried, strategy.attempt(memo)):
            yield tried.with_(fit=fit)
    # Of all that was not found, the lattice tells most, and only where nothing else explains the region.
    runner.failures.extend(failed for failed in unranked.failures if failed.error is memo.failure)


def _without_lines(views: Views, options: Options, runner: StageRunner) -> Iterator[Trail]:
    """What may explain the whole picture where no lines do."""
    whole = _whole(views, options)
    for strategy in WITHOUT_LINES:
        trail = Trail(views.shot, whole, strategy.name)
        for region, fit in runner.each("grid", trail, strategy.attempt(whole, options.settings)):
            if options.rows_and_cols in (None, fit.size):
                yield trail.with_(region=region, fit=fit)


def _without_walls(refuted: Sequence[Trail], options: Options) -> Iterator[Trail]:
    """The readings without a solution once more, without walls that may be none.

    Only of dots that were seen well: never are dots and walls doubted at the same time.
    """
    asked, sure = options.settings.walls, options.min_confidence_if_not_unique
    surely = [trail for trail in refuted if trail.reading and trail.reading.confidence_without_walls >= sure]
    for strategy in WALLS:
        for trail in surely:
            left_out = strategy.attempt(walls_seen(trail), asked)
            if left_out:
                yield without(trail, left_out)


def _board(trail: Trail, shot: Screenshot, settings: Settings, runner: StageRunner) -> BoardMemo | None:
    """The board cut out of a fit; ``None`` where that fails, which the runner notes."""
    assert trail.fit is not None
    with suppress(FlowvisionError):
        sides = runner.run("sides", trail, trail.fit.cut_board, settings)
        return BoardMemo(sides, trail, shot, settings)
    return None


def _readings(
    board: BoardMemo, look: Look | None, options: Options, runner: StageRunner, end: float
) -> Iterator[Trail]:
    """The readings of one look at a board: as it is, then with what is seen of bridges and warps."""
    if look is None:
        return
    (sides, model), settings = look, options.settings
    with suppress(FlowvisionError):
        trail = board.trail.with_(sides=sides, model=model)
        dots = runner.run("marks", trail, _dots, sides, model, options)
        mended = without_rim_walls(sides, dots, settings)
        if mended is None:
            return
        trail = trail.with_(sides=mended, dots=dots)
        if options.colours is not None:
            from flowvision.reading.told_apart import counted_readings

            yield from counted_readings(trail, options, _crossed, runner, end)
            return
        pairing = runner.run("pairs", trail, pair_dots, dots, settings.pairing)
        trail = trail.with_(pairing=pairing)
        yield trail.with_(reading=assemble(mended, dots, pairing, settings.pairing))
        # Whoever asks on was not content: is something missing over which paths cross?
        for crossings in runner.each("crossings", trail, _crossed(trail, settings)):
            reading = assemble(mended, dots, pairing, settings.pairing, crossings)
            yield trail.with_(crossings=crossings, reading=reading)


def _dots(sides: BoardGeometry, model: DotModel, options: Options) -> Dots:
    """The dots; as many as there must be, where somebody counted the colours."""
    if options.colours is None:
        return find_dots(sides, model, options.settings.dots)
    from flowvision.reading.told_apart import counted_dots

    return counted_dots(sides, model, options.settings.dots, options.colours)


def _crossed(trail: Trail, settings: Settings) -> Iterator[Crossings]:
    """The board with bridges, warps or both, as far as they are seen."""
    from flowvision.vision.crossings.crossings import find_crossings

    assert trail.sides is not None
    assert trail.dots is not None
    assert trail.pairing is not None
    seen = find_crossings(trail.sides, trail.dots, trail.pairing, settings.crossings, settings.pipes)
    for strategy in CROSSINGS:
        crossings = strategy.attempt(seen) if seen else None
        if crossings is not None:
            yield crossings


def _likeliest(boards: Iterable[BoardMemo]) -> list[BoardMemo]:
    """Of boards that were seen more than once the best look each, rows and columns first."""
    best: dict[tuple[object, ...], BoardMemo] = {}
    for board in sorted(boards, key=lambda board: -board.sides.fit.score):
        sides = board.sides
        cells = sides.board.layout.cells
        at = sides.fit.frame.to_px([cells[0].centre])[0] / sides.fit.pitch_px
        key = sides.fit.is_lattice, len(cells), *np.round(at).tolist()
        best.setdefault(key, board)
    return sorted(best.values(), key=lambda board: not board.sides.fit.is_lattice)


def _regions(views: Views, options: Options) -> Iterator[BoardRegion]:
    """Where the board may be; all of a part that was cut out by hand is the last place to look."""
    shot, channels = views.shot, [strategy.attempt for strategy in CHANNELS]
    if options.crop is None:
        yield from find_boards(shot, options.settings, channels, views)
        return
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    with suppress(BoardNotFoundError):
        for region in find_boards(part, options.settings, channels):
            yield region.moved(x, y)
    yield _whole(views, options)


def _whole(views: Views, options: Options) -> BoardRegion:
    """All of the picture as a region, or all of the part that was cut out by hand."""
    shot, lines = views.shot, options.settings.lines
    if options.crop is None:
        return whole_picture(shot, lines, views)
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    return whole_picture(part, lines).moved(x, y)
