"""Find what covers a board: a block of its lattice without lines, with lines on both sides of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from flowvision.doubts import Covered, Mark
from flowvision.image.picture import Frame
from flowvision.reading.beyond import Lattice, line_samples
from flowvision.vision.pixels.view import Floats

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


def covered_doubt(grids: Iterable[Lattice]) -> Covered | None:
    """Return the doubt that something covers the board, by the first lattice that shows a cover."""
    for grid in grids:
        block = block_without_lines(grid)
        if block is not None:
            (left, top), (right, bottom) = block
            corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
            middles = np.floor(block[1] - 0.5) - np.ceil(block[0] - 0.5) + 1
            return Covered(int(middles.prod()), marks=(Mark.of("box", grid.frame.to_px(corners)),))
    return None


def with_more_rows(grid: Lattice, rows: int) -> Iterator[Lattice]:
    """Yield lattices of this number of rows that a lattice is a part of."""
    for above in range(rows - grid.rows + 1):
        shift = np.array(((1, 0, 0), (0, 1, -above), (0, 0, 1)))
        yield replace(grid, rows=rows, frame=Frame.of_homography(grid.frame.homography @ shift))


def block_without_lines(grid: Lattice) -> Floats | None:
    """Return the ends (2, 2) in cells of the largest block without lines, if lines lie on two sides of it."""
    places, is_line = line_samples(grid)
    at = np.round(STEPS * places[:, ::-1]).astype(int)
    table = np.zeros((STEPS * grid.rows + 1, STEPS * grid.cols + 1))
    np.add.at(table, tuple(at.T), np.where(is_line, -LINE_COUNTS, 1.0))
    low, high = heaviest_block(table)
    is_inside = ((at >= low) & (at < high)).all(axis=1)
    lines = at[is_line]
    is_between = ((lines < low).any(axis=0) & (lines >= high).any(axis=0)).any()
    is_small = is_inside.sum() < FEWEST or (high - low < THINNEST * STEPS).any()
    if not is_between or is_small or is_inside.mean() > LARGEST:
        return None
    if is_line[is_inside].mean() > 1 - UNSEEN or is_line[~is_inside].mean() < SEEN:
        return None
    return np.array((low[::-1] / STEPS, (high[::-1] - 1) / STEPS))


def heaviest_block(table: Floats) -> tuple[Floats, Floats]:
    """Return the first row and column, and those after the last, of the block with the largest sum."""
    sums = np.pad(table, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    largest, ends = -np.inf, ((0, 0), (0, 0))
    for first in range(len(table)):
        below = sums[first + 1 :] - sums[first]
        gain = below[:, 1:] - np.minimum.accumulate(below, axis=1)[:, :-1]
        last, right = divmod(int(gain.argmax()), gain.shape[1])
        if gain[last, right] > largest:
            left = int(below[last, : right + 1].argmin())
            largest, ends = gain[last, right], ((first, left), (first + last + 1, right + 1))
    return np.array(ends[0]), np.array(ends[1])
