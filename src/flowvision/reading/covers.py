"""Find what covers a board: a block of its lattice without lines, with lines on both sides of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from itertools import product

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.doubts import Covered, Mark
from flowvision.image.picture import Frame, Screenshot
from flowvision.reading.beyond import Lattice, line_samples
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
UNSEEN, SEEN = 0.85, 0.85
"""Least share of places without a line in a block, and of those with a line round it: drawn and real dialogs
have 0.88 and 0.92, other pictures that are refused less on one side."""
SQUARE, PAIRS = 0.93, 3
"""Lattices through evenly spaced lines: least ratio of the sides of a cell, and their number per region."""
MAX_LINES, SAME_PX = 24, 1
"""Largest number of rows and columns of such a lattice: finer ones are textures; and how near two are one."""
FEWEST_CELLS = 4
"""Fewest cells under a cover of such a lattice: cells of another colour have no lines in some games."""
CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
"""Which ends of a block its corners lie at, in x and y, clockwise."""
SMALLEST, GAP_COUNTS, APART = 4, 0.5, 2
"""Of a board whose size is not known: fewest rows and columns, as icons have three; places with a line that
outweigh one without; least steps from a cover to its lines, as a single line beside it is no part of it."""


def covered_doubt(grids: Iterable[Lattice], is_beyond: bool = False) -> Covered | None:
    """Return the doubt that something covers the board, by the first lattice that shows a cover."""
    for grid in grids:
        block = block_without_lines(grid, is_beyond)
        if block is None:
            continue
        first, last = block
        middles = np.floor(last + 0.5) - np.ceil(first - 0.5)
        if is_beyond and middles.prod() < FEWEST_CELLS:
            continue
        corners = np.where(CORNERS, last, first)
        return Covered(int(middles.prod()), marks=(Mark.of("box", grid.frame.to_px(corners)),))
    return None


def with_more_rows(grid: Lattice, rows: int) -> Iterator[Lattice]:
    """Yield lattices of this number of rows that a lattice is a part of."""
    for above in range(rows - grid.rows + 1):
        shift = Frame.of_box(0, -above, 1, 1).homography
        yield replace(grid, rows=rows, frame=Frame.of_homography(grid.frame.homography @ shift))


def lattices_through(line_evidence: Iterable[GridEvidence], shot: Screenshot) -> Iterator[Lattice]:
    """Yield lattices of squares through evenly spaced lines, over all of their views; each once."""
    keys_known = set[tuple[object, ...]]()
    for evidence in line_evidence:
        pairs = (pair for pair in product(*evidence.spacings) if squareness(*pair) >= SQUARE)
        for pair in nlargest(PAIRS, pairs, key=line_score):
            grid = _lattice_over(evidence.view, pair, shot)
            corner = np.round(grid.frame.to_px([(0, 0)])[0] / SAME_PX)
            key = grid.channel, grid.rows, grid.cols, *corner.tolist()
            if key not in keys_known and max(grid.rows, grid.cols) <= MAX_LINES:
                keys_known.add(key)
                yield grid


def _lattice_over(view: View, pair: Pair, shot: Screenshot) -> Lattice:
    """Return the lattice of two spacings over a whole view."""
    cols, rows = extend(pair, view)
    frame, pitch_px = lattice_frame(view, cols, rows), cols.pitch * view.scale
    return Lattice(shot, rows.count, cols.count, (), frame, pitch_px, view.channel)


def block_without_lines(grid: Lattice, is_beyond: bool = False) -> Floats | None:
    """Return the ends (2, 2) in cells of the largest block without lines, if lines lie on two sides of it.

    ``is_beyond``: the lattice may reach beyond the board, which ends where its lines do.
    """
    places, is_line = line_samples(grid)
    grid_places = np.round(STEPS * places[:, ::-1]).astype(int)
    is_board, distance = np.ones(len(grid_places), np.bool_), 0
    if is_beyond:
        first, end = _heaviest_block(grid_places, np.where(is_line, 1.0, -GAP_COUNTS))
        if (end - first <= SMALLEST * STEPS).any():
            return None
        is_board, distance = _lies_in(grid_places, first, end), APART
    weights = np.where(is_line, -LINE_COUNTS, 1.0)
    first, end = _heaviest_block(grid_places[is_board], weights[is_board])
    is_inside = _lies_in(grid_places, first, end) & is_board
    is_outside, inside_count = is_board & ~is_inside, is_inside.sum()
    is_narrow = (end - first).min() < THINNEST * STEPS
    if is_narrow or inside_count < FEWEST or inside_count > LARGEST * is_board.sum():
        return None
    line_places = grid_places[is_line & is_board]
    is_before = (line_places < first - distance).any(axis=0)
    is_after = (line_places >= end + distance).any(axis=0)
    if is_line[is_outside].mean() < SEEN or not (is_before & is_after).any():
        return None
    # Between cells of some colours one channel shows no line.
    channels = LINE_CHANNELS if is_beyond else (grid.channel,)
    lines_in = (line_samples(replace(grid, channel=channel))[1][is_inside] for channel in channels)
    if any(is_seen.mean() > 1 - UNSEEN for is_seen in lines_in):
        return None
    return np.array((first, end - 1))[:, ::-1] / STEPS


def _lies_in(grid_places: NDArray[np.int_], first: Floats, end: Floats) -> NDArray[np.bool_]:
    return np.asarray(((grid_places >= first) & (grid_places < end)).all(axis=1))


def _heaviest_block(grid_places: NDArray[np.int_], weights: Floats) -> tuple[Floats, Floats]:
    """Return the block with the largest sum of weights; ``grid_places`` (N, 2): row and column of each."""
    weight_table = np.zeros(grid_places.max(axis=0, initial=0) + 1)
    rows, cols = grid_places.T
    np.add.at(weight_table, (rows, cols), weights)
    return heaviest_block(weight_table)


def heaviest_block(table: Floats) -> tuple[Floats, Floats]:
    """Return the first row and column, and those after the last, of the block with the largest sum."""
    before = np.pad(table, ((1, 0), (1, 0)))
    sums = before.cumsum(axis=0).cumsum(axis=1)
    largest, first_place, end_place = -np.inf, np.zeros(2), np.zeros(2)
    for first_row in range(len(table)):
        column_sums = sums[first_row + 1 :] - sums[first_row]
        least_before = np.minimum.accumulate(column_sums, axis=1)
        block_sums = column_sums[:, 1:] - least_before[:, :-1]
        last_row, right_col = divmod(int(block_sums.argmax()), block_sums.shape[1])
        if block_sums[last_row, right_col] <= largest:
            continue
        largest, left_col = (
            block_sums[last_row, right_col],
            int(column_sums[last_row, : right_col + 1].argmin()),
        )
        first_place, end_place = (
            np.array((first_row, left_col)),
            np.array((first_row + last_row + 1, right_col + 1)),
        )
    return first_place, end_place
