"""Decoded pictures, colours, and maps from cell units to pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Bgr = NDArray[np.uint8]
"""(H, W, 3) uint8, channels in OpenCV's order: blue, green, red."""
Floats = NDArray[np.float64]


class Rgb(NamedTuple):
    """A colour, 0 to 255 a channel."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """``#rrggbb``."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


class Screenshot(Struct, frozen=True, eq=False):
    """A decoded picture, upright, and the name it is reported under."""

    bgr: Bgr
    name: str = "screenshot"


def affine_map(points: object, onto: object) -> NDArray[np.float64]:
    """Return the affine map (3, 3) from points (N, 2) to others (N, 2), by least squares."""
    start, end = (np.asarray(values, np.float64).reshape(-1, 2) for values in (points, onto))
    numbered = np.column_stack((start, np.ones(len(start))))
    return np.vstack((np.linalg.lstsq(numbered, end, rcond=None)[0].T, (0.0, 0.0, 1.0)))


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
    def of_homography(cls, homography: NDArray[np.floating[Any]]) -> Frame:
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
        projected = cells @ m[:, :2].T + m[:, 2]
        return np.asarray(projected[:, :2] / projected[:, 2:], dtype=np.float64)

    def to_cells(self, points_px: object) -> NDArray[np.float64]:
        """Map pixels (N, 2), x first, to points (N, 2) in cell units."""
        return Frame.of_homography(np.linalg.inv(self.homography)).to_px(points_px)

    def pitch_px(self, at: tuple[float, float]) -> float:
        """Return the mean distance in pixels between cells near a point in cell units."""
        x, y = at
        across = self.to_px([(x - 0.5, y), (x + 0.5, y), (x, y - 0.5), (x, y + 0.5)])
        return float((np.hypot(*(across[1] - across[0])) + np.hypot(*(across[3] - across[2]))) / 2)

    def stretch(self, at: tuple[float, float]) -> NDArray[np.float64]:
        """Return pixels per cell unit (2, 2), across and down, near a point in cell units."""
        x, y = at
        origin, right, down = self.to_px([(x, y), (x + 0.01, y), (x, y + 0.01)])
        return np.column_stack((right - origin, down - origin)) * 100.0

    @lru_cache(maxsize=64)  # noqa: B019
    def cell_width_px(self, at: tuple[float, float]) -> float:
        """Return the smallest extent of a cell unit in pixels, near a point in cell units."""
        return float(np.linalg.svd(self.stretch(at), compute_uv=False)[-1])


PIXELS = Frame.of_box(0.0, 0.0, 1.0, 1.0)
"""The frame of points in pixels."""
