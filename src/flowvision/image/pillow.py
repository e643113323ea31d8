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


def is_pillow(source: object) -> TypeGuard[Image]:
    """Whether something is an image of Pillow, which is not imported for the question."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def bgr_of(picture: Image) -> Bgr:
    """(H, W, 3) uint8: the picture upright (EXIF), 8 bits a channel, transparency laid on black.

    Raises what Pillow raises where the picture is loaded only now, and is damaged.
    """
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.mode.startswith("I"):
        return as_bgr(np.asarray(upright).astype(np.uint16))
    rgba = np.asarray(upright.convert("RGBA"))
    return as_bgr(np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), np.uint8))
