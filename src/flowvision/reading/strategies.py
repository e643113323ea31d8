"""All strategies for a picture, in order, with reasons; ``search`` walks the tables.

A row is tried only if no reading of earlier rows was believed. Modules for special boards and for the dots of
copies are imported where they are used: most pictures need neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, tee
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from msgspec import Struct

from flowvision.errors import GridNotFoundError
from flowvision.reading.walls import every_wall, incomplete_walls
from flowvision.vision.assembly import Wall
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.spacing import GridEvidence, line_evidence
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import (
    even_fit,
    fits_in,
    open_grids,
    tinted_grids,
    turned_grids,
)
from flowvision.vision.kinds.rectangular.rectify import is_tilted
from flowvision.vision.pixels.lines import LinePixels, line_pixels
from flowvision.vision.pixels.view import CHANNELS as CHANNELS_OF_A_VIEW
from flowvision.vision.pixels.view import Channel
from flowvision.vision.settings import DOTS, HEXAGONS

if TYPE_CHECKING:
    from flowvision.vision.kinds.hexagonal.fit import HexagonFit


MOST_INSIDE, SLACK = 0.5, 0.5
"""Largest share of a lattice's cells, and cells beyond its border, of a region that is a part of it."""


class RegionCache:
    """Cache for a region; ``size``: given rows and columns; ``regions``: caches of earlier regions."""

    def __init__(
        self, region: BoardRegion, size: tuple[int, int] | None = None, regions: Sequence[RegionCache] = ()
    ) -> None:
        self.region = region
        self.size = size
        self.regions = regions
        # Error about a missing lattice; dropped once cells of another kind explain the region.
        self.failure: GridNotFoundError | None = None

    @cached_property
    def vertical_pixels(self) -> LinePixels:
        """The pixels on vertical lines of the region as it is."""
        return line_pixels(self.region.view, 0)

    @cached_property
    def lines(self) -> GridEvidence:
        """The lines of the region as it is, which several strategies explain."""
        region = self.region
        return line_evidence(region, region.view, self.vertical_pixels)

    @cached_property
    def _upright(self) -> Iterator[GridFit]:
        return fits_in(self.lines)

    @cached_property
    def best_upright(self) -> GridFit | None:
        """The best lattice of the region as it is."""
        return next(self._upright, None)

    def grids(self) -> Iterator[GridFit]:
        """Yield the lattices of the region, rectified if the best one is open or tilted."""
        best = self.best_upright
        self._upright, seen = tee(self._upright)
        found = chain([best] if best else [], seen)
        if best is not None and not best.is_open and not is_tilted(best.evidence):
            return found
        return turned_grids(list(found), self.lines)

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
        return (
            self.vertical_pixels.longest < HEXAGONS.upright
            and not isinstance(self.hexagons, GridNotFoundError)
            and self.hexagons.is_sure
        )


def sure_hexagons(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of hexagons if it was seen surely, or no lattice of squares was found."""
    if cache.surely_hexagons or cache.best_upright is None:
        if isinstance(cache.hexagons, GridNotFoundError):
            raise cache.hexagons
        yield cache.hexagons


def lattices(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices of squares."""
    try:
        yield from cache.grids()
    except GridNotFoundError as error:
        cache.failure = error
        raise


def tinted_lattices(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices that strong tints show."""
    return tinted_grids(cache.lines)


def free_cells(cache: RegionCache) -> Iterator[Fit]:
    """Yield the cells of any shape, found one by one.

    They are not offered if they are hexagons and the region has a lattice of hexagons: pipes hide some
    cells from this strategy, and the lattice has them all.
    """
    from flowvision.vision.kinds.free.finding import fit_cells
    from flowvision.vision.kinds.free.fit import is_hexagonal

    cells = fit_cells(cache.region)
    if isinstance(cache.hexagons, GridNotFoundError) or not is_hexagonal(cells):
        yield cells
    cache.failure = None  # the cells explain the region, or hexagons do


def open_lattices(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices whose border cells have one side open, as beside warps."""
    yield from open_grids(cache.lines)


def lattices_of_size(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices with the rows and columns that were given."""
    return (fit for fit in cache.grids() if cache.size == (fit.rows, fit.cols))


def lattices_of_swapped_size(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattices whose rows and columns are those given, swapped."""
    swapped = cache.size and cache.size[::-1]
    return (fit for fit in cache.grids() if swapped == (fit.rows, fit.cols) != cache.size)


def even_lattice(cache: RegionCache) -> Iterator[Fit]:
    """Yield the lattice of the given size, spread evenly over the region.

    Two cells hold four dots easily, and then there is exactly one solution.
    """
    try:
        if cache.size is not None and not any(
            _is_part_of(cache.region, one.best_upright) for one in cache.regions
        ):
            yield even_fit(cache.region, *cache.size)
    except GridNotFoundError as error:
        cache.failure = error
        raise


def _is_part_of(region: BoardRegion, lattice: GridFit | None) -> bool:
    if lattice is None or lattice.is_open:
        return False
    places = lattice.frame.to_cells(region.corners_px)
    spans = np.ptp(places, axis=0)
    is_within = (places > -SLACK).all() and (places < np.array((lattice.cols, lattice.rows)) + SLACK).all()
    return bool(is_within and spans.prod() <= MOST_INSIDE * lattice.rows * lattice.cols)


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

    @cached_property
    def discs(self) -> tuple[DotModel, ...]:
        """Models of discs of the size that enough cells have: without, and then with faint ones."""
        from flowvision.vision.dots.discs import disc_models

        return disc_models(self.geometry)


def usual_dots(board: BoardCache) -> DotModel:
    """Return the model of the game's dots; their size is measured where it depends on the cells."""
    return DotModel(DOTS.ring) if board.has_usual_dots else board.discs[0]


def discs(board: BoardCache) -> DotModel | None:
    """Return a model of discs of any size; ``None`` if they are the usual dots."""
    return board.discs[0] if board.has_usual_dots else None


def faint_discs(board: BoardCache) -> DotModel | None:
    """Return the model of discs with those of nearly the background's colour, if there are some."""
    return board.discs[1] if len(board.discs) > 1 else None


T = TypeVar("T")
FitsOfRegion = Callable[[RegionCache], Iterator[Fit]]
BRIGHT_OR_DARK: tuple[Channel, ...] = ("brightest", "negative")


class Strategy(Struct, Generic[T], frozen=True):
    """One strategy: its name, attempt, and the reason for its place."""

    name: str
    attempt: T
    why: str
    channels: tuple[Channel, ...] = CHANNELS_OF_A_VIEW
    """Channels in which it is tried: in the others it found no board."""


CHANNELS: tuple[Strategy[Channel], ...] = (
    Strategy("brightest channel", "brightest", "the game draws its lines brighter than its cells"),
    Strategy("negative", "negative", "copies on light grounds draw them darker"),
    Strategy("green channel", "green", "tints of played cells hide lines that differ in hue alone"),
    Strategy("red channel", "red", "the same, for greenish and bluish tints"),
)
"""Channels in which thin lines are searched, to find regions that may hold a board."""

FITS: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy(
        "sure hexagons",
        sure_hexagons,
        "no long vertical lines, or no lattice of squares: quicker than turning the view",
        BRIGHT_OR_DARK,
    ),
    Strategy("lattice", lattices, "the game itself: rows and columns between lines"),
    Strategy("tinted lattice", tinted_lattices, "played cells are tinted so strongly that lines vanish"),
    Strategy("free cells", free_cells, "whatever lines enclose: cubes, rings, mixed cells", BRIGHT_OR_DARK),
    Strategy("open lattice", open_lattices, "cells with one side open, beside warps"),
)
"""Fits of a region."""

GIVEN_SIZE: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy("lattice of that size", lattices_of_size, "what is seen, where it has as many cells"),
    Strategy(
        "swapped size", lattices_of_swapped_size, "rows and columns are easily mixed up; a warning says so"
    ),
    Strategy("even lattice", even_lattice, "the size is known: spread from edge to edge, seen or not"),
)
"""Fits of a region with given rows and columns."""

WITHOUT_LINES: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy("circles", circles, "copies without lines: a dot, a ring or a pipe in every cell"),
)
"""Fits of the whole picture, after every region."""

DotStrategy = Strategy[Callable[[BoardCache], DotModel | None]]

DOT_MODELS: tuple[DotStrategy, ...] = (
    Strategy("usual dots", usual_dots, "the game's own, 0.35 of a cell in radius"),
    Strategy("discs", discs, "copies: dots of any size, also beside the middles of their cells"),
    Strategy("faint discs", faint_discs, "dots of nearly the background's colour"),
)
"""Dot models: the first is tried on every board, the others last, on the likeliest boards."""

WALLS_LEFT_OUT: tuple[Strategy[Callable[[Sequence[Wall]], tuple[Wall, ...]]], ...] = (
    Strategy("without incomplete walls", incomplete_walls, "glare, a halo or a pointer shows a part"),
    Strategy("without any wall", every_wall, "a false wall may look complete"),
)
"""Walls left out of boards without a solution, after all first attempts."""
