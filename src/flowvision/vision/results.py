"""What each stage of seeing finds, frozen, with the numeric evidence for it. No drawings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowvision.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Puzzle

Gray = NDArray[np.uint8]
"""(H, W) uint8."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """``lines``: 255 where the picture has thin bright lines. ``candidates``: corners of every contour weighed."""

    lines: Gray
    candidates: tuple[Floats, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardRegion:
    """Where a board is: its corners (4, 2) in pixels, clockwise from the top left."""

    corners_px: Floats
    score: float
    evidence: BoardEvidence


@dataclass(frozen=True, slots=True, eq=False)
class GridEvidence:
    """``profiles``: Sobel responses summed along the columns and along the rows of the region,
    ``origin_px`` the pixel of their first entry; ``segments`` (N, 4): Hough lines x0, y0, x1, y1 in picture pixels;
    ``tried``: every spacing weighed, as (columns or rows, score) per axis."""

    origin_px: tuple[float, float]
    profiles: tuple[Floats, Floats]
    segments: Floats
    tried: tuple[tuple[tuple[int, float], ...], tuple[tuple[int, float], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class GridFit:
    """The lattice that explains the region from edge to edge."""

    rows: int
    cols: int
    frame: Frame
    pitch_px: float
    residual_px: float
    """How far the lines found lie from the lattice, root mean square."""
    evidence: GridEvidence


@dataclass(frozen=True, slots=True, eq=False)
class SideReading:
    """The board cut out of the lattice: holes, walls, openings."""

    board: Board
    strength: Floats
    """Per edge of the full lattice, how bright and thick its side is; 1.0 is a plain grid line."""


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
    """Per cell: how much of the dot ring differs from the cell's background (Lab units), and how even it is."""

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
