"""Detect what covers a board: a block of its lattice without lines, with lines on both sides of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Frame
from flowvision.reading.beyond import Lattice, line_samples
from flowvision.reading.doubts import corners_of
from flowvision.vision.board import BoardRegion
from flowvision.vision.header import Header, read_header
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.rectangular.lattice import even_fit
from flowvision.vision.pixels.view import Floats

if TYPE_CHECKING:
    from flowvision.diagnosis import Diagnosis

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
OBLONG = 1.05
"""Largest ratio of the sides of a cell of a board that fills a region."""


def cover_of(case: Diagnosis, size: tuple[int, int] | None) -> tuple[Lattice, Floats] | None:
    """Return a lattice and the block of it that is covered, as corners (4, 2) in cells.

    ``size``: rows and columns of the whole board, if they are known.
    """
    covered = ((grid, block_without_lines(grid)) for grid in _lattices(case, size))
    return next(((grid, block) for grid, block in covered if block is not None), None)


def _lattices(case: Diagnosis, size: tuple[int, int] | None) -> Iterator[Lattice]:
    fit = case.lattice
    if fit is None or fit.size is None:
        yield from _spread(case, *size) if size else ()
        return
    rows, cols = size or (max(fit.size), fit.size[1])
    for above in range(rows - fit.size[0] + 1) if cols == fit.size[1] else ():
        shift = np.array(((1, 0, 0), (0, 1, -above), (0, 0, 1)))
        frame = Frame.of_homography(fit.frame.homography @ shift)
        yield replace(_lattice(case, fit), rows=rows, frame=frame)


def _spread(case: Diagnosis, rows: int, cols: int) -> Iterator[Lattice]:
    """Yield lattices of square cells that fill a region."""
    for region in regions_of(case):
        with suppress(GridNotFoundError):
            whole = even_fit(region, rows, cols)
            width, height = (np.ptp(whole.outline_px(), axis=0) / (cols, rows)).tolist()
            if max(width, height) <= OBLONG * min(width, height):
                yield _lattice(case, whole)


def _lattice(case: Diagnosis, fit: Fit) -> Lattice:
    assert fit.size is not None
    return Lattice(case.shot, *fit.size, (), fit.frame, fit.pitch_px, fit.view.channel)


def block_without_lines(grid: Lattice) -> Floats | None:
    """Return the corners in cells of the largest block without lines, if lines lie on both sides of it."""
    places, is_line = line_samples(grid)
    at = np.round(STEPS * places[:, ::-1]).astype(int)
    table = np.zeros((STEPS * grid.rows + 1, STEPS * grid.cols + 1))
    np.add.at(table, tuple(at.T), np.where(is_line, -LINE_COUNTS, 1.0))
    low, high = heaviest_block(table)
    is_inside = ((at >= low) & (at < high)).all(axis=1)
    is_between = ((low > 0) & (high < table.shape)).any()
    is_small = is_inside.sum() < FEWEST or (high - low < THINNEST * STEPS).any()
    if not is_between or is_small or is_inside.mean() > LARGEST:
        return None
    if is_line[is_inside].mean() > 1 - UNSEEN or is_line[~is_inside].mean() < SEEN:
        return None
    return corners_of(low[::-1] / STEPS, (high[::-1] - 1) / STEPS)


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


def regions_of(case: Diagnosis) -> list[BoardRegion]:
    """Return the regions that were searched."""
    found = (step.find(BoardRegion) for step in case.steps)
    return list({id(region): region for region in found if region is not None}.values())


def size_of_title(case: Diagnosis) -> tuple[int, int] | None:
    """Return the rows and columns that the text above the board names, or ``None``."""
    seen = (step.result for step in case.steps if isinstance(step.result, Header))
    outlines = [case.lattice.outline_px()] if case.lattice else [one.corners_px for one in regions_of(case)]
    above = (read_header(case.shot.bgr, outline) for outline in outlines)
    return next((header.size for headers in (seen, above) for header in headers if header.size), None)
