"""Bytes to pictures and back.

PNG and JPEG are read by OpenCV, once their own headers have said how large they are and
that they are whole; every other kind goes through Pillow, imported only then. HEIC needs an extra.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from flowvision.errors import ImageUnreadableError, MissingExtraError, OutputError
from flowvision.image.formats import foreign_content, is_heif
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr
from flowvision.image.png import SIGNATURE, png_of

MAX_PIXELS = 80_000_000
"""20 times the largest phone screenshot; decoded, 240 MB."""

JPEG_START = b"\xff\xd8\xff"
JPEG_END = b"\xff\xd9"
SUFFIXES = (".png", ".jpg", ".jpeg")
"""What can be written."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself before its pixels are touched.

    ``plain``: OpenCV shows the picture as it is meant to look; ``alpha``: it has a fourth channel.
    """

    width: int
    height: int
    plain: bool = True
    alpha: bool = False


def decode(data: bytes, name: str = "screenshot") -> Screenshot:
    """An encoded picture, upright (EXIF), 8 bits a channel, transparency laid on black.

    PNG, JPEG, WebP, BMP, TIFF, HEIC, AVIF and the first frame of a GIF. Raises ``ImageUnreadableError``,
    or ``MissingExtraError`` for HEIC without the extra.
    """
    if not data:
        raise ImageUnreadableError("The file is empty: 0 bytes.")
    if foreign := foreign_content(data):
        raise ImageUnreadableError(
            f"This is {foreign}, not a picture.", "Give a screenshot: a still picture of the board."
        )
    header = _header(data)
    if header is None or not header.plain:
        return Screenshot(_decode_with_pillow(data), name)
    _check_size(header.width, header.height)
    flags = cv2.IMREAD_UNCHANGED if header.alpha else cv2.IMREAD_COLOR
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise ImageUnreadableError(f"The picture is damaged: {len(data):,} bytes that do not decode.")
    return Screenshot(as_bgr(pixels), name)


def looks_whole(data: bytes) -> bool:
    """Whether a file is not empty and, if PNG or JPEG, not cut short; other kinds do not say."""
    try:
        _header(data)
    except ImageUnreadableError:
        return False
    return bool(data)


def pixels_in(data: bytes) -> int:
    """How many pixels a whole PNG or JPEG says it has; 0 for other files."""
    try:
        header = _header(data)
    except ImageUnreadableError:
        return 0
    return header.width * header.height if header else 0


def encode(bgr: Bgr, suffix: str = ".png") -> bytes:
    """A picture as PNG, or as JPEG where ``suffix`` says so. Raises ``OutputError``."""
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputError(f"Cannot write a picture as {suffix!r}.", f"Choose one of {', '.join(SUFFIXES)}.")
    if suffix == ".png":
        return png_of(bgr)
    _, encoded = cv2.imencode(suffix, bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return encoded.tobytes()


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise _too_large(f"{width:,} × {height:,}")
    if width == 0 or height == 0:
        raise ImageUnreadableError(f"The picture is {width} × {height} pixels: there is nothing to see.")


def _too_large(seen: str) -> ImageUnreadableError:
    return ImageUnreadableError(
        f"The picture has {seen} pixels; at most {MAX_PIXELS // 1_000_000} million are read.",
        "Give a screenshot as the phone made it, or shrink the picture.",
    )


def _header(data: bytes) -> Header | None:
    """The header of a PNG or JPEG; ``None`` for other kinds. Raises when the file is cut short."""
    try:
        if data.startswith(SIGNATURE):
            return _png_header(data)
        if data.startswith(JPEG_START):
            return _jpeg_header(data)
    except (struct.error, IndexError):
        raise _cut_short(data) from None
    return None


def _cut_short(data: bytes) -> ImageUnreadableError:
    return ImageUnreadableError(
        f"The file ends in the middle of the picture, after {len(data):,} bytes.", "Copy the file once more."
    )


def _png_header(data: bytes) -> Header:
    width, height, _, colour_type = struct.unpack_from(">IIBB", data, 16)
    kinds = {kind for kind, _ in _png_chunks(data)}
    if b"IEND" not in kinds:
        raise _cut_short(data)
    # tRNS is dropped by OpenCV for grey pictures; eXIf is not followed when alpha is kept.
    return Header(width, height, plain=kinds.isdisjoint((b"tRNS", b"eXIf")), alpha=colour_type in (4, 6))


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Kind and offset of every whole chunk."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if at + 12 + length > len(data):
            return
        yield data[at + 4 : at + 8], at
        at += 12 + length


def _jpeg_header(data: bytes) -> Header:
    """Size from the first frame header; whole when an end marker follows the last scan's start."""
    at, width, height = 2, 0, 0
    while True:
        while data[at + 1] == 0xFF:  # padding before a marker
            at += 1
        marker = data[at + 1]
        if marker == 0xDA:
            break
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    if data.rfind(JPEG_END, at) < 0:
        raise _cut_short(data)
    return Header(width, height)


def _decode_with_pillow(data: bytes) -> Bgr:
    import warnings
    from io import BytesIO

    from PIL import Image, UnidentifiedImageError

    from flowvision.image.pillow import bgr_of

    if is_heif(data):
        _learn_heif(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(BytesIO(data))
        with opened:
            _check_size(*opened.size)
            return bgr_of(opened)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise _too_large(f"over {MAX_PIXELS // 1_000_000} million") from None
    except UnidentifiedImageError:
        raise ImageUnreadableError(f"Not a picture: {len(data):,} bytes of another kind.") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise ImageUnreadableError(f"The picture is damaged: {error}.") from error


def _learn_heif(data: bytes) -> None:
    """Teach Pillow the pictures that iPhones take; it may know AVIF by itself."""
    from PIL import features

    if data[8:11] == b"avi" and features.check("avif"):
        return
    try:
        import pillow_heif
    except ImportError:
        raise MissingExtraError(
            "HEIC pictures need pillow-heif, which is not installed.",
            "Install it with `pip install 'flowvision-solver[heic]'`, or send the picture as JPEG.",
        ) from None
    pillow_heif.register_heif_opener()
