"""How much of each side of a lattice is seen, and which cells are framed by their four sides."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import GridSettings

Mask = NDArray[np.bool_]
Block = tuple[slice, slice]
"""Rows and columns of a lattice."""
FLANKS = (0.12, 0.32), (0.68, 0.88)
"""Lengths of a side: the two parts that are looked at. A pipe, 0.34 wide, may pass between them; where lines
cross at its ends, a corner is seen even where the side is not."""


class SideCoverage(Struct, frozen=True, eq=False):
    """How much of every side of a lattice is seen as a line, 0 to 1; ``nan`` outside the view.

    ``vertical`` (rows, cols + 1), ``horizontal`` (rows + 1, cols): the share of both flanks of the side.
    """

    vertical: Floats
    horizontal: Floats

    def framed(self, lower: float) -> Mask:
        """(rows, cols): cells whose four sides show at least ``lower``, as far as they are in the view."""
        left, right, above, below = self._seen(lower)
        return np.asarray(left & right & above & below & ~self._outside())

    def half_framed(self, lower: float) -> Mask:
        """(rows, cols): cells that show two opposite sides and one or both of the others.

        Such are the outer cells of a board that is open there, as boards with warps are.
        """
        left, right, above, below = self._seen(lower)
        return np.asarray(
            ((left & right & (above | below)) | (above & below & (left | right))) & ~self._outside()
        )

    def _seen(self, lower: float) -> tuple[Mask, Mask, Mask, Mask]:
        vertical = np.isnan(self.vertical) | (self.vertical >= lower)
        horizontal = np.isnan(self.horizontal) | (self.horizontal >= lower)
        return vertical[:, :-1], vertical[:, 1:], horizontal[:-1], horizontal[1:]

    def _outside(self) -> Mask:
        outside = np.isnan(self.vertical[:, :-1]) & np.isnan(self.vertical[:, 1:])
        return np.asarray(outside | (np.isnan(self.horizontal[:-1]) & np.isnan(self.horizontal[1:])))

    def cut(self, rows: slice, cols: slice) -> SideCoverage:
        """The part that belongs to a block of cells."""
        return SideCoverage(
            self.vertical[rows, cols.start : cols.stop + 1], self.horizontal[rows.start : rows.stop + 1, cols]
        )


def side_coverage(
    strong: tuple[Mask, Mask], cols: Spacing, rows: Spacing, grid: GridSettings
) -> SideCoverage:
    """How much of each side is seen; ``strong``: pixels (y, x) on vertical, (x, y) on horizontal lines."""
    return SideCoverage(_pieces(strong[0], cols, rows, grid).T, _pieces(strong[1], rows, cols, grid))


def _pieces(strong: Mask, lines: Spacing, along: Spacing, grid: GridSettings) -> Floats:
    """(lines, pieces): the share of each piece of each line that is seen, in its two flanks.

    A piece is the part of a line between two neighbouring lattice lines of the other axis.
    """
    length, width = strong.shape
    slack = max(1, round(grid.line_slack * lines.pitch))
    centres = np.round(lines.start + lines.pitch * np.arange(lines.count + 1)).astype(int)
    columns = centres[:, None] + np.arange(-slack, slack + 1)
    seen: Mask = np.any(strong[:, np.clip(columns, 0, width - 1)], axis=2).T
    begins = along.start + along.pitch * np.arange(along.count)
    places = begins[:, None] + along.pitch * np.ravel(FLANKS)
    places = np.clip(np.round(places), 0, length).astype(int)
    sums: Floats = np.concatenate((np.zeros((len(seen), 1)), np.cumsum(seen, axis=1)), axis=1)
    shown = places[:, 1] - places[:, 0] + places[:, 3] - places[:, 2]
    ends = sums[:, places]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (ends[..., 1] - ends[..., 0] + ends[..., 3] - ends[..., 2]) / shown
    share[:, shown < grid.side_seen * along.pitch] = np.nan
    outside = (centres < 0) | (centres >= width)
    share[outside] = np.where(share[outside] >= grid.rim_cover, share[outside], np.nan)
    return np.asarray(share)


def largest_block(framed: Mask) -> Block | None:
    """Rows and columns spanned by the largest group of framed cells that share sides."""
    if not framed.any():  # OpenCV reads beyond a mask of no rows
        return None
    _, _, stats, _ = cv2.connectedComponentsWithStats(framed.astype(np.uint8), connectivity=4)
    x, y, width, height, _ = (int(n) for n in stats[1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))])
    return slice(y, y + height), slice(x, x + width)


def most_seen_block(cover: SideCoverage, size: tuple[int, int] | None) -> Block | None:
    """The block whose sides are seen most, of a given size if that is known.

    A side counts as far as more than half of it is seen, and against the block as far as less is.
    """
    vertical, horizontal = (
        np.pad(np.nan_to_num(part - 0.5).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        for part in (cover.vertical, cover.horizontal)
    )
    rows, cols = len(cover.horizontal) - 1, cover.vertical.shape[1] - 1
    best, most = None, 0.0
    for top, left in np.ndindex(rows, cols):
        bottom, right = np.arange(top + 1, rows + 1)[:, None], np.arange(left + 1, cols + 1)
        if size is not None:
            bottom, right = bottom[bottom[:, 0] == top + size[0]], right[right == left + size[1]]
        seen = _sum(vertical, top, bottom, left, right + 1) + _sum(horizontal, top, bottom + 1, left, right)
        if seen.size and (best is None or seen.max() > most):
            row, col = np.unravel_index(int(seen.argmax()), seen.shape)
            most = float(seen.max())
            best = slice(top, int(bottom[row, 0])), slice(left, int(right[col]))
    return best


def _sum(sums: Floats, top: int, bottom: NDArray[np.int_], left: int, right: NDArray[np.int_]) -> Floats:
    """The sums of blocks, from running sums over both axes."""
    return np.asarray(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])


def grow_block(block: Block, cover: SideCoverage, grid: GridSettings) -> Block:
    """The block grown by a row or column at each end where its lines run on.

    A board cropped inside its frame, or lying on a white page, shows no border line; but most of
    its inner lines reach through the outer cells.
    """
    rows, cols = block
    inner_vertical = cover.vertical[:, cols.start + 1 : cols.stop]
    rows = _grow(rows, inner_vertical, grid)
    inner_horizontal = cover.horizontal[rows.start + 1 : rows.stop].T
    return rows, _grow(cols, inner_horizontal, grid)


def trim_block(block: Block, cover: SideCoverage, grid: GridSettings) -> Block:
    """The block less the row or column at each end whose outer line is seen only in scraps.

    Such rows are lines of text above small cells: no pipe crosses the border of a board, so it is seen whole
    or not at all. Where the outer line lies outside the view, the lines that run up to it count instead.
    """
    rows, cols = block
    least = grid.reach_cover
    return (
        _trim(rows, cover.horizontal[:, cols], cover.vertical[:, cols.start : cols.stop + 1], least),
        _trim(cols, cover.vertical[rows].T, cover.horizontal[rows.start : rows.stop + 1].T, least),
    )


def runs_on(block: Block, cover: SideCoverage, grid: GridSettings) -> float:
    """The share of the block's inner lines that are seen to go on beyond it, at the end where it is largest.

    The lines of a lattice that has lost rows or columns go on beyond it.
    """
    rows, cols = block
    worst = 0.0
    for pieces, crossing in (
        (rows, cover.vertical[:, cols.start + 1 : cols.stop]),
        (cols, cover.horizontal[rows.start + 1 : rows.stop].T),
    ):
        for beyond in (pieces.start - 1, pieces.stop):
            if 0 <= beyond < len(crossing) and crossing.size:
                worst = max(worst, float((crossing[beyond] >= grid.open_cover).mean()))
    return worst


def _grow(pieces: slice, crossing: Floats, grid: GridSettings) -> slice:
    """``pieces`` with its neighbours at both ends, where most of the ``crossing`` lines are seen."""
    start, stop = pieces.start, pieces.stop
    runs_on = (crossing >= grid.open_cover).sum(axis=1) > grid.grow_share * crossing.shape[1]
    if start > 0 and runs_on[start - 1]:
        start -= 1
    if stop < len(crossing) and runs_on[stop]:
        stop += 1
    return slice(start, stop)


def _trim(pieces: slice, outer: Floats, crossing: Floats, lower: float) -> slice:
    """``pieces`` less those at the ends where most of what is seen of the ``outer`` line is scraps."""
    first = _is_scraps(outer[pieces.start], crossing[pieces.start], lower)
    last = _is_scraps(outer[pieces.stop], crossing[pieces.stop - 1], lower)
    return slice(pieces.start + first, pieces.stop - last)


def _is_scraps(outer: Floats, crossing: Floats, lower: float) -> bool:
    """Whether most of what is seen of a line is less than a side; outside the view, of the lines up to it."""
    told = crossing if np.isnan(outer).all() else outer[outer > 0]
    return bool(2 * np.count_nonzero(told < lower) > told.size)
