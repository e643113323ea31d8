"""The working picture: a part of the screenshot, small enough to be fast and upright."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Screenshot
from flowvision.value import value_type


def median(values: NDArray[Any]) -> float:
    """The number in the middle, or half-way between both; ``values`` of any shape, at least one."""
    middle = (values.size - 1) // 2, values.size // 2
    low, high = np.partition(values, middle, axis=None)[list(middle)].tolist()
    return float(low + high) / 2


def percentile(values: Floats, percent: float) -> float:
    """The number that so many per cent are below, on the line between its neighbours by rank."""
    ordered = np.sort(values, axis=None)
    place = percent / 100 * (ordered.size - 1)
    before = int(place)
    low, high = float(ordered[before]), float(ordered[min(before + 1, ordered.size - 1)])
    share = place - before
    # From the nearer of both, as NumPy does.
    return low + (high - low) * share if share < 0.5 else high - (high - low) * (1 - share)


Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]
Channel = Literal["brightest", "negative", "blue", "green", "red"]
"""What lines are looked for in.

The largest of the three channels at every pixel; its negative, for lines darker than their cells; or one
channel alone, for played cells whose tint is as bright as the lines but of another colour.
"""
CHANNELS: tuple[Channel, ...] = ("brightest", "negative", "green", "red", "blue")
"""In the order in which they are tried."""


class PixelBox(NamedTuple):
    """A part of a picture, in pixels: its upper left corner, and the lower right one, which it leaves out."""

    x0: int
    y0: int
    x1: int
    y1: int


@value_type(eq=False)
class View:
    """The pixels that a stage works on: ``bgr`` (h, w, 3) and ``gray`` (h, w), what lines are looked for in.

    ``to_picture``: 3×3 homography from view pixels to picture pixels.
    """

    bgr: Bgr
    gray: Gray
    to_picture: NDArray[np.float64]
    rims: tuple[tuple[bool, bool], tuple[bool, bool]] = ((True, True), (True, True))
    """Whether the view ends where the picture ends: left and right, top and bottom."""
    channel: Channel = "brightest"
    """Of which channel ``gray`` is."""

    @property
    def plain(self) -> bool:
        """Whether ``gray`` is the brightest channel: in others the edges of tints may look like lines."""
        return self.channel == "brightest"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.gray.shape[1], self.gray.shape[0]

    @property
    def scale(self) -> float:
        """Picture pixels per view pixel."""
        (across, shear, _), (slant, down, _) = self.to_picture[:2].tolist()
        return float(abs(across * down - shear * slant) ** 0.5)

    def in_channel(self, channel: Channel) -> View:
        """The same pixels with the lines of another channel."""
        return View(self.bgr, _gray_of(self.bgr, channel), self.to_picture, self.rims, channel)

    def part_in(self, box: PixelBox) -> PixelBox:
        """The pixels of an upright view that ``box`` (of picture pixels) touches."""
        factor, size = self.to_picture[0, 0], self.size
        x0, y0 = (max(0, int((box[n] - self.to_picture[n, 2]) / factor)) for n in (0, 1))
        x1, y1 = (min(size[n], int((box[n + 2] - self.to_picture[n, 2]) / factor) + 1) for n in (0, 1))
        return PixelBox(x0, y0, x1, y1)

    def cut(self, part: PixelBox) -> View:
        """A part of an upright view, in its pixels."""
        x0, y0, x1, y1 = part
        to_picture = self.to_picture @ np.array([[1, 0, x0], [0, 1, y0], [0, 0, 1]], np.float64)
        (left, right), (top, bottom) = self.rims
        across = left and x0 == 0, right and x1 == self.size[0]
        down = top and y0 == 0, bottom and y1 == self.size[1]
        return View(self.bgr[y0:y1, x0:x1], self.gray[y0:y1, x0:x1], to_picture, (across, down), self.channel)


class Views:
    """Views of a screenshot, ``view_px`` on their shorter side: each part is shrunk once for all channels."""

    def __init__(self, shot: Screenshot, view_px: float) -> None:
        self.shot = shot
        self._view_px = view_px
        self._seen: dict[PixelBox | None, View] = {}

    def of(self, box: PixelBox | None, channel: Channel = "brightest") -> View:
        """As ``view_of``."""
        seen = self._seen.get(box)
        if seen is None:
            seen = self._seen[box] = view_of(self.shot, box, self._view_px, channel)
        return seen if seen.channel == channel else seen.in_channel(channel)


MIN_SHRINK = 1.25
"""Shrinking by less costs more time than the smaller view saves."""


def view_of(shot: Screenshot, box: PixelBox | None, view_px: float, channel: Channel = "brightest") -> View:
    """A part of a screenshot, shrunk to ``view_px`` on its shorter side.

    ``box``: the part; ``None`` is the whole picture. ``channel``: of which the view's ``gray`` is.
    """
    height, width = shot.bgr.shape[:2]
    x0, y0, x1, y1 = box = box or PixelBox(0, 0, width, height)
    part = shot.bgr[y0:y1, x0:x1]
    factor = shrink_of(box, view_px)
    if factor >= 2:
        part = part[: (y1 - y0) // int(factor) * int(factor), : (x1 - x0) // int(factor) * int(factor)]
    if factor > 1:
        size = (round(part.shape[1] / factor), round(part.shape[0] / factor))
        how = cv2.INTER_AREA if factor >= 2 else cv2.INTER_LINEAR
        part = np.asarray(cv2.resize(part, size, interpolation=how), dtype=np.uint8)
    # The centres of pixels lie at whole numbers, so the way back begins between two of them.
    shift = (factor - 1) / 2
    to_picture = np.array([[factor, 0, x0 + shift], [0, factor, y0 + shift], [0, 0, 1]], dtype=np.float64)
    rims = ((x0 == 0, x1 == width), (y0 == 0, y1 == height))
    return View(part, _gray_of(part, channel), to_picture, rims, channel)


def shrink_of(box: PixelBox, view_px: float) -> float:
    """How many picture pixels become one when the part inside ``box`` is shrunk."""
    factor = min(box.x1 - box.x0, box.y1 - box.y0) / view_px
    # Whole factors have a path of their own in OpenCV, five times as fast.
    return float(int(factor)) if factor >= 2 else factor if factor >= MIN_SHRINK else 1.0


def _gray_of(bgr: Bgr, channel: Channel) -> Gray:
    match channel:
        case "brightest":
            return brightest_channel(bgr)
        case "negative":
            return np.bitwise_not(brightest_channel(bgr))
        case _:
            return np.asarray(
                cv2.extractChannel(bgr, ("blue", "green", "red").index(channel)), dtype=np.uint8
            )


def brightest_channel(bgr: Bgr) -> Gray:
    """(H, W): the largest of the three channels; two by two they beat ``numpy.max(axis=2)`` 23 times."""
    blue, green, red = (np.asarray(channel, np.uint8) for channel in cv2.split(bgr))
    return np.maximum(np.maximum(blue, green, out=blue), red, out=blue)
