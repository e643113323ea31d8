"""The mark on pictures that Flowvision wrote, by which it knows them from screenshots.

PNG: a text chunk ``Software`` behind the header. JPEG: a comment behind the file's first segment.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

NAME = b"Flowvision"
HEAD_BYTES = 1_000
"""The mark lies within so many bytes from the beginning."""

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_BEHIND_HEADER = len(_PNG) + 25
_TEXT = b"tEXtSoftware\0" + NAME
_CHUNK = (len(_TEXT) - 4).to_bytes(4) + _TEXT + zlib.crc32(_TEXT).to_bytes(4)
_COMMENT = b"\xff\xfe" + (2 + len(NAME)).to_bytes(2) + NAME


def marked(data: bytes) -> bytes:
    """An encoded PNG or JPEG with the mark in it; its pixels are the same."""
    if data.startswith(_PNG):
        return data[:_BEHIND_HEADER] + _CHUNK + data[_BEHIND_HEADER:]
    if data.startswith(_JPEG):
        behind = 4 + int.from_bytes(data[4:6])  # the first segment says who may read the file: it stays first
        return data[:behind] + _COMMENT + data[behind:]
    return data


def is_marked(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a picture with the mark; one that cannot be read is none."""
    with suppress(OSError, ValueError):
        if Path(path).is_file():
            with Path(path).open("rb") as file:
                head = file.read(HEAD_BYTES)
            return (head.startswith(_PNG) and _CHUNK in head) or (head.startswith(_JPEG) and _COMMENT in head)
    return False
