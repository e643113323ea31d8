"""Colours of a view at points given in cell units."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame
from flowvision.vision.pixels.view import Floats, Gray, View, brightest_channel

_share = np.arange(256) / 255
LINEAR = np.where(_share <= 0.04045, _share / 12.92, ((_share + 0.055) / 1.055) ** 2.4)
"""Channel of a channel, 0 to 1, per sRGB value 0 to 255 (IEC 61966-2-1)."""
BGR_TO_XYZ = np.array(
    [[0.180423, 0.072169, 0.950227], [0.357580, 0.715160, 0.119193], [0.412453, 0.212671, 0.019334]]
) / np.array([0.950456, 1.0, 1.088754])
"""Rows blue, green, red; columns X, Y, Z as shares of the white of D65."""
HALF_WAY = 0.5
"""Of the way from one colour to another: what is nearer belongs to the first."""


def view_frame(frame: Frame, view: View) -> Frame:
    """The map from cell units to the pixels of a view, for a ``frame`` into its picture."""
    return _frame_in(frame, view.to_picture.tobytes())


@lru_cache(maxsize=64)
def _frame_in(frame: Frame, to_picture: bytes) -> Frame:
    """The map from cell units to the pixels of a view, whose homography is given as its bytes."""
    return Frame.of_homography(np.linalg.inv(np.frombuffer(to_picture).reshape(3, 3)) @ frame.homography)


def sample(
    view: View, frame: Frame, centres: Floats, offsets: Floats, border: int = cv2.BORDER_REPLICATE
) -> Bgr:
    """(N, M, 3) uint8: the pixels nearest to every centre (N, 2) plus its offsets, in cell units.

    ``offsets``: (M, 2) for all centres alike, or (N, M, 2). Points outside the view take the colour of the
    nearest pixel inside, or are black where ``border`` is ``cv2.BORDER_CONSTANT``.
    """
    return _nearest(view.bgr, _points_px(view, frame, centres, offsets), border)


def sample_brightest(
    view: View, frame: Frame, centres: Floats, offsets: Floats, border: int = cv2.BORDER_REPLICATE
) -> Gray:
    """(N, M) uint8: the same of the brightest channel alone, in a third of the time."""
    gray = view.gray if view.plain else brightest_channel(view.bgr)
    return _nearest(gray, _points_px(view, frame, centres, offsets), border)


def _nearest(pixels: NDArray[np.uint8], points: NDArray[np.float32], border: int) -> NDArray[np.uint8]:
    """The pixels nearest to ``points`` (N, M, 2)."""
    # The second map is for other kinds of the first; OpenCV's stubs forget that it may be missing.
    picked = cv2.remap(pixels, points, None, cv2.INTER_NEAREST, None, border)  # type: ignore[call-overload]
    return np.asarray(picked, np.uint8)


def is_inside(view: View, frame: Frame, centres: Floats, offsets: Floats) -> NDArray[np.bool_]:
    """(N, M): whether these points lie inside the view; the arguments are those of ``sample``."""
    points = _points_px(view, frame, centres, offsets)
    # Nearly always all of them do, as the extremes tell: a quarter of the time.
    (width, height), (x, y) = view.size, np.moveaxis(points, -1, 0)
    far = [float(extreme) for extreme in (points.min(initial=0), x.max(initial=0), y.max(initial=0))]
    if round(far[0]) >= 0 and round(far[1]) < width and round(far[2]) < height:
        return np.ones(points.shape[:-1], bool)
    points = np.round(points)
    return np.asarray(((points >= 0) & (points < view.size)).all(axis=-1))


def _points_px(view: View, frame: Frame, centres: Floats, offsets: Floats) -> NDArray[np.float32]:
    """(N, M, 2) pixels of the view."""
    matrix = np.reshape(view_frame(frame, view).matrix, (3, 3))
    # The map is linear up to its division, so thousands of points are sums of few centres and few offsets.
    starts = (centres @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    steps = (offsets @ matrix[:, :2].T).astype(np.float32)
    if not matrix[2, :2].any():
        # Added as complex numbers, both coordinates at once: a quarter of the time.
        sums = _as_complex(starts)[:, None] + _as_complex(steps)
        points = sums.view(np.float32).reshape(*sums.shape, 2)
        return points if matrix[2, 2] == 1 else points / np.float32(matrix[2, 2])
    projected = starts[:, None, :] + steps
    return np.asarray(projected[..., :2] / projected[..., 2:])


def _as_complex(points: NDArray[np.float32]) -> NDArray[np.complex64]:
    """(…): x + i·y of the first two of the last axis."""
    return np.ascontiguousarray(points[..., :2]).view(np.complex64)[..., 0]


def lab_of(bgr: Bgr) -> Floats:
    """The same shape in CIE Lab (sRGB, D65), L 0–100.

    OpenCV's conversion of floats spends 70 ms on tables at its first call, which a single screenshot
    never earns back.
    """
    xyz = LINEAR[bgr] @ BGR_TO_XYZ
    roots = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = np.moveaxis(roots, -1, 0)
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def colour_distance(lab: Floats, other: Floats) -> Floats:
    """(…): how far colours (…, 3) are from one another in CIE Lab (CIE 1976)."""
    # Channel by channel: over so short a last axis NumPy's norm takes five times as long.
    squares: Floats = np.zeros(())
    for channel in range(3):
        apart = lab[..., channel] - other[..., channel]
        squares = squares + apart * apart
    return np.sqrt(squares)


def ring(radius: float, count: int) -> Floats:
    """(count, 2) offsets evenly round a circle, the first one on a diagonal."""
    angles = np.pi / 4 + 2 * np.pi * np.arange(count) / count
    return np.column_stack((np.cos(angles), np.sin(angles))) * radius
