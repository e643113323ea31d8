"""A picture cut out and turned as its user says, before anything is looked for in it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from flowvision.errors import ImageUnreadableError
from flowvision.image.formats import check_shape
from flowvision.image.picture import Screenshot


class CropBox(NamedTuple):
    """A part of a picture, in pixels: its upper left corner, its width and its height."""

    x: int
    y: int
    width: int
    height: int


def cut_out(shot: Screenshot, box: CropBox | tuple[int, int, int, int]) -> Screenshot:
    """The part of a picture in a box (x, y, width, height in pixels).

    Raises ``ImageUnreadableError`` when the box does not lie in it.
    """
    x, y, width, height = box
    tall, wide = shot.bgr.shape[:2]
    if not (0 <= x < x + width <= wide and 0 <= y < y + height <= tall):
        raise ImageUnreadableError(
            f"The part {x},{y},{width},{height} does not lie in the picture of {wide} × {tall} px.",
            "`--crop` takes X,Y,WIDTH,HEIGHT in pixels, X and Y of the upper left corner.",
        )
    part = np.s_[y : y + height, x : x + width]
    alpha = None if shot.alpha is None else np.ascontiguousarray(shot.alpha[part])
    return Screenshot(np.ascontiguousarray(shot.bgr[part]), shot.name, alpha)


def turned(shot: Screenshot, degrees: float) -> Screenshot:
    """The picture turned clockwise, whole, with black corners; quarter turns keep every pixel."""
    quarters = round(degrees / 90)
    if abs(degrees - 90 * quarters) < 1e-6:
        alpha = None if shot.alpha is None else np.ascontiguousarray(np.rot90(shot.alpha, -quarters))
        return Screenshot(np.ascontiguousarray(np.rot90(shot.bgr, -quarters)), shot.name, alpha)
    height, width = shot.bgr.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)]) @ turn.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    turn[:, 2] -= low
    size = (int(np.ceil(high[0] - low[0])), int(np.ceil(high[1] - low[1])))
    check_shape(*size)
    bgr, alpha = (
        None if one is None else np.asarray(cv2.warpAffine(one, turn, size, flags=cv2.INTER_LINEAR), np.uint8)
        for one in (shot.bgr, shot.alpha)
    )
    assert bgr is not None
    return Screenshot(bgr, shot.name, alpha)
