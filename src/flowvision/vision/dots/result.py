"""What each stage of seeing finds, frozen, with the numeric evidence for it. No drawings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Lattice, Place, Point
from flowvision.puzzle.model import Puzzle
from flowvision.vision.pixels.view import Floats, Gray, View
from flowvision.vision.special.fits import Fit


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """What was seen of lines in the whole picture.

    ``lines``: 255 where there are thin bright lines, in the pixels of a smaller view; ``to_picture``
    (3, 3) maps those to picture pixels. ``candidates``: corners of every contour weighed.
    """

    lines: Gray
    to_picture: Floats
    candidates: tuple[Floats, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardRegion:
    """Where a board is: its corners (4, 2) in picture pixels, clockwise from the top left.

    ``view``: the pixels of the region and a margin round it.
    """

    corners_px: Floats
    score: float
    view: View
    evidence: BoardEvidence

    def moved(self, x_px: float, y_px: float) -> BoardRegion:
        """The same region where its picture is a part of a larger one, that far to the right and down."""
        move = np.array([[1, 0, x_px], [0, 1, y_px], [0, 0, 1]])
        shift, seen = move[:2, 2], self.evidence
        candidates = tuple(corners + shift for corners in seen.candidates)
        return replace(
            self,
            corners_px=self.corners_px + shift,
            view=replace(self.view, to_picture=move @ self.view.to_picture),
            evidence=replace(seen, to_picture=move @ seen.to_picture, candidates=candidates),
        )


@dataclass(frozen=True, slots=True, eq=False)
class SideReading:
    """The board cut out of a fit: its cells, its open sides, its walls.

    ``shapes`` (cells, 2, 2): how long and wide every cell is, as in ``CellFit``. ``dot_ring``: the radius,
    in widths of a narrow cell, that lies inside every dot and clear of what is drawn in it. ``sides``: the
    middle of every side that was weighed (cell units), how bright and thick it is (1.0: a plain grid line),
    and whether it is open.
    """

    board: Board
    fit: Fit
    shapes: Floats
    dot_ring: float
    sides: tuple[tuple[Point, float, bool], ...]
    clarity: float = 1.0
    """0 to 1: how clearly every side is either a plain line or a wall."""
    held: frozenset[int] | None = None
    """The cells that hold a dot, where that was seen already; these may reach to the sides of their cells."""
    others: bool = False
    """Whether other cells than ``held`` may hold one."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot: its cell, where it is, and its colour in CIE Lab (L 0–100)."""

    cell: int
    centre_px: tuple[float, float]
    radius_px: float
    lab: tuple[float, float, float]
    rgb: Rgb


@dataclass(frozen=True, slots=True, eq=False)
class MarkEvidence:
    """Per cell: how far the dot ring's colour is from the corners' (Lab units), and how even it is.

    ``faces()`` (dots, n, n): how much brighter or darker than its dot each pixel in a dot's middle is; looked
    at only where colours are close.
    """

    contrast: Floats
    cover: Floats
    faces: Callable[[], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The dots seen."""

    dots: tuple[Dot, ...]
    evidence: MarkEvidence


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which dots belong together: pairs of dot numbers, and a colour per pair."""

    pairs: tuple[tuple[int, int], ...]
    palette: tuple[Rgb, ...]
    margin: float
    """Closest wrong match minus furthest right match, in Lab units."""
    certified: bool
    """The pairing is provably the k-means optimum: no clustering was needed."""
    margins: tuple[float, ...] = ()
    """The same for every dot by itself."""
    lettered: bool = False
    """Letters in the dots had a say, as colours alone were too close."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """The board with its bridges and warps.

    ``bridges``: their places. ``warps``: the two places that each joins over the edge. ``inked``: per
    cell, the share of its inside that stands out from it as a line does.
    """

    board: Board
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Place, Place], ...]
    inked: Floats
    seen: bool = True
    """False where no border is seen at all, so that every end may be open."""


@dataclass(frozen=True, slots=True)
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

    @property
    def lattice(self) -> Lattice | None:
        """Rows and columns, where the board has them."""
        return self.board.lattice
