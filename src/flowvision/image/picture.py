"""Decoded pictures, colours, maps from cell units to pixels; convert and turn pixels.

Points are x first. Transparent pixels are laid on a ground, black or white: 0 or 255.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.colours import Rgb as Rgb  # noqa: PLC0414 - modules of pixels get it here
from flowvision.errors import BoardNotFoundError, ImageUnreadableError

if TYPE_CHECKING:
    from PIL.Image import Image


Bgr = NDArray[np.uint8]
"""(H, W, 3) uint8, channels in OpenCV's order: blue, green, red."""
Floats = NDArray[np.float64]
HALF_STEPS = ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5))
"""To the left, right, upper and lower end of a cell, from its middle."""


class Screenshot(Struct, frozen=True, eq=False):
    """A decoded picture, upright, and the name it is reported under."""

    bgr: Bgr
    name: str = "screenshot"


def affine_map(points: object, onto: object) -> NDArray[np.float64]:
    """Return the affine map (3, 3) from points (N, 2) to others (N, 2), by least squares."""
    start = np.asarray(points, np.float64).reshape(-1, 2)
    end = np.asarray(onto, np.float64).reshape(-1, 2)
    numbered = np.column_stack((start, np.ones(len(start))))
    solved, *_ = np.linalg.lstsq(numbered, end, rcond=None)
    return np.vstack((solved.T, (0.0, 0.0, 1.0)))


class Frame(Struct, frozen=True):
    """The map from cell units to pixels: a 3×3 homography, its nine numbers row by row.

    Pixel coordinates are OpenCV's: (0, 0) is the middle of the first pixel.
    """

    matrix: tuple[float, ...]

    @classmethod
    def of_box(cls, x_px: float, y_px: float, pitch_x_px: float, pitch_y_px: float) -> Frame:
        """Return the upright frame with its corner (0, 0) at (``x_px``, ``y_px``)."""
        return cls((pitch_x_px, 0.0, x_px, 0.0, pitch_y_px, y_px, 0.0, 0.0, 1.0))

    @classmethod
    def of_homography(cls, homography: NDArray[np.floating]) -> Frame:
        """Return the frame of a homography (3, 3)."""
        return cls(tuple(homography.ravel().tolist()))

    @property
    def homography(self) -> NDArray[np.float64]:
        """The map (3, 3) in homogeneous coordinates."""
        return np.array(self.matrix, dtype=np.float64).reshape(3, 3)

    def to_px(self, points: object) -> NDArray[np.float64]:
        """Map points (N, 2) in cell units to pixels (N, 2), x first."""
        cells = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        m = self.homography
        projected = cells @ m[:, :2].T + m[:, 2]  # (N, 3), homogeneous
        return np.asarray(projected[:, :2] / projected[:, 2:], dtype=np.float64)

    def to_cells(self, points_px: object) -> NDArray[np.float64]:
        """Map pixels (N, 2), x first, to points (N, 2) in cell units."""
        return Frame.of_homography(np.linalg.inv(self.homography)).to_px(points_px)

    def pitch_px(self, point: tuple[float, float]) -> float:
        """Return the mean distance in pixels between cells near a point in cell units."""
        left, right, above, below = self.to_px(np.add(point, HALF_STEPS))
        across, down = np.hypot(*(right - left)), np.hypot(*(below - above))
        return float((across + down) / 2)

    def stretch(self, point: tuple[float, float]) -> NDArray[np.float64]:
        """Return the map (2, 2) of small moves near a point: from cell units to pixels."""
        origin, right, down = self.to_px(np.add(point, ((0, 0), (0.01, 0), (0, 0.01))))
        return np.column_stack((right - origin, down - origin)) * 100.0

    @lru_cache(maxsize=64)  # noqa: B019
    def cell_width_px(self, point: tuple[float, float]) -> float:
        """Return the smallest extent of a cell unit in pixels, near a point in cell units."""
        return float(np.linalg.svd(self.stretch(point), compute_uv=False)[-1])


PIXELS = Frame.of_box(0.0, 0.0, 1.0, 1.0)
"""The frame of points in pixels."""


Number = TypeVar("Number", np.uint8, np.float32)

STRIP = 64
"""Rows converted at once: they fit into the processor's cache."""
MIN_SIDE, MAX_SIDE = 32, 20_000
"""Pixels. A board of three cells has them; the longest scrolled screenshots have half of that."""
MAX_RATIO = 40
"""Largest ratio of the two sides; no screen, and no scrolled screenshot, comes near."""
MAX_PIXELS = 80_000_000
"""20 times the largest phone screenshot; decoded, 240 MB."""

SAMPLED, FEW = 7, 256
"""Pixels between those that choose a ground; pixels across a picture that does so strip by strip."""
VISIBLE, LOST = 128, 48
"""Alpha of pixels that show; largest distance from a ground, in every channel, of those that vanish on it."""

AS_MADE = "Give a screenshot as the phone made it."
SMALLER = "Save it as a plain PNG or JPEG, or shrink it."


def check_shape(width: int, height: int, max_pixels: int = MAX_PIXELS) -> None:
    """Raise ``ImageUnreadableError`` for pictures that are too small, too large or too long."""
    shape = f"{width:,} × {height:,} pixels"
    smaller, larger = sorted((width, height))
    if width * height > max_pixels:
        raise too_many(shape, max_pixels)
    if smaller < MIN_SIDE or larger > MAX_SIDE or larger > MAX_RATIO * smaller:
        raise ImageUnreadableError(
            f"The picture is {shape}; sides of {MIN_SIDE} to {MAX_SIDE:,} are allowed, the longer at most "
            f"{MAX_RATIO} times the shorter.",
            SMALLER if larger > MAX_SIDE else AS_MADE,
        )


def too_many(count: str, max_pixels: int) -> ImageUnreadableError:
    """Return the error about a picture that would take too much memory; ``count``: such as ``9 pixels``."""
    return ImageUnreadableError(
        f"The picture has {count}; at most {max_pixels // 1_000_000} million are allowed.", SMALLER
    )


def as_bgr(pixels: NDArray[Any], ground: int | None = None) -> Bgr:
    """Return pixels as (H, W, 3) uint8: from grey, 16 bits, or BGR with alpha, laid on a ground.

    ``ground``: by default the one that suits the pixels. Raises ``ImageUnreadableError`` for others.
    """
    if pixels.ndim not in (2, 3) or pixels.size == 0:
        raise ImageUnreadableError(f"An array of shape {pixels.shape} is not a picture.")
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    elif pixels.dtype != np.uint8:
        raise ImageUnreadableError(
            f"Pixels are {pixels.dtype}; uint8 was expected.",
            "Give an array of uint8, 0 to 255: `(255 * pixels).astype(np.uint8)` where they are 0 to 1.",
        )
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    match channels:
        case 1:
            return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
        case 3:
            return np.ascontiguousarray(pixels)
        case 4:
            return _laid_on(ground_under(pixels) if ground is None else ground, pixels)
        case _:
            raise ImageUnreadableError(
                f"An array of shape {pixels.shape} is not a picture: (height, width, 3) is expected.",
                "Give 3 channels, 4 with alpha, or none for grey; they come last.",
            )


def ground_under(bgra: NDArray[np.uint8]) -> int:
    """Return the ground of transparent pixels (H, W, 4): black; white if most are, where black hides more."""
    sample = bgra[::SAMPLED, ::SAMPLED].reshape(-1, 4)
    visible = sample[sample[:, 3] >= VISIBLE, :3]
    lost_on_black = np.count_nonzero(visible.max(axis=1) < LOST)
    lost_on_white = np.count_nonzero(visible.min(axis=1) > 255 - LOST)
    is_mostly_transparent = 4 * len(visible) < len(sample)
    return 255 if is_mostly_transparent and lost_on_black > lost_on_white else 0


def _laid_on(ground: int, bgra: NDArray[np.uint8]) -> Bgr:
    """Return a transparent picture (H, W, 4) blended with a ground."""
    bgr, alpha = cv2.cvtColor(bgra, cv2.COLOR_BGRA2BGR), cv2.extractChannel(bgra, 3)
    if alpha.min() < 255:
        weight = cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR)
        cv2.multiply(bgr, weight, dst=bgr, scale=1 / 255)
        if ground:
            cv2.add(bgr, cv2.bitwise_not(weight), dst=bgr)
    return np.asarray(bgr, np.uint8)


def is_pillow(source: object) -> TypeGuard[Image]:
    """Recognise an image of Pillow, without importing Pillow."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def scaled_size(bgr: Bgr, scale: float) -> tuple[int, int]:
    """Return width and height of a picture after scaling, at least a pixel each."""
    height, width = bgr.shape[:2]
    return max(1, round(width * scale)), max(1, round(height * scale))


def bgr_of(picture: Image) -> Bgr:
    """Return a Pillow image upright (EXIF), transparency laid on its ground. Raises Pillow's errors."""
    from PIL import Image, ImageOps

    picture.load()  # newer versions turn TIFF here, and remove the tag
    picture = ImageOps.exif_transpose(picture)
    width, height = picture.size
    bgr = np.empty((height, width, 3), np.uint8)
    is_grey = picture.mode.startswith("I")  # of 16 or 32 bits
    few = picture.resize((FEW, FEW), Image.Resampling.NEAREST)
    ground = 0 if is_grey else ground_under(np.asarray(few.convert("RGBA")))
    for top in range(0, height, STRIP):
        strip = picture.crop((0, top, width, min(top + STRIP, height)))
        pixels: NDArray[Any]
        if is_grey:
            pixels = np.asarray(strip).astype(np.uint16)
        else:
            pixels = cv2.cvtColor(np.asarray(strip.convert("RGBA")), cv2.COLOR_RGBA2BGRA)
        bgr[top : top + STRIP] = as_bgr(pixels, ground)
    return bgr


class CropBox(NamedTuple):
    """A part of a picture, in pixels: its upper left corner, its width and its height."""

    x: int
    y: int
    width: int
    height: int


def are_apart(a: CropBox, b: CropBox) -> bool:
    """Return true if two boxes have no pixel in common."""
    right = min(a.x + a.width, b.x + b.width)
    bottom = min(a.y + a.height, b.y + b.height)
    return max(a.x, b.x) >= right or max(a.y, b.y) >= bottom


def lies_in(shot: Screenshot, box: CropBox | tuple[int, int, int, int]) -> bool:
    """Return true if a box lies within the picture."""
    x, y, width, height = box
    tall, wide = shot.bgr.shape[:2]
    is_inside = min(x, y) >= 0 and x + width <= wide and y + height <= tall
    return bool(is_inside and min(width, height) > 0)


def check_inside(shot: Screenshot, box: CropBox | tuple[int, int, int, int]) -> None:
    """Raise ``BoardNotFoundError`` for a box outside the picture."""
    if not lies_in(shot, box):
        part, (tall, wide) = ",".join(map(str, box)), shot.bgr.shape[:2]
        raise BoardNotFoundError(f"The part {part} is not inside the picture of {wide} × {tall} px.")


def turned(shot: Screenshot, degrees: float) -> Screenshot:
    """Return a picture turned clockwise, with black corners; quarter turns keep every pixel."""
    quarters = round(degrees / 90)
    if abs(degrees - 90 * quarters) < 1e-6:
        return Screenshot(np.ascontiguousarray(np.rot90(shot.bgr, -quarters)), shot.name)
    height, width = shot.bgr.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, scale=1.0)  # positive: to the left
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)])
    corners_px = corners @ turn.T
    upper_left, lower_right = corners_px.min(axis=0), corners_px.max(axis=0)
    turn[:, 2] -= upper_left
    size = np.ceil(lower_right - upper_left).astype(int).tolist()
    check_shape(*size)
    return Screenshot(np.asarray(cv2.warpAffine(shot.bgr, turn, size), np.uint8), shot.name)


def pixels_at(picture: NDArray[Number], points_px: Floats) -> tuple[NDArray[Number], NDArray[np.bool_]]:
    """Return the pixels (…) or (…, 3) nearest to points (…, 2), and if these lie in the picture (…)."""
    # Coordinate by coordinate: over so short a last axis NumPy takes twice as long.
    nearest = np.rint(points_px)
    x, y = nearest[..., 0], nearest[..., 1]
    within_x = np.minimum(np.maximum(x, 0), picture.shape[1] - 1)
    within_y = np.minimum(np.maximum(y, 0), picture.shape[0] - 1)
    is_inside = np.asarray((within_x == x) & (within_y == y))
    return picture[within_y.astype(np.intp), within_x.astype(np.intp)], is_inside


def brightest_channel(bgr: Bgr) -> NDArray[np.uint8]:
    """Return (H, W): the largest of the three channels; two by two it takes a twentieth of NumPy's time."""
    # Copied if it is a part of a picture: OpenCV takes twice as long for the part.
    blue, green, red = (np.asarray(channel, np.uint8) for channel in cv2.split(np.ascontiguousarray(bgr)))
    return np.maximum(np.maximum(blue, green, out=blue), red, out=blue)


def unit_circle(count: int) -> Floats:
    """Return points (count, 2) evenly round a circle of radius 1."""
    angles = 2 * np.pi * np.arange(count) / count
    return np.column_stack((np.cos(angles), np.sin(angles)))
