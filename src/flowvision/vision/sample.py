"""Colours of a view at points given in cell units."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.picture import Bgr, Frame
from flowvision.vision.view import Floats, View


def view_frame(frame: Frame, view: View) -> Frame:
    """The map from cell units to the pixels of a view, for a ``frame`` into its picture."""
    matrix = np.linalg.inv(view.to_picture) @ np.asarray(frame.matrix).reshape(3, 3)
    return Frame(tuple(float(number) for number in matrix.ravel()))


def sample(view: View, frame: Frame, centres: Floats, offsets: Floats) -> Bgr:
    """(N, M, 3) uint8: the pixels nearest to every centre (N, 2) plus its offsets, in cell units.

    ``offsets``: (M, 2) for all centres alike, or (N, M, 2). Points outside the view take
    the colour of the nearest pixel inside.
    """
    points = (centres[:, None, :] + offsets).reshape(-1, 2)
    x, y = np.round(view_frame(frame, view).to_px(points)).astype(int).T
    width, height = view.size
    picked = view.bgr[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.asarray(picked.reshape(len(centres), -1, 3))


def lab_of(bgr: Bgr) -> Floats:
    """The same shape in CIE Lab (D65), L 0–100."""
    flat = (bgr.reshape(1, -1, 3) / np.float32(255)).astype(np.float32)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2Lab).reshape(bgr.shape), dtype=np.float64)


def ring(radius: float, count: int) -> Floats:
    """(count, 2) offsets evenly round a circle, the first one on a diagonal."""
    angles = np.pi / 4 + 2 * np.pi * np.arange(count) / count
    return np.column_stack((np.cos(angles), np.sin(angles))) * radius
