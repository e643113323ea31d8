"""Put together what was seen: a puzzle and where it lies in the picture."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from itertools import chain

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.vision.dots.result import BoardRegion, Crossings, Marks, Pairing, Reading, SideReading
from flowvision.vision.grid.lattice import even_fit, open_grids, turned_grids, upright_grids
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import Settings
from flowvision.vision.special.fits import Fit, GridFit, HoneycombFit

ODD, ODD_TIMES = 12.0, 4.0
"""Lab, and times the next: by how much two dots of one pair may differ. On screenshots it is 6 where the next
is 0, in a photograph 24 where it is 4."""


def fits_of(region: BoardRegion, settings: Settings, size: tuple[int, int] | None = None) -> Iterator[Fit]:
    """What may explain a region, best first: lattices, then cells of any shape.

    ``size``: the rows and columns it has, where somebody counted them; then lattices of that size, and at
    last one laid evenly over the region. Raises ``GridNotFoundError`` when there is neither.
    """
    if size is not None:
        with suppress(GridNotFoundError):
            for fit in _grids(region, upright_grids(region, settings), settings):
                if size == (fit.rows, fit.cols):
                    yield fit
        yield even_fit(region, *size, settings)
        return
    upright = upright_grids(region, settings)
    best = next(upright, None)
    failure, goes_on, comb = None, False, None
    if best is None:
        # Lines at a slant: to look for hexagons is quicker than to turn the picture.
        comb = yield from _hexagons(region, settings)
    try:
        for fit in _grids(region, chain([best] if best else [], upright), settings):
            goes_on = goes_on or not fit.closed
            yield fit
    except GridNotFoundError as error:
        failure = error
    if goes_on:
        yield from open_grids(region, settings)
    if best is not None:
        comb = yield from _hexagons(region, settings)
    # Imported only here, as in `_hexagons`: most boards are lattices of squares.
    from flowvision.vision.special.free_cells import fit_cells
    from flowvision.vision.special.free_lattice import is_hexagonal

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


def _grids(region: BoardRegion, upright: Iterable[GridFit], settings: Settings) -> Iterator[GridFit]:
    """The lattices of squares: as the region is where the best of them closes and is level, else turned."""
    upright = iter(upright)
    best = next(upright, None)
    if best is not None and best.closed and not best.evidence.tilted:
        yield best
        yield from upright
    else:
        yield from turned_grids(region, [*([best] if best else []), *upright], settings)


def _hexagons(region: BoardRegion, settings: Settings) -> Generator[Fit, None, HoneycombFit | None]:
    """The lattice of hexagons, if there is one; it is returned as well."""
    from flowvision.vision.special.hexagonal import fit_honeycomb

    try:
        comb = fit_honeycomb(region, settings)
    except GridNotFoundError:
        return None
    yield comb
    return comb


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
    kinship = _kinship(marks, pairing)
    odd = pairing.pairs[int(kinship.argmin())]
    faint, first, second, one, other = (
        position_name(marks.dots[n].cell, board) for n in (int(discs.argmin()), unlike, partner, *odd)
    )
    return [
        (fit.quality, "the lines of the grid"),
        (float(discs.min()), f"the dot in {faint}"),
        (_likeness(pairing.margin), f"the colours of the dots in {first} and {second}"),
        (float(kinship.min()), f"the colours of the dots in {one} and {other}"),
        (walls, "the walls"),
    ]


def _kinship(marks: Marks, pairing: Pairing) -> Floats:
    """(pairs,) 0 to 1: how alike two dots are next to those of other pairs.

    Two dots whose partners were both lost are paired, however different: no other is left for them.
    """
    lab = np.array([dot.lab for dot in marks.dots])
    first, second = np.transpose(pairing.pairs)
    apart = np.linalg.norm(lab[first] - lab[second], axis=1)
    others = np.array([np.delete(apart, n).max(initial=0.0) for n in range(len(apart))])
    return np.asarray(np.minimum(1.0, (ODD + ODD_TIMES * others) / np.maximum(apart, 1.0)) ** 2)


def _dot_doubts(marks: Marks, pairing: Pairing) -> Floats:
    """Per dot, 0 to 1: how uneven it is, or how near the next colour."""
    discs = marks.evidence.cover[[dot.cell for dot in marks.dots]]
    return 1 - np.minimum(discs, [_likeness(margin) for margin in pairing.margins])


def _likeness(margin: float) -> float:
    """0 to 1: how clear a margin between colours (Lab) is."""
    return 1 - float(np.exp(-max(margin, 0.0) / 4))
