"""Picture files before they are decoded: kind by name and content, size, memory and time that decoding takes.

PNG and JPEG are read here; Pillow opens every other kind, without decoding its pixels.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from zlib import crc32

from flowvision.errors import FlowvisionError, ImageUnreadableError, missing_extra, shortage_of
from flowvision.value import value_type

if TYPE_CHECKING:
    from PIL.Image import Image


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
TEXT_BYTES = 1_000
"""Bytes that are looked at to see whether a file is text."""
AS_MADE = "Give a screenshot as the phone made it."
HINT = AS_MADE.replace(".", ", or shrink the picture.")

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
    """Raise ``ImageUnreadableError`` unless pictures of this size are read.

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
            f"The picture is {shape} pixels; sides of {MIN_SIDE} to {MAX_SIDE:,} are read.",
            AS_MADE if min(width, height) < MIN_SIDE else HINT,
        )
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ImageUnreadableError(
            f"The picture is {shape} pixels; a side at most {MAX_RATIO} times as long as the other is read.",
            AS_MADE,
        )
    needed = width * height * bytes_a_pixel + 2 * file_bytes
    if needed > MAX_BYTES:
        raise ImageUnreadableError(
            f"The picture has {shape} pixels. Its kind takes {bytes_a_pixel:g} bytes of memory each, which "
            f"makes {needed / 1e6:,.0f} MB with its file; at most {MAX_BYTES / 1e6:,.0f} MB are used.",
            "Save it as a plain PNG or JPEG, or shrink it.",
        )


JPEG_END = b"\xff\xd9"
MAX_SCANS = 100
"""Scans of a JPEG: encoders write at most 10, and decoding each takes a quarter of a PNG's time."""
SCAN_TIME = 0.25
MAX_TIME = 200e6
"""Pixels of a plain PNG that decode as long as the slowest picture that is read: 2 seconds at 10 ns each."""
PILLOW_BYTES = {"PNG": 10.0, "WEBP": 20.0, "GIF": 10.0, "BMP": 10.0, "TIFF": 10.0, "HEIF": 24.0}
"""Bytes of memory a pixel, at most, while Pillow decodes a picture."""
PILLOW_TIMES = {"PNG": 2.5, "WEBP": 2.5, "HEIF": 2.0, "GIF": 1.0, "BMP": 1.0, "TIFF": 2.0}
"""Time a pixel, in that of a plain PNG (measured); twice that of a PNG with 16 bits a channel."""
RUNS_TIME, TIFF_JPEG_TIME = 40.0, 25.0
"""Time a pixel of a BMP with runs, which Pillow unpacks in Python, and of a JPEG of 100 scans in a TIFF."""
TILE_PIXELS = 1 << 22
"""Pixels that a tile of a TIFF may have, even if its picture has fewer."""
SAID = 200
"""Characters of a decoder's message that are quoted."""


@value_type
class Header:
    """A file's kind, by the name that Pillow has for it, and the size of its picture in pixels.

    ``truecolour``: a PNG in RGB or RGBA, 8 bits a channel, without chunks that change how it is shown;
    ``alpha``: it has a fourth channel.
    ``bytes_a_pixel``: of memory, at most, while it is decoded. ``time``: what decoding a pixel takes, in
    that of a plain PNG.
    """

    kind: str
    width: int
    height: int
    bytes_a_pixel: float = 3.0
    time: float = 1.0
    truecolour: bool = False
    alpha: bool = False


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
    if header.width * header.height * header.time > MAX_TIME:
        raise ImageUnreadableError(
            f"The picture has {header.width:,} × {header.height:,} pixels. Its kind takes up to "
            f"{header.time:g} times as long to decode as a plain PNG: too long for so many.",
            "Save it as a plain PNG or JPEG, or shrink it.",
        )
    return header


def is_text(data: bytes) -> bool:
    """Whether a file begins as text does."""
    with suppress(UnicodeDecodeError):
        return bool(data) and "\0" not in data[:TEXT_BYTES].decode()
    return False


def header_of(data: bytes) -> Header:
    """The header of a picture of a kind that is read, told by content.

    Raises ``ImageUnreadableError`` for other kinds, damaged headers, and a PNG or JPEG that is cut short, and
    ``MissingExtraError`` for HEIC without the extra.
    """
    kind = kind_of(data)
    if kind is None:
        if b"<svg" in data[:TEXT_BYTES]:
            raise ImageUnreadableError("This is an SVG: a drawing, not a picture.", "Save it as PNG.")
        if is_text(data):
            raise ImageUnreadableError(
                "This file holds text, not a picture.", "If it is a puzzle: `flowvision puzzle FILE`."
            )
        raise ImageUnreadableError(f"This file is not a picture; it has {len(data):,} bytes.")
    try:
        if kind == "PNG":
            return _png_header(data)
        if kind == "JPEG":
            return _jpeg_header(data)
    except (struct.error, IndexError):
        raise _cut_short(data) from None
    with opened(data, kind) as picture:
        return _pillow_header(picture, kind)


def _cut_short(data: bytes) -> ImageUnreadableError:
    """The error about a file whose end is missing."""
    return ImageUnreadableError(
        f"The file ends in the middle of the picture, after {len(data):,} bytes.", "Copy the file once more."
    )


def _png_header(data: bytes) -> Header:
    width, height, depth, colour_type = struct.unpack_from(">IIBB", data, 16)
    kinds = {kind for kind, _ in _png_chunks(data)}
    if b"IEND" not in kinds:
        raise _cut_short(data)
    alpha = colour_type in (4, 6)
    # One colour may be transparent (tRNS), and the picture turned (eXIf).
    truecolour = depth == 8 and colour_type in (2, 6) and kinds.isdisjoint((b"tRNS", b"eXIf"))
    if truecolour:
        return Header("PNG", width, height, 9.0 if alpha else 3.0, 1.5 if alpha else 1.0, True, alpha)
    time = PILLOW_TIMES["PNG"] * (2 if depth == 16 else 1)
    return Header("PNG", width, height, PILLOW_BYTES["PNG"], time)


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
    at = len(PNG_START)
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
        raise _cut_short(data)
    scans = _scans(data, at)
    if scans > MAX_SCANS:
        raise ImageUnreadableError(
            f"The JPEG draws its picture in more than {MAX_SCANS} scans; screenshots have 1 to 10.",
            "Save it once more, as PNG.",
        )
    # With several scans all coefficients are kept, two bytes each, until the last one has been read.
    kept = 2.0 * channels if scans > 1 else 0.0
    return Header("JPEG", width, height, bytes_a_pixel=3.0 + kept, time=max(1.0, scans * SCAN_TIME))


_MARKER = rb"(?s)\xff+([^\x00\xd0-\xd7\xff])"
"""In the data of a scan, 0xFF 0x00 is a byte of 0xFF, and 0xD0 to 0xD7 only mark where to restart."""


def _scans(data: bytes, at: int) -> int:
    """Number of scans in a JPEG from ``at`` to its end marker; counting stops above ``MAX_SCANS``."""
    # Most have one, and then nothing after it looks like the start of another: found at the speed of memory.
    if data.find(b"\xff\xda", at + 2) < 0:
        return 1
    scans, marks = 0, re.compile(_MARKER)
    while scans <= MAX_SCANS and (found := marks.search(data, at)):
        marker = found[1][0]
        if marker == 0xD9:
            break
        scans += marker == 0xDA
        if found.end() + 2 > len(data):
            break
        at = found.end() + struct.unpack_from(">H", data, found.end())[0]
    return scans


@contextmanager
def opened(data: bytes, kind: str) -> Iterator[Image]:
    """A picture that Pillow has opened as one of this kind; its pixels are decoded on demand.

    Errors of Pillow, also within the block, become ``ImageUnreadableError``. Raises ``MissingExtraError`` for
    HEIC without the extra.
    """
    import warnings
    from io import BytesIO

    from PIL import Image

    kinds = _heif_kinds(data) if kind == "HEIF" else [kind]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of damaged tags, and of sizes, which are checked here
            with Image.open(BytesIO(data), formats=kinds) as picture:
                yield picture
    except FlowvisionError:
        raise
    except Image.DecompressionBombError:  # twice what we would read, and no size is told
        most = MAX_PIXELS // 1_000_000
        raise ImageUnreadableError(
            f"The picture has too many pixels; at most {most} million are read.", HINT
        ) from None
    except Exception as error:
        raise damaged(error) from error


def damaged(error: Exception) -> FlowvisionError:
    """The error about a picture that a decoder refuses; decoders raise whatever they like."""
    said = " ".join(str(error).split())[:SAID] or type(error).__name__
    return shortage_of(error) or ImageUnreadableError(f"The picture is damaged: {said.rstrip('.')}.")


def _pillow_header(picture: Any, kind: str) -> Header:
    """The header of a picture that Pillow has opened. Raises ``ImageUnreadableError`` for huge tiles."""
    cost, time = PILLOW_BYTES[kind], PILLOW_TIMES[kind]
    width, height = picture.size
    for tile in getattr(picture, "tile", ()):
        codec, box = tile[0], tile[1]
        if codec == "bmp_rle":
            time = RUNS_TIME
        if box and (box[2] - box[0]) * (box[3] - box[1]) > max(width * height, TILE_PIXELS):
            raise ImageUnreadableError("The picture is damaged: it has tiles that are larger than itself.")
    if kind == "TIFF":
        tags = picture.tag_v2
        tile_px = tags.get(322, 0) * tags.get(323, 0)
        if tile_px > max(width * height, TILE_PIXELS):
            raise ImageUnreadableError(f"The picture is damaged: a TIFF with tiles of {tile_px:,} pixels.")
        cost += sum(tags.get(258, (8,))) / 4
        time = TIFF_JPEG_TIME if picture.info.get("compression") in ("jpeg", "tiff_jpeg") else time
    return Header(kind, width, height, cost, time)


def _heif_kinds(data: bytes) -> list[str]:
    """The names that Pillow has for HEIC and AVIF, once it was taught what it does not know by itself."""
    from PIL import Image, features

    is_avif = data[8:11] == b"avi"
    if not (is_avif and "avif" in features.modules and features.check("avif")):
        try:
            import pillow_heif
        except ImportError:
            otherwise = ", or send the picture as JPEG"
            raise missing_extra("HEIC pictures need pillow-heif", "heic", otherwise) from None
        pillow_heif.register_heif_opener()
        if is_avif and hasattr(pillow_heif, "register_avif_opener"):  # before Pillow had its own
            pillow_heif.register_avif_opener()
    Image.init()
    return [kind for kind in ("AVIF", "HEIF") if kind in Image.OPEN]
