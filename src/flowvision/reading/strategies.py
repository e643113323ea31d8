"""Everything that is tried on a picture, in order, each with its reason; ``candidates`` walks these tables.

A row is tried only when nobody was content with what came before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from flowvision.reading import dot_attempts as dots
from flowvision.reading import fit_attempts as fits
from flowvision.reading.dot_attempts import BoardMemo
from flowvision.reading.fit_attempts import RegionMemo
from flowvision.reading.walls import Wall, every_wall, incomplete_walls
from flowvision.value import value_type
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.crossings import crossings
from flowvision.vision.crossings.result import CrossingEvidence, Crossings
from flowvision.vision.pixels.view import CHANNELS as CHANNELS_OF_A_VIEW
from flowvision.vision.pixels.view import Channel
from flowvision.vision.settings import Settings, WallSettings
from flowvision.vision.special.fits import CircleFit, Fit

Attempt = TypeVar("Attempt")
BRIGHT_OR_DARK: tuple[Channel, ...] = ("brightest", "negative")


@value_type
class Strategy(Generic[Attempt]):
    """One thing that is tried: its name, how, and why it stands where it does."""

    name: str
    attempt: Attempt
    why: str
    channels: tuple[Channel, ...] = CHANNELS_OF_A_VIEW
    """Where it is tried: in the others it costs time, and no board was ever found."""


CHANNELS: tuple[Strategy[Channel], ...] = (
    Strategy("brightest channel", "brightest", "the game draws its lines brighter than its cells"),
    Strategy("negative", "negative", "copies on light grounds draw them darker"),
    Strategy("green channel", "green", "tints of played cells hide lines that differ from them in hue alone"),
    Strategy("red channel", "red", "the same, for greenish and bluish tints"),
    Strategy("blue channel", "blue", "the same, for reddish and greenish tints"),
)
"""In which channel thin lines are looked for, to find regions that may hold a board."""

FITS: tuple[Strategy[Callable[[RegionMemo], Iterator[Fit]]], ...] = (
    Strategy(
        "slanted hexagons",
        fits.slanted_hexagons,
        "no upright lines: quicker than turning the view",
        BRIGHT_OR_DARK,
    ),
    Strategy("lattice", fits.lattices, "the game itself: rows and columns between lines"),
    Strategy(
        "tinted lattice",
        fits.tinted_lattices,
        "played cells are tinted so strongly that lines vanish",
    ),
    Strategy("open lattice", fits.lattice_that_runs_on, "lines run on: cells with one side open, of warps"),
    Strategy("hexagons", fits.hexagons, "lines of three directions; slower than a lattice", BRIGHT_OR_DARK),
    Strategy(
        "free cells",
        fits.free_cells,
        "whatever lines enclose: cubes, rings, mixed cells",
        BRIGHT_OR_DARK,
    ),
    Strategy("open lattice last", fits.lattice_that_ends, "lines end: open cells are unlikely"),
)
"""What may explain a region."""

GIVEN_SIZE: tuple[Strategy[Callable[[RegionMemo], Iterator[Fit]]], ...] = (
    Strategy("lattice of that size", fits.lattices_of_size, "what is seen, where it has as many cells"),
    Strategy(
        "swapped size",
        fits.lattices_of_swapped_size,
        "rows and columns are easily mixed up; it is said",
    ),
    Strategy("even lattice", fits.even_lattice, "somebody counted: laid from edge to edge, seen or not"),
)
"""The same where rows and columns are given."""

WITHOUT_LINES: tuple[
    Strategy[Callable[[BoardRegion, Settings], Iterator[tuple[BoardRegion, CircleFit]]]], ...
] = (Strategy("circles", fits.circles, "copies without lines: a dot, a ring or a pipe in every cell"),)
"""What may explain the whole picture, after every region."""

DOTS: tuple[Strategy[Callable[[BoardMemo], dots.Look | None]], ...] = (
    Strategy("usual dots", dots.usual, "the game's own, 0.35 of a cell in radius"),
    Strategy("measured discs", dots.measured, "copies: dots of any size, in the middles of cells"),
    Strategy(
        "filled discs",
        dots.filled_discs,
        "copies: dots beside the middles of their cells, found as circles",
    ),
    Strategy("wide rings", dots.wide_rings, "circles miss a dot here and there: an annulus finds it"),
    Strategy("rimmed discs", dots.rimmed_discs, "a dot of the ground's colour shows its rim alone"),
    Strategy("small dots", dots.small, "copies with dots of 0.24 of a cell and thinner pipes"),
)
"""What dots look like: the first row on every board; the others, at last, on the likeliest boards."""

WALLS: tuple[Strategy[Callable[[Sequence[Wall], WallSettings], tuple[Wall, ...]]], ...] = (
    Strategy("without incomplete walls", incomplete_walls, "glare, a halo, a pointer show a part of a wall"),
    Strategy("without any wall", every_wall, "what is no wall may look whole"),
)
"""What is left out of the boards that have no solution, after all first looks."""

CROSSINGS: tuple[Strategy[Callable[[CrossingEvidence], Crossings | None]], ...] = (
    Strategy("bridges", crossings.bridges_alone, "few published levels have both: the simplest first"),
    Strategy("warps", crossings.warps_alone, "openings in the border, or a pipe that goes over it"),
    Strategy("bridges and warps", crossings.bridges_and_warps, "both are seen"),
    Strategy("every end open", crossings.every_end_open, "no border is seen at all: assumed, not seen"),
)
"""What is added to a board that has no solution as it is."""
