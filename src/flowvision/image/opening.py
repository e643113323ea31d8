"""Open picture files without decoding them: kinds by content, limits of size and time.

Pillow opens files lazily. Its import takes as long as decoding ten screenshots, so the size of the usual PNG
and JPEG is read here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from time import thread_time
from typing import TYPE_CHECKING

from flowvision.errors import FlowvisionError, ImageUnreadableError, missing_extra, shortage_of
from flowvision.words import Call, Hint

if TYPE_CHECKING:
    from PIL.Image import Image

READABLE = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif")
)
"""Suffixes of screenshots."""
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
"""Formats that Pillow may open; EPS, for one, would start Ghostscript."""

MIN_SIDE, MAX_SIDE = 32, 20_000
"""Pixels. A board of three cells has them; the longest scrolled screenshots have half of that."""
MAX_RATIO = 40
"""Largest ratio of the two sides; no screen, and no scrolled screenshot, comes near."""
MAX_PIXELS = 80_000_000
"""20 times the largest phone screenshot; decoded, 240 MB."""
MAX_PILLOW_PIXELS = 36_000_000
"""Limit where Pillow decodes, in up to 24 bytes a pixel, and with alpha; 8K screens have 33 million."""
MAX_SECONDS = 3.0
"""Processor time for decoding; 36 million pixels of 16 bits take 2."""
MAX_SEGMENTS = 1_000
"""Segments before the first scan of a JPEG that is read without Pillow."""

PNG_START, PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
JPEG_START, JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"

AS_MADE = "Give a screenshot as the phone made it."
SMALLER = "Save it as a plain PNG or JPEG, or shrink it."


def foreign_content(data: bytes) -> str | None:
    """Return ``a video`` or ``a PDF document`` if the first bytes say so."""
    is_avi = data.startswith(b"RIFF") and data[8:12] == b"AVI "
    is_movie = data[4:8] in (b"ftyp", b"moov", b"mdat", b"wide") and not _is_heif(data)
    if is_avi or is_movie or data.startswith((b"\x1aE\xdf\xa3", b"\0\0\1\xba", b"\0\0\1\xb3")):
        return "a video"
    return "a PDF document" if data.startswith(b"%PDF") else None


def _is_heif(data: bytes) -> bool:
    """Recognise HEIC and AVIF by their brand (ISO/IEC 23008-12); others are videos."""
    return data[4:8] == b"ftyp" and data[8:12].startswith((b"hei", b"hev", b"mif1", b"msf1", b"avi", b"mia"))


def check_shape(width: int, height: int, max_pixels: int = MAX_PIXELS) -> None:
    """Raise ``ImageUnreadableError`` for pictures that are too small, too large or too long."""
    shape, smaller, larger = f"{width:,} × {height:,} pixels", *sorted((width, height))
    if width * height > max_pixels:
        raise _too_many(shape, max_pixels)
    if smaller < MIN_SIDE or larger > MAX_SIDE or larger > MAX_RATIO * smaller:
        raise ImageUnreadableError(
            f"The picture is {shape}; sides of {MIN_SIDE} to {MAX_SIDE:,} are allowed, the longer at most "
            f"{MAX_RATIO} times the shorter.",
            SMALLER if larger > MAX_SIDE else AS_MADE,
        )


def _too_many(count: str, max_pixels: int) -> ImageUnreadableError:
    return ImageUnreadableError(
        f"The picture has {count}; at most {max_pixels // 1_000_000} million are allowed.", SMALLER
    )


def is_whole(data: bytes) -> bool:
    """Return false for empty files, and PNG or JPEG without an end marker; other kinds have none."""
    if data.startswith(PNG_START):
        return data.rfind(PNG_END) > 0
    if data.startswith(JPEG_START):
        return data.rfind(JPEG_END) > _jpeg_frame(data)[2]
    return bool(data)


def plain_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG or JPEG that is decoded without Pillow, or ``None``.

    These are PNG in RGB or RGBA with 8 bits a channel, and JPEG of one scan. Raises ``ImageUnreadableError``
    for sizes out of limits.
    """
    if data.startswith(PNG_START) and data[24:26] in (b"\x08\x02", b"\x08\x06"):
        width, height = struct.unpack_from(">II", data, 16)
        # One colour may be transparent, and the picture turned.
        if b"tRNS" in data or b"eXIf" in data:
            return None
        check_shape(width, height, MAX_PIXELS if data[25] == 2 else MAX_PILLOW_PIXELS)
        return width, height
    if data.startswith(JPEG_START):
        width, height, scan = _jpeg_frame(data)
        if scan and data.find(b"\xff\xda", scan + 2) < 0:
            check_shape(width, height)
            return width, height
    return None


def _jpeg_frame(data: bytes) -> tuple[int, int, int]:
    """Return width and height of a JPEG, and the offset of its first scan; 0 for an unusual header."""
    at, width, height = 2, 0, 0
    with suppress(struct.error):
        for _ in range(MAX_SEGMENTS):
            mark, marker, length = struct.unpack_from(">BBH", data, at)
            if mark != 0xFF:
                break
            if marker == 0xDA:
                return width, height, at
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width = struct.unpack_from(">HH", data, at + 5)
            at += 2 + length
    return 0, 0, 0


class _TimedFile(BytesIO):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._until = thread_time() + MAX_SECONDS

    def read(self, size: int | None = -1) -> bytes:
        if thread_time() > self._until:
            raise ImageUnreadableError(
                f"The picture takes more than {MAX_SECONDS:g} seconds to decode.", "Save it again as a PNG."
            )
        return super().read(size)


@contextmanager
def opened(data: bytes) -> Iterator[Image]:
    """Open a picture with Pillow, its size checked; pixels are decoded on demand.

    Errors of Pillow, also within the block, become ``ImageUnreadableError``. Raises ``MissingExtraError`` for
    HEIC without the extra.
    """
    import warnings

    from PIL import Image, UnidentifiedImageError

    formats = _heif_formats() if _is_heif(data) else FORMATS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # damaged tags, and sizes, which are checked here
            if data.startswith(PNG_START):
                Image.open(BytesIO(data), formats=["PNG"]).verify()  # decoding does not check all sums
            with Image.open(_TimedFile(data), formats=formats) as picture:
                _check(picture)
                yield picture
    except FlowvisionError:
        raise
    except UnidentifiedImageError:
        if _is_heif(data) and "HEIF" not in formats:
            otherwise = ", or send the picture as JPEG"
            raise missing_extra("HEIC pictures need pillow-heif", "heic", otherwise) from None
        raise _unknown(data) from None
    except Image.DecompressionBombError:  # without a size
        raise _too_many("too many pixels", MAX_PILLOW_PIXELS) from None
    except Exception as error:
        raise damaged(error) from error


def _check(picture: Image) -> None:
    check_shape(*picture.size, MAX_PILLOW_PIXELS)
    if picture.format in ("JPEG", "MPO"):
        # Read in small blocks, so that the clock is checked often: a scan may have only 100 bytes.
        picture.decodermaxblock = 2048  # type: ignore[attr-defined]
    if picture.format == "TIFF":
        tags = picture.tag_v2  # type: ignore[attr-defined]
        if (count := tags.get(322, 0) * tags.get(323, 0)) > MAX_PILLOW_PIXELS:  # width, length of a tile
            raise _too_many(f"tiles of {count:,} pixels", MAX_PILLOW_PIXELS)
        if picture.info.get("compression") in ("jpeg", "tiff_jpeg"):
            check_shape(*picture.size, 8_000_000)  # each pixel may be drawn in 100 scans


def _heif_formats() -> tuple[str, ...]:
    """Return the formats that Pillow knows of HEIC and AVIF, after registering pillow-heif if installed."""
    from PIL import Image

    Image.init()
    with suppress(ImportError):
        import pillow_heif

        pillow_heif.register_heif_opener()
        if "AVIF" not in Image.OPEN and hasattr(pillow_heif, "register_avif_opener"):
            pillow_heif.register_avif_opener()
    return tuple(name for name in ("AVIF", "HEIF") if name in Image.OPEN)


def damaged(error: Exception) -> FlowvisionError:
    """Return the error about a picture that a decoder refuses; decoders raise any class."""
    message = " ".join(str(error).split())[:200] or type(error).__name__
    return shortage_of(error) or ImageUnreadableError(f"The picture is damaged: {message.rstrip('.')}.")


def _unknown(data: bytes) -> ImageUnreadableError:
    with suppress(UnicodeDecodeError):
        if "\0" not in data[:1_000].decode():
            return ImageUnreadableError(
                "This file holds text, not a picture.",
                Hint("If it is a puzzle: {}.", Call("flowvision puzzle FILE", "parse_puzzle(path).solve()")),
            )
    return ImageUnreadableError(f"This file is not a picture, or damaged; it has {len(data):,} bytes.")
