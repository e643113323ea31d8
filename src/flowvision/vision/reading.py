"""Put together what was seen: a puzzle and where it lies in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Puzzle
from flowvision.vision.crossings.result import Crossings
from flowvision.vision.dots.result import Dots, Pairing
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import Fit
from flowvision.vision.walls.result import SideReading

MAX_DISTANCE, NEXT_DISTANCES = 12.0, 4.0
"""Lab, and times the next: by how much two dots of one pair may differ. On screenshots it is 6 where the next
is 0, in a photograph 24 where it is 4."""


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """A puzzle as it was read, and where it lies in the picture."""

    board: Board
    puzzle: Puzzle
    frame: Frame
    palette: tuple[Rgb, ...]
    confidence: float
    """0 to 1: how sure the reader is, before any solver was asked."""
    ends_px: tuple[tuple[tuple[float, float], tuple[float, float]], ...]
    """Per flow, where its two dots are."""
    walls_confidence: float = 1.0
    """0 to 1: how clearly every side is open or closed, which no solver can tell."""
    weakest: str = ""
    """What was seen least well, for people."""
    dot_doubts: tuple[tuple[float, float], ...] = ()
    """Per flow, how doubtful each dot is, 0 to 1."""

    def __repr__(self) -> str:
        """What was read, in a line."""
        return f"<Reading: {self.size}, confidence {self.confidence:g}>"

    @property
    def size(self) -> str:
        """The board in numbers, as messages name it."""
        lattice, flows = self.lattice, len(self.puzzle.terminals)
        cells = f"{len(self.board.layout.cells)} cells"
        size = cells if lattice is None else f"{lattice.rows} rows and {lattice.cols} columns"
        return f"{size} with {flows} pair{'s' if flows != 1 else ''} of dots"

    @property
    def lattice(self) -> Lattice | None:
        """Rows and columns, where the board has them."""
        return self.board.lattice


def assemble(
    sides: SideReading, marks: Dots, pairing: Pairing, crossings: Crossings | None = None
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
    board: Board, fit: Fit, marks: Dots, pairing: Pairing, doubts: Floats, walls: float
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


def _kinship(marks: Dots, pairing: Pairing) -> Floats:
    """(pairs,) 0 to 1: how alike two dots are next to those of other pairs.

    Two dots whose partners were both lost are paired, however different: no other is left for them.
    """
    lab = np.array([dot.lab for dot in marks.dots])
    first, second = np.transpose(pairing.pairs)
    apart = np.linalg.norm(lab[first] - lab[second], axis=1)
    others = np.array([np.delete(apart, n).max(initial=0.0) for n in range(len(apart))])
    return np.asarray(np.minimum(1.0, (MAX_DISTANCE + NEXT_DISTANCES * others) / np.maximum(apart, 1.0)) ** 2)


def _dot_doubts(marks: Dots, pairing: Pairing) -> Floats:
    """Per dot, 0 to 1: how uneven it is, or how near the next colour."""
    discs = marks.evidence.cover[[dot.cell for dot in marks.dots]]
    return 1 - np.minimum(discs, [_likeness(margin) for margin in pairing.margins])


def _likeness(margin: float) -> float:
    """0 to 1: how clear a margin between colours (Lab) is."""
    return 1 - float(np.exp(-max(margin, 0.0) / 4))
