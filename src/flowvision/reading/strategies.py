"""Everything that is tried on a picture, in order, with the reasons; ``interpretations`` walks the tables.

A row is tried only when no reading of the rows before it was believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from flowvision.reading import attempts
from flowvision.reading.attempts import BoardCache, RegionCache, in_cells, in_discs
from flowvision.reading.walls import every_wall, incomplete_walls
from flowvision.vision.assembly import Wall
from flowvision.vision.crossings import crossings
from flowvision.vision.crossings.crossings import CrossingEvidence, Crossings
from flowvision.vision.dots.detection import DotHypothesis, Pairing
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import CHANNELS as CHANNELS_OF_A_VIEW
from flowvision.vision.pixels.view import Channel
from flowvision.vision.settings import Settings, WallSettings

T = TypeVar("T")
FitsOfRegion = Callable[[RegionCache], Iterator[Fit]]
BRIGHT_OR_DARK: tuple[Channel, ...] = ("brightest", "negative")


class Strategy(Struct, Generic[T], frozen=True):
    """One thing that is tried: its name, how, and why it stands where it does."""

    name: str
    attempt: T
    why: str
    measured: tuple[int, int] | None = None
    """What ``benchmarks/strategies.py`` printed: mean CPU in ms in a picture without a board (the first
    row that needs something pays for it), and how many of 237 boards it reads. ``None``: few come to it."""
    channels: tuple[Channel, ...] = CHANNELS_OF_A_VIEW
    """Channels in which it is tried: in the others it found no board, and took time."""


VIEWS: tuple[Strategy[int], ...] = (
    Strategy("as it is", 1, "cells of 16 pixels and more"),
    Strategy("enlarged", 2, "cells of 11 to 16 pixels: lines and dots are hardly wider than one"),
)
"""Scales of the picture; the last one at the end, where the likeliest cells are small."""

CHANNELS: tuple[Strategy[Channel], ...] = (
    Strategy("brightest channel", "brightest", "the game draws its lines brighter than its cells", (77, 220)),
    Strategy("negative", "negative", "copies on light grounds draw them darker", (77, 4)),
    Strategy("green channel", "green", "tints of played cells hide lines that differ in hue alone", (22, 6)),
    Strategy("red channel", "red", "the same, for greenish and bluish tints", (21, 1)),
    Strategy("blue channel", "blue", "the same, for reddish and greenish tints", (18, 2)),
)
"""In which channel thin lines are looked for, to find regions that may hold a board."""

FITS: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy(
        "sure hexagons",
        attempts.sure_hexagons,
        "no long vertical lines, or none: quicker than turning the view",
        (45, 4),
        BRIGHT_OR_DARK,
    ),
    Strategy("lattice", attempts.lattices, "the game itself: rows and columns between lines", (81, 216)),
    Strategy(
        "tinted lattice",
        attempts.tinted_lattices,
        "played cells are tinted so strongly that lines vanish",
        (29, 5),
    ),
    Strategy(
        "open lattice",
        attempts.lattice_that_runs_on,
        "lines run on: cells with one side open, of warps",
        (2, 0),
    ),
    Strategy(
        "hexagons",
        attempts.hexagons,
        "lines of three directions; slower than a lattice",
        (12, 0),
        BRIGHT_OR_DARK,
    ),
    Strategy(
        "free cells",
        attempts.free_cells,
        "whatever lines enclose: cubes, rings, mixed cells",
        (45, 8),
        BRIGHT_OR_DARK,
    ),
    Strategy("open lattice last", attempts.lattice_that_ends, "lines end: open cells are unlikely", (3, 0)),
    Strategy(
        "reframed lattice", attempts.reframed_lattices, "headers look like rows; bars cut lines", (1, 0)
    ),
)
"""Fits of a region."""

GIVEN_SIZE: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy("lattice of that size", attempts.lattices_of_size, "what is seen, where it has as many cells"),
    Strategy(
        "swapped size",
        attempts.lattices_of_swapped_size,
        "rows and columns are easily mixed up; a warning says so",
    ),
    Strategy("lattice at an angle", attempts.lattice_at_an_angle, "a photograph from aside: by its cells"),
    Strategy(
        "even lattice", attempts.even_lattice, "the size is known: spread from edge to edge, seen or not"
    ),
)
"""Fits of a region where rows and columns are given."""

WITHOUT_LINES: tuple[Strategy[FitsOfRegion], ...] = (
    Strategy(
        "extended lattice",
        attempts.extended_lattices,
        "dots and pipes hide lines: parts, carried on to a region's edges",
        (1, 0),
    ),
    Strategy(
        "circles",
        attempts.of_kind("circles", "circle_boards"),
        "copies without lines: a dot, a ring or a pipe in every cell",
        (52, 4),
    ),
)
"""Fits of the whole picture, after every region."""

DotStrategy = Strategy[Callable[[BoardCache], DotHypothesis | None]]

DOTS: tuple[DotStrategy, ...] = (
    Strategy("usual dots", attempts.usual_dots, "the game's own, 0.35 of a cell in radius", (0, 229)),
    Strategy(
        "measured discs", in_cells("measured_discs"), "copies: dots of any size, in cells' middles", (9, 5)
    ),
    Strategy(
        "filled discs",
        in_discs("filled_discs"),
        "copies: dots beside the middles of their cells, found as circles",
        (69, 0),
    ),
    Strategy(
        "wide rings", in_discs("wide_ring"), "circles miss a dot here and there: an annulus finds it", (0, 1)
    ),
    Strategy("faint discs", in_discs("faint_discs"), "dots of nearly the background's colour", (0, 1)),
    Strategy(
        "small dots", in_cells("small_dots"), "copies with dots of 0.24 of a cell and thinner pipes", (0, 1)
    ),
)
"""Dot models: the first is tried on every board, the others last, on the likeliest boards."""

WALLS: tuple[Strategy[Callable[[Sequence[Wall], WallSettings], tuple[Wall, ...]]], ...] = (
    Strategy("without incomplete walls", incomplete_walls, "glare, a halo, a pointer show a part of a wall"),
    Strategy("without any wall", every_wall, "what is no wall may look whole"),
)
"""Walls left out of boards without a solution, after all first attempts."""

CROSSINGS: tuple[Strategy[Callable[[CrossingEvidence], Crossings | None]], ...] = (
    Strategy(
        "bridges", crossings.bridges_alone, "few published levels have both: the simplest first", (0, 4)
    ),
    Strategy("warps", crossings.warps_alone, "openings in the border, or a pipe that goes over it", (0, 4)),
    Strategy("bridges and warps", crossings.bridges_and_warps, "both are seen", (0, 0)),
    Strategy(
        "every end open", crossings.every_end_open, "no border is seen at all: assumed, not seen", (0, 0)
    ),
)
"""Additions to a board that is not believed as it is."""


def crossings_seen(pairing: Pairing, settings: Settings) -> Iterator[Crossings]:
    """A board with what is seen of bridges and warps, by each row of ``CROSSINGS``."""
    seen = crossings.find_crossings(pairing, settings.crossings, settings.pipes)
    for strategy in CROSSINGS:
        found = strategy.attempt(seen) if seen else None
        if found is not None:
            yield found
