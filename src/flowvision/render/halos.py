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
from flowvision.render.paint import corner_of, distances_in, part_around, part_between

FAINT, DENSE = 0.08, 0.75
"""Share of a flow's colour in a halo: less is invisible, more is a dot."""
RADII = np.arange(0.46, 0.96, 0.06)
"""Radii of halos, in cell widths; on screenshots 0.45 to 0.84."""
BESIDE_DOT = 0.42
"""Radius between the edge of a dot and that of the smallest halo, in cell widths."""
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
QUARTILES = np.array((6, 16, 25))
"""Lower, middle and upper step among ``RAYS``."""


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
    blend = _Blend(np.array(ground.bgr, np.float32), axis)
    # The finger is within 1.3 cells of the end of its pipe.
    window = (1.3 + RADII[-1] + 0.2) * cell_width_px
    for point in points:
        part = part_between(point - window, np.ceil(point + window), bgr)
        patch, corner = bgr[part], corner_of(part)
        if min(patch.shape[:2]) < cell_width_px:
            continue
        if are_dots and not _is_tinted_round(patch, blend, point - corner, cell_width_px):
            continue
        pressed = point - corner, 0.6 * cell_width_px
        circle = pressed if are_dots else _coarse_circle(patch, blend, cell_width_px)
        circle = _refined(patch, blend, circle, cell_width_px)
        halo = _measured(patch, circle, blend, cell_width_px)
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
    """Return the ``axis`` (3,) of a blend: its product with ``colour - ground`` is 1."""
    difference = np.subtract(colour.bgr, ground.bgr, dtype=np.float64)
    length = float(difference @ difference)
    return difference / length if length > UNLIKE**2 else np.zeros(3)


def _ends(placed: PlacedBoard, edges: Collection[int], dots: Collection[int]) -> Floats:
    """Return the middles (N, 2) in pixels of the cells in which a pipe ends short of a dot."""
    arms = Counter(chain.from_iterable(placed.board.graph.edges[edge] for edge in edges))
    ends = [strand for strand, count in arms.items() if count == 1]
    return placed.middles_px(end for end in ends if end not in dots)


def _is_tinted_round(patch: Bgr, blend: _Blend, dot: Floats, cell_width_px: float) -> bool:
    """Return whether a dot's colour shows faintly on most of the ground beside it."""
    pixels, inside = _along_rays(patch, dot, np.array((BESIDE_DOT * cell_width_px,)))
    shares = blend.shares(pixels)
    is_tinted = (shares > FAINT) & (shares < DENSE) & inside
    return bool(np.count_nonzero(is_tinted) >= MIN_INSIDE * RAYS)


def _coarse_circle(patch: Bgr, blend: _Blend, cell_width_px: float) -> tuple[Floats, float]:
    """Return the middle (2,) and radius in pixels of the clearest circle in a patch, to a tenth of a cell.

    The patch is searched in a small copy, with a kernel for each of ``RADII``.
    """
    scale = min(1.0, COARSE_PX / cell_width_px)
    small = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shares = blend.shares(small).astype(np.float32)
    differences = small - blend.ground
    squares = (differences * differences).sum(axis=2)
    # Squared distance from any blend, in levels: of a pixel from the ground, less the part along the axis.
    off_axis = squares - shares**2 / (blend.axis @ blend.axis)
    # Dots and pipes of other colours seem to contain this one too.
    shares[off_axis > UNLIKE**2] = 0
    # Pipes and dots count neither inside nor outside.
    shares[shares > DENSE] = 0
    # Radii in quarters of a pixel.
    rings = [_ring(round(4 * radius * scale * cell_width_px)) for radius in RADII]
    # Per radius and pixel (radii, h, w): the mean just inside that circle less the mean just outside.
    steps = np.stack([cv2.filter2D(shares, -1, ring, borderType=cv2.BORDER_CONSTANT) for ring in rings])
    number, y, x = np.unravel_index(int(steps.argmax()), steps.shape)
    middle = (np.array((x, y), np.float64) + 0.5) / scale - 0.5
    return middle, float(RADII[number] * cell_width_px)


@lru_cache(8 * len(RADII))
def _ring(quarters: int) -> NDArray[np.float32]:
    """Return a kernel (2 reach + 1, same): the mean just inside a circle minus the mean just outside.

    ``quarters``: its radius in quarters of a pixel.
    """
    radius = quarters / 4
    reach = int(radius + 3)
    squares = np.arange(-reach, reach + 1, dtype=np.float32) ** 2
    offset = np.sqrt(squares[:, None] + squares) - radius  # of each pixel from the circle
    inside = np.abs(offset + 1.2) <= 0.8
    outside = np.abs(offset - 1.2) <= 0.8
    return np.asarray(inside / inside.sum() - outside / outside.sum(), np.float32)


def _along_rays(patch: Bgr, middle: Floats, radii: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the pixels (RAYS, N, 3) on rays from a point of a patch, and if they lie in it (RAYS, N).

    ``middle`` (2,): the point, x first; ``radii`` (N,): distances from it, in pixels.
    """
    rays = radii[:, None] * CIRCLE[:, None]
    places = (middle + rays).astype(np.float32)
    x, y = np.ascontiguousarray(np.moveaxis(places, 2, 0))
    pixels = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    last = patch.shape[1] - 1, patch.shape[0] - 1
    is_inside = ((places >= 0) & (places <= last)).all(axis=2)
    return pixels.astype(np.float32), np.asarray(is_inside)


def _refined(
    patch: Bgr, blend: _Blend, circle: tuple[Floats, float], cell_width_px: float
) -> tuple[Floats, float]:
    """Fit a circle, middle (2,) and radius in pixels, to the clearest step on each ray from its middle."""
    middle, radius = circle
    step_px = round(max(EDGE_PX, EDGE * cell_width_px))
    max_error_px = MAX_ERROR * cell_width_px
    for max_move in (max_error_px, max(2.0 * step_px, max_error_px / 4)):
        span = round(max_move) + step_px
        radii = radius + np.arange(-span, span + 1, dtype=np.float64)
        pixels, is_inside = _along_rays(patch, middle, radii)
        shares = blend.shares(pixels)
        # No step begins or ends on a dot or a pipe, or outside the picture.
        shares[(shares > DENSE) | ~is_inside] = np.nan
        steps = _steps_along(shares, step_px)
        is_clear = steps.max(axis=1) > FAINT / 2
        if is_clear.sum() < MIN_INSIDE * RAYS:
            break
        best = steps.argmax(axis=1)[is_clear]
        dx, dy, growth = _change_of_circle(CIRCLE[is_clear], radii[best + step_px] - radius)
        middle = np.add(middle, (dx, dy))
        radius = float(radius + growth)
    return middle, radius


def _steps_along(shares: Floats, width: int) -> Floats:
    """Return, per place of each ray, the mean of ``width`` shares before it minus that behind it.

    ``shares`` (rays, N), from inside out; the result (rays, N - 2 width) is 0 where one share is unknown.
    """
    count = shares.shape[1] - width + 1
    windows = [shares[:, start : start + count] for start in range(width)]
    means = np.add.reduce(windows) / width
    before = means[:, : -width - 1]
    behind = means[:, width + 1 :]
    return np.asarray(np.nan_to_num(before - behind))


def _change_of_circle(directions: Floats, offsets: Floats) -> Floats:
    """Return the move, x and y, and the growth (3,) that bring a circle nearest to points, in pixels.

    ``directions`` (N, 2): unit vectors from its middle; ``offsets`` (N,): how far outside it a point lies.
    """
    rays = np.column_stack((directions, np.ones(len(offsets))))
    change = np.array((0, 0, np.median(offsets)))
    for _ in range(4):  # iteratively reweighted least squares
        errors = rays @ change - offsets
        weighted = rays / np.maximum(errors**2, 0.25)[:, None]
        change = np.linalg.solve(weighted.T @ rays, weighted.T @ offsets)
    return change


def _measured(patch: Bgr, circle: tuple[Floats, float], blend: _Blend, cell_width_px: float) -> Halo | None:
    """Return the halo that ends at a circle, its middle (2,) and radius in pixels of the patch.

    On each ray the mean colours inside and outside the soft edge are compared: ``None`` if they do not differ
    by an equal step all round.
    """
    middle, radius = circle
    edge_px = max(EDGE_PX, EDGE * cell_width_px)
    offsets = np.linspace(-edge_px - EDGE_PX, edge_px + EDGE_PX, 25)
    pixels, is_inside = _along_rays(patch, middle, radius + offsets)
    # Dots and pipes hide the halo.
    is_bare = (blend.shares(pixels) < DENSE) & is_inside
    bare = is_bare.astype(np.float32)[..., None]
    sides = offsets <= -edge_px, offsets >= edge_px
    counts = _sums_over(sides, bare)
    means = _sums_over(sides, pixels * bare) / np.maximum(counts, 1)  # (RAYS, 2 sides, 3)
    is_seen = (counts > 0).all(axis=(1, 2))
    if is_seen.sum() < MIN_INSIDE * RAYS:
        return None
    inner_shares, outer_shares = blend.shares(means).T
    # Share of the colour that the halo adds to what lies below it.
    steps = (inner_shares - outer_shares) / np.maximum(1 - outer_shares, 0.2)
    ranked = np.sort(steps[is_seen])
    low, share, high = ranked[QUARTILES * len(ranked) // RAYS].tolist()
    if not FAINT < share < DENSE or high - low > MAX_SPREAD * share:
        return None
    is_alike = is_seen & (np.abs(steps - share) <= MAX_SPREAD / 2 * share)
    inner, outer = means[is_alike].swapaxes(0, 1)  # (rays, 3) each
    added = np.median(inner - (1 - share) * outer, axis=0)
    is_soft = np.abs(offsets) < edge_px
    cover = _cover_across(pixels[is_alike][:, is_soft], inner, outer)
    quarter = len(cover) // 4
    if not cover[quarter] > 0.5 > cover[-1 - quarter]:
        return None
    return Halo(middle, radius, share, added.astype(np.float64), cover, offsets[is_soft].max())


def _sums_over(sides: Sequence[NDArray[np.bool_]], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums (rays, sides, channels) of values (rays, N, channels) on each side (N,) of an edge."""
    return np.stack([values[:, side].sum(axis=1) for side in sides], axis=1)


def _cover_across(pixels: Floats, inner: Floats, outer: Floats) -> Floats:
    """Return the opacity (N,) of pixels (rays, N, 3) between ``inner`` and ``outer`` colours (rays, 3)."""
    differences = (inner - outer)[:, None]
    projected = ((pixels - outer[:, None]) * differences).sum(axis=2)
    opacity = projected / (differences * differences).sum(axis=2)
    typical = np.median(opacity, axis=0).clip(0, 1)
    return np.asarray(np.minimum.accumulate(typical))  # never rises outwards


def _restore_ground(canvas: Bgr, halo: Halo, palette: Sequence[Rgb]) -> None:
    """Replace a halo by the colours below it, in place; dots and pipes, which hide it, stay."""
    end = halo.radius + halo.edge_px
    part = part_around(halo.middle, end + 1, canvas)
    patch = canvas[part]
    is_hidden = np.zeros(patch.shape[:2], np.uint8)
    for colour in palette:
        darkest = np.array(colour.bgr) + 1 - OPAQUE
        lightest = np.array(colour.bgr) + OPAQUE - 1
        is_hidden |= np.asarray(cv2.inRange(patch, darkest, lightest), np.uint8)
    distances = distances_in(part, halo.middle)
    ys, xs = np.nonzero((distances < end) & (is_hidden == 0))
    offsets = np.linspace(-halo.edge_px, halo.edge_px, len(halo.cover))
    off_edge = distances[ys, xs] - halo.radius
    cover = np.interp(off_edge, offsets, halo.cover)[:, None]
    ground_part = patch[ys, xs] - cover * halo.added
    ground = ground_part / (1 - cover * halo.share)
    patch[ys, xs] = ground.round().clip(0, 255)


def _restore_dot(canvas: Bgr, halo: Halo, colour: Rgb, dot: Floats, radius_px: float) -> None:
    """Fill the part of a dot below a halo with its colour, in place."""
    if np.hypot(*(dot - halo.middle)) > halo.radius + radius_px:
        return
    part = part_around(dot, radius_px, canvas)
    patch = canvas[part]
    is_below = distances_in(part, halo.middle) < halo.radius + halo.edge_px
    is_inside = distances_in(part, dot) < radius_px
    # A GIF dithers the colour of a dot.
    smooth = cv2.blur(patch, (3, 3)).astype(int)
    is_dot = np.abs(smooth - colour.bgr).max(axis=2) < UNLIKE
    patch[is_below & is_inside & is_dot] = colour.bgr
