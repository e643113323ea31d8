"""The pixels of the usual PNG, 8 bits a channel in RGB or RGBA, decoded in Rust (by kornia-rs).

A third of the time of OpenCV's decoder, whose wheels inflate with a zlib of 2017, in half of its memory, and
no overrun can come of what a file holds. The pixels are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.header import Header

STRIP = 64
"""Rows whose channels are swapped at once: they fit the processor's cache."""


def truecolour_of(data: bytes, header: Header) -> NDArray[np.uint8] | None:
    """BGR or BGRA pixels (H, W, 3 or 4) of a PNG whose header says ``truecolour``.

    None where the decoder is not installed, or refuses the file: OpenCV then says what is wrong.
    """
    if (read := _decoder()) is None:
        return None
    try:
        pixels = np.asarray(read(data, (header.height, header.width), "rgba" if header.alpha else "rgb"))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic in Rust is no Exception
        return None
    _swap(pixels, cv2.COLOR_RGBA2BGRA if header.alpha else cv2.COLOR_RGB2BGR)
    return pixels


def _decoder() -> Callable[[bytes, tuple[int, int], str], Any] | None:
    """What decodes a PNG of that height, width and mode; it raises whatever it likes."""
    try:
        from kornia_rs import io

        read: Callable[[bytes, tuple[int, int], str], Any] = io.decode_image_png_u8
    except (ImportError, AttributeError):  # no wheel for this machine, or one of another time
        return None
    return read


def _swap(pixels: NDArray[np.uint8], code: int) -> None:
    """Turn RGB into BGR in place."""
    for top in range(0, len(pixels), STRIP):
        rows = pixels[top : top + STRIP]
        rows[...] = cv2.cvtColor(rows, code)
