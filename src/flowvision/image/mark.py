"""The mark that tells files written by Flowvision from screenshots and from files of other programs.

PNG: a text chunk ``Software`` behind the header. JPEG: a comment behind the file's first segment. GIF: a
comment behind the palette. WebP, MP4, PDF: a chunk, a free box, a comment at the end. SVG: an attribute of
its first element, HTML: an element of its head, both made with them. Text has no place for one.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress

NAME = b"Flowvision"
HEAD_BYTES = 1_000
"""Bytes from the beginning in which the mark lies, if not at the end."""
SVG_MARK = "data-made-by"
"""The attribute of an SVG, and its value is ``NAME``."""
HTML_MARK = '<meta name="generator" content="Flowvision">'
"""The mark of a page, in its head."""

_PNG, _JPEG, _GIF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"GIF89a"
_SVG, _HTML = b"<svg ", b"<!doctype html>"
_BEHIND_HEADER = len(_PNG) + 25
_TEXT = b"tEXtSoftware\0" + NAME
_CHUNK = (len(_TEXT) - 4).to_bytes(4) + _TEXT + zlib.crc32(_TEXT).to_bytes(4)
_COMMENT = b"\xff\xfe" + (2 + len(NAME)).to_bytes(2) + NAME
_EXTENSION = b"!\xfe" + bytes([len(NAME)]) + NAME + b"\0"
_BEHIND_PALETTE = 13 + 3 * 256
_ATTRIBUTE = f'{SVG_MARK}="'.encode() + NAME + b'"'
_BOX = (8 + len(NAME)).to_bytes(4) + b"free" + NAME
_WEBP, _PDF = (b"RIFF", b"WEBP"), b"%PDF-"
_RIFF_CHUNK = b"made" + len(NAME).to_bytes(4, "little") + NAME  # chunks of an unknown name are skipped
_PDF_COMMENT = b"%" + NAME + b"\n"
TAIL_BYTES = max(len(_BOX), len(_RIFF_CHUNK), len(_PDF_COMMENT))
"""A mark at the end is no longer."""


def marked(data: bytes) -> bytes:
    """An encoded picture (GIF: of 256 colours) or MP4 with the mark in it; its pixels are the same."""
    if data.startswith(_PNG):
        return data[:_BEHIND_HEADER] + _CHUNK + data[_BEHIND_HEADER:]
    if data.startswith(_JPEG):
        behind = 4 + int.from_bytes(data[4:6])  # the first segment says who may read the file: it stays first
        return data[:behind] + _COMMENT + data[behind:]
    if data.startswith(_GIF):
        return data[:_BEHIND_PALETTE] + _EXTENSION + data[_BEHIND_PALETTE:]
    end = _mark_at_end(data)
    if end == _RIFF_CHUNK:  # the size of all that follows
        data = data[:4] + (int.from_bytes(data[4:8], "little") + len(end)).to_bytes(4, "little") + data[8:]
    return data + end


def _mark_at_end(head: bytes) -> bytes:
    """The mark at the end of a file that begins so; nothing for one that has none there."""
    if head[4:8] == b"ftyp":
        return _BOX
    if head.startswith(_PDF):
        return _PDF_COMMENT
    return _RIFF_CHUNK if (head[:4], head[8:12]) == _WEBP else b""


def is_marked(path: str | os.PathLike[str]) -> bool:
    """Whether a file has the mark; one that cannot be read has none."""
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                head = file.read(HEAD_BYTES)
                file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
                tail = file.read()
            kinds = (
                *((_PNG, _CHUNK), (_JPEG, _COMMENT), (_GIF, _EXTENSION)),
                *((_SVG, _ATTRIBUTE), (_HTML, HTML_MARK.encode())),
            )
            in_head = any(head.startswith(start) and mark in head for start, mark in kinds)
            end = _mark_at_end(head)
            return in_head or bool(end and tail.endswith(end))
    return False
