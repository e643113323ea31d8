"""Share of each side of a lattice that is seen as a line, and the cells framed on four sides.

A lattice is a spacing of vertical lines, which bound its columns, and one of horizontal lines. It may reach
beyond the view. A block is an oblong of its cells; the board is one of them.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.view import Floats, Mask
from flowvision.vision.settings import GRID

Block = tuple[slice, slice]
"""Rows and columns of a lattice that a block of its cells has."""
FLANKS = (0.12, 0.32), (0.68, 0.88)
"""The two sampled parts of a side, as shares of its length. A pipe, 0.34 wide, may pass between them; at
the ends crossing lines show even without the side."""


class SideCoverage(Struct, frozen=True, eq=False):
    """Share of every side of a lattice that is seen as a line, 0 to 1; ``nan`` outside the view.

    ``vertical`` (rows, cols + 1), ``horizontal`` (rows + 1, cols): the share of both flanks of the side.
    """

    vertical: Floats
    horizontal: Floats

    def framed(self, lower: float) -> Mask:
        """Return (rows, cols): cells whose four sides, as far as they are in view, show ``lower`` or more."""
        left, right, above, below = self._seen(lower)
        return left & right & above & below & ~self._outside()

    def half_framed(self, lower: float) -> Mask:
        """Return (rows, cols): cells that have three or four sides as for ``framed``; warps lack one."""
        is_seen = np.array(self._seen(lower))
        return np.asarray((is_seen.sum(axis=0) >= 3) & ~self._outside())

    def _seen(self, lower: float) -> tuple[Mask, Mask, Mask, Mask]:
        """Return (rows, cols) each: cells whose left, right, upper or lower side shows or is off the view."""
        vertical = np.isnan(self.vertical) | (self.vertical >= lower)
        horizontal = np.isnan(self.horizontal) | (self.horizontal >= lower)
        return vertical[:, :-1], vertical[:, 1:], horizontal[:-1], horizontal[1:]

    def _outside(self) -> Mask:
        """Return (rows, cols): cells with two opposite sides off the view."""
        outside = np.isnan(self.vertical[:, :-1]) & np.isnan(self.vertical[:, 1:])
        return outside | (np.isnan(self.horizontal[:-1]) & np.isnan(self.horizontal[1:]))

    def cut(self, rows: slice, cols: slice) -> SideCoverage:
        """Return the sides of a block of cells."""
        return SideCoverage(
            self.vertical[rows, cols.start : cols.stop + 1], self.horizontal[rows.start : rows.stop + 1, cols]
        )


def side_coverage(is_on_line: tuple[Mask, Mask], cols: Spacing, rows: Spacing) -> SideCoverage:
    """Return how much of each side of a lattice is seen.

    ``is_on_line``: pixels on vertical lines (h, w), then, transposed (w, h), those on horizontal ones.
    """
    return SideCoverage(_seen_shares(is_on_line[0], cols, rows).T, _seen_shares(is_on_line[1], rows, cols))


def _seen_shares(is_on_line: Mask, lines: Spacing, along: Spacing) -> Floats:
    """Return (lines, pieces): share of each piece between crossing lines that its two flanks show.

    ``is_on_line`` (along, across): pixels, with the lines from row to row. ``nan``: outside the view.
    """
    length, width = is_on_line.shape
    slack_px = max(1, round(GRID.line_slack * lines.pitch))
    line_px = np.round(lines.start + lines.pitch * np.arange(lines.count + 1)).astype(int)
    near_px = np.clip(line_px[:, None] + np.arange(-slack_px, slack_px + 1), 0, width - 1)
    is_line_seen: Mask = np.any(is_on_line[:, near_px], axis=2).T  # (lines, length)
    piece_starts_px = along.start + along.pitch * np.arange(along.count)
    # (pieces, 4): start and end of the first flank, and of the second.
    flank_bounds_px = piece_starts_px[:, None] + along.pitch * np.ravel(FLANKS)
    flank_bounds_px = np.clip(np.round(flank_bounds_px), 0, length).astype(int)
    # Sums of pixels before a bound: their differences are the sums inside a flank.
    seen_before = np.zeros((len(is_line_seen), length + 1))
    seen_before[:, 1:] = np.cumsum(is_line_seen, axis=1)
    # Between four bounds are a flank, the gap for a pipe, and a flank.
    seen_in_flanks_px = np.diff(seen_before[:, flank_bounds_px])[..., ::2].sum(axis=-1)
    in_view_px = np.diff(flank_bounds_px)[:, ::2].sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = seen_in_flanks_px / in_view_px
    share[:, in_view_px < GRID.side_seen * along.pitch] = np.nan
    # A line just outside may still show on the view's rim.
    is_outside = ((line_px < 0) | (line_px >= width))[:, None]
    share[is_outside & ~(share >= GRID.side_cover)] = np.nan
    return np.asarray(share)


def largest_block(framed: Mask) -> Block | None:
    """Return rows and columns spanned by the largest group of framed cells (rows, cols) that share sides."""
    if not framed.any():  # OpenCV reads beyond a mask of no rows
        return None
    _, _, stats, _ = cv2.connectedComponentsWithStats(framed.astype(np.uint8), connectivity=4)
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    x, y, width, height, _ = stats[largest].tolist()
    return slice(y, y + height), slice(x, x + width)


def grow_block(block: Block, cover: SideCoverage) -> Block:
    """Return the block grown by a row or column at each end where its lines continue.

    A board cropped inside its frame, or on a white page, shows no border line.
    """
    rows, cols = block
    rows = _grown(rows, _inner_vertical(cover, cols))
    return rows, _grown(cols, _inner_horizontal(cover, rows))


def trim_block(block: Block, cover: SideCoverage) -> Block:
    """Return the block without its first or last row or column where less than half of that is framed.

    It may be text or buttons.
    """
    is_framed = cover.framed(GRID.side_cover)[block]
    rows, cols = (_trimmed(block[axis], 2 * is_framed.mean(axis=1 - axis) >= 1) for axis in (0, 1))
    return rows, cols


def _trimmed(pieces: slice, is_shown: Mask) -> slice:
    """Return rows or columns without the first and the last if these are not shown; ``is_shown``: of each."""
    return slice(pieces.start + int(not is_shown[0]), pieces.stop - int(not is_shown[-1]))


def runs_on(block: Block, cover: SideCoverage) -> float:
    """Return the share of the block's inner lines that continue past it, at the end where it is largest.

    0.0 where the block ends at the ends of the lattice.
    """
    rows, cols = block
    largest_share = 0.0
    for pieces, inner_lines in ((rows, _inner_vertical(cover, cols)), (cols, _inner_horizontal(cover, rows))):
        for beyond in (pieces.start - 1, pieces.stop):
            if 0 <= beyond < len(inner_lines) and inner_lines.size:
                share = float((inner_lines[beyond] >= GRID.open_cover).mean())
                largest_share = max(largest_share, share)
    return largest_share


def _inner_vertical(cover: SideCoverage, cols: slice) -> Floats:
    """Return (rows of the lattice, lines): the cover of the vertical sides between the columns of a block."""
    return cover.vertical[:, cols.start + 1 : cols.stop]


def _inner_horizontal(cover: SideCoverage, rows: slice) -> Floats:
    """Return (columns of the lattice, lines): the cover of the horizontal sides between rows of a block."""
    return cover.horizontal[rows.start + 1 : rows.stop].T


def _grown(pieces: slice, inner_lines: Floats) -> slice:
    """Return rows or columns of a block with one more at each end that enough of its inner lines enter.

    ``inner_lines`` (all pieces of the lattice, lines): their cover in each row or column.
    """
    is_entered = (inner_lines >= GRID.open_cover).sum(axis=1) > GRID.runs_on * inner_lines.shape[1]
    before = pieces.start > 0 and is_entered[pieces.start - 1]
    after = pieces.stop < len(inner_lines) and is_entered[pieces.stop]
    return slice(pieces.start - int(before), pieces.stop + int(after))
