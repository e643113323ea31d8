"""Edges, by OpenCV's own code and never by Intel's (IPP)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray


@contextmanager
def without_ipp() -> Iterator[None]:
    """Have OpenCV do without Intel's IPP on this thread, where it was built with it.

    ``cv2.Canny(picture, …)`` on a single thread of OpenCV is IPP's, and writes outside its buffer for dense
    regular patterns: meshes of lines, halftones (docs/opencv-canny.md). The edges are the same without it.
    """
    used = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    try:
        yield
    finally:
        cv2.ipp.setUseIPP(used)


def edge_share(gray: NDArray[np.uint8], low: float, high: float) -> float:
    """The share of pixels that are edges to ``cv2.Canny`` with these thresholds.

    ``gray``: (H, W) uint8. The derivatives are taken here: that form was never seen to write outside its
    buffer, not even with IPP.
    """
    across, down = (_derivative(gray, dx) for dx in (1, 0))
    with without_ipp():
        edges = cv2.Canny(across, down, low, high)
    return cv2.countNonZero(edges) / gray.size


def _derivative(gray: NDArray[np.uint8], dx: int) -> Any:
    """(H, W) int16: Sobel's response across (``dx`` 1) or down (0), as ``cv2.Canny`` takes it itself."""
    return cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, borderType=cv2.BORDER_REPLICATE)
