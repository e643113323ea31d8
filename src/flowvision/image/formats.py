"""Which files are taken for screenshots: kinds by name and by content, and how large a picture may be."""

from __future__ import annotations

import os

from flowvision.errors import ImageUnreadableError

READABLE = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif")
)
"""Suffixes of the files taken for screenshots."""

MIN_SIDE, MAX_SIDE = 32, 20_000
"""Pixels. A board of three cells has them; the longest scrolled screenshots have half of that."""
MAX_RATIO = 40
"""Longest allowed ratio of the two sides; no screen, and no scrolled screenshot, comes near."""
MAX_PIXELS = 80_000_000
"""20 times the largest phone screenshot; decoded, 240 MB."""
MAX_BYTES = 850_000_000
"""Memory while a picture is decoded, its file included; the whole process then stays below 1 GB."""
HINT = "Give a screenshot as the phone made it, or shrink the picture."

PNG_START, JPEG_START = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_STARTS = (
    (PNG_START, "PNG"),
    (JPEG_START, "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)
_HEIF_BRANDS = (b"hei", b"hev", b"mif1", b"msf1", b"avi", b"mia")
"""First letters of the brands of pictures in ISO media files (ISO/IEC 23008-12); others are videos."""
_VIDEO, _DOCUMENT = "a video", "a PDF document"
_VIDEO_SUFFIXES = (".mp4", ".m4v", ".mov", ".3gp", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".wmv")
_FOREIGN = {".pdf": _DOCUMENT, **dict.fromkeys(_VIDEO_SUFFIXES, _VIDEO)}


def kind_of(data: bytes) -> str | None:
    """The kind of a picture by how its bytes begin, as Pillow names it; ``None`` for kinds that are not read.

    ``HEIF`` stands for HEIC and AVIF.
    """
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and data[8:12].startswith(_HEIF_BRANDS):
        return "HEIF"
    return next((kind for start, kind in _STARTS if data.startswith(start)), None)


def foreign_kind(name: str) -> str | None:
    """``a video`` or ``a PDF document`` if the suffix says so, otherwise ``None``."""
    return _FOREIGN.get(os.path.splitext(name)[1].lower())


def foreign_content(data: bytes) -> str | None:
    """``a video`` or ``a PDF document`` if the first bytes say so, otherwise ``None``."""
    if data.startswith(b"%PDF"):
        return _DOCUMENT
    matroska = data.startswith(b"\x1aE\xdf\xa3")
    avi = data.startswith(b"RIFF") and data[8:12] == b"AVI "
    mpeg = data.startswith((b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3"))
    movie = data[4:8] in (b"ftyp", b"moov", b"mdat", b"wide") and kind_of(data) is None
    return _VIDEO if matroska or avi or mpeg or movie else None


def check_shape(width: int, height: int, bytes_a_pixel: float = 3.0, file_bytes: int = 0) -> None:
    """Raise ``ImageUnreadableError`` unless a picture of so many pixels is one that is read.

    ``bytes_a_pixel``: what its kind takes at most while it is decoded; its file may be there twice.
    """
    shape = f"{width:,} × {height:,}"
    if width < 1 or height < 1:
        raise ImageUnreadableError(f"The picture is {shape} pixels: there is nothing to see.")
    if width * height > MAX_PIXELS:
        raise ImageUnreadableError(
            f"The picture has {shape} pixels; at most {MAX_PIXELS // 1_000_000} million are read.", HINT
        )
    if min(width, height) < MIN_SIDE or max(width, height) > MAX_SIDE:
        raise ImageUnreadableError(
            f"The picture is {shape} pixels; sides of {MIN_SIDE} to {MAX_SIDE:,} are read.", HINT
        )
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ImageUnreadableError(
            f"The picture is {shape} pixels; a side at most {MAX_RATIO} times as long as the other is read.",
            HINT,
        )
    needed = width * height * bytes_a_pixel + 2 * file_bytes
    if needed > MAX_BYTES:
        raise ImageUnreadableError(
            f"The picture has {shape} pixels. Its kind takes {bytes_a_pixel:g} bytes of memory each, which "
            f"makes {needed / 1e6:,.0f} MB with its file; at most {MAX_BYTES / 1e6:,.0f} MB are used.",
            "Save it as a plain PNG or JPEG, or shrink it.",
        )
