"""All strategies for a picture, in order, with reasons; ``search`` walks the tables.

A region is a part of the picture that may hold a board, a fit explains it as cells, a lattice is a fit with
rows and columns. A row is tried only if no reading of earlier rows was believed. Modules for special boards
and for the dots of copies are imported where they are used: most pictures need neither.
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
from flowvision.vision.settings import DOTS, GRID, HEXAGONS

if TYPE_CHECKING:
    from flowvision.vision.kinds.free.fit import CellFit
    from flowvision.vision.kinds.hexagonal.fit import HexagonFit


class RegionCache:
    """Fits of a region, each computed once; ``size``: given rows and columns; ``earlier``: other regions."""

    def __init__(
        self, region: BoardRegion, size: tuple[int, int] | None = None, earlier: Sequence[RegionCache] = ()
    ) -> None:
        self.region = region
        self.size = size
        self.earlier = earlier

    @cached_property
    def lines(self) -> GridEvidence:
        """The lines of the region as it is, which several strategies explain."""
        return line_evidence(self.region, self.region.view)

    @cached_property
    def _upright_from_first(self) -> Iterator[GridFit]:
        """The lattices from the first one; never advanced, only copied, so that each is computed once."""
        return fits_in(self.lines)

    def upright(self) -> Iterator[GridFit]:
        """Yield the lattices of the region as it is, best first; later calls repeat those already found."""
        self._upright_from_first, fits = tee(self._upright_from_first)  # both at the first
        return fits

    @cached_property
    def best_upright(self) -> GridFit | None:
        """The best lattice of the region as it is."""
        return next(self.upright(), None)

    def grids(self) -> Iterator[GridFit]:
        """Yield the lattices of the region; also rectified, if the best is missing, open or tilted."""
        best_fit, fits = self.best_upright, self.upright()
        if best_fit is None or best_fit.is_open or is_tilted(best_fit.evidence):
            return turned_grids(fits, self.lines)
        return fits

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
        """Return whether hexagons explain the region well enough to skip lattices of squares."""
        across, _ = self.lines.axes
        has_long_vertical_line = across.longest >= HEXAGONS.vertical_line_max
        if has_long_vertical_line:  # hexagons have none, as a flat side is up
            return False
        return not isinstance(self.hexagons, GridNotFoundError) and self.hexagons.is_sure


def sure_hexagons(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of hexagons if it was seen surely, or no lattice of squares was found.

    Raises ``GridNotFoundError``.
    """
    if cache.surely_hexagons or cache.best_upright is None:
        if isinstance(cache.hexagons, GridNotFoundError):
            raise cache.hexagons
        yield cache.hexagons


def lattices(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices of squares that lines and strong tints show; first the best, grown over tints.

    Raises ``GridNotFoundError``.
    """
    fits = cache.grids()
    best = next(fits, None)
    if best is None:
        raise no_lattice(cache.lines)
    yield from islice(grown(best), GRID.fits)
    yield best
    yield from fits


def stepped_lattice(cache: RegionCache) -> Iterator[Fit]:
    """Yield the best lattice of a region, unless lines continue past it.

    Tried only in the channel of steps, where the edges between areas of different colours are the lines.
    """
    best = cache.best_upright
    if best is not None and not best.is_open:
        yield best


def free_cells(cache: RegionCache) -> Iterator[Fit]:
    """Yield the cells of any shape, found one by one, unless they lie on a lattice of the region.

    Pipes hide some cells from this strategy, and the lattice has them all.
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
    cols_and_rows = lattice.frame.to_cells(cells.frame.to_px(cells.centres)) - 0.5  # (N, 2), as fractions
    nearest = cols_and_rows.round().clip(0, (lattice.cols - 1, lattice.rows - 1))
    distances = np.abs(cols_and_rows - nearest).max(axis=1)
    return bool(np.mean(distances <= GRID.off_lattice) > 0.5)


def lattices_of_size(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices with the rows and columns that were given, then those that have them swapped."""
    assert cache.size is not None
    sizes = cache.size, cache.size[::-1]
    fits = [fit for fit in cache.grids() if fit.size in sizes]
    yield from sorted(fits, key=lambda fit: sizes.index(fit.size))


def even_lattice(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of the given size, spread evenly over the region.

    Nothing over a small part of an earlier region's lattice: a wrong size, spread over two of its cells, sees
    parts of their dots as four dots of its own, which easily have exactly one solution.
    """
    assert cache.size is not None
    if not any(_is_part_of(cache.region, other.best_upright) for other in cache.earlier):
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
    """A board cut out, and models of its dots, computed once."""

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
        smallest_extent_px = fit.frame.cell_width_px((0.0, 0.0))
        return fit.is_lattice and fit.pitch_px > DOTS.oblong * smallest_extent_px

    @cached_property
    def discs(self) -> tuple[DotModel, ...]:
        """Models of discs of the size that enough cells have: without faint ones, then with them."""
        from flowvision.vision.dots.discs import disc_models

        return disc_models(self.geometry)

    @property
    def has_discs(self) -> bool:
        """Return whether discs of one size lie in the middles of enough cells."""
        return bool(self.discs[0].cells)


def usual_dots(board: BoardCache) -> Sequence[DotModel]:
    """Return the model of the game's dots; in oblong cells also the measured one, as a guess.

    Where the game's size says nothing, that of clear discs alone.
    """
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
    """One strategy: its name, the function that attempts it, and ``why`` it has this place in its table."""

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
