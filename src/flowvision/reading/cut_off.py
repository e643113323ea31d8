"""Evidence that the picture's edges cut off a border, outermost dots, or whole rows."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

import cv2
import numpy as np
from msgspec import Struct

from flowvision.image.picture import Screenshot
from flowvision.reading.beyond import lines_go_on
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.lines import free_lines
from flowvision.vision.pixels.view import Floats, percentile
from flowvision.vision.settings import FreeCellSettings

SIDES = ("left", "top", "right", "bottom")
MIDDLE, SOME_OF_A_DOT = 0.5, 0.6
"""Cells from a board's border to the centres of its outermost cells; and at which a cut leaves hardly any of
a dot."""
NEAR, UNEVEN = 1.0, 0.05
"""Pitches between a board and a picture's edge that may cut it; screens leave as much on its left as on its
right, within this."""
GROUND_PX = 3.0
"""Pixels from the middle of a border: lines are half as thick at most, and what follows them is seen."""
GOES_ON = 0.6
"""Share of a lattice's lines that continue with the board; text and buttons show fewer."""
BEYOND = {"top": "above", "bottom": "below"}


def distances_to_edges(fit: Fit, shot: Screenshot) -> Floats:
    """(2, 2): cells between a board and the edges of its picture, in the order of ``SIDES``.

    Negative where it reaches beyond the picture.
    """
    corners = fit.outline_px()
    ends = corners.min(axis=0), shot.bgr.shape[1::-1] - corners.max(axis=0)
    return np.asarray(np.stack(ends) / fit.pitch_px)


def cut_sides(fit: Fit, shot: Screenshot, least: float) -> tuple[tuple[str, float], ...]:
    """Return the sides where a board exceeds its picture by more than ``least`` cells, and by how many."""
    ends = zip(SIDES, (-distances_to_edges(fit, shot)).ravel().tolist(), strict=True)
    return tuple((side, cells) for side, cells in ends if cells > least)


def hides_dots(cut: Iterable[tuple[str, float]], dots: Dots) -> bool:
    """Return whether dots can hardly be seen in a row or column at one of the ``cut`` sides of a lattice.

    They can if its centres are in the picture, or a dot was read there.
    """
    lattice = dots.geometry.board.lattice
    assert lattice is not None
    rows, cols = (
        {place[axis] for place in (lattice.places[dot.cell] for dot in dots.dots)} for axis in (0, 1)
    )
    ends = (0 in cols, 0 in rows, lattice.cols - 1 in cols, lattice.rows - 1 in rows)
    has_dot = dict(zip(SIDES, ends, strict=True))
    return any(cells > (SOME_OF_A_DOT if has_dot[side] else MIDDLE) for side, cells in cut)


def is_border_seen(fit: Fit, shot: Screenshot, side: int) -> bool:
    """Return whether a lattice ends at a side: the picture continues, and its lines do not."""
    reach = float(distances_to_edges(fit, shot).ravel()[side])
    is_seen = reach * fit.pitch_px >= GROUND_PX
    return is_seen and lines_go_on(fit, shot, side, min(reach, NEAR)) < GOES_ON


class CutLine(Struct, frozen=True):
    """A row or column that may be cut off at one of the ``sides``; ``rows``, ``cols``: seen whole.

    ``likely``: how likely, in words. ``is_evident``: the picture shows it, whatever the size of the board.
    """

    sides: tuple[str, ...]
    rows: int
    cols: int
    likely: str
    is_evident: bool

    @property
    def is_likely(self) -> bool:
        """Return true if the message says that the board is cut, not that it may be."""
        return self.likely != "perhaps"

    @property
    def words(self) -> str:
        """The suspicion in a sentence."""
        ends = " or ".join(BEYOND[side] for side in self.sides if side in BEYOND)
        beside = "beside" * any(side not in BEYOND for side in self.sides)
        where, line = (
            " and ".join(filter(None, (ends, beside))),
            " or a ".join(filter(None, ("row" * bool(ends), "column" * bool(beside)))),
        )
        return f"The picture ends right {where} the board: {self.likely} a {line} is cut off there."


def cut_line(fit: Fit | None, shot: Screenshot) -> CutLine | None:
    """Return the row or column of a lattice that its picture may cut off; ``None`` without evidence.

    Considers sides where the picture ends at the border. Above or below, where the other
    end has room, or there are fewer rows than columns. Beside it, where there are fewer columns than rows:
    by one, for phones show boards from edge to edge, or it is not in the middle, or the picture ends above
    and below as well.
    """
    if fit is None or not fit.is_lattice or fit.size is None:
        return None
    (rows, cols), gaps = fit.size, distances_to_edges(fit, shot).ravel().tolist()

    def unseen(first: int) -> list[str]:
        sides = (first, first + 2)
        return [SIDES[n] for n in sides if gaps[n] < NEAR and not is_border_seen(fit, shot, n)]

    ends = unseen(1)
    is_uneven, is_alone = abs(gaps[0] - gaps[2]) > UNEVEN, len(ends) == len(BEYOND)
    is_narrow = rows - cols == 1 and not is_alone
    beside = unseen(0) if cols < rows and (is_uneven or is_alone or is_narrow) else []
    ends = ends if not is_alone or rows < cols else []
    if not (ends or beside):
        return None
    is_likely = (len(ends) == 1 and rows != cols) or (bool(beside) and (is_uneven or is_narrow))
    is_evident = bool(ends) or is_uneven or is_alone
    likely = "most likely" if is_likely and is_evident else "perhaps" if not is_likely else "probably"
    return CutLine((*ends, *beside), rows, cols, likely, is_evident)


SHIFT = 4
"""Bits of a pixel's fraction that OpenCV draws with."""
THICKEST = 95
"""Percentile of the depth of pixels in lines: the centre of the thickest; lines meet at deeper ones."""
STRIDE = 2
"""Stride in pixels, each way, that is enough to measure the thickness of lines."""
BESIDE = np.ones((3, 3), np.uint8)


def crossed_edges(geometry: BoardGeometry, free: FreeCellSettings) -> tuple[str, ...]:
    """Return the edges of the view, of ``SIDES``, that lines of cells other than squares reach."""
    view, cells = geometry.fit.view, geometry.board.layout.cells
    lines = free_lines(view, free)
    (tall, wide), to_view = lines.mask.shape, np.linalg.inv(view.to_picture)
    points = geometry.fit.frame.to_px([point for cell in cells for point in cell.outline])
    points = np.round((points @ to_view[:2, :2].T + to_view[:2, 2]) * 2**SHIFT).astype(np.int32)
    inside = np.zeros(lines.mask.shape, np.uint8)
    for outline in np.split(points, np.cumsum([len(cell.outline) for cell in cells])[:-1]):
        cv2.fillPoly(inside, [outline], 255, cv2.LINE_8, SHIFT)
    # The outline of the board, the thickest of its lines, lies round its cells.
    depth = cv2.distanceTransform(lines.mask, cv2.DIST_L2, cv2.DIST_MASK_3)[::STRIDE, ::STRIDE]
    deep = np.asarray(depth[depth > 0], np.float64)
    reach = 2 * ceil(2 * percentile(deep, THICKEST)) + 3 if deep.size else 3
    inside = np.asarray(cv2.dilate(inside, np.ones((reach, reach), np.uint8)), np.uint8)
    beyond = np.asarray(cv2.bitwise_and(lines.mask, cv2.bitwise_not(inside)), np.uint8)
    near = cv2.bitwise_and(beyond, cv2.dilate(inside, BESIDE))
    if not cv2.countNonZero(near):
        return ()
    count, labels, stats, _ = cv2.connectedComponentsWithStats(beyond)
    is_near = np.bincount(labels[near > 0], minlength=count) > 0
    x, y, width, height, _ = stats.T
    # At the edge itself a change of light looks like a line along it.
    across, down = 2 * width > lines.width_px, 2 * height > lines.width_px
    ends = across & (x == 0), down & (y == 0), across & (x + width == wide), down & (y + height == tall)
    return tuple(side for side, end in zip(SIDES, ends, strict=True) if (is_near & end)[1:].any())
