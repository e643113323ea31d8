"""Find what covers a board: a block of its lattice without lines, with lines on both sides of it.

The search is on a table of places, ``STEPS`` to a cell in each direction. A block is a rectangle of it: its
first place (row, column), and its end, the place after the last of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import product

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.doubts import Covered, Mark
from flowvision.image.picture import Frame, Screenshot
from flowvision.reading.beyond import LINE_RISE, Lattice, line_samples
from flowvision.vision.grid.spacing import GridEvidence, Pair, extend, lattice_frame, line_score, squareness
from flowvision.vision.pixels.view import LINE_CHANNELS, Floats, View

STEPS = 4
"""Places by which a block begins and ends, per cell."""
LINE_COUNTS = 3.0
"""Places without a line that outweigh one with a line: frames and text of a dialog look like lines."""
FEWEST = 24
"""Fewest places without a line under a cover: a hole of two by two cells has 16."""
THINNEST = 0.75
"""Cells across a cover at least: where the picture ends, a row has no line below."""
LARGEST = 0.6
"""Largest share of the places under a cover: what is left of the lattice must show that there is one."""
CLEAR = 0.85
"""Least share of places without a line in a block, and of those with a line round it: drawn and real dialogs
have 0.88 and 0.92, other pictures that are refused less on one side."""
AS_CLEAR = 0.3
"""Rise of the lines on two sides of a block, as a share of the lattice's usual one: scenery rises less."""
SQUARE, PAIRS = 0.93, 3
"""Lattices through evenly spaced lines: least ratio of the sides of a cell, and their number per region."""
MAX_LINES = 24
"""Largest number of rows and columns of such a lattice: finer ones are textures."""
FEWEST_CELLS = 4
"""Fewest cells under a cover of such a lattice: cells of another colour have no lines in some games."""
APART = 2
"""Least steps from a cover to lines beside it: a single line along it is an edge of anything."""
SMALLEST, GAP_COUNTS = 4, 0.5
"""Of a board whose size is not known: fewest rows and columns, as icons have three; places with a line that
outweigh one without."""


def corners_of(low: Sequence[float] | Floats, high: Sequence[float] | Floats) -> Floats:
    """Return the corners (4, 2) of a box, x first, clockwise from its upper left one."""
    (left, top), (right, bottom) = low, high
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return np.array(corners, np.float64)


def covered_doubt(grids: Iterable[Lattice], is_beyond: bool = False) -> Covered | None:
    """Return the doubt that something covers the board, by the first lattice that shows a cover.

    ``is_beyond``: the lattices may reach beyond the board, which ends where its lines do.
    """
    for grid in grids:
        block = block_without_lines(grid, is_beyond)
        if block is None:
            continue
        low, high = block
        covered_cells = np.prod(np.floor(high + 0.5) - np.ceil(low - 0.5))  # those whose middles lie inside
        if not is_beyond or covered_cells >= FEWEST_CELLS:
            corners_px = grid.frame.to_px(corners_of(low, high))
            return Covered(int(covered_cells), marks=(Mark.of("box", corners_px),))
    return None


def with_more_rows(grid: Lattice, rows: int) -> Iterator[Lattice]:
    """Yield the lattices of this number of rows that a lattice may be a part of, from its first rows on."""
    for above in range(rows - grid.rows + 1):
        shift = Frame.of_box(0, -above, 1, 1).homography
        yield replace(grid, rows=rows, frame=Frame.of_homography(grid.frame.homography @ shift))


def lattices_through(line_evidence: Iterable[GridEvidence], shot: Screenshot) -> Iterator[Lattice]:
    """Yield lattices of squares through evenly spaced lines, each over its whole view; none twice."""
    yielded = set[tuple[object, ...]]()
    for evidence in line_evidence:
        pairs = (pair for pair in product(*evidence.spacings) if squareness(*pair) >= SQUARE)
        for pair in nlargest(PAIRS, pairs, key=line_score):
            grid = _lattice_over(evidence.view, pair, shot)
            (corner_px,) = grid.frame.to_px((0, 0))
            key = grid.channel, grid.rows, grid.cols, *np.round(corner_px).tolist()
            if key not in yielded and max(grid.rows, grid.cols) <= MAX_LINES:
                yielded.add(key)
                yield grid


def _lattice_over(view: View, pair: Pair, shot: Screenshot) -> Lattice:
    """Return the lattice of two spacings, of columns and of rows, continued over a whole view."""
    cols, rows = extend(pair, view)
    frame, pitch_px = lattice_frame(view, cols, rows), cols.pitch * view.scale
    return Lattice(
        shot, rows.count, cols.count, cells=(), frame=frame, pitch_px=pitch_px, channel=view.channel
    )


def block_without_lines(grid: Lattice, is_beyond: bool = False) -> Floats | None:
    """Return the corners (2, 2), low and high, in cells, x first, of the largest block without lines.

    ``None`` unless lines lie on two sides of it. ``is_beyond``: the lattice may reach beyond the board, which
    ends where its lines do.
    """
    points, rises = line_samples(grid)
    places = np.round(STEPS * points[:, ::-1]).astype(int)  # rows first
    is_line, is_board = rises >= LINE_RISE, np.ones(len(places), np.bool_)
    if is_beyond:
        board_first, board_end = _heaviest_block(places, np.where(is_line, 1.0, -GAP_COUNTS))
        if (board_end - board_first <= SMALLEST * STEPS).any():
            return None
        is_board = _lies_in(places, board_first, board_end)
    weights = np.where(is_line, -LINE_COUNTS, 1.0)
    first, end = _heaviest_block(places[is_board], weights[is_board])
    is_inside = _lies_in(places, first, end) & is_board
    is_outside, inside_count = is_board & ~is_inside, is_inside.sum()
    is_narrow = (end - first).min() < THINNEST * STEPS
    if is_narrow or inside_count < FEWEST or inside_count > LARGEST * is_board.sum():
        return None
    if is_line[is_outside].mean() < CLEAR:
        return None
    clear_rise = max(LINE_RISE, AS_CLEAR * np.median(rises[is_line & is_board]))
    if not _lies_between(places[is_board], rises[is_board] >= clear_rise, first - APART, end + APART):
        return None
    # Between cells of some colours one channel shows no line.
    for channel in LINE_CHANNELS if is_beyond else (grid.channel,):
        _, rises_in_channel = line_samples(replace(grid, channel=channel))
        if (rises_in_channel[is_inside] >= LINE_RISE).mean() > 1 - CLEAR:
            return None
    return np.array((first, end - 1))[:, ::-1] / STEPS


def _lies_between(places: NDArray[np.int_], is_line: NDArray[np.bool_], first: Floats, end: Floats) -> bool:
    """Return whether most places above and below a block show lines, or most on its left and right.

    Only places count that lie within its columns, or its rows. ``places`` (N, 2): row and column. ``is_line``
    (N,): whether one shows a line.
    """
    is_before, is_after = places < first, places >= end  # (N, 2)
    is_within = ~(is_before | is_after)
    for axis in (0, 1):
        beside = [is_line[is_there[:, axis] & is_within[:, 1 - axis]] for is_there in (is_before, is_after)]
        if all(2 * np.count_nonzero(on_side) > len(on_side) for on_side in beside):
            return True
    return False


def _lies_in(places: NDArray[np.int_], first: Floats, end: Floats) -> NDArray[np.bool_]:
    """Return (N,): which of the places (N, 2) lie in a block."""
    return np.asarray(((places >= first) & (places < end)).all(axis=1))


def _heaviest_block(places: NDArray[np.int_], weights: Floats) -> tuple[Floats, Floats]:
    """Return the first place and the end of the block with the largest sum of weights (N,).

    ``places`` (N, 2): row and column of each; the weights of equal ones add up.
    """
    table = np.zeros(places.max(axis=0, initial=0) + 1)
    rows, cols = places.T
    np.add.at(table, (rows, cols), weights)
    return heaviest_block(table)


def heaviest_block(table: Floats) -> tuple[Floats, Floats]:
    """Return the first row and column, and those after the last, of the block with the largest sum.

    Per first row, all last rows and all last columns at once: the sum of a block is that of the columns up to
    its last, less that of the columns before its first, which is best where the latter is smallest.
    """
    sums = np.pad(table, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)  # of all above and to the left
    largest, first, end = -np.inf, np.zeros(2), np.zeros(2)
    for first_row in range(len(table)):
        # Row r: of the block's rows down to ``first_row + r``. Column c: of the c columns before it.
        sums_before = sums[first_row + 1 :] - sums[first_row]
        # Column c: of the best block whose last column is c.
        block_sums = sums_before[:, 1:] - np.minimum.accumulate(sums_before, axis=1)[:, :-1]
        rows_below, last_col = divmod(int(block_sums.argmax()), block_sums.shape[1])
        if block_sums[rows_below, last_col] > largest:
            largest = block_sums[rows_below, last_col]
            first_col = int(sums_before[rows_below, : last_col + 1].argmin())
            first = np.array((first_row, first_col))
            end = np.array((first_row + rows_below + 1, last_col + 1))
    return first, end
