"""The halo round a finger that draws a pipe: found as a translucent disc, and taken off whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.render.sizes import narrow_px_of
from flowvision.value import value_type

Floats = NDArray[np.float64]

COARSE_PX = 16
"""Width of a narrow cell in the small picture in which halos are looked for."""
SAMPLED = 8
"""Pixels in a row, at least, of which one of the small picture is made: more say the same."""
RADII = np.arange(0.46, 0.96, 0.06)
"""Radii of halos, in widths of a narrow cell; on screenshots 0.47 to 0.84."""
WINDOW = 1.3
"""How far the finger may be from the end of its pipe, in widths of a narrow cell."""
WAYS = 32
"""Points on a circle."""
LIKELY = 24
"""Circles, at half the size, that are looked at more closely, by how inside and outside differ on average."""
FAINT, DENSE = 0.08, 0.75
"""Share of the flow's colour in a halo: less is not seen, more is a dot."""
AGREED = 30
"""Percentile of the steps over a circle that counts: pipes, dots and lines hide the others."""
OPAQUE = 40
"""Of 255, in one channel: what is so near to a flow's colour is a dot or a pipe, on which no halo shows."""
MOSTLY = 0.6
"""The share of a halo's edge that must lie in the picture."""
ALL_ROUND = 20
"""Percentile of the steps, from below and from above, between which they are alike: a square is no circle."""
UNEQUAL = 0.6
"""Of the median step: how far apart the others may lie that count."""
LEAST_RADIUS = 0.42
"""Of a narrow cell's width: smaller circles are dots."""
SOFT_PX = 2.5
"""How far beside its edge a halo is measured, which is soft or compressed."""
EDGE_PX = 1.5
"""Half the width of the edge that is filled from both sides."""


@value_type(eq=False)
class Halo:
    """A translucent disc: its middle (2,) and radius in pixels, and its share of the colour."""

    middle: Floats
    radius: float
    share: float
    colour: Rgb


def take_halos_off(
    canvas: Bgr,
    board: Board,
    frame: Frame,
    ground: Rgb,
    palette: Sequence[Rgb],
    drawn: Sequence[Collection[int]],
    dots: Mapping[int, Collection[int]],
) -> None:
    """Remove the halo at the end of the pipes of some flows, where one is seen, in place.

    ``dots``: by flow, the strands of its two dots.
    """
    for flow, own in dots.items():
        halo = halo_of(canvas, board, frame, ground, palette[flow], drawn[flow], own)
        if halo:
            _take_off(canvas, halo, palette)


def halo_of(
    bgr: Bgr,
    board: Board,
    frame: Frame,
    ground: Rgb,
    colour: Rgb,
    edges: Collection[int],
    dots: Collection[int],
) -> Halo | None:
    """The halo in a flow's colour near the end of its pipe, which lies on these edges, if there is one.

    ``dots``: the strands of the flow's dots, where no finger draws.
    """
    narrow_px = narrow_px_of(board, frame)
    axis = _colour_axis(ground, colour)
    if axis is None:
        return None
    window = (WINDOW + RADII[-1] + 0.2) * narrow_px
    for end in _ends(board, frame, edges, dots):
        corner = np.maximum(np.floor(end - window), 0)
        (x0, y0), (x1, y1) = corner.astype(int), np.ceil(end + window).astype(int)
        part = bgr[y0:y1, x0:x1]
        if min(part.shape[:2]) < narrow_px:
            continue
        found = _coarsely(part, (ground, axis), narrow_px)
        if found is None:
            continue
        # As far as the circle may move, which is by twice the first step, as its radius.
        step_px = narrow_px / COARSE_PX
        reach = found[1] + 4 * (step_px + 1)
        near = np.maximum(np.floor(found[0] - reach), 0).astype(int)
        (left, top), (right, bottom) = near, np.ceil(found[0] + reach).astype(int) + 1
        shares = _shares(part[top:bottom, left:right], ground, axis)
        middle, radius = _refined(shares, found[0] - near, found[1], step_px)
        steps = _steps(shares, middle[None], np.array([radius]), SOFT_PX + 0.5)[0]
        low, share, high = np.percentile(steps, (ALL_ROUND, 50, 100 - ALL_ROUND)).tolist()
        if FAINT < share < DENSE and high - low <= UNEQUAL * share and radius > LEAST_RADIUS * narrow_px:
            return Halo(middle + near + corner, radius, share, colour)
    return None


def _colour_axis(ground: Rgb, colour: Rgb) -> Floats | None:
    """(3,): BGR times this is the share of the colour over the ground; ``None`` where they are alike."""
    axis = np.array(colour[::-1], np.float64) - ground[::-1]
    length = float(axis @ axis)
    return axis / length if length > 50**2 else None


def _shares(bgr: Bgr, ground: Rgb, ways: Floats) -> NDArray[np.float32]:
    """(H, W): how much of the colour is mixed into the ground."""
    shares = cv2.transform(bgr.astype(np.float32), ways.astype(np.float32)[None])
    return np.asarray(shares - np.float32(np.array(ground[::-1], np.float64) @ ways), np.float32)


def _ends(board: Board, frame: Frame, edges: Collection[int], dots: Collection[int]) -> Iterator[Floats]:
    """The middles of the cells in which a pipe ends short of its dots, in pixels."""
    arms = Counter(strand for edge in edges for strand in board.graph.edges[edge])
    for strand, count in arms.items():
        if count == 1 and strand not in dots:
            yield frame.to_px(board.layout.cells[board.layout.cell_of[strand]].centre)[0]


def _coarsely(part: Bgr, look: tuple[Rgb, Floats], narrow_px: float) -> tuple[Floats, float] | None:
    """The middle and radius of the clearest circle in a part of the picture, to a tenth of a cell.

    ``look``: the ground's colour and the axis from it to the halo's.
    """
    small_px = min(COARSE_PX, narrow_px)
    scale = small_px / narrow_px
    size = round(part.shape[1] * scale), round(part.shape[0] * scale)
    every = max(1, int(1 / scale / SAMPLED))
    small = cv2.resize(part[every // 2 :: every, every // 2 :: every], size, interpolation=cv2.INTER_AREA)
    shares = _shares(np.asarray(small, np.uint8), *look)
    if ((shares > FAINT) & (shares < DENSE)).sum() < (RADII[0] * small_px) ** 2:
        return None
    radii = RADII * small_px
    # Pipes and dots count neither inside nor outside.
    thin = np.where(shares > DENSE, np.float32(0), shares)
    half = cv2.resize(thin, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    means = np.stack([cv2.filter2D(half, -1, _ring(float(radius) / 2)) for radius in radii])
    likely = np.argpartition(means, -LIKELY, axis=None)[-LIKELY:]
    place, y, x = (one.repeat(4) for one in np.unravel_index(likely, means.shape))
    middles = np.column_stack((2 * x, 2 * y)) + np.tile(((0, 0), (0, 1), (1, 0), (1, 1)), (LIKELY, 1))
    steps = np.sort(_steps(shares, middles, radii[place], 1.2), axis=1)
    share = steps[:, WAYS // 2]
    scores = np.where(share > DENSE, 0, steps[:, WAYS * AGREED // 100])
    best = int(scores.argmax())
    low, high = steps[best, [WAYS * ALL_ROUND // 100, WAYS - 1 - WAYS * ALL_ROUND // 100]]
    # To a tenth of a cell the steps are less alike than those of the circle itself.
    if scores[best] < FAINT or high - low > 2 * UNEQUAL * share[best]:
        return None
    return middles[best] / scale, float(radii[place[best]] / scale)


@lru_cache(len(RADII))
def _ring(radius: float) -> NDArray[np.float32]:
    """A kernel: the mean just inside of a circle less that just outside of it."""
    reach = int(radius + 4)
    away = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    inside, outside = (np.abs(away - radius - off) <= 0.8 for off in (-1.2, 1.2))
    return np.asarray(inside / inside.sum() - outside / outside.sum(), np.float32)


def _refined(
    shares: NDArray[np.float32], middle: Floats, radius: float, step_px: float
) -> tuple[Floats, float]:
    """The same to half a pixel."""
    while step_px > 0.4:
        moves = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 3), axis=-1).reshape(-1, 3) * step_px / 2
        apart_px = max(1.0, min(SOFT_PX, step_px))
        steps = _steps(shares, middle + moves[:, :2], radius + moves[:, 2], apart_px)
        nth = WAYS * AGREED // 100
        place = int(np.partition(steps, nth, axis=1)[:, nth].argmax())
        middle, radius = middle + moves[place, :2], float(radius + moves[place, 2])
        step_px /= 2
    return middle, radius


def _steps(shares: NDArray[np.float32], middles: Floats, radii: Floats, apart_px: float) -> Floats:
    """(N, WAYS): how much of the colour is lost from just inside each circle to just outside.

    Where a circle leaves the picture, the median of the rest stands; one that is mostly out of it has none.
    """
    turns = 2 * np.pi * np.arange(WAYS) / WAYS
    ways = np.column_stack((np.cos(turns), np.sin(turns)))
    size = np.array((shares.shape[1], shares.shape[0]))
    seen = []
    for off in (-apart_px, apart_px):
        at = np.rint(middles[:, None] + (radii + off)[:, None, None] * ways).astype(int)
        there = ((at >= 0) & (at < size)).all(axis=2)
        at = at.clip(0, size - 1)
        seen.append(shares[at[..., 1], at[..., 0]].astype(np.float64))
    # Over what is mixed in already less can be added.
    steps = np.asarray((seen[0] - seen[1]) / np.maximum(1 - seen[1], 0.2))
    cut = np.flatnonzero(~there.all(axis=1))
    if len(cut):
        count = there[cut].sum(axis=1)
        # Those that are missing come last.
        ranked = np.sort(np.where(there[cut], steps[cut], np.inf), axis=1)
        median = np.where(count < MOSTLY * WAYS, 0, ranked[np.arange(len(cut)), count // 2])
        steps[cut] = np.where(there[cut] & (count >= MOSTLY * WAYS)[:, None], steps[cut], median[:, None])
    return steps


def _take_off(canvas: Bgr, halo: Halo, palette: Sequence[Rgb]) -> None:
    """What was below a halo, in place; its edge from both sides; dots and pipes stay."""
    reach = halo.radius + 4 * EDGE_PX
    x0, y0 = np.maximum(np.floor(halo.middle - reach).astype(int), 0).tolist()
    x1, y1 = (np.ceil(halo.middle + reach).astype(int) + 1).tolist()
    part = canvas[y0:y1, x0:x1]
    dx = np.arange(x0, x0 + part.shape[1], dtype=np.float32) - np.float32(halo.middle[0])
    dy = np.arange(y0, y0 + part.shape[0], dtype=np.float32)[:, None] - np.float32(halo.middle[1])
    away = np.sqrt(dx * dx + dy * dy)
    keep = np.zeros(away.shape, np.uint8)
    for colour in palette:
        around = np.array(colour[::-1])[:, None] + (1 - OPAQUE, OPAQUE - 1)
        keep |= np.asarray(cv2.inRange(part, around[:, 0], around[:, 1]), np.uint8)
    values = np.arange(256)[:, None] - halo.share * np.array(halo.colour[::-1], np.float64)
    table = (values / (1 - halo.share)).clip(0, 255).astype(np.float32)
    cleared = cv2.LUT(part, table[None])
    below = part.astype(np.float32)
    inside = (away < halo.radius) & (keep == 0)
    cv2.copyTo(cleared, inside.astype(np.uint8), below)
    _fill_edge(below, halo.radius, away, (dx, dy), keep == 0)
    canvas[y0:y1, x0:x1] = cv2.convertScaleAbs(below)


def _fill_edge(
    below: NDArray[np.float32],
    radius: float,
    away: NDArray[np.float32],
    ways: tuple[NDArray[np.float32], NDArray[np.float32]],
    free: NDArray[np.bool_],
) -> None:
    """A circle's soft edge, between what lies so far inside and so far outside of it, in place.

    ``away``: how far every pixel is from its middle, ``ways``: across (W,) and down (H, 1); ``free``: which
    pixels may change.
    """
    ys, xs = np.nonzero((np.abs(away - radius) < EDGE_PX) & free)
    if not len(ys):
        return
    beside, dx, dy = away[ys, xs], ways[0][xs], ways[1][ys, 0]
    # In rows: OpenCV limits how long one is.
    rows = -(-len(beside) // WAYS), WAYS
    inner, outer = (
        cv2.remap(
            below,
            np.resize(xs + dx * (edge / beside - 1), rows).astype(np.float32),
            np.resize(ys + dy * (edge / beside - 1), rows).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ).reshape(-1, 3)[: len(beside)]
        for edge in (radius - EDGE_PX, radius + EDGE_PX)
    )
    share = ((beside - radius) / (2 * EDGE_PX) + 0.5)[:, None]
    below[ys, xs] = inner * (1 - share) + outer * share
