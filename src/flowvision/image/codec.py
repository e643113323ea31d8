"""Decode and encode pictures.

The usual PNG is decoded by kornia-rs, in a third of the time of OpenCV and half of its memory; JPEG of one
scan by OpenCV; every other picture by Pillow. OpenCV never gets a PNG: version 5 dies of some animated ones
(``docs/notes/opencv.md``).
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, OutputError
from flowvision.image.opening import COPY, JPEG_START, damaged, foreign_content, is_whole, opened, plain_size
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr, bgr_of
from flowvision.image.png import png_of, straight

MAX_WEBP_SIDE = 16_383
"""Longest side of a WebP, in pixels."""
STRIP = 64
"""Rows whose channels are swapped at once: they fit the processor's cache."""


def decode(data: bytes, name: str = "screenshot") -> Screenshot:
    """Decode a picture: upright (EXIF), 8 bits a channel, transparency laid on black.

    PNG, JPEG, WebP, BMP, TIFF, HEIC, AVIF and the first frame of a GIF, told by content. Raises
    ``ImageUnreadableError`` for all other bytes, ``MissingExtraError`` for HEIC without the extra.
    """
    if not data:
        raise ImageUnreadableError("The file is empty: 0 bytes.")
    if foreign := foreign_content(data):
        raise ImageUnreadableError(
            f"This is {foreign}, not a picture.", "Give a screenshot: a still picture of the board."
        )
    if not is_whole(data):
        raise ImageUnreadableError(
            f"The file ends in the middle of the picture, after {len(data):,} bytes.", COPY
        )
    if size := plain_size(data):
        try:
            pixels = _plain_pixels(data, size)
        except Exception as error:  # out of memory, say
            raise damaged(error) from error
        if pixels is not None:
            return Screenshot(as_bgr(pixels), name, _alpha_of(pixels))
    with opened(data) as picture:
        return Screenshot(bgr_of(picture), name)


def _plain_pixels(data: bytes, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """Decode the usual PNG or JPEG without Pillow; ``None`` if it is damaged."""
    if not data.startswith(JPEG_START):
        return truecolour_of(data, size)
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if pixels is None else np.asarray(pixels, np.uint8)


def _alpha_of(pixels: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """(H, W): the fourth channel, unless there is none or it is opaque everywhere."""
    if pixels.shape[2] < 4:
        return None
    alpha = np.asarray(cv2.extractChannel(pixels, 3), np.uint8)
    return alpha if cv2.minMaxLoc(alpha)[0] < 255 else None


def truecolour_of(data: bytes, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """BGR or BGRA pixels (H, W, 3 or 4) of a PNG in RGB or RGBA with 8 bits a channel.

    ``None`` if kornia-rs is not installed or refuses the file; Pillow then reports the fault.
    """
    try:
        from kornia_rs import io

        has_alpha = data[25] == 6
        pixels = np.asarray(io.decode_image_png_u8(data, size[::-1], "rgba" if has_alpha else "rgb"))
    except Exception:  # damaged, no wheel for this machine, or another version
        return None
    except BaseException as error:  # a panic in Rust; Ctrl-C and the time limit end the run
        if type(error).__name__ != "PanicException":
            raise
        return None
    code = cv2.COLOR_RGBA2BGRA if has_alpha else cv2.COLOR_RGB2BGR
    for top in range(0, len(pixels), STRIP):
        rows = pixels[top : top + STRIP]
        rows[...] = cv2.cvtColor(rows, code)
    return pixels


def pixels_in(data: bytes) -> int:
    """Number of pixels, without decoding; 0 for files that cannot be read."""
    try:
        if (size := plain_size(data)) is None:
            with opened(data) as picture:
                size = picture.size
    except FlowvisionError:
        return 0
    return size[0] * size[1]


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
    if max(bgr.shape[:2]) > MAX_WEBP_SIDE:
        raise OutputError(
            f"WebP holds at most {MAX_WEBP_SIDE:,} pixels a side; this picture has {max(bgr.shape[:2]):,}.",
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
