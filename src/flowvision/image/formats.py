"""Kinds of files: which are pictures, and what the others are called."""

from __future__ import annotations

import os

HEIF_SUFFIXES = frozenset({".heic", ".heif", ".avif"})
READABLE = HEIF_SUFFIXES | {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"}
"""Suffixes of the files taken for screenshots."""

_VIDEO = "a video"
_FOREIGN = {
    ".pdf": "a PDF document",
    **dict.fromkeys(
        (".mp4", ".m4v", ".mov", ".3gp", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".wmv"), _VIDEO
    ),
}
_HEIF_BRANDS = (b"hei", b"hev", b"mif1", b"msf1", b"avi", b"mia")
"""How the brand of a picture in an ISO media file begins (ISO/IEC 23008-12); other brands are videos."""


def foreign_kind(name: str) -> str | None:
    """What a file is by its name, when it is a video or a document and no picture."""
    return _FOREIGN.get(os.path.splitext(name)[1].lower())


def foreign_content(data: bytes) -> str | None:
    """What bytes are by how they begin, when they are a video or a document and no picture."""
    if data.startswith(b"%PDF"):
        return "a PDF document"
    matroska = data.startswith(b"\x1aE\xdf\xa3")
    avi = data.startswith(b"RIFF") and data[8:12] == b"AVI "
    mpeg = data.startswith((b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3"))
    movie = data[4:8] in (b"ftyp", b"moov", b"mdat", b"wide") and not is_heif(data)
    return _VIDEO if matroska or avi or mpeg or movie else None


def is_heif(data: bytes) -> bool:
    """Whether bytes begin as a HEIC or AVIF picture does."""
    return data[4:8] == b"ftyp" and data[8:12].startswith(_HEIF_BRANDS)
