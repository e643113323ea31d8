"""Anti-aliased shapes drawn into a picture in place, to 1/16 of a pixel; all points are x first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb, brightest_channel

if TYPE_CHECKING:
    from PIL import ImageFont

BITS = 4
"""Fractional bits of the coordinates given to OpenCV."""


def fixed(points: object) -> NDArray[np.int32]:
    """Return points (N, 2) in pixels as OpenCV's fixed-point numbers with ``BITS``."""
    scaled = np.asarray(points, dtype=np.float64) * (1 << BITS)
    return np.round(scaled).astype(np.int32)


def thickness_of(width_px: float) -> int:
    """Return the thickness with which OpenCV draws antialiased lines of this width.

    OpenCV adds 1.5 pixels to an even thickness, 2.5 to an odd one: it is even, or 1 where that is too wide.
    """
    return max(1, 2 * round((width_px - 1.5) / 2))


def stroke(canvas: Bgr, points: object, colour: Rgb, thickness: float) -> None:
    """Draw a polyline (N, 2) with round caps and joins, of OpenCV's ``thickness``."""
    whole = max(1, round(thickness))
    cv2.polylines(canvas, [fixed(points)], False, colour.bgr, whole, cv2.LINE_AA, BITS)


def rule(canvas: Bgr, points: object, colour: Rgb, width_px: int) -> None:
    """Draw a straight line (2, 2), sharp to the pixel where it is vertical or horizontal, as in the game.

    Another one is a ``stroke`` of the thickness ``width_px``, wider by what OpenCV adds (``thickness_of``).
    """
    (x0, y0), (x1, y1) = np.asarray(points, dtype=np.float64).tolist()
    if abs(x0 - x1) > 0.5 and abs(y0 - y1) > 0.5:
        stroke(canvas, points, colour, width_px)
        return
    ends = np.round([(x0, y0), (x1, y1)])
    low = ends.min(axis=0) - width_px // 2
    high = ends.max(axis=0) - width_px // 2 + width_px
    canvas[part_between(low, high, canvas)] = colour.bgr


Part = tuple[slice, slice]
"""Rows and columns of a part of a picture."""


def part_between(first: Iterable[float], beyond: Iterable[float], picture: Bgr) -> Part:
    """Return the part of a picture from pixel ``first`` (2,) until ``beyond``; both may lie outside."""
    # By Python: NumPy takes five times as long over two points.
    columns, rows = (
        slice(*(min(max(int(end), 0), size) for end in ends))
        for *ends, size in zip(first, beyond, picture.shape[1::-1], strict=True)
    )
    return rows, columns


def part_around(centre: Floats, reach_px: float, picture: Bgr) -> Part:
    """Return the part of a picture that holds every pixel within reach of a point (2,)."""
    return part_between(centre - reach_px, np.ceil(centre + reach_px) + 1, picture)


def part_from(corner: Sequence[int] | NDArray[np.int_], part: Part) -> Part:
    """Return a part of a picture as rows and columns counted from a pixel (2,) instead."""
    rows, columns = part
    x, y = corner
    top, left = rows.start - y, columns.start - x
    return slice(top, rows.stop - y), slice(left, columns.stop - x)


def corner_of(part: Part) -> NDArray[np.int_]:
    """Return the upper left pixel (2,) of a part."""
    rows, columns = part
    return np.array((columns.start, rows.start))


def distances_in(part: Part, point: Sequence[float] | Floats) -> Floats:
    """Return the distance (H, W) from a point of a picture to every pixel of a part of it."""
    rows, columns = part
    x, y = point
    dx = np.arange(columns.start, columns.stop) - x
    dy = np.arange(rows.start, rows.stop)[:, None] - y
    return np.asarray(np.sqrt(dx * dx + dy * dy), np.float64)


def differences_from(colour: Rgb, bgr: Bgr) -> NDArray[np.uint8]:
    """Return the largest difference of a channel (H, W) between each pixel and a colour."""
    # A colour applies to every pixel; OpenCV's stubs do not know that.
    differences = cv2.absdiff(bgr, (*colour.bgr, 0))  # type: ignore[call-overload]
    return brightest_channel(np.asarray(differences, np.uint8))


class Disc(Struct, frozen=True, eq=False):
    """The ``pixels`` of a square ``part`` of a picture, and the ``mask`` (H, W) of a disc in it: 255 or 0."""

    part: Part
    pixels: Bgr
    mask: NDArray[np.uint8]


def lifted(picture: Bgr, centre: Sequence[float], radius_px: float) -> Disc:
    """Return a copy of the pixels of a disc, to be put back after drawing over them."""
    mask = _disc_mask(round(radius_px))
    corner = [round(middle) - len(mask) // 2 for middle in centre]
    part = part_between(corner, [start + len(mask) for start in corner], picture)
    return Disc(part, picture[part].copy(), mask[part_from(corner, part)])


def put_back(canvas: Bgr, disc: Disc) -> None:
    """Put the pixels of a disc back, in place."""
    if disc.pixels.size:
        cv2.copyTo(disc.pixels, disc.mask, canvas[disc.part])


def across(directions: Floats) -> Floats:
    """Return directions (…, 2) turned by a quarter."""
    return directions[..., ::-1] * (-1, 1)


@lru_cache(maxsize=32)
def _disc_mask(radius: int) -> NDArray[np.uint8]:
    """Return a mask (size, size) of a disc: 255 inside, 0 outside; the radius is in pixels."""
    size = 2 * radius + 1
    mask = np.zeros((size, size), np.uint8)
    return np.asarray(cv2.circle(mask, (radius, radius), radius, 255, -1), np.uint8)


def disc(canvas: Bgr, centre: Sequence[float], radius_px: float, colour: Rgb) -> None:
    """Draw a filled circle."""
    middle = tuple(fixed(centre).tolist())
    radius = max(1, round(radius_px * (1 << BITS)))
    cv2.circle(canvas, middle, radius, colour.bgr, cv2.FILLED, cv2.LINE_AA, BITS)


def polygon(canvas: Bgr, corners: object, colour: Rgb) -> None:
    """Fill a convex polygon (N, 2)."""
    cv2.fillConvexPoly(canvas, fixed(corners), colour.bgr, cv2.LINE_AA, BITS)


def text(
    canvas: Bgr, anchor_px: Sequence[float], words: str, size_px: float, colour: Rgb, anchor: str
) -> float:
    """Write in Pillow's default font, in place; return x of the right end in pixels.

    ``anchor``: the place of ``anchor_px`` in the words, as in Pillow, such as ``mm`` for the middle.
    """
    from PIL import Image, ImageDraw

    font = _font(round(size_px))
    x, y = map(round, anchor_px)
    left, top, right, bottom = map(int, font.getbbox(words, anchor=anchor))
    upper_left, lower_right = (x + left, y + top), (x + right, y + bottom)
    part = part_between(np.subtract(upper_left, 1), np.add(lower_right, 1), canvas)
    below = canvas[part]
    if below.size:
        mask = Image.new("L", below.shape[1::-1])
        anchor_in_part = ((x, y) - corner_of(part)).tolist()
        ImageDraw.Draw(mask).text(anchor_in_part, words, fill=255, font=font, anchor=anchor)
        share = np.asarray(mask, dtype=np.float32)[:, :, None] / 255
        blend = below * (1 - share) + np.array(colour.bgr, np.float32) * share
        below[:] = blend.round()
    return float(x + right)


@lru_cache(maxsize=32)
def _font(size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's font, at least 6 pixels high."""
    from PIL import ImageFont

    return ImageFont.load_default(size=max(6, size_px))
