"""Ground of a board as its picture shows it, beside pipes and dots."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb
from flowvision.image.pixels import pixels_at
from flowvision.render.contrast import luminance
from flowvision.render.look import PlacedBoard

CORNER = 0.72
"""Share of the way from a cell's centre to its corners: beside every pipe and dot, inside the lines."""
CORNERS = 4
COARSE_PX = 6
"""Width of a cell, in pixels, where grounds are laid out: they have no detail."""


def corners_px(placed: PlacedBoard, cells: Collection[int]) -> Floats:
    """Return points (cells, 4, 2) on the ground of each cell, in pixels."""
    chosen = [placed.board.layout.cells[cell] for cell in cells]
    middles = np.array([cell.centre for cell in chosen])[:, None]
    corners = [[cell.outline[n * len(cell.outline) // CORNERS] for n in range(CORNERS)] for cell in chosen]
    points = middles + CORNER * (np.array(corners) - middles)
    return placed.frame.to_px(points).reshape(len(chosen), CORNERS, 2)


def grounds_of(bgr: Bgr, placed: PlacedBoard, cells: Collection[int]) -> NDArray[np.uint8]:
    """Return the ground's colour (cells, 3), BGR, in each cell; black off the picture."""
    if not cells:
        return np.zeros((0, 3), np.uint8)
    seen, inside = pixels_at(bgr, corners_px(placed, cells))
    # Of four, the middle two: a line, a letter or a pipe's glow spoils one at most.
    middle = np.sort(np.where(inside[..., None], seen, 0), axis=1)[:, 1:3].mean(axis=1)
    return np.asarray(middle, np.uint8)


def median_ground(bgr: Bgr, placed: PlacedBoard, cells: Collection[int]) -> Rgb:
    """Return the median colour of the ground in these cells."""
    return median_colour(grounds_of(bgr, placed, cells))


def median_colour(seen: NDArray[Any]) -> Rgb:
    """Return the median of colours (N, 3), BGR, channel by channel."""
    return Rgb(*np.median(seen, axis=0)[::-1].round().astype(int).tolist())


def distinct(grounds: NDArray[np.uint8]) -> tuple[Rgb, ...]:
    """Return the colours among grounds (N, 3), BGR, from dark to bright."""
    return tuple(sorted({Rgb(*colour[::-1]) for colour in grounds.tolist()}, key=luminance))


class SmoothGround(Struct, frozen=True, eq=False):
    """Ground of a board alone, coarsely: ``scale`` of its pixels are one of the picture's."""

    coarse: NDArray[np.float32]
    """(h, w, 3): BGR, 0 to 255."""
    scale: float

    def part(self, rows: slice, columns: slice) -> Bgr:
        """Return a part of the picture, in full size."""
        width, height = columns.stop - columns.start, rows.stop - rows.start
        to_coarse = self.scale * np.array([[1, 0, columns.start], [0, 1, rows.start]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shown = cv2.warpAffine(
            self.coarse, to_coarse, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cv2.convertScaleAbs(shown), np.uint8)


def smooth_ground(bgr: Bgr, placed: PlacedBoard, clean: Collection[int]) -> SmoothGround:
    """Return the ground that the ``clean`` cells show, continued smoothly between and beyond them.

    Push-pull: S. J. Gortler et al., The Lumigraph, 1996.
    """
    scale = min(1.0, COARSE_PX / placed.frame.cell_width_px(placed.board.layout.cells[0].centre))
    height, width = bgr.shape[:2]
    small = np.zeros((round(height * scale) + 1, round(width * scale) + 1, 4), np.float32)
    points = corners_px(placed, clean).reshape(-1, 2)
    colours = grounds_of(bgr, placed, clean).repeat(CORNERS, axis=0)
    at = np.clip(np.round(points * scale).astype(int), 0, (small.shape[1] - 1, small.shape[0] - 1))
    np.add.at(small, (at[:, 1], at[:, 0]), np.column_stack((colours, np.ones(len(colours)))))
    return SmoothGround(np.ascontiguousarray(filled_in(small)[..., :3]), scale)


def filled_in(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn sums of colours and their number (H, W, 4) into colours everywhere; the last channel is 1."""
    # All four are 0 where nothing is known.
    means = np.asarray(sums / np.maximum(sums[..., 3:], np.float32(1e-6)), np.float32)
    known = sums[..., 3] > 0
    if known.all() or max(sums.shape[:2]) == 1:
        return means
    half = ((sums.shape[1] + 1) // 2, (sums.shape[0] + 1) // 2)
    coarse = np.asarray(cv2.resize(means, half, interpolation=cv2.INTER_AREA), np.float32)
    size = sums.shape[1], sums.shape[0]
    spread = np.asarray(cv2.resize(filled_in(coarse), size, interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.copyTo(means, known.view(np.uint8), spread), np.float32)
