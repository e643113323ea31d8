"""Pictures of Pillow as arrays of pixels."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeGuard

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from flowvision.image.pixels import as_bgr

if TYPE_CHECKING:
    from PIL.Image import Image

ORIENTATION = 0x112
"""The tag of EXIF that says how a picture is to be turned."""
STRIP = 256
"""Rows that are turned into pixels at once: a large picture is never there in all its forms."""


def is_pillow(source: object) -> TypeGuard[Image]:
    """Whether something is an image of Pillow, which is not imported for the question."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def bgr_of(picture: Image) -> Bgr:
    """(H, W, 3) uint8: the picture upright (EXIF), 8 bits a channel, transparency laid on black.

    Raises what Pillow raises where the picture is loaded only now, and is damaged.
    """
    picture.load()  # TIFF is turned on the way by newer versions, and then says so no more
    orientation = picture.getexif().get(ORIENTATION, 1)
    width, height = picture.size
    bgr = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, STRIP):
        bottom = min(top + STRIP, height)
        bgr[top:bottom] = _strip(picture.crop((0, top, width, bottom)))
    return _upright(bgr, orientation)


def _strip(picture: Image) -> Bgr:
    """A part of a picture, as it lies in the file."""
    if picture.mode.startswith("I"):
        return as_bgr(np.asarray(picture).astype(np.uint16))
    rgba = np.asarray(picture.convert("RGBA"))
    return as_bgr(np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), np.uint8))


def _upright(bgr: Bgr, orientation: object) -> Bgr:
    """Turned and mirrored as EXIF says: 5 to 8 lie on their side, 2, 4, 5 and 7 are mirrored."""
    turned = bgr.transpose(1, 0, 2) if orientation in (5, 6, 7, 8) else bgr
    if orientation in (3, 4, 7, 8):
        turned = turned[::-1]
    if orientation in (2, 3, 6, 7):
        turned = turned[:, ::-1]
    return np.ascontiguousarray(turned)
