"""Bytes to pictures and back.

Headers say of what kind, shape and cost a picture is (``header.py``) before it is decoded.
The usual PNG is read by kornia-rs: a third of the time of OpenCV's decoder, whose wheels inflate with a zlib
of 2017, half of its memory, and in Rust no overrun can come of what a file holds. JPEG is read by OpenCV,
everything else by Pillow, imported only then. HEIC needs an extra. OpenCV is given no PNG: version 5 dies of
some animated ones (``docs/notes/opencv.md``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, OutputError
from flowvision.image.header import (
    JPEG_START,
    PNG_START,
    Header,
    check_shape,
    check_sums,
    checked_header,
    damaged,
    header_of,
    opened,
)
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr, bgr_of
from flowvision.image.png import png_of, straight

WEBP_PX = 16_383
"""The longest side of a WebP."""
STRIP = 64
"""Rows whose channels are swapped at once: they fit the processor's cache."""


def decode(data: bytes, name: str = "screenshot") -> Screenshot:
    """An encoded picture, upright (EXIF), 8 bits a channel, transparency laid on black.

    PNG, JPEG, WebP, BMP, TIFF, HEIC, AVIF and the first frame of a GIF, told by content. Raises
    ``ImageUnreadableError`` whatever a decoder makes of the bytes, ``MissingExtraError`` for HEIC without the
    extra.
    """
    header = checked_header(data)
    try:
        if header.truecolour and (truecolour := truecolour_of(data, header)) is not None:
            return Screenshot(as_bgr(truecolour), name, _alpha_of(truecolour))
        return Screenshot(_pixels_of(data, header), name)
    except FlowvisionError:
        raise
    except Exception as error:
        raise damaged(error) from error


def _pixels_of(data: bytes, header: Header) -> Bgr:
    if header.kind == "JPEG":
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            raise ImageUnreadableError(f"The picture is damaged: {len(data):,} bytes that do not decode.")
        return as_bgr(pixels)
    if header.kind == "PNG":
        check_sums(data)  # Pillow passes over those of the pixels
    with opened(data, header.kind) as picture:
        check_shape(*picture.size, header.bytes_a_pixel)
        return bgr_of(picture)


def _alpha_of(pixels: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """(H, W): the fourth channel, unless there is none or it is opaque everywhere."""
    if pixels.shape[2] < 4:
        return None
    alpha = np.asarray(cv2.extractChannel(pixels, 3), np.uint8)
    return alpha if cv2.minMaxLoc(alpha)[0] < 255 else None


def truecolour_of(data: bytes, header: Header) -> NDArray[np.uint8] | None:
    """BGR or BGRA pixels (H, W, 3 or 4) of a PNG whose header says ``truecolour``.

    ``None`` if kornia-rs is not installed or refuses the file; Pillow then reports what is wrong.
    """
    if (read := _png_decoder()) is None:
        return None
    try:
        pixels = np.asarray(read(data, (header.height, header.width), "rgba" if header.alpha else "rgb"))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic in Rust is no Exception
        return None
    code = cv2.COLOR_RGBA2BGRA if header.alpha else cv2.COLOR_RGB2BGR
    for top in range(0, len(pixels), STRIP):
        rows = pixels[top : top + STRIP]
        rows[...] = cv2.cvtColor(rows, code)
    return pixels


def _png_decoder() -> Callable[[bytes, tuple[int, int], str], Any] | None:
    """Kornia's decoder of a PNG with a given height, width and mode, which raises errors of any class."""
    try:
        from kornia_rs import io

        read: Callable[[bytes, tuple[int, int], str], Any] = io.decode_image_png_u8
    except (ImportError, AttributeError):  # no wheel for this machine, or one of another time
        return None
    return read


def looks_whole(data: bytes) -> bool:
    """Whether a file is not empty and, if PNG or JPEG, not cut short; other kinds do not say."""
    if data.startswith((PNG_START, JPEG_START)):
        try:
            header_of(data)
        except ImageUnreadableError:
            return False
    return bool(data)


def pixels_in(data: bytes) -> int:
    """Number of pixels by the header; 0 for files that cannot be read."""
    try:
        header = header_of(data)
    except FlowvisionError:
        return 0
    return header.width * header.height


def encode(bgr: Bgr, suffix: str = ".png", alpha: NDArray[np.uint8] | None = None) -> bytes:
    """A picture as PNG, or as the ``suffix`` says: JPEG, WebP without loss, a page of PDF.

    ``alpha``: (H, W), how opaque a PNG or WebP is; ``bgr`` lies on black, as pictures are decoded. Raises
    ``OutputError`` for another suffix.
    """
    suffix = suffix.lower()
    if suffix not in ENCODERS:
        raise OutputError(f"Cannot write a picture as {suffix!r}.", f"Choose one of {', '.join(ENCODERS)}.")
    if alpha is not None and suffix == ".png":
        return cv2.imencode(".png", straight(bgr, alpha))[1].tobytes()
    if alpha is not None and suffix == ".webp":
        return _webp_of(straight(bgr, alpha))
    return ENCODERS[suffix](bgr)


def _jpeg_of(bgr: Bgr) -> bytes:
    _, encoded = cv2.imencode(".jpg", bgr, (cv2.IMWRITE_JPEG_QUALITY, 92))
    return encoded.tobytes()


def _webp_of(bgr: Bgr) -> bytes:
    if max(bgr.shape[:2]) > WEBP_PX:
        raise OutputError(
            f"WebP holds at most {WEBP_PX:,} pixels a side; this picture has {max(bgr.shape[:2]):,}.",
            "Choose .png.",
        )
    _, encoded = cv2.imencode(".webp", bgr, (cv2.IMWRITE_WEBP_QUALITY, 101))  # above 100: without loss
    return encoded.tobytes()


def pdf_of(bgr: Bgr, px_an_inch: float = 150.0) -> bytes:
    """A page as large as the picture at this resolution."""
    from io import BytesIO

    from PIL import Image

    made, page = BytesIO(), Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))
    # Without dates the same picture is the same file.
    page.save(made, "PDF", resolution=px_an_inch, quality=92, creationDate=None, modDate=None)
    return made.getvalue()


ENCODERS: dict[str, Callable[[Bgr], bytes]] = {
    ".png": png_of,
    ".jpg": _jpeg_of,
    ".jpeg": _jpeg_of,
    ".webp": _webp_of,
    ".pdf": pdf_of,
}
"""The encoder of every still picture of ``forms.FORMS``, by suffix."""
