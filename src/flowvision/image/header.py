"""What a file says of its picture before any decoder sees it: kind, size, and what decoding will take."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from zlib import crc32

from flowvision.errors import ImageUnreadableError
from flowvision.image.png import SIGNATURE
from flowvision.value import value_type

JPEG_START, JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"
MAX_SCANS = 100
"""Of a JPEG: encoders write 10 at most, and every one takes the time of a whole picture."""
SCAN_COST = 0.25
"""The time of a scan, in that of a PNG of the same size."""
APART_COST = 20e6
"""Pixels of a plain PNG that are decoded in a quarter of a second, or in half of one at worst."""


@value_type
class Header:
    """A file's kind, by the name that Pillow has for it, and the size of its picture in pixels.

    ``truecolour``: a PNG in RGB or RGBA, 8 bits a channel, without chunks that change how it is shown;
    ``alpha``: it has a fourth channel.
    ``bytes_a_pixel``: of memory, at most, while it is decoded. ``slowness``: the time a pixel takes, in that
    of a PNG.
    """

    kind: str
    width: int
    height: int
    bytes_a_pixel: float = 3.0
    slowness: float = 1.0
    truecolour: bool = False
    alpha: bool = False

    @property
    def is_slow(self) -> bool:
        """Whether decoding may take so long that it is better done where it can be ended."""
        return self.width * self.height * self.slowness > APART_COST


def cut_short(data: bytes) -> ImageUnreadableError:
    """The error about a file whose end is missing."""
    return ImageUnreadableError(
        f"The file ends in the middle of the picture, after {len(data):,} bytes.", "Copy the file once more."
    )


def header_of(data: bytes) -> Header:
    """The header of a picture of a kind that is read, told by content.

    Raises ``ImageUnreadableError`` for other kinds, damaged headers, and a PNG or JPEG that is cut short.
    """
    try:
        if data.startswith(SIGNATURE):
            return _png_header(data)
        if data.startswith(JPEG_START):
            return _jpeg_header(data)
        from flowvision.image.other_headers import other_header

        header = other_header(data)
    except (struct.error, IndexError):
        raise cut_short(data) from None
    if header is None:
        raise ImageUnreadableError(f"Not a picture: {len(data):,} bytes of another kind.")
    return header


def _png_header(data: bytes) -> Header:
    width, height, depth, colour_type = struct.unpack_from(">IIBB", data, 16)
    kinds = {kind for kind, _ in _png_chunks(data)}
    if b"IEND" not in kinds:
        raise cut_short(data)
    alpha = colour_type in (4, 6)
    # One colour may be transparent (tRNS), and the picture turned (eXIf).
    truecolour = depth == 8 and colour_type in (2, 6) and kinds.isdisjoint((b"tRNS", b"eXIf"))
    cost = (9.0 if alpha else 3.0) if truecolour else 14.0
    return Header("PNG", width, height, cost, (2.0 if depth == 16 else 1.0) * (1 + alpha), truecolour, alpha)


def check_sums(data: bytes) -> None:
    """Raise ``ImageUnreadableError`` when a chunk of a PNG that makes its picture was changed."""
    for kind, at in _png_chunks(data):
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT"):
            (length,) = struct.unpack_from(">I", data, at)
            behind = at + 8 + length
            if crc32(memoryview(data)[at + 4 : behind]) != int.from_bytes(data[behind : behind + 4]):
                raise ImageUnreadableError(
                    f"The picture is damaged: its {kind.decode()} chunk at byte {at:,} was changed.",
                    "Copy the file once more.",
                )


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
    at, width, height, channels = 2, 0, 0, 3
    while True:
        while data[at + 1] == 0xFF:  # padding before a marker
            at += 1
        marker = data[at + 1]
        if marker == 0xDA:
            break
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack_from(">HHB", data, at + 5)
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    if data.rfind(JPEG_END, at) < 0:
        raise cut_short(data)
    scans = _scans(data, at)
    if scans > MAX_SCANS:
        raise ImageUnreadableError(
            f"The JPEG draws its picture in more than {MAX_SCANS} scans; screenshots have 1 to 10.",
            "Save it once more, as PNG.",
        )
    # With several scans all coefficients are kept, two bytes each, until the last one has been read.
    kept = 2.0 * channels if scans > 1 else 0.0
    return Header("JPEG", width, height, bytes_a_pixel=3.0 + kept, slowness=max(1.0, scans * SCAN_COST))


_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])", re.DOTALL)
"""In the data of a scan, 0xFF 0x00 is a byte of 0xFF, and 0xD0 to 0xD7 only mark where to restart."""


def _scans(data: bytes, at: int) -> int:
    """How many scans a JPEG has from ``at`` to its end marker; more than ``MAX_SCANS`` are not counted."""
    # Most have one, and then nothing after it looks like the start of another: found at the speed of memory.
    if data.find(b"\xff\xda", at + 2) < 0:
        return 1
    scans = 0
    while scans <= MAX_SCANS and (found := _MARKER.search(data, at)):
        marker = found[1][0]
        if marker == 0xD9:
            break
        scans += marker == 0xDA
        if found.end() + 2 > len(data):
            break
        at = found.end() + struct.unpack_from(">H", data, found.end())[0]
    return scans
