"""What each stage of seeing finds, frozen, with the numeric evidence for it. No drawings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowvision.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Puzzle
from flowvision.vision.cover import SideCover
from flowvision.vision.spacing import Spacing
from flowvision.vision.view import Gray, View

Floats = NDArray[np.float64]


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


@dataclass(frozen=True, slots=True, eq=False)
class GridEvidence:
    """What was seen of lines in ``view``, per axis (along x, along y).

    ``profiles``: share of line pixels per position. ``hough``: (N, 2) position and tilt in radians.
    ``spacings``: every even spacing weighed. ``tilted``: the lines are sharper at a slant.
    """

    view: View
    profiles: tuple[Floats, Floats]
    hough: tuple[Floats, Floats]
    spacings: tuple[tuple[Spacing, ...], tuple[Spacing, ...]]
    tilted: bool


@dataclass(frozen=True, slots=True, eq=False)
class GridFit:
    """The lattice that explains the region from edge to edge."""

    rows: int
    cols: int
    frame: Frame
    pitch_px: float
    residual_px: float
    """How far the lines found lie from the lattice, root mean square."""
    score: float
    """0 to 1: how much of the lattice was seen, how square it is and how much it explains."""
    closed: bool
    """The lattice ends where its lines end."""
    cover: SideCover
    evidence: GridEvidence


@dataclass(frozen=True, slots=True, eq=False)
class SideReading:
    """The board cut out of the lattice: holes, walls, openings.

    ``upright`` (rows, cols + 1) and ``level`` (rows + 1, cols): how bright and thick every side is;
    1.0 is a plain grid line.
    """

    board: Board
    upright: Floats
    level: Floats


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
    """Per cell: how far the dot ring's colour is from the corners' (Lab units), and how even it is."""

    contrast: Floats
    cover: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The dots seen, and the cells seen as bridges."""

    dots: tuple[Dot, ...]
    bridges: tuple[int, ...]
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

    @property
    def lattice(self) -> Lattice | None:
        """Rows and columns, where the board has them."""
        return self.board.lattice
