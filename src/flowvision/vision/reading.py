"""Put together what was seen: a puzzle and where it lies in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.vision.grid import even_fit, fit_grids, open_grids
from flowvision.vision.results import (
    BoardRegion,
    Crossings,
    Fit,
    Floats,
    Marks,
    Pairing,
    Reading,
    SideReading,
)
from flowvision.vision.settings import Settings


def fits_of(region: BoardRegion, settings: Settings, size: tuple[int, int] | None = None) -> Iterator[Fit]:
    """What may explain a region, best first: lattices, then cells of any shape.

    ``size``: the rows and columns it has, where somebody counted them; then lattices of that size, and at
    last one laid evenly over the region. Raises ``GridNotFoundError`` when there is neither.
    """
    failure, goes_on = None, False
    try:
        for fit in fit_grids(region, settings):
            goes_on = goes_on or not fit.closed
            if size in (None, (fit.rows, fit.cols)):
                yield fit
    except GridNotFoundError as error:
        failure = error
    if size is not None:
        yield even_fit(region, *size, settings)
        return
    if goes_on:
        yield from open_grids(region, settings)
    # Imported only here: most boards are lattices of squares.
    from flowvision.vision.cells import fit_cells
    from flowvision.vision.honeycomb import fit_honeycomb
    from flowvision.vision.lattice import is_hexagonal

    comb = None
    with suppress(GridNotFoundError):
        comb = fit_honeycomb(region, settings)
        yield comb
    with suppress(GridNotFoundError):
        cells = fit_cells(region, settings)
        # Cells found one by one are fewer than a whole lattice of them where pipes hide lines.
        if comb is None or not is_hexagonal(cells):
            yield cells
        failure = None
    if not goes_on:
        yield from open_grids(region, settings)
    if failure is not None:
        raise failure


def assemble(
    sides: SideReading, marks: Marks, pairing: Pairing, crossings: Crossings | None = None
) -> Reading:
    """The reading of one board, its dots and pairs; with its bridges and warps where they were looked for."""
    board = crossings.board if crossings else sides.board
    dots = marks.dots
    doubts = _dot_doubts(marks, pairing)
    evidence = _evidence(board, sides.fit, marks, pairing, doubts, sides.clarity)
    certainty, weakest = min(evidence)
    return Reading(
        board,
        Puzzle(board.graph, tuple((dots[a].cell, dots[b].cell) for a, b in pairing.pairs)),
        sides.fit.frame,
        pairing.palette,
        round(certainty, 3),
        tuple((dots[a].centre_px, dots[b].centre_px) for a, b in pairing.pairs),
        sides.clarity,
        weakest,
        tuple((float(doubts[a]), float(doubts[b])) for a, b in pairing.pairs),
    )


def _evidence(
    board: Board, fit: Fit, marks: Marks, pairing: Pairing, doubts: Floats, walls: float
) -> list[tuple[float, str]]:
    """How well each thing was seen, 0 to 1, and what to look at where it was not."""
    discs = marks.evidence.cover[[dot.cell for dot in marks.dots]]
    unlike = int(np.argmin(pairing.margins))
    partner = next(b if a == unlike else a for a, b in pairing.pairs if unlike in (a, b))
    faint, first, second = (
        position_name(marks.dots[n].cell, board) for n in (int(discs.argmin()), unlike, partner)
    )
    return [
        (fit.quality, "the lines of the grid"),
        (float(discs.min()), f"the dot in {faint}"),
        (_likeness(pairing.margin), f"the colours of the dots in {first} and {second}"),
        (walls, "the walls"),
    ]


def _dot_doubts(marks: Marks, pairing: Pairing) -> Floats:
    """Per dot, 0 to 1: how uneven it is, or how near the next colour."""
    discs = marks.evidence.cover[[dot.cell for dot in marks.dots]]
    return 1 - np.minimum(discs, [_likeness(margin) for margin in pairing.margins])


def _likeness(margin: float) -> float:
    """0 to 1: how clear a margin between colours (Lab) is."""
    return 1 - float(np.exp(-max(margin, 0.0) / 4))
