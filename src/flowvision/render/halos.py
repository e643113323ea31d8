"""Halo around a finger that draws a pipe: found as a translucent disc, and removed.

A patch is the part of the picture around one point. Middles and radii in it are in its own pixels, x first.
The share of a pixel is that of the flow's colour in it: 0 is the ground, 1 a pipe or a dot.
"""

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
from flowvision.render.ground import EDGE_PX, UNLIKE, soft_edge_px
from flowvision.render.look import SEEN_DOT, PlacedBoard
from flowvision.render.paint import corner_of, differences_from, distances_in, part_around, part_between

FAINT, DENSE = 0.08, 0.75
"""Share of a flow's colour in a halo: less is invisible, more is a dot."""
RADII = np.arange(0.46, 0.96, 0.06)
"""Radii of halos, in cell widths; on screenshots 0.45 to 0.84."""
TO_FINGER = 1.3
"""Largest distance of a finger from the end of its pipe, in cell widths."""
PRESSED = 0.6
"""Usual radius of the halo round a pressed dot, in cell widths."""
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
ON_CIRCLE_PX = 0.5
"""Distance of a point from a circle, in pixels, up to which it counts in full."""
CIRCLE = unit_circle(RAYS)
"""Directions (RAYS, 2) of the rays from a middle."""
QUARTILES = np.array((6, 16, 25))
"""Lower, middle and upper step among ``RAYS``."""


class Circle(Struct, frozen=True, eq=False):
    """A circle: middle (2,) and radius, in pixels."""

    middle: Floats
    radius: float


class Halo(Struct, frozen=True, eq=False):
    """A translucent disc within ``circle``; a pixel shows ``(1 - share) * ground + added``.

    ``added``: (3,), BGR. ``cover``: (N,), its opacity at even steps from ``edge_px`` inside the circle to
    ``edge_px`` outside.
    """

    circle: Circle
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
        is_pressed = not drawn[flow]
        points = placed.middles_px(pair) if is_pressed else _ends(placed, drawn[flow], pair)
        halo = halo_of(canvas, cell_width_px, ground, palette[flow], points, is_pressed)
        if halo:
            _restore_ground(canvas, halo, palette)
            for other_flow, other_pair in dots.items():
                for dot in placed.middles_px(other_pair):
                    _restore_dot(canvas, halo, palette[other_flow], dot, SEEN_DOT * cell_width_px)


def halo_of(
    bgr: Bgr,
    cell_width_px: float,
    ground: Rgb,
    colour: Rgb,
    points: Iterable[Floats],
    is_pressed: bool = False,
) -> Halo | None:
    """Return the halo of a flow's colour near an end of its pipe, or round a pressed dot, or ``None``.

    ``points``: the ends, or with ``is_pressed`` the dots of a flow without a pipe, (2,) in pixels.
    """
    if (blend := _blend_of(ground, colour)) is None:
        return None
    # All of the halo, and some ground round it, with the finger anywhere near the end of its pipe.
    window = (TO_FINGER + RADII[-1] + 0.2) * cell_width_px
    for point in points:
        part = part_between(point - window, np.ceil(point + window), bgr)
        patch, corner = bgr[part], corner_of(part)
        if min(patch.shape[:2]) < cell_width_px:  # cut off by the picture's edge: too little is seen
            continue
        if not is_pressed:
            circle = _coarse_circle(patch, blend, cell_width_px)
        elif _is_tinted_round(patch, blend, point - corner, cell_width_px):
            circle = Circle(point - corner, PRESSED * cell_width_px)  # to begin with
        else:
            continue
        halo = _measured(patch, blend, _refined(patch, blend, circle, cell_width_px), cell_width_px)
        if halo:
            in_picture = replace(halo.circle, middle=halo.circle.middle + corner)
            return replace(halo, circle=in_picture)
    return None


class _Blend(Struct, frozen=True, eq=False):
    """A flow's colour over a ``ground`` (3,), BGR.

    ``axis``: (3,), its product with a pixel minus the ground is the colour's share.
    """

    ground: NDArray[np.float32]
    axis: Floats

    def shares(self, bgr: NDArray[Any]) -> NDArray[Any]:
        """Return the share (…) of the colour in pixels (…, 3)."""
        return np.asarray((bgr - self.ground) @ self.axis)


def _blend_of(ground: Rgb, colour: Rgb) -> _Blend | None:
    """Return the blend of two colours, ``None`` if they look alike."""
    difference = np.subtract(colour.bgr, ground.bgr, dtype=np.float64)
    square = float(difference @ difference)
    if square <= UNLIKE**2:
        return None
    return _Blend(np.array(ground.bgr, np.float32), difference / square)


def _ends(placed: PlacedBoard, edges: Collection[int], dots: Collection[int]) -> Floats:
    """Return the middles (N, 2), in pixels of the picture, of cells in which a pipe ends short of a dot."""
    edges_at = Counter(chain.from_iterable(placed.board.graph.edges[edge] for edge in edges))
    ends = [strand for strand, count in edges_at.items() if count == 1 and strand not in dots]
    return placed.middles_px(ends)


def _is_tinted_round(patch: Bgr, blend: _Blend, dot: Floats, cell_width_px: float) -> bool:
    """Return whether a dot's colour shows faintly on most of the ground beside it."""
    pixels, is_inside = _along_rays(patch, dot, np.array((BESIDE_DOT * cell_width_px,)))
    shares = blend.shares(pixels)
    is_tinted = (shares > FAINT) & (shares < DENSE) & is_inside
    return bool(np.count_nonzero(is_tinted) >= MIN_INSIDE * RAYS)


def _coarse_circle(patch: Bgr, blend: _Blend, cell_width_px: float) -> Circle:
    """Return the clearest circle in a patch, to a tenth of a cell.

    The patch is searched in a small copy, with a kernel for each of ``RADII``.
    """
    scale = min(1.0, COARSE_PX / cell_width_px)
    small = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shares = blend.shares(small).astype(np.float32)
    differences = small - blend.ground
    squares = (differences * differences).sum(axis=2)
    # Squared distance from any blend, in levels: of a pixel from the ground, less the part along the axis.
    off_axis = squares - shares**2 / (blend.axis @ blend.axis)
    # Other colours seem to contain this one too. Pipes and dots count neither inside nor outside.
    shares[(off_axis > UNLIKE**2) | (shares > DENSE)] = 0
    # Radii in quarters of a pixel.
    rings = [_ring(round(4 * radius * scale * cell_width_px)) for radius in RADII]
    # Per radius and pixel (radii, h, w): the mean just inside that circle less the mean just outside.
    steps = np.stack([cv2.filter2D(shares, -1, ring, borderType=cv2.BORDER_CONSTANT) for ring in rings])
    clearest, y, x = np.unravel_index(int(steps.argmax()), steps.shape)
    middle = (np.array((x, y), np.float64) + 0.5) / scale - 0.5
    return Circle(middle, float(RADII[clearest] * cell_width_px))


@lru_cache(8 * len(RADII))
def _ring(quarters: int) -> NDArray[np.float32]:
    """Return a kernel (2 reach + 1, same): the mean just inside a circle minus the mean just outside.

    ``quarters``: its radius in quarters of a pixel.
    """
    radius = quarters / 4
    reach = int(radius + 3)
    squares = np.arange(-reach, reach + 1, dtype=np.float32) ** 2
    offset = np.sqrt(squares[:, None] + squares) - radius  # of each pixel from the circle
    # 0.4 to 2 pixels from the circle, as its own edge is soft.
    inside = np.abs(offset + 1.2) <= 0.8
    outside = np.abs(offset - 1.2) <= 0.8
    return np.asarray(inside / inside.sum() - outside / outside.sum(), np.float32)


def _along_rays(patch: Bgr, middle: Floats, radii: Floats) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the pixels (RAYS, N, 3) on rays from a middle, and if they lie in the patch (RAYS, N).

    ``radii`` (N,): their distances from the middle.
    """
    rays = radii[:, None] * CIRCLE[:, None]
    places = (middle + rays).astype(np.float32)
    x, y = np.ascontiguousarray(np.moveaxis(places, 2, 0))
    pixels = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    last = patch.shape[1] - 1, patch.shape[0] - 1
    is_inside = ((places >= 0) & (places <= last)).all(axis=2)
    return pixels.astype(np.float32), np.asarray(is_inside)


def _refined(patch: Bgr, blend: _Blend, circle: Circle, cell_width_px: float) -> Circle:
    """Fit a circle to the clearest step on each ray from its middle, twice: the second time nearby."""
    step_px = round(soft_edge_px(cell_width_px))
    max_error_px = MAX_ERROR * cell_width_px
    for max_move_px in (max_error_px, max(2.0 * step_px, max_error_px / 4)):
        span = round(max_move_px) + step_px
        offsets = np.arange(-span, span + 1, dtype=np.float64)  # from the circle, outwards
        pixels, is_inside = _along_rays(patch, circle.middle, circle.radius + offsets)
        shares = blend.shares(pixels)
        # No step begins or ends on a dot or a pipe, or outside the picture.
        shares[(shares > DENSE) | ~is_inside] = np.nan
        steps = _steps_along(shares, step_px)
        # On single rays half of the faintest halo is enough: ``_measured`` judges all of them together.
        is_clear = steps.max(axis=1) > FAINT / 2
        if is_clear.sum() < MIN_INSIDE * RAYS:
            break
        best = steps.argmax(axis=1)[is_clear] + step_px  # the first step is that many offsets from the end
        dx, dy, growth = _change_of_circle(CIRCLE[is_clear], offsets[best]).tolist()
        circle = Circle(np.add(circle.middle, (dx, dy)), circle.radius + growth)
    return circle


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
    """Return the move, x and y, and the growth (3,) that bring a circle nearest to most points, in pixels.

    ``directions`` (N, 2): unit vectors from its middle; ``offsets`` (N,): how far outside it a point lies.
    Points that stay farther away than ``ON_CIRCLE_PX`` count less, by the square of their distance.
    """
    rays = np.column_stack((directions, np.ones(len(offsets))))
    change = np.array((0, 0, np.median(offsets)))
    for _ in range(4):  # iteratively reweighted least squares
        errors = rays @ change - offsets
        weighted = rays / np.maximum(np.abs(errors), ON_CIRCLE_PX)[:, None] ** 2
        change = np.linalg.solve(weighted.T @ rays, weighted.T @ offsets)
    return change


def _measured(patch: Bgr, blend: _Blend, circle: Circle, cell_width_px: float) -> Halo | None:
    """Return the halo that ends at a circle of the patch.

    On each ray the mean colours inside and outside the soft edge are compared: ``None`` if they do not differ
    by an equal step all round.
    """
    edge_px = soft_edge_px(cell_width_px)
    offsets = np.linspace(-edge_px - EDGE_PX, edge_px + EDGE_PX, 25)  # from the circle, outwards
    pixels, is_inside = _along_rays(patch, circle.middle, circle.radius + offsets)
    # Dots and pipes hide the halo.
    is_bare = (blend.shares(pixels) < DENSE) & is_inside
    inner, has_inner = _means_of(pixels, is_bare & (offsets <= -edge_px))
    outer, has_outer = _means_of(pixels, is_bare & (offsets >= edge_px))
    is_seen = has_inner & has_outer
    if is_seen.sum() < MIN_INSIDE * RAYS:
        return None
    outer_shares = blend.shares(outer)
    # Share of the colour that the halo adds to what lies below it: inner = outer + step · (1 - outer). Where
    # much of it is the colour already, next to nothing can be added, and the quotient is kept small.
    steps = (blend.shares(inner) - outer_shares) / np.maximum(1 - outer_shares, 0.2)
    ranked = np.sort(steps[is_seen])
    low, share, high = ranked[QUARTILES * len(ranked) // RAYS].tolist()
    if not FAINT < share < DENSE or high - low > MAX_SPREAD * share:
        return None
    is_alike = is_seen & (np.abs(steps - share) <= MAX_SPREAD / 2 * share)
    inner, outer = inner[is_alike], outer[is_alike]
    added = np.median(inner - (1 - share) * outer, axis=0)
    is_soft = np.abs(offsets) < edge_px
    cover = _cover_across(pixels[is_alike][:, is_soft], inner, outer)
    quarter = len(cover) // 4
    # The opacity falls near the circle, in the middle half of the soft edge, or it is not the halo's end.
    if not cover[quarter] > 0.5 > cover[-1 - quarter]:
        return None
    return Halo(circle, share, added.astype(np.float64), cover, offsets[is_soft].max())


def _means_of(
    pixels: NDArray[np.float32], is_chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the mean (rays, 3) of the chosen pixels (rays, N, 3) of each ray, and if it has any (rays,)."""
    weights = is_chosen.astype(np.float32)[..., None]
    counts = weights.sum(axis=1)
    means = (pixels * weights).sum(axis=1) / np.maximum(counts, 1)
    return means, counts[:, 0] > 0


def _cover_across(pixels: Floats, inner: Floats, outer: Floats) -> Floats:
    """Return the opacity (N,) of pixels (rays, N, 3) between ``inner`` and ``outer`` colours (rays, 3)."""
    differences = (inner - outer)[:, None]
    projected = ((pixels - outer[:, None]) * differences).sum(axis=2)
    opacity = projected / (differences * differences).sum(axis=2)
    typical = np.median(opacity, axis=0).clip(0, 1)
    return np.asarray(np.minimum.accumulate(typical))  # never rises outwards


def _restore_ground(canvas: Bgr, halo: Halo, palette: Sequence[Rgb]) -> None:
    """Replace a halo by the colours below it, in place; dots and pipes, which hide it, stay."""
    circle, edge_px = halo.circle, halo.edge_px
    end = circle.radius + edge_px
    part = part_around(circle.middle, end + 1, canvas)
    patch = canvas[part]
    is_bare = np.min([differences_from(colour, patch) for colour in palette], axis=0) >= OPAQUE
    distances = distances_in(part, circle.middle)
    is_below = is_bare & (distances < end)
    offsets = np.linspace(-edge_px, edge_px, len(halo.cover))
    cover = np.interp(distances[is_below] - circle.radius, offsets, halo.cover)[:, None]
    ground = (patch[is_below] - cover * halo.added) / (1 - cover * halo.share)
    patch[is_below] = ground.round().clip(0, 255)


def _restore_dot(canvas: Bgr, halo: Halo, colour: Rgb, dot: Floats, radius_px: float) -> None:
    """Fill the part of a dot below a halo with its colour, in place."""
    circle = halo.circle
    if np.hypot(*(dot - circle.middle)) > circle.radius + radius_px:
        return
    part = part_around(dot, radius_px, canvas)
    patch = canvas[part]
    is_below = distances_in(part, circle.middle) < circle.radius + halo.edge_px
    is_inside = distances_in(part, dot) < radius_px
    # A GIF dithers the colour of a dot.
    smooth = np.asarray(cv2.blur(patch, (3, 3)), np.uint8)
    is_dot = differences_from(colour, smooth) < UNLIKE
    patch[is_below & is_inside & is_dot] = colour.bgr
