"""Anti-aliased shapes drawn into a picture in place, to 1/16 of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Rgb

BITS = 4
"""Fractional bits of the coordinates given to OpenCV."""


def fixed(points: object) -> NDArray[np.int32]:
    """Return points in pixels as OpenCV's fixed-point numbers with ``BITS``."""
    return np.round(np.asarray(points, dtype=np.float64) * (1 << BITS)).astype(np.int32)


def thickness_of(width_px: float) -> int:
    """Return the thickness with which OpenCV draws antialiased lines of this width.

    OpenCV adds 1.5 pixels to an even thickness, 2.5 to an odd one.
    """
    return max(1, 2 * round((width_px - 1.5) / 2))


def stroke(canvas: Bgr, points: object, colour: Rgb, thickness: float) -> None:
    """Draw a polyline (N, 2) with round caps and joins, of OpenCV's ``thickness``."""
    cv2.polylines(canvas, [fixed(points)], False, colour[::-1], max(1, round(thickness)), cv2.LINE_AA, BITS)


def rule(canvas: Bgr, points: object, colour: Rgb, width_px: int) -> None:
    """Draw a straight line (2, 2), sharp to the pixel where it is vertical or horizontal, as in the game."""
    (x0, y0), (x1, y1) = np.asarray(points, dtype=np.float64).tolist()
    if abs(x0 - x1) > 0.5 and abs(y0 - y1) > 0.5:
        stroke(canvas, points, colour, width_px)
        return
    before, after = width_px // 2, width_px - width_px // 2
    left, right = round(min(x0, x1)), round(max(x0, x1))
    top, bottom = round(min(y0, y1)), round(max(y0, y1))
    canvas[max(0, top - before) : bottom + after, max(0, left - before) : right + after] = colour[::-1]


Part = tuple[slice, slice]
"""Rows and columns of a part of a picture."""


class Disc(Struct, frozen=True, eq=False):
    """The ``pixels`` of a square ``part`` of a picture, and the ``mask`` of a disc in it."""

    part: Part
    pixels: Bgr
    mask: NDArray[np.uint8]


def lifted(picture: Bgr, centre: Sequence[float], radius_px: float) -> Disc:
    """Copy the pixels of a disc, to be put back after drawing over them."""
    mask = _disc_mask(round(radius_px))
    reach = len(mask) // 2
    x, y = (round(c) - reach for c in centre)
    height, width = picture.shape[:2]
    part = np.s_[
        max(0, y) : max(0, min(height, y + len(mask))), max(0, x) : max(0, min(width, x + len(mask)))
    ]
    visible = mask[max(0, -y) : max(0, height - y), max(0, -x) : max(0, width - x)]
    return Disc(part, picture[part].copy(), visible)


def put_back(canvas: Bgr, disc: Disc) -> None:
    """Put the pixels of a disc back."""
    if disc.pixels.size:
        cv2.copyTo(disc.pixels, disc.mask, canvas[disc.part])


@lru_cache(maxsize=32)
def _disc_mask(radius: int) -> NDArray[np.uint8]:
    mask = np.zeros((2 * radius + 1, 2 * radius + 1), np.uint8)
    return np.asarray(cv2.circle(mask, (radius, radius), radius, 255, -1), np.uint8)


def disc(canvas: Bgr, centre: Sequence[float], radius_px: float, colour: Rgb) -> None:
    """Draw a filled circle."""
    middle = tuple(fixed(centre).tolist())
    cv2.circle(canvas, middle, max(1, round(radius_px * (1 << BITS))), colour[::-1], -1, cv2.LINE_AA, BITS)


def polygon(canvas: Bgr, corners: object, colour: Rgb) -> None:
    """Fill a convex polygon (N, 2)."""
    cv2.fillConvexPoly(canvas, fixed(corners), colour[::-1], cv2.LINE_AA, BITS)


def text(canvas: Bgr, at: Sequence[float], words: str, size_px: float, colour: Rgb, anchor: str) -> float:
    """Write in Pillow's default font; return the right end. ``anchor``: as in Pillow."""
    from PIL import Image, ImageDraw

    x, y = round(at[0]), round(at[1])
    font = _font(round(size_px))
    x0, y0, x1, y1 = (int(n) for n in font.getbbox(words, anchor=anchor))
    left, top = max(0, x + x0 - 1), max(0, y + y0 - 1)
    right, bottom = min(canvas.shape[1], x + x1 + 1), min(canvas.shape[0], y + y1 + 1)
    if left < right and top < bottom:
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).text((x - left, y - top), words, fill=255, font=font, anchor=anchor)
        share = np.asarray(mask, dtype=np.float32)[:, :, None] / 255
        part = canvas[top:bottom, left:right]
        part[:] = np.round(part * (1 - share) + np.array(colour[::-1], np.float32) * share).astype(np.uint8)
    return float(x + x1)


@lru_cache(maxsize=32)
def _font(size_px: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size=max(6, size_px))
