"""What each stage of seeing finds, frozen, with the numeric evidence for it. No drawings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flowvision.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Lattice, Place, Point, Polyline
from flowvision.puzzle.model import Puzzle
from flowvision.vision.cover import SideCover
from flowvision.vision.hexagons import SIDES, neighbour
from flowvision.vision.lines import AXES, hough_lines
from flowvision.vision.spacing import Spacing
from flowvision.vision.view import Gray, View

Floats = NDArray[np.float64]
OUTLINE = 1.7
"""Of a plain line: outlines are two to three times as thick and brighter."""


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
class GridEvidence:
    """What was seen of lines in ``view``, per axis (along x, along y).

    ``profiles``: share of line pixels per position. ``masks``: 255 on lines. ``hough_limits``: the
    share of votes and the tilt up to which Hough lines are looked for.
    ``spacings``: every even spacing weighed. ``tilted``: the lines are sharper at a slant.
    """

    view: View
    profiles: tuple[Floats, Floats]
    masks: tuple[Gray, Gray]
    hough_limits: tuple[float, float]
    spacings: tuple[tuple[Spacing, ...], tuple[Spacing, ...]]
    tilted: bool

    @property
    def hough(self) -> tuple[Floats, Floats]:
        """(N, 2) per axis: position and tilt in radians of the Hough lines, found when asked for."""
        across, down = (
            hough_lines(mask, axis, *self.hough_limits) for axis, mask in zip(AXES, self.masks, strict=True)
        )
        return across, down


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
    given: bool = False
    """Rows and columns were said, not seen."""

    @property
    def view(self) -> View:
        """The upright pixels the lattice was fitted in."""
        return self.evidence.view

    @property
    def quality(self) -> float:
        """0 to 1: how much of the lattice's lines is seen, and how straight they lie on it."""
        if self.given:
            return 1.0
        cover = np.concatenate((self.cover.upright.ravel(), self.cover.level.ravel()))
        straight = max(0.0, 1 - 8 * self.residual_px / self.pitch_px)
        return min(float(np.nanmean(cover)), straight)


@dataclass(frozen=True, slots=True, eq=False)
class HoneycombFit:
    """A lattice of flat-topped hexagons, the odd columns half a cell higher; cell units: one is 1.0 wide.

    ``cells`` (rows, cols): where a cell is. ``strength`` (rows, cols, 6): how bright and thick its sides
    are, up and on clockwise, 1.0 for a plain line; ``shown``: whether they are seen.
    """

    frame: Frame
    pitch_px: float
    cells: NDArray[np.bool_]
    strength: Floats
    shown: NDArray[np.bool_]
    view: View

    @property
    def count(self) -> int:
        """How many cells there are."""
        return int(self.cells.sum())

    @property
    def quality(self) -> float:
        """0 to 1: the share of the cells' sides that are seen; less where the outline has gaps.

        A board that has lost cells ends in plain lines there, and in its outline elsewhere.
        """
        return float(self.shown[self.cells].mean()) * (1 - self.gaps)

    @property
    def gaps(self) -> float:
        """The share of the outer sides unlike the rest: plain lines in an outline, or the reverse."""
        outer = self.strength[self.outer]
        thick = float((outer > OUTLINE).mean()) if outer.size else 1.0
        return min(thick, 1 - thick)

    @property
    def outer(self) -> NDArray[np.bool_]:
        """(rows, cols, 6): the sides of cells beyond which is no cell."""
        padded = np.pad(self.cells, 1)
        outer = np.zeros(self.strength.shape, bool)
        places = np.indices(self.cells.shape)
        for side in range(len(SIDES)):
            row, col = neighbour(places[0], places[1], side)
            outer[:, :, side] = self.cells & ~padded[row + 1, col + 1]
        return outer


@dataclass(frozen=True, slots=True)
class Contact:
    """Where two cells meet: the middle of their common side, its length, how thick and bright it is."""

    a: int
    b: int
    middle: Point
    length: float
    strength: float


@dataclass(frozen=True, slots=True, eq=False)
class CellFit:
    """Cells of any shape. Cell units: a usual cell has area 1.

    ``shapes`` (cells, 2, 2): the symmetric matrix that makes a unit square as long and wide as the
    cell. ``labels`` (h, w): the regions between lines in ``view``.
    """

    cells: int
    centres: tuple[Point, ...]
    outlines: tuple[Polyline, ...]
    shapes: Floats
    contacts: tuple[Contact, ...]
    frame: Frame
    pitch_px: float
    labels: NDArray[np.int32]
    view: View
    explained: float
    """The share of the view's line pixels that lie in or round the cells: 1.0 for a whole board alone."""

    @property
    def quality(self) -> float:
        """0 to 1: how alike the sides are (those of one board are equally bright), and what is left over."""
        strengths = np.array([contact.strength for contact in self.contacts])
        spread = float(np.percentile(strengths, 95) - np.percentile(strengths, 5))
        return self.explained * max(0.0, 1.0 - spread / (2 * float(np.median(strengths))))


Fit = GridFit | HoneycombFit | CellFit
"""What may explain a region: a lattice of squares, of hexagons, or cells of any shape."""


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
