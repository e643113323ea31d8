"""Ground and dots of a board as its picture shows them; dots are restored over drawn pipes.

The ground is what a cell shows beside its dot or pipe: the screen's background, or the tint of a pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.colours import luminance
from flowvision.image.picture import Bgr, Floats, Rgb, pixels_at, unit_circle
from flowvision.puzzle.layout import Point, Polyline
from flowvision.render.look import DOT_MIDDLE, DOT_REACH, SEEN_DOT, PlacedBoard
from flowvision.render.paint import Disc, Part, corner_of, lifted, part_between, part_from

CORNERS, TO_CORNER = 4, 0.72
"""Places of a cell at which its ground is measured, and how far they lie from its middle towards its corners:
beside every pipe and dot, inside the lines."""
COARSE_PX = 6
"""Width of a cell in the small picture that interpolates the ground, in pixels."""
SOFT_EDGE = 0.02
"""Width of a dot's soft edge, in cell widths."""
EDGE_PX, EDGE = 3, 0.03
"""Reach of a soft edge, at least: pixels, share of a cell's width."""
JUST_INSIDE, JUST_OUTSIDE = 0.32, 0.375
"""Radii of two circles that identify a dot of the game's size, in cell widths."""
UNLIKE = 60
"""Largest difference in a channel (of 255) from the colour of a dot or pipe; compression adds less."""


def soft_edge_px(cell_width_px: float) -> float:
    """Return how far the soft edge of a dot, a pipe or a halo reaches to either side."""
    return max(EDGE_PX, EDGE * cell_width_px)


def corners_px(placed: PlacedBoard, cells: Collection[int]) -> Floats:
    """Return points (cells, CORNERS, 2) on the ground of each cell, in pixels."""
    chosen = [placed.board.layout.cells[cell] for cell in cells]
    middles = np.array([cell.centre for cell in chosen])[:, None]  # (cells, 1, 2), in cell units
    corners = np.array([_corners_of(cell.outline) for cell in chosen])
    points = middles + TO_CORNER * (corners - middles)
    return placed.frame.to_px(points).reshape(corners.shape)


def _corners_of(outline: Polyline) -> list[Point]:
    """Return ``CORNERS`` corners of an outline, evenly round it."""
    return [outline[number * len(outline) // CORNERS] for number in range(CORNERS)]


def grounds_of(bgr: Bgr, placed: PlacedBoard, cells: Collection[int]) -> NDArray[np.uint8]:
    """Return the ground's colour (cells, 3), BGR, in each cell; black off the picture."""
    if not cells:
        return np.zeros((0, 3), np.uint8)
    pixels, is_inside = pixels_at(bgr, corners_px(placed, cells))
    ranked = np.sort(np.where(is_inside[..., None], pixels, 0), axis=1)  # (cells, CORNERS, 3)
    # The middle two of each channel: a line, a letter or a pipe's glow spoils one at most.
    return np.asarray(ranked[:, 1:3].mean(axis=1), np.uint8)


def distinct(grounds: NDArray[np.uint8]) -> tuple[Rgb, ...]:
    """Return the colours among grounds (N, 3), BGR, from dark to bright."""
    colours = {Rgb.of_bgr(ground) for ground in grounds.tolist()}
    return tuple(sorted(colours, key=luminance))


def smooth_ground(bgr: Bgr, placed: PlacedBoard, clean: Collection[int]) -> Callable[[Part], Bgr]:
    """Return a function that interpolates the ground of the ``clean`` cells over a part of the picture.

    Push-pull: S. J. Gortler et al., The Lumigraph, 1996.
    """
    first = placed.board.layout.cells[0].centre
    scale = min(1.0, COARSE_PX / placed.frame.cell_width_px(first))
    height, width = (round(length * scale) for length in bgr.shape[:2])
    # Sums of colours in the small picture; the fourth channel counts them.
    sums = np.zeros((height + 1, width + 1, 4), np.float32)
    points = np.round(corners_px(placed, clean).reshape(-1, 2) * scale)
    x, y = points.astype(int).clip(0, (width, height)).T
    colours = grounds_of(bgr, placed, clean).repeat(CORNERS, axis=0)  # one for each point
    counted = np.column_stack((colours, np.ones(len(colours))))
    np.add.at(sums, (y, x), counted)  # unlike `+=`, adds each of several colours at one pixel
    coarse = np.ascontiguousarray(_filled_in(sums)[..., :3])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP

    def ground_in(part: Part) -> Bgr:
        """Return the interpolated ground in a part of the picture."""
        rows, columns = part
        size = columns.stop - columns.start, rows.stop - rows.start
        x, y = columns.start, rows.start
        to_coarse = scale * np.array([[1, 0, x], [0, 1, y]])
        enlarged = cv2.warpAffine(coarse, to_coarse, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.convertScaleAbs(enlarged), np.uint8)

    return ground_in


def _filled_in(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means (H, W, 4) of sums of colours with their counts, interpolated where the count is 0."""
    # Where the count is 0, the sums are 0 too.
    counts = np.maximum(sums[..., 3:], np.float32(1e-6))
    means = np.asarray(sums / counts, np.float32)
    is_known = sums[..., 3] > 0
    height, width = is_known.shape
    if is_known.all() or max(height, width) == 1:
        return means
    half = (width + 1) // 2, (height + 1) // 2
    # The fourth channel of the means is 1 where known, else 0: halved they are sums and counts again.
    coarse = np.asarray(cv2.resize(means, half, interpolation=cv2.INTER_AREA), np.float32)
    enlarged = cv2.resize(_filled_in(coarse), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.copyTo(means, is_known.view(np.uint8), enlarged), np.float32)


def whole_dot(
    bgr: Bgr, centre: Sequence[float], colours: tuple[Rgb, Rgb], cell_width_px: float, alone: bool = True
) -> Disc:
    """Return the dot round ``centre``: pixels closer to its colour than to the ground's, and enclosed ones.

    ``colours``: of dot and ground. Unless it is ``alone``, its pipe is removed by point symmetry: only what
    is there after half a turn too belongs to it. If dot and ground look alike, it is a disc of the game's
    size.
    """
    reach = round(DOT_REACH * cell_width_px)
    size = 2 * reach + 1
    x, y = (round(middle) - reach for middle in centre)
    part = part_between((x, y), (x + size, y + size), bgr)
    pixels = bgr[part].copy()
    usual_dot = lifted(bgr, centre, SEEN_DOT * cell_width_px)
    if not pixels.size:
        return usual_dot
    # Beyond the picture its border is repeated.
    rows, columns = part_from((x, y), part)
    beyond = rows.start, size - rows.stop, columns.start, size - columns.stop
    patch = np.asarray(cv2.copyMakeBorder(pixels, *beyond, cv2.BORDER_REPLICATE))
    dot, ground = (np.array(colour.bgr, np.float32) for colour in colours)
    # A pixel is nearer to the dot's colour where it lies beyond the plane halfway between both.
    projected = cv2.transform(patch.astype(np.float32), (dot - ground)[None])
    halfway = (dot @ dot - ground @ ground) / 2
    is_nearer = (projected > halfway).view(np.uint8)
    outline = _outline(is_nearer, cell_width_px) if alone else None
    if outline is None or outline.min() == 0 or outline.max() == size - 1:
        # A pipe leads out of it, or lines touch it.
        outline = _outline(is_nearer & is_nearer[::-1, ::-1], cell_width_px)
    if outline is None:
        return usual_dot
    mask = np.zeros((size, size), np.uint8)
    cv2.drawContours(mask, [outline], -1, 255, cv2.FILLED)
    return Disc(part, pixels, np.ascontiguousarray(mask[rows, columns]))


def inside_of(dot: Disc, cell_width_px: float) -> Disc:
    """Return the dot without its soft edge, which would show where a pipe meets it."""
    if not dot.mask.size:  # outside the picture
        return dot
    edge_px = max(1, round(SOFT_EDGE * cell_width_px))
    mask = cv2.erode(dot.mask, np.ones((3, 3), np.uint8), iterations=edge_px)
    return Disc(dot.part, dot.pixels, np.asarray(mask, np.uint8))


def circle_of(dot: Disc) -> tuple[Floats, float] | None:
    """Return middle (2,) and radius of a round dot, in pixels of its picture; ``None`` for other shapes."""
    outlines, _ = cv2.findContours(dot.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    points = np.asarray(max(outlines, key=len), np.float64).reshape(-1, 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    distances = np.hypot(*(points - middle).T)
    radius = float(np.median(distances))
    on_circle = np.abs(distances - radius) <= max(1.0, 0.08 * radius)
    if on_circle.mean() < 0.7:  # a pipe leaves more than that of a dot's outline
        return None
    return corner_of(dot.part) + middle, radius + 0.5  # from the middles of its last pixels to their edges


def share_of_circle(bgr: Bgr, centres: Floats, colours: Sequence[Rgb], radii_px: Sequence[float]) -> Floats:
    """Return the share (dots, radii) of each circle round ``centres`` (dots, 2) that has the dot's colour."""
    circles = np.array(radii_px)[:, None, None] * unit_circle(16)  # (radii, 16, 2)
    pixels, _ = pixels_at(bgr, centres[:, None, None] + circles)  # (dots, radii, 16, 3)
    expected = np.array([colour.bgr for colour in colours], np.int16)[:, None, None]
    differences = np.abs(pixels - expected).max(axis=3)
    return np.asarray((differences < UNLIKE).mean(axis=2), np.float64)


def _outline(mask: NDArray[np.uint8], cell_width_px: float) -> NDArray[np.int32] | None:
    """Return the outline (N, 1, 2) of the smallest part round the middle of a square mask, or ``None``.

    Parts below a twentieth of a dot are left out. Lines of the same colour may enclose the dot; a letter such
    as D may enclose a part of it.
    """
    dot_area = np.pi * (DOT_MIDDLE * cell_width_px) ** 2
    outlines, kinship = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    middle = len(mask) // 2
    candidates = []
    for outline, (_, _, _, parent) in zip(outlines, kinship[0] if outlines else (), strict=True):
        is_outer = parent < 0
        if is_outer and cv2.pointPolygonTest(outline, (middle, middle), measureDist=False) >= 0:
            candidates.append(outline)
    large = [outline for outline in candidates if cv2.contourArea(outline) >= 0.05 * dot_area]
    if not large:
        return None
    chosen, *enclosing = sorted(large, key=cv2.contourArea)
    if enclosing and cv2.contourArea(chosen) < dot_area:
        _, _, width, height = cv2.boundingRect(enclosing[0])
        if max(width, height) < 0.9 * cell_width_px:  # the chosen part lies in a letter on the dot
            chosen = enclosing[0]
    return np.asarray(chosen, np.int32)
