"""The readings that vision offers of a screenshot, best first, until nobody asks on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from time import perf_counter

from flowvision.aim import cut_out
from flowvision.errors import BoardNotFoundError, FlowvisionError
from flowvision.options import Options
from flowvision.picture import Screenshot
from flowvision.vision.board import find_boards, whole_picture
from flowvision.vision.colours import pair_dots
from flowvision.vision.marks import find_marks
from flowvision.vision.reading import assemble, fits_of
from flowvision.vision.results import BoardRegion, Reading, SideReading
from flowvision.vision.settings import Settings
from flowvision.vision.sides import read_sides
from flowvision.watch import Trail, Watch


def readings_of(
    shot: Screenshot, options: Options, watch: Watch, end: float
) -> Iterator[tuple[Trail, Reading]]:
    """Readings and how they came about, best first: every fit of a region, region by region.

    No other region is looked at after the time ``end``.
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
    from flowvision.vision.circles import circle_boards

    whole = _whole(shot, options)
    for region, circles in watch.each("grid", (shot, whole), circle_boards(whole, settings)):
        trail = (shot, region, circles)
        if options.grid in (None, (circles.rows, circles.cols)):
            with suppress(FlowvisionError):
                sides = watch.run("sides", trail, read_sides, circles, settings)
                yield from _of_board(sides, trail, settings, watch)
    # Copies of the game have smaller dots. What is found amiss on this second look would only mislead.
    for sides, trail in looked_at[: settings.regions]:
        if sides.dot_ring > settings.small_ring:
            yield from _of_board(replace(sides, dot_ring=settings.small_ring), trail, settings, Watch())


def _of_board(
    sides: SideReading, trail: Trail, settings: Settings, watch: Watch
) -> Iterator[tuple[Trail, Reading]]:
    """The readings of one board: as it is, then with what is seen of bridges and warps."""
    with suppress(FlowvisionError):
        marks = watch.run("marks", (*trail, sides), find_marks, sides, settings)
        pairing = watch.run("pairs", (*trail, sides, marks), pair_dots, marks, settings)
        trail = (*trail, sides, marks, pairing)
        reading = assemble(sides, marks, pairing)
        yield (*trail, reading), reading
        # Whoever asks on was not content: is something missing over which paths cross?
        from flowvision.vision.crossings import find_crossings

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
