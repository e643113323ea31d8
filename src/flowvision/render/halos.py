"""Halo around a finger that draws a pipe: found as a translucent disc, and removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb, unit_circle
from flowvision.render.ground import EDGE, EDGE_PX, UNLIKE
from flowvision.render.look import SEEN_DOT, PlacedBoard

FAINT, DENSE = 0.08, 0.75
"""Share of a flow's colour in a halo: less is invisible, more is a dot."""
RADII = np.arange(0.46, 0.96, 0.06)
"""Radii of halos, in cell widths; on screenshots 0.45 to 0.84."""
RAYS = 32
"""Points on a circle."""
OPAQUE = 40
"""Largest difference in a channel (of 255) from a flow's colour in dots and pipes; they hide halos."""
MIN_INSIDE = 0.5
"""Smallest share of a halo's edge inside the picture and free of dots and pipes."""
MAX_SPREAD = 0.6
"""Largest spread of the steps across a halo's edge (see ``_measured``), as a share of their median."""
COARSE_PX = 16
"""Width of a cell in the small picture, in pixels."""
MAX_ERROR = 0.16
"""Largest error of a circle to refine, in cell widths."""
CIRCLE = unit_circle(RAYS)


class Halo(Struct, frozen=True, eq=False):
    """A translucent disc: middle (2,) and radius in pixels; it shows ``(1 - share) * ground + added``.

    ``added``: (3,), BGR. ``cover``: (N,), its opacity from ``edge_px`` inside its edge to ``edge_px``
    outside.
    """

    middle: Floats
    radius: float
    share: float
    added: Floats
    cover: Floats
    edge_px: float


def remove_halos(
    canvas: Bgr,
    placed: PlacedBoard,
    ground: Rgb,
    palette: Sequence[Rgb],
    drawn: Sequence[Collection[int]],
    dots: Mapping[int, Collection[int]],
) -> None:
    """Remove the halo round the finger that draws a flow, or presses its dot, in place.

    ``dots``: per unfinished flow, the strands of its two dots.
    """
    cell_width_px = placed.cell_width_px
    for flow, pair in dots.items():
        points = _ends(placed, drawn[flow], pair) if drawn[flow] else placed.middles_px(pair)
        halo = halo_of(canvas, cell_width_px, ground, palette[flow], points, are_dots=not drawn[flow])
        if halo:
            _restore_ground(canvas, halo, palette)
            for other, others in dots.items():
                for dot in placed.middles_px(others):
                    _restore_dot(canvas, halo, palette[other], dot, SEEN_DOT * cell_width_px)


def halo_of(
    bgr: Bgr, cell_width_px: float, ground: Rgb, colour: Rgb, points: Iterable[Floats], are_dots: bool = False
) -> Halo | None:
    """Return the halo of a flow's colour near an end of its pipe, or round a pressed dot, or ``None``.

    ``points``: the ends, or the dots of a flow without a pipe, (2,) in pixels.
    """
    axis = _axis(ground, colour)
    if not axis.any():
        return None
    blend = _Blend(np.array(ground[::-1], np.float32), axis)
    # The finger is within 1.3 cells of the end of its pipe.
    window = (1.3 + RADII[-1] + 0.2) * cell_width_px
    for at in points:
        corner = np.maximum(np.floor(at - window), 0)
        (x0, y0), (x1, y1) = corner.astype(int), np.ceil(at + window).astype(int)
        part = bgr[y0:y1, x0:x1]
        if min(part.shape[:2]) < cell_width_px:
            continue
        pressed = at - corner, 0.6 * cell_width_px
        circle = pressed if are_dots else _coarse_circle(part, blend, cell_width_px)
        halo = _measured(part, _refined(part, blend, circle, cell_width_px), blend, cell_width_px)
        if halo:
            return replace(halo, middle=halo.middle + corner)
    return None


class _Blend(Struct, frozen=True, eq=False):
    """A colour blended over a ``ground`` (3,), BGR.

    ``axis``: (3,), maps a pixel minus the ground to the colour's share; 0 if both look alike.
    """

    ground: NDArray[np.float32]
    axis: Floats

    def shares(self, bgr: NDArray[Any]) -> NDArray[Any]:
        """Return the share (…) of the colour in pixels (…, 3)."""
        return np.asarray((bgr - self.ground) @ self.axis)


def _axis(ground: Rgb, colour: Rgb) -> Floats:
    difference = np.subtract(colour[::-1], ground[::-1], dtype=np.float64)
    length = float(difference @ difference)
    return difference / length if length > UNLIKE**2 else np.zeros(3)


def _ends(placed: PlacedBoard, edges: Collection[int], dots: Collection[int]) -> Floats:
    arms = Counter(chain.from_iterable(placed.board.graph.edges[edge] for edge in edges))
    return placed.middles_px([strand for strand, count in arms.items() if count == 1 and strand not in dots])


def _coarse_circle(part: Bgr, blend: _Blend, cell_width_px: float) -> tuple[Floats, float]:
    """Return the middle and radius of the clearest circle in a part of the picture, to a tenth of a cell."""
    scale = min(1.0, COARSE_PX / cell_width_px)
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    differences, shares = small - blend.ground, blend.shares(small).astype(np.float32)
    # Dots and pipes of other colours seem to contain this one too.
    shares[(differences * differences).sum(axis=2) - shares**2 / (blend.axis @ blend.axis) > UNLIKE**2] = 0
    # Pipes and dots count neither inside nor outside.
    shares[shares > DENSE] = 0
    rings = [_ring(round(4 * radius * scale * cell_width_px)) for radius in RADII]
    steps = np.stack([cv2.filter2D(shares, -1, ring, borderType=cv2.BORDER_CONSTANT) for ring in rings])
    place, y, x = np.unravel_index(int(steps.argmax()), steps.shape)
    middle = (np.array((x, y), np.float64) + 0.5) / scale - 0.5
    return middle, float(RADII[place] * cell_width_px)


@lru_cache(8 * len(RADII))
def _ring(quarters: int) -> NDArray[np.float32]:
    """Return a kernel: the mean just inside a circle of ``quarters`` / 4 pixels minus that just outside."""
    radius = quarters / 4
    reach = int(radius + 3)
    line = np.arange(-reach, reach + 1, dtype=np.float32) ** 2
    away = np.sqrt(line[:, None] + line)
    inside, outside = (np.abs(away - radius - off) <= 0.8 for off in (-1.2, 1.2))
    return np.asarray(inside / inside.sum() - outside / outside.sum(), np.float32)


def _along_rays(part: Bgr, middle: Floats, radii: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the pixels (RAYS, N, 3) at distances from a point in all directions, and if they exist."""
    at = (middle + radii[:, None] * CIRCLE[:, None]).astype(np.float32)
    x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    pixels = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = ((at >= 0) & (at <= (part.shape[1] - 1, part.shape[0] - 1))).all(axis=2)
    return pixels.astype(np.float32), np.asarray(inside)


def _refined(
    part: Bgr, blend: _Blend, circle: tuple[Floats, float], cell_width_px: float
) -> tuple[Floats, float]:
    """Fit a circle to the clearest steps on rays from its middle, to a fraction of a pixel."""
    middle, radius = circle
    step_px = round(max(EDGE_PX, EDGE * cell_width_px))
    for reach in (MAX_ERROR * cell_width_px, max(2.0 * step_px, MAX_ERROR * cell_width_px / 4)):
        radii = radius + np.arange(-round(reach) - step_px, round(reach) + step_px + 1, dtype=np.float64)
        pixels, inside = _along_rays(part, middle, radii)
        shares = blend.shares(pixels)
        # No step begins or ends on a dot or a pipe, or outside the picture.
        shares[(shares > DENSE) | ~inside] = np.nan
        windows = [shares[:, start : len(radii) - step_px + 1 + start] for start in range(step_px)]
        means = np.add.reduce(windows) / step_px
        # Difference of the means before and behind each place.
        steps = np.nan_to_num(means[:, : -step_px - 1] - means[:, step_px + 1 :])
        best = steps.argmax(axis=1)
        clear = steps[np.arange(RAYS), best] > FAINT / 2
        if clear.sum() < MIN_INSIDE * RAYS:
            break
        off = radii[best + step_px] - radius
        rays = np.column_stack((CIRCLE, np.ones(RAYS)))[clear]
        move = np.array((0, 0, np.median(off[clear])))
        for _ in range(4):  # iteratively reweighted least squares
            weighted = rays / np.maximum((rays @ move - off[clear]) ** 2, 0.25)[:, None]
            move = np.linalg.solve(weighted.T @ rays, weighted.T @ off[clear])
        middle, radius = middle + move[:2], float(radius + move[2])
    return middle, radius


def _measured(part: Bgr, circle: tuple[Floats, float], blend: _Blend, cell_width_px: float) -> Halo | None:
    middle, radius = circle
    edge_px = max(EDGE_PX, EDGE * cell_width_px)
    off = np.linspace(-edge_px - EDGE_PX, edge_px + EDGE_PX, 25)
    pixels, inside = _along_rays(part, middle, radius + off)
    # Dots and pipes hide the halo.
    bare = ((blend.shares(pixels) < DENSE) & inside).astype(np.float32)[..., None]
    sums, counts = (
        np.stack([values[:, side].sum(axis=1) for side in (off <= -edge_px, off >= edge_px)], axis=1)
        for values in (pixels * bare, bare)
    )
    sides = sums / np.maximum(counts, 1)
    shares, inside = blend.shares(sides), np.asarray((counts > 0).all(axis=(1, 2)))
    steps = (shares[:, 0] - shares[:, 1]) / np.maximum(1 - shares[:, 1], 0.2)
    if inside.sum() < MIN_INSIDE * RAYS:
        return None
    low, share, high = np.sort(steps[inside])[np.array((6, 16, 25)) * int(inside.sum()) // RAYS].tolist()
    if not FAINT < share < DENSE or high - low > MAX_SPREAD * share:
        return None
    alike = inside & (np.abs(steps - share) <= MAX_SPREAD / 2 * share)
    inner, outer = sides[alike, 0], sides[alike, 1]
    added = np.median(inner - (1 - share) * outer, axis=0)
    directions, soft = inner - outer, np.abs(off) < edge_px
    parts = ((pixels[alike][:, soft] - outer[:, None]) * directions[:, None]).sum(axis=2) / (
        directions * directions
    ).sum(axis=1)[:, None]
    cover = np.minimum.accumulate(np.median(parts, axis=0).clip(0, 1))
    if not cover[len(cover) // 4] > 0.5 > cover[-1 - len(cover) // 4]:
        return None
    return Halo(middle, radius, share, np.asarray(added, np.float64), cover, float(off[soft][-1]))


def _restore_ground(canvas: Bgr, halo: Halo, palette: Sequence[Rgb]) -> None:
    reach = halo.radius + halo.edge_px + 1
    x0, y0 = np.maximum(np.floor(halo.middle - reach).astype(int), 0).tolist()
    x1, y1 = (np.ceil(halo.middle + reach).astype(int) + 1).tolist()
    part = canvas[y0:y1, x0:x1]
    keep = np.zeros(part.shape[:2], np.uint8)
    for colour in palette:
        around = np.array(colour[::-1])[:, None] + (1 - OPAQUE, OPAQUE - 1)
        keep |= np.asarray(cv2.inRange(part, around[:, 0], around[:, 1]), np.uint8)
    dx = np.arange(x0, x0 + part.shape[1]) - halo.middle[0]
    dy = np.arange(y0, y0 + part.shape[0])[:, None] - halo.middle[1]
    ys, xs = np.nonzero((dx * dx + dy * dy < (halo.radius + halo.edge_px) ** 2) & (keep == 0))
    away = np.hypot(dx[xs], dy[ys, 0]) - halo.radius
    cover = np.interp(away, np.linspace(-halo.edge_px, halo.edge_px, len(halo.cover)), halo.cover)[:, None]
    below = (part[ys, xs] - cover * halo.added) / (1 - cover * halo.share)
    part[ys, xs] = below.round().clip(0, 255)


def _restore_dot(canvas: Bgr, halo: Halo, colour: Rgb, dot: Floats, radius_px: float) -> None:
    if np.hypot(*(dot - halo.middle)) > halo.radius + radius_px:
        return
    x0, y0 = np.maximum(np.floor(dot - radius_px), 0).astype(int).tolist()
    part = canvas[y0 : int(dot[1] + radius_px) + 2, x0 : int(dot[0] + radius_px) + 2]
    ys, xs = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    below = np.hypot(xs - halo.middle[0], ys - halo.middle[1]) < halo.radius + halo.edge_px
    below &= np.hypot(xs - dot[0], ys - dot[1]) < radius_px
    bgr = np.array(colour[::-1])
    # A GIF dithers the colour of a dot.
    near = np.abs(cv2.blur(part, (3, 3)).astype(int) - bgr).max(axis=2) < UNLIKE
    part[below & near] = bgr
