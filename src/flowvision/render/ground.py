"""Ground and dots of a board as its picture shows them; dots are restored over drawn pipes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb, pixels_at, unit_circle
from flowvision.render.contrast import luminance
from flowvision.render.look import DOT_MIDDLE, DOT_REACH, SEEN_DOT, PlacedBoard
from flowvision.render.paint import Disc, Part, lifted

CORNERS = 4
EDGE_PX, EDGE = 3, 0.03
"""Reach of a soft edge, at least: pixels, share of a cell's width."""
JUST_INSIDE, JUST_OUTSIDE = 0.32, 0.375
"""Radii of two circles that identify a dot of the game's size, in cell widths."""
UNLIKE = 60
"""Largest difference in a channel (of 255) from the colour of a dot or pipe; compression adds less."""


def corners_px(placed: PlacedBoard, cells: Collection[int]) -> Floats:
    """Return points (cells, 4, 2) on the ground of each cell, in pixels."""
    chosen = [placed.board.layout.cells[cell] for cell in cells]
    middles = np.array([cell.centre for cell in chosen])[:, None]
    corners = [[cell.outline[n * len(cell.outline) // CORNERS] for n in range(CORNERS)] for cell in chosen]
    # Beside every pipe and dot, inside the lines.
    points = middles + 0.72 * (np.array(corners) - middles)
    return placed.frame.to_px(points).reshape(len(chosen), CORNERS, 2)


def grounds_of(bgr: Bgr, placed: PlacedBoard, cells: Collection[int]) -> NDArray[np.uint8]:
    """Return the ground's colour (cells, 3), BGR, in each cell; black off the picture."""
    if not cells:
        return np.zeros((0, 3), np.uint8)
    pixels, inside = pixels_at(bgr, corners_px(placed, cells))
    # Of four, the middle two: a line, a letter or a pipe's glow spoils one at most.
    middle = np.sort(np.where(inside[..., None], pixels, 0), axis=1)[:, 1:3].mean(axis=1)
    return np.asarray(middle, np.uint8)


def distinct(grounds: NDArray[np.uint8]) -> tuple[Rgb, ...]:
    """Return the colours among grounds (N, 3), BGR, from dark to bright."""
    return tuple(sorted({Rgb(*colour[::-1]) for colour in grounds.tolist()}, key=luminance))


def smooth_ground(bgr: Bgr, placed: PlacedBoard, clean: Collection[int]) -> Callable[[Part], Bgr]:
    """Return a function that interpolates the ground of the ``clean`` cells over a part of the picture.

    Push-pull: S. J. Gortler et al., The Lumigraph, 1996.
    """
    scale = min(1.0, 6 / placed.frame.cell_width_px(placed.board.layout.cells[0].centre))
    height, width = bgr.shape[:2]
    # Sums of colours in a picture of six pixels to a cell; the fourth channel counts them.
    sums = np.zeros((round(height * scale) + 1, round(width * scale) + 1, 4), np.float32)
    points = corners_px(placed, clean).reshape(-1, 2)
    colours = grounds_of(bgr, placed, clean).repeat(CORNERS, axis=0)
    x, y = np.clip(np.round(points * scale).astype(int), 0, (sums.shape[1] - 1, sums.shape[0] - 1)).T
    np.add.at(sums, (y, x), np.column_stack((colours, np.ones(len(colours)))))
    coarse = np.ascontiguousarray(_filled_in(sums)[..., :3])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP

    def ground_in(part: Part) -> Bgr:
        rows, columns = part
        size = columns.stop - columns.start, rows.stop - rows.start
        to_coarse = scale * np.array([[1, 0, columns.start], [0, 1, rows.start]])
        enlarged = cv2.warpAffine(coarse, to_coarse, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.convertScaleAbs(enlarged), np.uint8)

    return ground_in


def _filled_in(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn sums of colours and their counts (H, W, 4) into means, interpolated where the count is 0."""
    # All four are 0 where nothing is known.
    means = np.asarray(sums / np.maximum(sums[..., 3:], np.float32(1e-6)), np.float32)
    known = sums[..., 3] > 0
    if known.all() or max(sums.shape[:2]) == 1:
        return means
    half = ((sums.shape[1] + 1) // 2, (sums.shape[0] + 1) // 2)
    coarse = np.asarray(cv2.resize(means, half, interpolation=cv2.INTER_AREA), np.float32)
    size = sums.shape[1], sums.shape[0]
    spread = np.asarray(cv2.resize(_filled_in(coarse), size, interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.copyTo(means, known.view(np.uint8), spread), np.float32)


def whole_dot(
    bgr: Bgr, centre: Sequence[float], colours: tuple[Rgb, Rgb], cell_width_px: float, alone: bool = True
) -> Disc:
    """Return the dot round ``centre``: pixels closer to its colour than to the ground's, and enclosed ones.

    ``colours``: of dot and ground. Unless it is ``alone``, its pipe is removed by point symmetry. If dot and
    ground look alike, it is a disc of the game's size.
    """
    reach = round(DOT_REACH * cell_width_px)
    x, y = (round(c) for c in centre)
    part = np.s_[max(0, y - reach) : max(0, y + reach + 1), max(0, x - reach) : max(0, x + reach + 1)]
    pixels = bgr[part].copy()
    if not pixels.size:
        return lifted(bgr, centre, SEEN_DOT * cell_width_px)
    size, above, left = 2 * reach + 1, part[0].start - y + reach, part[1].start - x + reach
    below, right = size - above - pixels.shape[0], size - left - pixels.shape[1]
    # Beyond the picture its border is repeated.
    patch = cv2.copyMakeBorder(pixels, above, below, left, right, cv2.BORDER_REPLICATE)
    dot_bgr, ground_bgr = (np.array(colour[::-1], np.float32) for colour in colours)
    along = cv2.transform(patch.astype(np.float32), (dot_bgr - ground_bgr)[None])
    nearer = (along > (dot_bgr @ dot_bgr - ground_bgr @ ground_bgr) / 2).view(np.uint8)
    outline = _outline(nearer, cell_width_px) if alone else None
    if outline is None or outline.min() == 0 or outline.max() == size - 1:
        # A pipe leads out of it, or lines touch it.
        outline = _outline(nearer & nearer[::-1, ::-1], cell_width_px)
    if outline is None:
        return lifted(bgr, centre, SEEN_DOT * cell_width_px)
    full = cv2.drawContours(np.zeros((size, size), np.uint8), [outline], -1, 255, -1)
    mask = full[above : above + pixels.shape[0], left : left + pixels.shape[1]]
    return Disc(part, pixels, np.ascontiguousarray(mask, np.uint8))


def inside_of(dot: Disc, cell_width_px: float) -> Disc:
    """Return the dot without its soft edge, which would show where a pipe meets it."""
    if not dot.mask.size:  # outside the picture
        return dot
    mask = cv2.erode(dot.mask, np.ones((3, 3), np.uint8), iterations=max(1, round(0.02 * cell_width_px)))
    return Disc(dot.part, dot.pixels, np.asarray(mask, np.uint8))


def circle_of(dot: Disc) -> tuple[Floats, float] | None:
    """Return the middle (2,) and the radius of a round dot in pixels, ``None`` for other shapes."""
    outlines, _ = cv2.findContours(dot.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    points = np.asarray(max(outlines, key=len), np.float64).reshape(-1, 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    distances = np.hypot(*(points - middle).T)
    radius = float(np.median(distances))
    if (np.abs(distances - radius) <= max(1.0, 0.08 * radius)).mean() < 0.7:
        return None
    return np.array((dot.part[1].start, dot.part[0].start)) + middle, radius + 0.5


def share_of_circle(bgr: Bgr, centres: Floats, colours: Sequence[Rgb], radii_px: Sequence[float]) -> Floats:
    """Return the share (dots, radii) of each circle round ``centres`` (N, 2) in the dot's colour."""
    pixels, _ = pixels_at(bgr, centres[:, None, None] + np.array(radii_px)[:, None, None] * unit_circle(16))
    expected = np.array([colour[::-1] for colour in colours], np.int16)[:, None, None]
    return np.asarray((np.abs(pixels - expected).max(axis=3) < UNLIKE).mean(axis=2), np.float64)


def _outline(mask: NDArray[np.uint8], cell_width_px: float) -> NDArray[np.int32] | None:
    """Return the outline of the smallest part round the middle of the mask that is large enough, or ``None``.

    Lines of the same colour may enclose the dot; a letter such as D may enclose a part of it.
    """
    middle_px = np.pi * (DOT_MIDDLE * cell_width_px) ** 2
    outlines, kinship = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    middle, candidates = len(mask) // 2, list[tuple[float, int]]()
    for number, outline in enumerate(outlines):
        is_outer = kinship[0, number, 3] < 0
        if is_outer and cv2.pointPolygonTest(outline, (middle, middle), False) >= 0:
            candidates.append((cv2.contourArea(outline), number))
    large = sorted(item for item in candidates if item[0] >= 0.05 * middle_px)
    widths = [max(cv2.boundingRect(outlines[number])[2:]) for _, number in large[1:2]]
    is_in_letter = bool(widths) and large[0][0] < middle_px and widths[0] < 0.9 * cell_width_px
    return np.asarray(outlines[large[is_in_letter][1]], np.int32) if large else None
