"""Decode and encode pictures.

The usual PNG is decoded by kornia-rs, in a third of the time of OpenCV and half of its memory; JPEG of one
scan by OpenCV; every other picture by Pillow. OpenCV never gets a PNG: version 5 dies of some animated ones
(``docs/notes/opencv.md``). PNG is written with one filter for all rows and deflate by ISA-L, which needs a
quarter of the time of zlib and OpenCV.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, OutputError
from flowvision.image.opening import (
    AS_MADE,
    JPEG_START,
    PNG_START,
    damaged,
    foreign_content,
    is_whole,
    opened,
    plain_size,
)
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import STRIP, as_bgr, bgr_of

MAX_WEBP_SIDE = 16_383
"""Longest side of a WebP, in pixels."""
TRUECOLOUR, PALETTE = 2, 3
"""Colour types of PNG."""
UP = 2
"""A filter of PNG: each row less the one above; most rows of a screenshot repeat."""


def decode(data: bytes, name: str = "screenshot") -> Screenshot:
    """Decode a picture: upright (EXIF), 8 bits a channel, transparency laid on black.

    Kinds are recognised by content; of a GIF, the first frame is read. Raises ``ImageUnreadableError`` for
    bytes that are not a picture, ``MissingExtraError`` for HEIC without the extra.
    """
    if not data:
        raise ImageUnreadableError("The file is empty: 0 bytes.")
    if foreign := foreign_content(data):
        raise ImageUnreadableError(f"This is {foreign}, not a picture.", AS_MADE)
    if not is_whole(data):
        raise ImageUnreadableError(
            f"The file ends in the middle of the picture, after {len(data):,} bytes.",
            "Copy the file once more.",
        )
    if size := plain_size(data):
        try:
            if data.startswith(JPEG_START):
                pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            else:
                pixels = truecolour_of(data, size)
        except cv2.error:
            pixels = None
        except Exception as error:  # such as out of memory
            raise damaged(error) from error
        if pixels is not None:
            return Screenshot(as_bgr(pixels), name)
    with opened(data) as picture:
        return Screenshot(bgr_of(picture), name)


def truecolour_of(data: bytes, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """Return BGR or BGRA pixels (H, W, 3 or 4) of a PNG in RGB or RGBA with 8 bits a channel.

    ``None`` if kornia-rs is not installed or refuses the file; Pillow then reports the fault.
    """
    try:
        from kornia_rs import io

        has_alpha = data[25] == 6
        pixels = np.asarray(io.decode_image_png_u8(data, size[::-1], "rgba" if has_alpha else "rgb"))
    except Exception:  # damaged, no wheel for this machine, or another version
        return None
    except BaseException as error:  # kornia-rs panics; Ctrl-C and the time limit pass through
        if type(error).__name__ != "PanicException":
            raise
        return None
    code = cv2.COLOR_RGBA2BGRA if has_alpha else cv2.COLOR_RGB2BGR
    for top in range(0, len(pixels), STRIP):
        rows = pixels[top : top + STRIP]
        rows[...] = cv2.cvtColor(rows, code)
    return pixels


def pixels_in(data: bytes) -> int:
    """Return the number of pixels, without decoding; 0 for files that cannot be read."""
    try:
        if (size := plain_size(data)) is None:
            with opened(data) as picture:
                size = picture.size
    except FlowvisionError:
        return 0
    return size[0] * size[1]


def encode(bgr: Bgr, suffix: str = ".png") -> bytes:
    """Encode a picture as PNG, JPEG, WebP without loss, or a page of PDF, by ``suffix``.

    Raises ``OutputError`` for another suffix.
    """
    suffix = suffix.lower()
    if suffix not in ENCODERS:
        raise OutputError(f"Cannot write a picture as {suffix!r}.", f"Choose one of {', '.join(ENCODERS)}.")
    return ENCODERS[suffix](bgr)


def _jpeg_of(bgr: Bgr) -> bytes:
    _, encoded = cv2.imencode(".jpg", bgr, (cv2.IMWRITE_JPEG_QUALITY, 92))
    return encoded.tobytes()


def _webp_of(bgr: Bgr) -> bytes:
    if max(bgr.shape[:2]) > MAX_WEBP_SIDE:
        raise OutputError(
            f"WebP holds at most {MAX_WEBP_SIDE:,} pixels a side; this picture has {max(bgr.shape[:2]):,}.",
            "Choose .png.",
        )
    _, encoded = cv2.imencode(".webp", bgr, (cv2.IMWRITE_WEBP_QUALITY, 101))  # above 100: without loss
    return encoded.tobytes()


def pdf_of(bgr: Bgr, px_an_inch: float = 150.0) -> bytes:
    """Encode a page as large as the picture at this resolution."""
    from PIL import Image

    file, page = BytesIO(), Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))
    # Without dates the same picture is the same file.
    page.save(file, "PDF", resolution=px_an_inch, quality=92, creationDate=None, modDate=None)
    return file.getvalue()


def png_of(bgr: Bgr) -> bytes:
    """Encode an 8-bit RGB PNG without interlace (RFC 2083)."""
    height, width = bgr.shape[:2]
    data = chunk(b"IDAT", deflated(_filtered(bgr)))
    return PNG_START + header_of(width, height, TRUECOLOUR) + data + chunk(b"IEND", b"")


def header_of(width: int, height: int, colour_type: int) -> bytes:
    """Return the first chunk of a PNG with 8 bits a channel, without interlace."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))


def deflated(strips: Iterable[NDArray[np.uint8]]) -> bytes:
    """Compress filtered rows."""
    zlib: Any
    try:
        from isal import isal_zlib as zlib
    except ImportError:  # no wheel for this machine
        import zlib
    deflate = zlib.compressobj(1)  # higher levels save nothing with ISA-L, and 2 % with zlib
    packed = [deflate.compress(strip) for strip in strips]
    return b"".join([*packed, deflate.flush()])


def _filtered(bgr: Bgr) -> Iterator[NDArray[np.uint8]]:
    """Yield the rows in RGB, each after its filter and less the row above (modulo 256)."""
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
    """Return a chunk of a PNG: length, kind, data and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(data, crc32(kind)))


ENCODERS: dict[str, Callable[[Bgr], bytes]] = {
    ".png": png_of,
    ".jpg": _jpeg_of,
    ".jpeg": _jpeg_of,
    ".webp": _webp_of,
    ".pdf": pdf_of,
}
"""The encoder of every still picture of ``forms.FORMS``, by suffix."""
