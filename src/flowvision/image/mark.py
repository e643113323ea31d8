"""The mark by which Flowvision recognises files that it wrote.

PNG: a text chunk ``Software`` after the header. JPEG: a comment after the first segment. GIF: a comment after
the palette. WebP, MP4, PDF: a chunk, a free box, a comment at the end. SVG: an attribute of the first
element, HTML: an element of the head, both part of their templates. Text has none.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress

NAME = b"Flowvision"
SVG_MARK = "data-made-by"
"""Attribute of an SVG; its value is ``NAME``."""
HTML_MARK = '<meta name="generator" content="Flowvision">'
"""The mark of a page, in its head."""

_PNG, _JPEG, _GIF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"GIF89a"
_BEHIND_HEADER = len(_PNG) + 25
_TEXT = b"tEXtSoftware\0" + NAME
_CHUNK = (len(_TEXT) - 4).to_bytes(4) + _TEXT + zlib.crc32(_TEXT).to_bytes(4)
_COMMENT = b"\xff\xfe" + (2 + len(NAME)).to_bytes(2) + NAME
_EXTENSION = b"!\xfe" + bytes([len(NAME)]) + NAME + b"\0"
_BEHIND_PALETTE = 13 + 3 * 256
_ATTRIBUTE = f'{SVG_MARK}="'.encode() + NAME + b'"'
_BOX = (8 + len(NAME)).to_bytes(4) + b"free" + NAME
_RIFF_CHUNK = b"made" + len(NAME).to_bytes(4, "little") + NAME  # chunks of an unknown name are skipped
_PDF_COMMENT = b"%" + NAME + b"\n"
_IN_HEAD = (_CHUNK, _COMMENT, _EXTENSION, _ATTRIBUTE, HTML_MARK.encode())
_AT_END = (_BOX, _RIFF_CHUNK, _PDF_COMMENT)
TAIL_BYTES = max(map(len, _AT_END))
"""Longest mark at the end."""


def marked(data: bytes) -> bytes:
    """Add the mark to a picture (GIF: of 256 colours), MP4 or PDF; its pixels are the same."""
    if data.startswith(_PNG):
        return data[:_BEHIND_HEADER] + _CHUNK + data[_BEHIND_HEADER:]
    if data.startswith(_JPEG):
        behind = 4 + int.from_bytes(data[4:6])  # the first segment names the format and must stay first
        return data[:behind] + _COMMENT + data[behind:]
    if data.startswith(_GIF):
        return data[:_BEHIND_PALETTE] + _EXTENSION + data[_BEHIND_PALETTE:]
    if data.startswith(b"RIFF"):
        size = int.from_bytes(data[4:8], "little") + len(_RIFF_CHUNK)
        return data[:4] + size.to_bytes(4, "little") + data[8:] + _RIFF_CHUNK
    if data[4:8] == b"ftyp":
        return data + _BOX
    return data + _PDF_COMMENT if data.startswith(b"%PDF-") else data


def is_marked(path: str | os.PathLike[str]) -> bool:
    """Return true if a file has the mark, false if it cannot be read."""
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                head = file.read(1_000)
                file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
                return any(mark in head for mark in _IN_HEAD) or file.read().endswith(_AT_END)
    return False
