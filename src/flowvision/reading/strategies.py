"""What is tried on a region, in order."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from flowvision.errors import GridNotFoundError
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.grid.lattice import even_fit, open_grids, turned_grids, upright_grids
from flowvision.vision.settings import Settings
from flowvision.vision.special.fits import Fit, HexagonFit


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


def _hexagons(region: BoardRegion, settings: Settings) -> Generator[Fit, None, HexagonFit | None]:
    """The lattice of hexagons, if there is one; it is returned as well."""
    from flowvision.vision.special.hexagonal import fit_hexagons

    try:
        comb = fit_hexagons(region, settings)
    except GridNotFoundError:
        return None
    yield comb
    return comb
