"""Parts of a drawn solution, and one table of sizes for every drawing.

Lengths are in cell widths, measured where a cell is narrowest, so that its dot fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from itertools import starmap
from numbers import Integral
from statistics import median_high
from typing import TYPE_CHECKING

from msgspec import Struct

from flowvision.arguments import check_all, check_flags
from flowvision.puzzle.layout import DOT_RADIUS, Board, Cell, distance_from_line
from flowvision.puzzle.model import Path, Solution

if TYPE_CHECKING:  # a drawing of vectors needs neither NumPy nor OpenCV
    from flowvision.image.picture import Floats, Frame

NARROW_DOT = 0.34
"""Radius of the game's dots in cell widths, in cells narrower than 1.0 (hexagons)."""
SEEN_DOT = 0.345
"""The radius at which a dot in a picture ends: half of its soft edge lies outside."""
DOT_REACH = 0.56
"""Largest radius of a dot, in any copy of the game."""
DOT_MIDDLE = 0.26
"""Radius within which a dot is left as it was, with its letter; few dots are smaller."""
PIPE = 0.333
"""Width of the game's own pipes, as measured on screenshots (0.33 to 0.343), and of drawn ones."""
RIM = 0.025
"""Width of a rim on each side; the pipe inside is narrower, so that all pipes are equally wide."""
BRIDGE_GAP = 0.035
"""Width of the ground shown on each side of the upper pipe of a bridge."""
LETTER, PIPE_LETTER = 0.4, 0.26
"""Height of letters on dots of the game's size, and along pipes."""
LINE = 0.03
"""Thickness of grid lines on boards that are drawn without a screenshot."""


def letter_size(words: str) -> float:
    """Return the height of a label on a dot, in cell widths: several digits are smaller than a letter."""
    return LETTER * min(1.0, 1.8 / len(words))


def dot_radius(cell: Cell) -> float:
    """Return the radius of a dot in this cell, in cell units."""
    return min(DOT_RADIUS, NARROW_DOT * cell_width(cell))


def cell_width(cell: Cell) -> float:
    """Return twice the distance from the middle of a cell to its nearest side, in cell units."""
    return 2 * min(distance_from_line(cell.centre, *side) for side in cell.sides)


def usual_width(board: Board) -> float:
    """Return the median width of a board's cells, in cell units."""
    return median_high(map(cell_width, board.layout.cells))


class PlacedBoard(Struct, frozen=True, eq=False):
    """A board and its frame in a picture."""

    board: Board
    frame: Frame

    @property
    def cell_width_px(self) -> float:
        """The width of a cell in the middle of the board, in pixels."""
        cells = self.board.layout.cells
        return self.frame.cell_width_px(cells[len(cells) // 2].centre)

    def middles_px(self, strands: Iterable[int]) -> Floats:
        """Return the middles (N, 2) of the cells of these strands, in pixels."""
        return self.frame.to_px([self.board.layout.cell_at(strand).centre for strand in strands])

    def cells_of(self, edges: Iterable[int]) -> set[int]:
        """Return the cells that these edges lead through."""
        return {
            self.board.layout.cell_of[strand] for edge in edges for strand in self.board.graph.edges[edge]
        }


class Look(Struct, frozen=True):
    """The parts of a solution to draw, and the pipes already on the board.

    ``flows``: only these flows, by their numbers from 0, ``None`` for all. ``edges``: only these edges of
    their paths, ``None`` for all. ``letters``: on each flow's dots and along its pipe: ``True`` for those of
    its colours, or one per flow. ``arrows``: the direction from each flow's first dot. ``pipes``: ``False``
    draws only letters and arrows, over the board's pipes. ``drawn``: per flow, the edges that its pipes cover
    in the picture; pipes that differ from the path are erased first. ``lettered``: dots already show their
    letters. ``given``: dots to draw that the picture does not show.
    """

    flows: frozenset[int] | None = None
    edges: frozenset[int] | None = None
    letters: bool | tuple[str, ...] = False
    arrows: bool = False
    pipes: bool = True
    drawn: tuple[frozenset[int], ...] = ()
    lettered: bool = False
    given: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for fields of another type."""
        check_flags(arrows=self.arrows, pipes=self.pipes, lettered=self.lettered)
        if not isinstance(self.letters, bool):
            check_all("letters", self.letters, (tuple,), str, "True, False, or a tuple of letters")
        for name, numbers in (("flows", self.flows), ("edges", self.edges)):
            if numbers is not None:
                check_all(name, numbers, (Set, list, tuple), Integral, "numbers from 0, such as {0, 2}")
        check_all("given", self.given, (tuple,), Integral, "a tuple of numbers of cells")
        check_all("drawn", self.drawn, (tuple,), frozenset, "a tuple of frozensets of edges")

    def shows(self, flow: int, path: Path) -> bool:
        """Return true if the pipes of a flow in the picture cover exactly this path."""
        return bool(self.drawn) and self.drawn[flow] == set(path.edges)

    def shows_all(self, solution: Solution) -> bool:
        """Return true if the picture shows the whole solution already."""
        return not self.given and all(starmap(self.shows, enumerate(solution.paths)))

    def named(self, usual: tuple[str, ...]) -> tuple[str, ...]:
        """Return the letters of the flows, or the ``usual`` ones. Raises ``ValueError`` for too few."""
        if not isinstance(self.letters, tuple):
            return usual
        if len(self.letters) != len(usual):
            raise ValueError(f"{len(self.letters)} letters were given; the board has {len(usual)} flows.")
        return self.letters


PLAIN = Look()
"""The whole solution, without letters or arrows, on an empty board."""
