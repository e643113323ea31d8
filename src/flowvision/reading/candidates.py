"""The readings that vision offers of a screenshot, best first, until nobody asks on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from flowvision.errors import BoardNotFoundError, FlowvisionError
from flowvision.events import Trail, Watch
from flowvision.image.crop import cut_out
from flowvision.image.picture import Screenshot
from flowvision.reading.options import Options
from flowvision.reading.strategies import fits_of
from flowvision.vision.board.boxes import box_of
from flowvision.vision.board.contours import find_boards, whole_picture
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.dots.detection import find_dots
from flowvision.vision.dots.disc_models import disc_models
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.dots.rims import without_rim_walls
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.reading import Reading, assemble
from flowvision.vision.settings import Settings
from flowvision.vision.walls.result import SideReading
from flowvision.vision.walls.walls import read_sides

if TYPE_CHECKING:  # circles are looked for last, and need modules of their own
    from flowvision.vision.pixels.circles import Discs


def readings_of(
    shot: Screenshot, options: Options, watch: Watch, end: float
) -> Iterator[tuple[Trail, Reading]]:
    """Readings and how they came about, best first: every fit of a region, region by region.

    Nothing else is looked at after the time ``end``.
    """
    settings, looked_at = options.settings, list[tuple[SideReading, Trail]]()
    for region in watch.each("board", (shot,), _regions(shot, options)):
        for fit in watch.each("grid", (shot, region), fits_of(region, settings, options.grid)):
            trail: Trail = (shot, region, fit)
            with suppress(FlowvisionError):  # noted by the watch; the next fit may do better
                sides = watch.run("sides", trail, read_sides, fit, settings)
                looked_at.append((sides, trail))
                yield from _of_board(sides, trail, settings, watch)
        if perf_counter() > end:
            return
    from flowvision.vision.special.circle_grid import circle_boards

    whole = _whole(shot, options)
    for region, circles in watch.each("grid", (shot, whole), circle_boards(whole, settings)):
        trail = (shot, region, circles)
        if options.grid in (None, (circles.rows, circles.cols)):
            with suppress(FlowvisionError):
                sides = watch.run("sides", trail, read_sides, circles, settings)
                yield from _of_board(sides, trail, settings, watch)
    best = _best_of(looked_at)[: settings.board.regions]
    for sides, trail in _second_looks(shot, best, settings, end):
        # What is found amiss on a second look would only mislead.
        yield from _of_board(sides, trail, settings, Watch())


def _second_looks(
    shot: Screenshot, best: list[tuple[SideReading, Trail]], settings: Settings, end: float
) -> Iterator[tuple[SideReading, Trail]]:
    """The same boards, the likeliest look first, until ``end``: copies have dots of other sizes."""
    copies = list[tuple[list[SideReading], Trail]]()
    for sides, trail in best:
        if perf_counter() > end:
            return
        copies.append((disc_models(sides, _discs(shot, sides, settings), settings), trail))
    looks = [(looks[n], trail) for n in range(3) for looks, trail in copies if n < len(looks)]
    small = [
        (replace(sides, dot_ring=settings.dots.small_ring), trail)
        for sides, trail in best
        if sides.dot_ring > settings.dots.small_ring
    ]
    for look in looks + small:
        if perf_counter() > end:
            return
        yield look


def _discs(shot: Screenshot, sides: SideReading, settings: Settings) -> Discs:
    """The discs on a board and round it."""
    from flowvision.vision.pixels.circles import discs_round

    return discs_round(shot, box_of(sides.board, sides.fit.frame, shot), sides.fit.pitch_px, settings)


def _best_of(looked_at: list[tuple[SideReading, Trail]]) -> list[tuple[SideReading, Trail]]:
    """Of boards that were seen more than once the best look each, rows and columns first."""
    best: dict[tuple[object, ...], tuple[SideReading, Trail]] = {}
    for sides, trail in sorted(looked_at, key=lambda looked: -looked[0].fit.score):
        cells = sides.board.layout.cells
        at = sides.fit.frame.to_px([cells[0].centre])[0] / sides.fit.pitch_px
        key = isinstance(sides.fit, GridFit), len(cells), *np.round(at).tolist()
        best.setdefault(key, (sides, trail))
    return sorted(best.values(), key=lambda looked: not isinstance(looked[0].fit, GridFit))


def _of_board(
    sides: SideReading, trail: Trail, settings: Settings, watch: Watch
) -> Iterator[tuple[Trail, Reading]]:
    """The readings of one board: as it is, then with what is seen of bridges and warps."""
    with suppress(FlowvisionError):
        marks = watch.run("marks", (*trail, sides), find_dots, sides, settings)
        mended = without_rim_walls(sides, marks, settings)
        if mended is None:
            return
        sides = mended
        pairing = watch.run("pairs", (*trail, sides, marks), pair_dots, marks, settings)
        trail = (*trail, sides, marks, pairing)
        reading = assemble(sides, marks, pairing)
        yield (*trail, reading), reading
        # Whoever asks on was not content: is something missing over which paths cross?
        from flowvision.vision.crossings.crossings import find_crossings

        seen = find_crossings(sides, marks, pairing, settings)
        for crossings in watch.each("crossings", trail, seen):
            reading = assemble(sides, marks, pairing, crossings)
            yield (*trail, crossings, reading), reading


def _regions(shot: Screenshot, options: Options) -> Iterator[BoardRegion]:
    """Where the board may be; all of a part that was cut out by hand is the last place to look."""
    if options.crop is None:
        yield from find_boards(shot, options.settings)
        return
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    with suppress(BoardNotFoundError):
        for region in find_boards(part, options.settings):
            yield region.moved(x, y)
    yield _whole(shot, options)


def _whole(shot: Screenshot, options: Options) -> BoardRegion:
    """All of the picture as a region, or all of the part that was cut out by hand."""
    if options.crop is None:
        return whole_picture(shot, options.settings)
    part, (x, y) = cut_out(shot, options.crop), options.crop[:2]
    return whole_picture(part, options.settings).moved(x, y)
