"""The headers of pictures that are neither PNG nor JPEG: WebP, BMP, GIF, TIFF, HEIC and AVIF."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import prod

from flowvision.errors import ImageUnreadableError
from flowvision.image.formats import is_heif
from flowvision.image.header import Header

TIFF_STARTS = {b"II*\0": "<", b"MM\0*": ">"}
WIDTH, HEIGHT, BITS, COMPRESSION, SAMPLES, TILE_WIDTH, TILE_HEIGHT = 256, 257, 258, 259, 277, 322, 323
"""Tags of TIFF 6.0."""
FAST_TIFF = frozenset({1, 5, 8, 32773, 32946})
"""Compressions that are undone in the time of a PNG: none, LZW, deflate (two numbers), PackBits."""
MOST_TAGS = 500
MOST_BOXES = 10_000


def other_header(data: bytes) -> Header | None:
    """The header of such a picture; ``None`` for other kinds.

    Raises ``ImageUnreadableError``, ``struct.error`` or ``IndexError`` for what is damaged or cut short.
    """
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return Header("WEBP", *_webp_size(data), bytes_a_pixel=20.0, slowness=2.0)
    if data.startswith((b"GIF87a", b"GIF89a")):
        width, height = struct.unpack_from("<HH", data, 6)
        return Header("GIF", width, height, bytes_a_pixel=10.0)
    if data.startswith(b"BM"):
        return _bmp_header(data)
    if data[:4] in TIFF_STARTS:
        return _tiff_header(data)
    if is_heif(data):
        return Header("HEIF", *_heif_size(data), bytes_a_pixel=24.0, slowness=3.0)
    return None


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height (RFC 9649): of the canvas, or of the one picture."""
    kind = data[12:16]
    if kind == b"VP8X":
        return _three(data, 24) + 1, _three(data, 27) + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ImageUnreadableError(f"The picture is damaged: a WebP that begins with {kind!r}.")


def _three(data: bytes, at: int) -> int:
    """A number of three bytes, the last one first."""
    return data[at] | data[at + 1] << 8 | data[at + 2] << 16


def _bmp_header(data: bytes) -> Header:
    (size,) = struct.unpack_from("<I", data, 14)
    if size == 12:  # OS/2
        width, height = struct.unpack_from("<HH", data, 18)
        compression = 0
    else:
        width, height = map(abs, struct.unpack_from("<ii", data, 18))
        (compression,) = struct.unpack_from("<I", data, 30)
    # Runs are unpacked by Pillow in Python.
    slowness = 30.0 if compression in (1, 2) else 1.0
    return Header("BMP", width, height, bytes_a_pixel=10.0, slowness=slowness)


def _tiff_header(data: bytes) -> Header:
    tags = _tiff_tags(data)
    if WIDTH not in tags or HEIGHT not in tags:
        raise ImageUnreadableError("The picture is damaged: a TIFF that does not say how large it is.")
    width, height = tags[WIDTH], tags[HEIGHT]
    tile = tags.get(TILE_WIDTH, 0) * tags.get(TILE_HEIGHT, 0)
    if tile > max(width * height, 1 << 22):
        raise ImageUnreadableError(f"The picture is damaged: a TIFF with tiles of {tile:,} pixels.")
    sample_bytes = max(1, tags.get(BITS, 1) / 8)
    slow = tags.get(COMPRESSION, 1) not in FAST_TIFF
    cost = 10.0 + 2 * sample_bytes * max(1, tags.get(SAMPLES, 1))
    return Header("TIFF", width, height, bytes_a_pixel=cost, slowness=30.0 if slow else 1.5)


def _tiff_tags(data: bytes) -> dict[int, int]:
    """The first value of every tag of one or more whole numbers in the first directory."""
    order = TIFF_STARTS[data[:4]]
    (at,) = struct.unpack_from(f"{order}I", data, 4)
    (count,) = struct.unpack_from(f"{order}H", data, at)
    tags = {}
    for number in range(min(count, MOST_TAGS)):
        tag, kind, values = struct.unpack_from(f"{order}HHI", data, at + 2 + 12 * number)
        form = {1: "B", 3: "H", 4: "I"}.get(kind)
        if form and values:
            inline = at + 10 + 12 * number
            fits = struct.calcsize(form) * values <= 4
            place = inline if fits else struct.unpack_from(f"{order}I", data, inline)[0]
            (tags[tag],) = struct.unpack_from(f"{order}{form}", data, place)
    return tags


def _heif_size(data: bytes) -> tuple[int, int]:
    """The largest size that a HEIC or AVIF file gives for its pictures (ISO/IEC 23008-12, ``ispe``)."""
    sizes: list[tuple[int, int]] = [(0, 0)]
    for start, end in _boxes(data, 0, len(data), b"meta"):
        for properties in _boxes(data, start + 4, end, b"iprp"):
            for container in _boxes(data, *properties, b"ipco"):
                sizes += [
                    struct.unpack_from(">II", data, size + 4) for size, _ in _boxes(data, *container, b"ispe")
                ]
    largest = max(sizes, key=prod)
    if not prod(largest):
        raise ImageUnreadableError("The picture is damaged: it does not say how large it is.")
    return largest


def _boxes(data: bytes, at: int, end: int, wanted: bytes) -> Iterator[tuple[int, int]]:
    """Where the contents of boxes of a kind begin and end, among those from ``at`` to ``end``."""
    for _ in range(MOST_BOXES):
        if at + 8 > end:
            return
        size, kind = struct.unpack_from(">I4s", data, at)
        head = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, at + 8)
            head = 16
        last = min(end, at + size) if size else end
        if last < at + head:
            return
        if kind == wanted:
            yield at + head, last
        at = last
