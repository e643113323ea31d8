"""Compare a board with the game's text above it, which names its size and its number of flows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from flowvision.doubts import Doubt, Mark, TitleFlows, TitleSize
from flowvision.log import Step
from flowvision.reading.run import Candidate, ReadingRun
from flowvision.vision.assembly import Reading
from flowvision.vision.header import Header, read_header
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import LINE_CHANNELS
from flowvision.words import Option


def title_doubts(candidate: Candidate, header: Header | None, run: ReadingRun) -> Iterator[Doubt]:
    """Yield the doubts that the text above a board names another size, or another number of flows."""
    geometry, options = candidate.source.geometry, run.options
    if geometry is None or header is None:
        return
    lattice = candidate.reading.lattice
    flows = len(candidate.reading.puzzle.terminals)
    mark = Mark.of("box", geometry.fit.outline_px(), "the board as read")
    # Titles of boards of hexagons count in another way; a given size outweighs the title.
    is_named = lattice is not None and lattice.tiling == "square" and options.grid is None
    size = lattice.size if lattice and is_named else None
    if size and header.size and header.size != size:
        titled = size_typed(header.size)
        yield TitleSize(size_typed(size), titled, marks=(mark,), advice=(Option("grid", titled),))
    elif options.colours is None and header.flows and header.flows != flows:
        yield TitleFlows(flows, header.flows, marks=(mark,))


def is_titled(reading: Reading, run: ReadingRun) -> bool:
    """Return whether a text above a board was read that names its size and its number of flows."""
    lattice, flows = reading.lattice, len(reading.puzzle.terminals)
    if lattice is None:
        return False
    headers = headers_in(run.log.steps)
    return any(header.size == lattice.size and header.flows == flows for header in headers)


def headers_in(steps: Iterable[Step]) -> list[Header]:
    """Return the texts above boards that were read in these steps."""
    return [step.result for step in steps if isinstance(step.result, Header)]


def header_above(fit: Fit, run: ReadingRun) -> Header:
    """Read the text above a fit, but not above another board; the log gets a step."""
    with run.step("board", "title", fit) as step:
        header = read_header(run.shot.bgr, fit.outline_px(), _lowest_above(fit))
        step.result = header if header.size or header.flows else None
    return header


def _lowest_above(fit: Fit) -> float:
    """Return the y in pixels at which the lowest group of lines above a fit ends, 0 without one."""
    top_px = fit.outline_px()[:, 1].min()
    bottoms_px = (group[:, 1].max() for group in fit.region.evidence.groups)
    return float(max((bottom_px for bottom_px in bottoms_px if bottom_px < top_px), default=0.0))


def run_of_titled_size(run: ReadingRun) -> ReadingRun | None:
    """Return a run for the size that stands above the boards seen so far, if none of them has it.

    The run has a log of its own, so that its failures do not hide the first ones.
    """
    if run.options.grid is not None or run.is_late:
        return None
    all_fits = (step.find(Fit) for step in run.log.steps)
    fits = [fit for fit in all_fits if fit and fit.size and fit.view.channel in LINE_CHANNELS]
    size = next((header.size for header in headers_in(run.log.steps) if header.size), None)
    if size is None and fits:
        size = header_above(max(fits, key=lambda fit: fit.score), run).size
    if size is None or size in {fit.size for fit in fits}:
        return None
    options = dataclasses.replace(run.options, grid=size_typed(size))
    return replace(run, options=options, log=run.log.trial())


def size_typed(size: tuple[int, int]) -> str:
    """Return rows and columns as the option takes them, such as ``8x10`` for 10 rows."""
    rows, cols = size
    return f"{cols}x{rows}"
