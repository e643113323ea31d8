"""The puzzle that was read: its place in the picture, and the confidence in each part."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from flowvision.image.picture import Frame, Rgb
from flowvision.palette import letters_for, names_for, undimmed
from flowvision.puzzle.layout import Board, Lattice, Place, Point
from flowvision.puzzle.model import Puzzle
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.dots.letters import letters_on
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, colour_distance
from flowvision.vision.settings import PAIRING
from flowvision.words import Part, count_of

COLOURS_OF_TWO = "the colours of the dots in {} and {}"


class Reading(Struct, frozen=True):
    """A puzzle as it was read, and its place in the picture."""

    board: Board
    puzzle: Puzzle
    frame: Frame
    palette: tuple[Rgb, ...]
    confidence: float  # 0 to 1: how sure the reader is, before anything is solved
    ends_px: tuple[tuple[tuple[float, float], tuple[float, float]], ...]  # per flow, where its two dots are
    walls_confidence: float = 1.0
    """Confidence, 0 to 1, that sides are open or closed, which no solver can tell."""
    weakest: Part = Part()  # the part that was seen least well
    dot_doubts: tuple[tuple[float, float], ...] = ()  # per flow, how doubtful each dot is, 0 to 1
    lines_confidence: float = 1.0  # 0 to 1: how well lines explain the cells
    pair_confidences: tuple[float, ...] = ()
    """Per flow, 0 to 1: how alike its dots are, compared with those of other flows."""
    corrected: bool = False  # what was seen was corrected by hand; ``confidence`` is that of the rest
    names: tuple[str, ...] = ()
    """Per flow, its letter, where that does not follow from its colour: from its dots, or from a corrected
    reading."""
    lettered: bool = False  # dots show these letters
    given: tuple[int, ...] = ()  # the dots that a correction added where the picture shows none

    def __repr__(self) -> str:
        """Return the reading in a line."""
        return f"<Reading: {self.size}, confidence {self.confidence:g}>"

    @property
    def confidence_without_walls(self) -> float:
        """Confidence in cells and dots, 0 to 1, without walls.

        A solution of a board with an extra wall also solves the board without it.
        """
        if self.confidence < round(self.walls_confidence, 3):  # it is not that of the walls
            return self.confidence
        doubts = [doubt for pair in self.dot_doubts for doubt in pair]
        return round(
            min(self.lines_confidence, *self.pair_confidences, *(1 - doubt for doubt in doubts), 1.0), 3
        )

    @property
    def pitch_px(self) -> float:
        """The width of a cell, in pixels of the picture."""
        return self.frame.pitch_px(self.board.layout.cells[0].centre)

    @property
    def size(self) -> str:
        """The size of the board in words, for messages."""
        lattice = self.lattice
        flows = len(self.puzzle.terminals)
        cells = f"{len(self.board.layout.cells)} cells"
        size = cells if lattice is None else f"{lattice.rows} rows and {lattice.cols} columns"
        return f"{size} with {count_of(flows, 'pair')} of dots"

    @property
    def letters(self) -> tuple[str, ...]:
        """Per flow, the letter on its dots, or else one for its colour."""
        return self.names or letters_for(self.palette)

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """Per flow, the colour of its drawn pipe: the game's own on a dimmed board."""
        return undimmed(self.palette)

    @property
    def colour_names(self) -> tuple[str, ...]:
        """Per flow, the name of its colour."""
        return names_for(self.colours)

    @property
    def lattice(self) -> Lattice | None:
        """Rows and columns, if the board has them."""
        return self.board.lattice

    @property
    def places(self) -> tuple[Place, ...]:
        """Row and column of every cell; empty without rows and columns."""
        return self.lattice.places if self.lattice else ()


class Wall(NamedTuple):
    """A detected wall between two cells, by number and by place: row and column, rising.

    ``completeness``: share of the places along it that are as strong as a wall, 0 to 1.
    """

    cells: tuple[int, int]
    places: tuple[Place, Place]
    completeness: float

    @property
    def ends(self) -> tuple[Point, Point]:
        """Both ends, in cell units: x, y."""
        (first_row, first_col), (row, col) = self.places
        if first_col == col:
            return (col, row), (col + 1, row)
        return (col, first_row), (col, first_row + 1)


class Interpretation(Struct, frozen=True, eq=False):
    """One way to read a board: its ``reading`` and the results that led to it.

    ``geometry``: the board cut out. ``dots``, ``pairing``, ``crossings``: as far as searched; none on a board
    that was corrected by hand. ``ignored_walls``: detected walls that are left out.
    """

    reading: Reading
    geometry: BoardGeometry | None
    dots: Dots | None = None
    pairing: Pairing | None = None
    crossings: Crossings | None = None
    ignored_walls: tuple[Wall, ...] = ()

    @classmethod
    def of(cls, pairing: Pairing, crossings: Crossings | None = None) -> Interpretation:
        """Return the interpretation of one board, its dots and pairs, with its bridges and warps."""
        reading = assemble(pairing, crossings)
        dots = pairing.dots
        return cls(reading, dots.geometry, dots, pairing, crossings)

    @property
    def source(self) -> Crossings | Pairing | BoardGeometry | None:
        """The last result that led to it."""
        return self.crossings or self.pairing or self.geometry

    @property
    def cells_paired_by_solution(self) -> tuple[int, ...]:
        """The cells of dots that the solution paired, because their colours did not."""
        pairing = self.pairing
        return tuple(pairing.dots.dots[n].cell for n in pairing.resolved) if pairing else ()

    @property
    def board_as_seen(self) -> Board | None:
        """The board with its bridges and warps, and all of its walls."""
        cut_out = self.crossings or self.geometry
        return cut_out.board if cut_out else None


def assemble(pairing: Pairing, crossings: Crossings | None = None) -> Reading:
    """Return the reading of one board, its dots and pairs, with its bridges and warps."""
    dots, geometry = pairing.dots, pairing.dots.geometry
    board = crossings.board if crossings else geometry.board
    pairs = [(dots.dots[a], dots.dots[b]) for a, b in pairing.pairs]
    doubts = _dot_doubts(pairing)
    likeness = _likeness(pairing)
    confidence, weakest = min(_evidence(board, pairing, likeness), key=itemgetter(0))
    names = letters_on(pairing.pairs, dots.faces)
    return Reading(
        board,
        Puzzle(board.graph, tuple((first.cell, second.cell) for first, second in pairs)),
        geometry.fit.frame,
        pairing.palette,
        confidence=round(confidence, 3),
        ends_px=tuple((first.centre_px, second.centre_px) for first, second in pairs),
        walls_confidence=geometry.clarity,
        weakest=weakest,
        dot_doubts=tuple((float(doubts[a]), float(doubts[b])) for a, b in pairing.pairs),
        lines_confidence=geometry.fit.quality,
        pair_confidences=tuple(likeness.tolist()),
        names=names,
        lettered=bool(names),
    )


def _evidence(board: Board, pairing: Pairing, likeness: Floats) -> list[tuple[float, Part]]:
    """Return the confidence in each part of a reading, 0 to 1, and that part; ``likeness``: of the pairs."""
    dots, geometry = pairing.dots, pairing.dots.geometry
    cover = _cover(dots)
    doubtful_dot = int(np.argmin(pairing.margins))
    partner = next(b if a == doubtful_dot else a for a, b in pairing.pairs if doubtful_dot in (a, b))
    unlike_pair = pairing.pairs[int(likeness.argmin())]
    faint_place, doubtful_place, partner_place, pair_first, pair_second = (
        board.key_of(dots.dots[n].cell) for n in (int(cover.argmin()), doubtful_dot, partner, *unlike_pair)
    )
    return [
        (geometry.fit.quality, Part("the lines of the grid")),
        (float(cover.min()), Part("the dot in {}", (faint_place,))),
        (_confidence_in(pairing.margin), Part(COLOURS_OF_TWO, (doubtful_place, partner_place))),
        (float(likeness.min()), Part(COLOURS_OF_TWO, (pair_first, pair_second))),
        (geometry.clarity, Part("the walls")),
    ]


def _likeness(pairing: Pairing) -> Floats:
    """Return the likeness (pairs,), 0 to 1, of the dots of each pair.

    It is the allowed distance of their colours by the actual one, squared. The allowed distance grows with
    the largest one within another pair.
    """
    lab = np.array([dot.lab for dot in pairing.dots.dots])
    first, second = np.transpose(pairing.pairs)
    within_pair_lab = colour_distance(lab[first], lab[second])
    is_own = np.eye(len(within_pair_lab), dtype=bool)
    largest_of_others: Floats = np.where(is_own, 0.0, within_pair_lab).max(axis=1)  # 0 for a single pair
    allowed_lab = PAIRING.unlike + PAIRING.unlike_times * largest_of_others
    return np.minimum(1.0, allowed_lab / np.maximum(within_pair_lab, 1.0)) ** 2


def _dot_doubts(pairing: Pairing) -> Floats:
    """Return the doubt (dots,), 0 to 1: unevenness of a dot, or closeness to another pair's colour."""
    return 1 - np.minimum(_cover(pairing.dots), [_confidence_in(margin) for margin in pairing.margins])


def _cover(dots: Dots) -> Floats:
    """Return (dots,): the share of each dot's annulus that has its colour."""
    return dots.cover[[dot.cell for dot in dots.dots]]


def _confidence_in(margin: float) -> float:
    """Return the confidence, 0 to 1, in the partner of a dot with this margin, in Lab."""
    return 1 - float(np.exp(-max(margin, 0.0) / PAIRING.margin_scale))
