"""PNG files, written fast: one filter for all rows, and deflate by ISA-L where that is installed.

Compressing takes nearly all of the time of writing; ISA-L needs a quarter of what zlib does, and OpenCV.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.opening import PNG_START
from flowvision.image.picture import Bgr

LEVEL = 1
"""Compression level; higher ones make files no smaller with ISA-L, and 2 % smaller with zlib."""
STRIP = 64
"""Rows that are filtered at once: they fit the processor's cache."""
TRUECOLOUR, PALETTE, TRANSPARENT = 2, 3, 6
"""Colour types."""
UP = 2
"""The filter: each row less the one above; most rows of a screenshot repeat."""


def png_of(bgr: Bgr) -> bytes:
    """A picture as an 8-bit RGB PNG without interlace (RFC 2083)."""
    height, width = bgr.shape[:2]
    chunks = (
        header_of(width, height, TRUECOLOUR),
        chunk(b"IDAT", deflated(_filtered(bgr))),
        chunk(b"IEND", b""),
    )
    return PNG_START + b"".join(chunks)


def header_of(width: int, height: int, colour_type: int) -> bytes:
    """The chunk that opens a picture of that size, 8 bits a channel, without interlace."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))


def straight(bgr: Bgr, alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W, 4) BGRA: the colours as they were before they were laid on black, and how opaque they are."""
    opaque = cv2.merge([np.maximum(alpha, 1)] * 3)
    return np.asarray(cv2.merge([*cv2.split(cv2.divide(bgr, opaque, scale=255)), alpha]), np.uint8)


def deflated(strips: Iterable[NDArray[np.uint8]]) -> bytes:
    """Filtered rows, compressed."""
    deflate = _deflate()
    packed = [deflate.compress(strip) for strip in strips]
    return b"".join([*packed, deflate.flush()])


def _deflate() -> Any:
    """A compressor with the interface of `zlib.compressobj`."""
    try:
        from isal import isal_zlib
    except ImportError:  # no wheel for this machine
        import zlib

        return zlib.compressobj(LEVEL)
    return isal_zlib.compressobj(LEVEL)


def _filtered(bgr: Bgr) -> Iterator[NDArray[np.uint8]]:
    """The rows as RGB, each less the one above (modulo 256) and after the number of that filter."""
    height, width = bgr.shape[:2]
    above = np.zeros(3 * width, np.uint8)
    for top in range(0, height, STRIP):
        rgb = np.asarray(cv2.cvtColor(bgr[top : top + STRIP], cv2.COLOR_BGR2RGB), np.uint8)
        rgb = rgb.reshape(-1, 3 * width)
        rows = np.empty((len(rgb), 1 + 3 * width), np.uint8)
        rows[:, 0] = UP
        np.subtract(rgb[0], above, out=rows[0, 1:])
        np.subtract(rgb[1:], rgb[:-1], out=rows[1:, 1:])
        above = rgb[-1]
        yield rows


def chunk(kind: bytes, data: bytes) -> bytes:
    """Length, kind, data and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(data, crc32(kind)))
