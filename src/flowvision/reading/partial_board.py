"""Whether a board was read in part: compared with other attempts at it, with itself, and with its lines.

A part of a board may have exactly one solution by chance.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, affine_map
from flowvision.vision.assembly import Reading
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings, ReadingSettings

SAME_DOT = 0.5
"""Cell widths: dots nearer to one another than that are one."""

FIT_LATTICE = 0.8
"""Share of the dots, or of the cells: so many in their places of a lattice are no chance."""
PART_OF_CELL = 0.65
"""Of the median cell's area: cells of real boards have 0.8 and more, and of two parts one has less."""
SAME_LINE = 0.2
"""Cell widths: middles of cells nearer to one another than that are in one row or column."""
UNEVEN = 1.2
"""Times: how much further the next row may be than the one before; half a row too many gives 1.33."""


def is_part(reading: Reading, dots: Dots, settings: ReadingSettings, dot: DotSettings) -> bool:
    """Return whether a board was read in part: some dots of another attempt lie on it, others beyond it.

    These must be in the middles of places of the same lattice. Where no dot lies on it, the other attempt was
    at another board. Only lattices of squares are asked: on others dots need not be circles.
    """
    if reading.board.squares is None or not dots.dots:
        return False
    places = places_frame(reading).to_cells([dot.centre_px for dot in dots.dots])
    is_centred = are_centred(places, dot)
    is_on_board = are_on_board(reading, places)
    beyond = np.count_nonzero(is_centred & ~is_on_board)
    return bool((is_centred & is_on_board).any() and beyond >= settings.dots_min)


def lacks_cells(reading: Reading, other: Reading, beyond: bool = False) -> bool:
    """Whether another reading has the same dots at the same places of the picture, and more cells among them.

    Cells beyond the box round the reading's own are no part of it: a line of text, say, taken for a row.
    Unless they are asked for as well (``beyond``).
    """
    outline_px = reading.frame.to_px(reading.board.layout.corners)
    centres_px = other.frame.to_px(other.board.layout.centres)
    low, high = outline_px.min(axis=0), outline_px.max(axis=0)
    is_inside = ((centres_px >= low) & (centres_px <= high)).all(axis=1)
    if len(reading.board.layout.cells) >= np.count_nonzero(is_inside | beyond):
        return False
    ends_px = [np.reshape(one.ends_px, (-1, 2)) for one in (reading, other)]
    away_px = np.linalg.norm(ends_px[0][:, None] - ends_px[1][None], axis=2)
    within_px = SAME_DOT * other.frame.cell_width_px(other.board.layout.cells[0].centre)
    is_near = away_px < within_px
    return len(ends_px[0]) == len(ends_px[1]) and bool(
        is_near.any(axis=0).all() and is_near.any(axis=1).all()
    )


def are_same_cells(reading: Reading, other: Reading) -> bool:
    """Return whether two readings have the same cells at the same places of the picture."""
    cells = reading.board.layout.cells
    if len(cells) != len(other.board.layout.cells):
        return False
    own, others = (one.frame.to_px(one.board.layout.centres) for one in (reading, other))
    away_px = np.linalg.norm(own[:, None] - others[None], axis=2).min(axis=1)
    return bool((away_px < SAME_LINE * reading.frame.cell_width_px(cells[0].centre)).all())


def merges_cells(reading: Reading, grid: BoardGeometry, dot: DotSettings) -> bool:
    """Whether a lattice has more cells, and nearly every dot of the reading in the middle of one of them.

    On a board of other cells hardly ever so many stand so. A merged cell's dot may be taken for its middle.
    """
    if len(grid.board.layout.cells) <= len(reading.board.layout.cells):
        return False
    frame = grid.fit.frame
    places = frame.to_cells(np.reshape(reading.ends_px, (-1, 2))) - 0.5
    is_centred = (np.abs(places - np.round(places)) <= dot.off_lattice).all(axis=1)
    return bool(is_centred.mean() >= FIT_LATTICE)


def has_odd_cells(reading: Reading) -> bool:
    """Whether cells found one by one lie in rows and columns, but for a few that are merged or cut in two.

    The lines between merged cells were not seen; a hair or glare cuts one. No level has such cells.
    """
    cells = reading.board.layout.cells
    if reading.lattice is not None:
        return False
    outlines_px = [reading.frame.to_px(cell.outline) for cell in cells]
    sizes_px = np.array([np.ptp(outline, axis=0) for outline in outlines_px])
    areas_px = np.array([cv2.contourArea(outline.astype(np.float32)) for outline in outlines_px])
    is_part = areas_px < PART_OF_CELL * np.median(areas_px)
    is_usual = (np.abs(sizes_px / np.median(sizes_px, axis=0) - 1) <= SAME_LINE).all(axis=1) & ~is_part
    usual = reading.frame.to_px([cells[n].centre for n in np.flatnonzero(is_usual)])
    if is_usual.mean() < FIT_LATTICE:
        return False
    away_px = np.linalg.norm(usual[:, None] - usual[None], axis=2)
    pitch_px = np.median(np.sort(away_px, axis=1)[:, 1])
    places = (usual - usual[0]) / pitch_px
    is_placed = (np.abs(places - np.round(places)) <= SAME_LINE).all(axis=1)
    is_merged = (np.round(sizes_px[~is_usual] / pitch_px) > 1).any()
    return bool(is_placed.mean() >= FIT_LATTICE and (is_part.any() or is_merged))


def joins_boards(reading: Reading, grid: BoardGeometry) -> bool:
    """Whether a reading has all the cells of a lattice that ends where lines end, and others beside it.

    No pair of dots lies on both: two boards are in the picture.
    """
    cells = grid.board.layout.cells
    if len(cells) >= len(reading.board.layout.cells):
        return False
    own, other = (
        frame.to_px(board.layout.centres)
        for frame, board in ((reading.frame, reading.board), (grid.fit.frame, grid.board))
    )
    away = np.linalg.norm(other[:, None] - own[None], axis=2).min(axis=1)
    is_own = away < SAME_LINE * grid.fit.frame.cell_width_px(cells[0].centre)
    corners = grid.fit.frame.to_px([corner for cell in cells for corner in cell.outline])
    ends = np.asarray(reading.ends_px)
    is_on = ((ends > corners.min(axis=0)) & (ends < corners.max(axis=0))).all(axis=2)
    are_apart = (is_on[:, 0] == is_on[:, 1]).all() and 0 < np.count_nonzero(is_on) < is_on.size
    return bool(is_own.mean() >= FIT_LATTICE and are_apart)


def is_uneven(reading: Reading) -> bool:
    """Whether cells found one by one fill rows and columns of which one is clearly narrower than the next.

    So look two pictures put together. Boards of other cells fill no rows and columns; in a photograph these
    become narrower little by little.
    """
    if reading.lattice is not None:
        return False
    centres_px = reading.frame.to_px(reading.board.layout.centres)
    cell_width_px = min(reading.frame.cell_width_px(cell.centre) for cell in reading.board.layout.cells)
    count, uneven = 1, False
    for axis in (0, 1):
        places_px = np.sort(centres_px[:, axis])
        starts = np.flatnonzero(np.diff(places_px) > SAME_LINE * cell_width_px) + 1
        lines_px = np.array([part.mean() for part in np.split(places_px, starts)])
        steps = np.diff(lines_px)
        changes = np.abs(np.diff(np.log(steps)))
        count *= len(lines_px)
        uneven = uneven or bool(changes.max(initial=0.0) > np.log(UNEVEN))
    return uneven and count == len(centres_px)


def are_few_pairs(reading: Reading, settings: ReadingSettings) -> bool:
    """Return whether a board has fewer pairs of dots than any published level with so many cells."""
    cells, pairs = len(reading.board.layout.cells), len(reading.puzzle.terminals)
    return cells > settings.few_pairs_cells and pairs < settings.pairs_min


def are_centred(places: Floats, dot: DotSettings) -> NDArray[np.bool_]:
    """(N,): whether points (N, 2), in rows and columns, lie in the middles of places of the lattice."""
    return np.asarray((np.abs(places - np.round(places)) < dot.off_lattice).all(axis=1))


def are_on_board(reading: Reading, places: Floats | NDArray[np.int_]) -> NDArray[np.bool_]:
    """(N,): whether points (N, 2), in rows and columns, lie in cells of the board."""
    cells = set(reading.places)
    return np.array([(round(row), round(col)) in cells for row, col in places.tolist()], bool)


def places_frame(reading: Reading) -> Frame:
    """The map from rows and columns of a reading's lattice to pixels, also where cells are not 1.0 apart."""
    matrix = affine_map(reading.places, reading.board.layout.centres)
    return Frame.of_homography(reading.frame.homography @ matrix)
