"""All strategies for a picture, in order, with reasons; ``search`` walks the tables.

A row is tried only if no reading of earlier rows was believed. Modules for special boards and for the dots of
copies are imported where they are used: most pictures need neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice, tee
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import GridNotFoundError
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.spacing import GridEvidence, line_evidence
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import even_fit, fits_in, grown, no_lattice, turned_grids
from flowvision.vision.kinds.rectangular.rectify import is_tilted
from flowvision.vision.pixels.view import LINE_CHANNELS, STEPS, Channel
from flowvision.vision.settings import DOTS, FREE_CELLS, GRID, HEXAGONS

if TYPE_CHECKING:
    from flowvision.vision.kinds.free.fit import CellFit
    from flowvision.vision.kinds.hexagonal.fit import HexagonFit


class RegionCache:
    """Cache for a region; ``size``: given rows and columns; ``regions``: caches of earlier regions."""

    def __init__(
        self, region: BoardRegion, size: tuple[int, int] | None = None, regions: Sequence[RegionCache] = ()
    ) -> None:
        self.region = region
        self.size = size
        self.regions = regions

    @cached_property
    def lines(self) -> GridEvidence:
        """The lines of the region as it is, which several strategies explain."""
        return line_evidence(self.region, self.region.view)

    @cached_property
    def _found(self) -> Iterator[GridFit]:
        return fits_in(self.lines)

    def upright(self) -> Iterator[GridFit]:
        """Yield the lattices of the region as it is; each is found once."""
        self._found, fits = tee(self._found)
        return fits

    @cached_property
    def best_upright(self) -> GridFit | None:
        """The best lattice of the region as it is."""
        return next(self.upright(), None)

    def grids(self) -> Iterator[GridFit]:
        """Yield the lattices of the region, rectified if the best one is open or tilted."""
        best_fit = self.best_upright
        if best_fit is None:
            return turned_grids((), self.lines)
        fits = self.upright()
        return turned_grids(fits, self.lines) if best_fit.is_open or is_tilted(best_fit.evidence) else fits

    @cached_property
    def hexagons(self) -> HexagonFit | GridNotFoundError:
        """The lattice of hexagons, or the error about it."""
        from flowvision.vision.kinds.hexagonal.finding import fit_hexagons

        try:
            return fit_hexagons(self.region)
        except GridNotFoundError as error:
            return error

    @property
    def surely_hexagons(self) -> bool:
        """Return whether hexagons explain the region well enough to skip lattices of squares.

        They come first only if no vertical line is long: hexagons have a flat side up.
        """
        if self.lines.axes[0].longest >= HEXAGONS.upright:
            return False
        return not isinstance(self.hexagons, GridNotFoundError) and self.hexagons.is_sure


def sure_hexagons(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of hexagons if it was seen surely, or no lattice of squares was found."""
    if cache.surely_hexagons or cache.best_upright is None:
        if isinstance(cache.hexagons, GridNotFoundError):
            raise cache.hexagons
        yield cache.hexagons


def lattices(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices of squares that lines and strong tints show."""
    fits = cache.grids()
    if (first := next(fits, None)) is None:
        raise no_lattice(cache.lines)
    yield from islice(grown(first), GRID.fits)
    yield first
    yield from fits


def stepped_lattice(cache: RegionCache) -> Iterator[Fit]:
    """Yield the best lattice that the steps between areas show, if it ends with them."""
    best = cache.best_upright
    if best is not None and not best.is_open:
        yield best


def free_cells(cache: RegionCache) -> Iterator[Fit]:
    """Yield the cells of any shape, found one by one.

    They are not offered if the region has a lattice that they lie on: pipes hide some cells from this
    strategy, and the lattice has them all.
    """
    from flowvision.vision.kinds.free.finding import fit_cells
    from flowvision.vision.kinds.free.fit import is_hexagonal

    cells = fit_cells(cache.region)
    is_known = not isinstance(cache.hexagons, GridNotFoundError) and is_hexagonal(cells)
    if not is_known and not any(_lie_on(cells, lattice) for lattice in cache.upright()):
        yield cells


def _lie_on(cells: CellFit, lattice: GridFit) -> bool:
    """Return whether most free cells are places of a lattice that has more cells."""
    if lattice.is_open or len(cells.centres) >= lattice.rows * lattice.cols:
        return False
    places_in_lattice = lattice.frame.to_cells(cells.frame.to_px(cells.centres)) - 0.5
    last_place = lattice.cols - 1, lattice.rows - 1
    off_place = np.abs(places_in_lattice - places_in_lattice.round().clip(0, last_place)).max(axis=1)
    return int(np.count_nonzero(off_place <= FREE_CELLS.off_lattice)) > len(off_place) / 2


def lattices_of_size(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices with the rows and columns that were given, then those that have them swapped."""
    assert cache.size is not None
    sizes = cache.size, cache.size[::-1]
    fits = [fit for fit in cache.grids() if fit.size in sizes]
    yield from sorted(fits, key=lambda fit: sizes.index(fit.size))


def even_lattice(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of the given size, spread evenly over the region.

    Two cells hold four dots easily, and then there is exactly one solution.
    """
    assert cache.size is not None
    if not any(_is_part_of(cache.region, other.best_upright) for other in cache.regions):
        yield even_fit(cache.region, *cache.size)


def _is_part_of(region: BoardRegion, lattice: GridFit | None) -> bool:
    """Return whether a region lies within a lattice and covers at most half of it."""
    if lattice is None or lattice.is_open:
        return False
    corners_in_cells = lattice.frame.to_cells(region.corners_px)
    size = np.array((lattice.cols, lattice.rows))
    is_within = (corners_in_cells > -0.5).all() and (corners_in_cells < size + 0.5).all()
    spans = np.ptp(corners_in_cells, axis=0)
    return bool(is_within and 2 * spans.prod() <= size.prod())


def circles(cache: RegionCache) -> Iterator[Fit]:
    """Yield the boards of circles."""
    from flowvision.vision.kinds.circles.finding import circle_boards

    yield from circle_boards(cache.region)


class BoardCache:
    """Cache for a board."""

    def __init__(self, geometry: BoardGeometry) -> None:
        self.geometry = geometry

    @property
    def has_usual_dots(self) -> bool:
        """Return whether dots have the game's size: in cells of one shape between lines."""
        return self.geometry.fit.is_regular and bool(self.geometry.sides)

    @property
    def is_oblong(self) -> bool:
        """Return whether cells of a lattice are so oblong that round dots do not fill the game's ring."""
        fit = self.geometry.fit
        return fit.is_lattice and fit.pitch_px > DOTS.oblong * fit.frame.cell_width_px((0.0, 0.0))

    @cached_property
    def discs(self) -> tuple[DotModel, ...]:
        """Models of discs of the size that enough cells have: without, and then with faint ones."""
        from flowvision.vision.dots.discs import disc_models

        return disc_models(self.geometry)


def usual_dots(board: BoardCache) -> Sequence[DotModel]:
    """Return the model of the game's dots; their size is measured where it depends on the cells."""
    if not board.has_usual_dots:
        return board.discs[:1]
    guesses = board.discs[:1] if board.is_oblong else ()
    return DotModel(DOTS.ring), *(replace(model, is_guess=True) for model in guesses)


def faint_dots(board: BoardCache) -> Sequence[DotModel]:
    """Return the model of the game's dots where some stand out little."""
    return (DotModel(DOTS.ring, contrast=DOTS.faint, is_guess=True),) if board.has_usual_dots else ()


def discs(board: BoardCache) -> Sequence[DotModel]:
    """Return the models of discs of any size that are not the usual dots: clear ones, then faint ones too."""
    return board.discs if board.has_usual_dots else board.discs[1:]


T = TypeVar("T")
FitsOfRegion = Callable[[RegionCache], Iterator[Fit]]
BRIGHT_OR_DARK: tuple[Channel, ...] = ("brightest", "negative")


class Strategy(Struct, Generic[T], frozen=True):
    """One strategy: its name, attempt, and the reason for its place."""

    name: str
    attempt: T
    why: str
    channels: tuple[Channel, ...] = LINE_CHANNELS
    """Channels in which it is tried: in the others it found no board."""
    is_telling: bool = True
    """Whether its failure may name the error: a missing lattice tells most."""


FITS: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy(
        "sure hexagons",
        sure_hexagons,
        "no long vertical lines, or no lattice of squares: quicker than turning the view",
        BRIGHT_OR_DARK,
        is_telling=False,
    ),
    Strategy(
        "lattice",
        lattices,
        "the game itself: rows and columns between lines or strong tints, over the whole board",
    ),
    Strategy(
        "free cells",
        free_cells,
        "whatever lines enclose: cubes, rings, mixed cells",
        BRIGHT_OR_DARK,
        is_telling=False,
    ),
    Strategy(
        "steps",
        stepped_lattice,
        "copies: chequered boards, tiles and cards; last of all, and only if no board was solved",
        (STEPS,),
        is_telling=False,
    ),
)
"""Fits of a region."""

GIVEN_SIZE: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy(
        "lattice of that size",
        lattices_of_size,
        "what is seen; a warning if rows and columns are swapped",
        is_telling=False,
    ),
    Strategy("even lattice", even_lattice, "the size is known: spread from edge to edge, seen or not"),
)
"""Fits of a region with given rows and columns."""

WITHOUT_LINES: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy("circles", circles, "copies without lines: a dot, a ring or a pipe in every cell"),
)
"""Fits of the whole picture, after every region."""

DotStrategy = Strategy[Callable[[BoardCache], Sequence[DotModel]]]

DOT_MODELS: tuple[DotStrategy, ...] = (
    Strategy("usual dots", usual_dots, "the game's own, 0.35 of a cell in radius"),
    Strategy("faint dots", faint_dots, "the game's own, on a tint hardly darker or brighter than they are"),
    Strategy("discs", discs, "copies: dots of any size, also beside the middles of their cells"),
)
"""Dot models: the first is tried on every board, the others last, on the likeliest boards."""
