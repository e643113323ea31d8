"""Bytes to pictures and back.

Headers say of what kind, shape and cost a picture is (``header.py``, ``limits.py``) before it is decoded.
The usual PNG is read by ``truecolour.py``, JPEG by OpenCV, everything else by Pillow, imported only then.
HEIC needs an extra. OpenCV is given no PNG: version 5 dies of some animated ones (``docs/opencv-apng.md``).
"""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.errors import (
    FlowvisionError,
    ImageUnreadableError,
    MissingExtraError,
    OutputError,
    shortage_of,
)
from flowvision.image.formats import foreign_content
from flowvision.image.header import JPEG_START, Header, check_sums, header_of
from flowvision.image.limits import check_shape
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr
from flowvision.image.png import SIGNATURE, png_of
from flowvision.image.truecolour import truecolour_of

SUFFIXES = (".png", ".jpg", ".jpeg")
"""What can be written."""
SAID = 200
"""So many characters of what a decoder says are told."""


def decode(data: bytes, name: str = "screenshot", seconds: float | None = None) -> Screenshot:
    """An encoded picture, upright (EXIF), 8 bits a channel, transparency laid on black.

    PNG, JPEG, WebP, BMP, TIFF, HEIC, AVIF and the first frame of a GIF, told by content. ``seconds``: a
    picture whose decoding may take long is decoded in a process that is ended after so many. Raises
    ``ImageUnreadableError`` whatever a decoder makes of the bytes, ``MissingExtraError`` for HEIC without the
    extra, ``GaveUpError`` when the seconds have passed.
    """
    header = checked_header(data)
    if seconds is not None and header.is_slow:
        from flowvision.image.apart import decode_apart

        return Screenshot(decode_apart(data, seconds), name)
    return Screenshot(pixels_of(data, header), name)


def checked_header(data: bytes) -> Header:
    """The header of a picture that may be decoded. Raises ``ImageUnreadableError`` for any other."""
    if not data:
        raise ImageUnreadableError("The file is empty: 0 bytes.")
    if foreign := foreign_content(data):
        raise ImageUnreadableError(
            f"This is {foreign}, not a picture.", "Give a screenshot: a still picture of the board."
        )
    header = header_of(data)
    check_shape(header.width, header.height, header.bytes_a_pixel, len(data))
    return header


def pixels_of(data: bytes, header: Header) -> Bgr:
    """The pixels of a picture with this header. Raises ``ImageUnreadableError``, ``MissingExtraError``."""
    try:
        if header.truecolour and (truecolour := truecolour_of(data, header)) is not None:
            return as_bgr(truecolour)
        if header.kind != "JPEG":
            return _decode_with_pillow(data, header)
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except FlowvisionError:
        raise
    except Exception as error:  # decoders raise whatever they like: struct.error, IndexError, cv2.error, …
        if shortage := shortage_of(error):
            raise shortage from error
        said = " ".join(str(error).split())[:SAID] or type(error).__name__
        raise ImageUnreadableError(f"The picture is damaged: {said.rstrip('.')}.") from error
    if pixels is None:
        raise ImageUnreadableError(f"The picture is damaged: {len(data):,} bytes that do not decode.")
    return as_bgr(pixels)


def looks_whole(data: bytes) -> bool:
    """Whether a file is not empty and, if PNG or JPEG, not cut short; other kinds do not say."""
    if data.startswith((SIGNATURE, JPEG_START)):
        try:
            header_of(data)
        except ImageUnreadableError:
            return False
    return bool(data)


def pixels_in(data: bytes) -> int:
    """How many pixels a picture says it has; 0 for files that cannot be read."""
    try:
        header = header_of(data)
    except ImageUnreadableError:
        return 0
    return header.width * header.height


def encode(bgr: Bgr, suffix: str = ".png") -> bytes:
    """A picture as PNG, or as JPEG where ``suffix`` says so. Raises ``OutputError``."""
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputError(f"Cannot write a picture as {suffix!r}.", f"Choose one of {', '.join(SUFFIXES)}.")
    if suffix == ".png":
        return png_of(bgr)
    _, encoded = cv2.imencode(suffix, bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return encoded.tobytes()


def _decode_with_pillow(data: bytes, header: Header) -> Bgr:
    import warnings
    from io import BytesIO

    from PIL import Image

    from flowvision.image.pillow import bgr_of

    kinds = [header.kind]
    if header.kind == "PNG":  # those of its pixels are passed over by Pillow
        check_sums(data)
    if header.kind == "HEIF":
        _learn_heif(data)
        Image.init()
        kinds = [kind for kind in ("AVIF", "HEIF") if kind in Image.OPEN]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of damaged tags, and of sizes, which are checked here
        with Image.open(BytesIO(data), formats=kinds) as opened:
            check_shape(*opened.size, header.bytes_a_pixel)
            return bgr_of(opened)


def _learn_heif(data: bytes) -> None:
    """Teach Pillow the pictures that iPhones take; it may know AVIF by itself."""
    from PIL import features

    if data[8:11] == b"avi" and "avif" in features.modules and features.check("avif"):
        return
    try:
        import pillow_heif
    except ImportError:
        raise MissingExtraError(
            "HEIC pictures need pillow-heif, which is not installed.",
            "Install it with `pip install 'flowvision-solver[heic]'`, or send the picture as JPEG.",
        ) from None
    pillow_heif.register_heif_opener()
    if data[8:11] == b"avi" and hasattr(pillow_heif, "register_avif_opener"):  # before Pillow had its own
        pillow_heif.register_avif_opener()
