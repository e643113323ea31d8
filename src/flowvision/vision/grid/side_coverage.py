"""Share of each side of a lattice that is seen as a line, and the cells framed on four sides."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import GRID

Mask = NDArray[np.bool_]
Block = tuple[slice, slice]  # rows and columns of a lattice
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
        """Return (rows, cols): cells whose four sides show at least ``lower``, as far as they are in view."""
        left, right, above, below = self._seen(lower)
        return np.asarray(left & right & above & below & ~self._outside())

    def half_framed(self, lower: float) -> Mask:
        """Return (rows, cols): cells that show two opposite sides and at least one other, as in warps."""
        left, right, above, below = self._seen(lower)
        return np.asarray(
            ((left & right & (above | below)) | (above & below & (left | right))) & ~self._outside()
        )

    def _seen(self, lower: float) -> tuple[Mask, Mask, Mask, Mask]:
        """Return (rows, cols) each: cells whose left, right, upper or lower side shows or is off the view."""
        vertical = np.isnan(self.vertical) | (self.vertical >= lower)
        horizontal = np.isnan(self.horizontal) | (self.horizontal >= lower)
        return vertical[:, :-1], vertical[:, 1:], horizontal[:-1], horizontal[1:]

    def _outside(self) -> Mask:
        """Return (rows, cols): cells with two opposite sides off the view."""
        outside = np.isnan(self.vertical[:, :-1]) & np.isnan(self.vertical[:, 1:])
        return np.asarray(outside | (np.isnan(self.horizontal[:-1]) & np.isnan(self.horizontal[1:])))

    def cut(self, rows: slice, cols: slice) -> SideCoverage:
        """Return the part that belongs to a block of cells."""
        return SideCoverage(
            self.vertical[rows, cols.start : cols.stop + 1], self.horizontal[rows.start : rows.stop + 1, cols]
        )


def side_coverage(strong: tuple[Mask, Mask], cols: Spacing, rows: Spacing) -> SideCoverage:
    """Return how much of each side is seen; ``strong``: pixels on vertical and on horizontal lines."""
    return SideCoverage(_pieces(strong[0], cols, rows).T, _pieces(strong[1], rows, cols))


def _pieces(is_strong: Mask, lines: Spacing, along: Spacing) -> Floats:
    """Return (lines, pieces): share of each piece between crossing lines that its two flanks show."""
    length, width = is_strong.shape
    slack = max(1, round(GRID.line_slack * lines.pitch))
    centres = np.round(lines.start + lines.pitch * np.arange(lines.count + 1)).astype(int)
    columns = centres[:, None] + np.arange(-slack, slack + 1)
    is_line_seen: Mask = np.any(is_strong[:, np.clip(columns, 0, width - 1)], axis=2).T
    piece_starts_px = along.start + along.pitch * np.arange(along.count)
    flank_bounds_px = piece_starts_px[:, None] + along.pitch * np.ravel(FLANKS)
    flank_bounds_px = np.clip(np.round(flank_bounds_px), 0, length).astype(int)
    line_px_before: Floats = np.concatenate(
        (np.zeros((len(is_line_seen), 1)), np.cumsum(is_line_seen, axis=1)), axis=1
    )
    in_view_px, at_flank_bounds = (
        np.diff(flank_bounds_px)[:, ::2].sum(axis=1),
        line_px_before[:, flank_bounds_px],
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.diff(at_flank_bounds)[..., ::2].sum(axis=-1) / in_view_px
    share[:, in_view_px < GRID.side_seen * along.pitch] = np.nan
    is_line_outside = (centres < 0) | (centres >= width)
    share[is_line_outside] = np.where(
        share[is_line_outside] >= GRID.side_cover, share[is_line_outside], np.nan
    )
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
    inner_vertical = cover.vertical[:, cols.start + 1 : cols.stop]
    rows = _grown(rows, inner_vertical)
    inner_horizontal = cover.horizontal[rows.start + 1 : rows.stop].T
    return rows, _grown(cols, inner_horizontal)


def trim_block(block: Block, cover: SideCoverage) -> Block:
    """Return the block without its first or last row or column where less than half of that is framed.

    It may be text or buttons.
    """
    framed = cover.framed(GRID.side_cover)[block]
    rows, cols = (_trimmed(block[axis], 2 * framed.mean(axis=1 - axis) >= 1) for axis in (0, 1))
    return rows, cols


def _trimmed(pieces: slice, is_shown: Mask) -> slice:
    """Return rows or columns without the first and the last if these are not shown; ``is_shown``: of each."""
    return slice(pieces.start + int(not is_shown[0]), pieces.stop - int(not is_shown[-1]))


def runs_on(block: Block, cover: SideCoverage) -> float:
    """Return the share of the block's inner lines that continue past it, at the end where it is largest."""
    rows, cols = block
    largest_share = 0.0
    for pieces, line_shares in (
        (rows, cover.vertical[:, cols.start + 1 : cols.stop]),
        (cols, cover.horizontal[rows.start + 1 : rows.stop].T),
    ):
        for beyond in (pieces.start - 1, pieces.stop):
            if 0 <= beyond < len(line_shares) and line_shares.size:
                largest_share = max(largest_share, float((line_shares[beyond] >= GRID.open_cover).mean()))
    return largest_share


def _grown(rows: slice, crossing: Floats) -> slice:
    """Return rows or columns with one more at each end that enough ``crossing`` (rows, lines) enter."""
    is_entered = (crossing >= GRID.open_cover).sum(axis=1) > GRID.runs_on * crossing.shape[1]
    before = rows.start > 0 and is_entered[rows.start - 1]
    after = rows.stop < len(crossing) and is_entered[rows.stop]
    return slice(rows.start - int(before), rows.stop + int(after))
