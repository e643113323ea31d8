"""Decode and encode pictures: kinds by content, limits of size and time.

The usual PNG is decoded by kornia-rs, in a third of the time of OpenCV and half of its memory; JPEG of one
scan by OpenCV; every other picture by Pillow, whose import takes as long as decoding ten screenshots. OpenCV
never gets a PNG: version 5 dies of some animated ones (``docs/notes/opencv.md``). PNG is written with one
filter for all rows and deflate by ISA-L, which needs a quarter of the time of zlib and OpenCV.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, OutputError, missing_extra, shortage_of
from flowvision.image.picture import (
    AS_MADE,
    MAX_PIXELS,
    STRIP,
    Bgr,
    Screenshot,
    as_bgr,
    bgr_of,
    check_shape,
    too_many,
)
from flowvision.words import Call, Hint

if TYPE_CHECKING:
    from PIL.Image import Image

READABLE = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif")
)
"""Suffixes of screenshots."""
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
"""Formats that Pillow may open; EPS, for one, would start Ghostscript."""

MAX_PILLOW_PIXELS = 36_000_000
"""Limit where Pillow decodes, in up to 24 bytes a pixel, and with alpha; 8K screens have 33 million."""
MAX_SECONDS = 3.0
"""Processor time for decoding; 36 million pixels of 16 bits take 2."""
MAX_CHUNKS = 100_000
"""Chunks of a PNG that are looked at; 36 million pixels in chunks of 8 kB have 17,000."""
MAX_SEGMENTS = 1_000
"""Segments before the first scan of a JPEG that is read without Pillow."""

thread_time = getattr(time, "thread_time", time.process_time)
"""Processor time of this thread; WebAssembly has one thread, and its Python no clock for it."""

PNG_START, PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
JPEG_START, JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"
MAX_WEBP_SIDE = 16_383
"""Longest side of a WebP, in pixels."""
MOVIE_BOXES = (b"ftyp", b"moov", b"mdat", b"wide")
HEIF_BRANDS = (b"hei", b"hev", b"mif1", b"msf1", b"avi", b"mia")
"""Types of the first box of a movie; beginnings of brands that are pictures."""
TRUECOLOUR, PALETTE, TRUECOLOUR_WITH_ALPHA = 2, 3, 6
"""Colour types of PNG."""
UP = 2
"""A filter of PNG: each row less the one above; most rows of a screenshot repeat."""


def foreign_content(data: bytes) -> str | None:
    """Return ``a video`` or ``a PDF document`` if the first bytes say so."""
    is_avi = data.startswith(b"RIFF") and data[8:12] == b"AVI "
    is_movie = data[4:8] in MOVIE_BOXES and not _is_heif(data)
    if is_avi or is_movie or data.startswith((b"\x1aE\xdf\xa3", b"\0\0\1\xba", b"\0\0\1\xb3")):
        return "a video"
    return "a PDF document" if data.startswith(b"%PDF") else None


def _is_heif(data: bytes) -> bool:
    """Recognise HEIC and AVIF by their brand (ISO/IEC 23008-12); others are videos."""
    return data[4:8] == b"ftyp" and data[8:12].startswith(HEIF_BRANDS)


def is_whole(data: bytes) -> bool:
    """Return false for empty files, and PNG or JPEG without an end marker; other kinds have none."""
    if data.startswith(PNG_START):
        return data.rfind(PNG_END) > 0
    if data.startswith(JPEG_START):
        return data.rfind(JPEG_END) > _jpeg_header(data).scan
    return bool(data)


def plain_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG or JPEG that is decoded without Pillow, or ``None``.

    These are PNG in RGB or RGBA with 8 bits a channel, and JPEG of one scan. Raises ``ImageUnreadableError``
    for sizes out of limits.
    """
    if data.startswith(PNG_START) and data[24:26] in (b"\x08\x02", b"\x08\x06"):  # depth, colour type
        width, height = struct.unpack_from(">II", data, 16)  # at the start of IHDR
        # One colour may be transparent, and the picture turned.
        if not {b"tRNS", b"eXIf"}.isdisjoint(_chunk_kinds(data)):
            return None
        # With alpha the limit is Pillow's, though Pillow does not decode it.
        check_shape(width, height, MAX_PIXELS if data[25] == TRUECOLOUR else MAX_PILLOW_PIXELS)
        return width, height
    if data.startswith(JPEG_START):
        width, height, scan = _jpeg_header(data)
        if scan and data.find(b"\xff\xda", scan + 2) < 0:  # no second scan begins
            check_shape(width, height)
            return width, height
    return None


def _chunk_kinds(data: bytes) -> Iterator[bytes]:
    """Yield the kind of every chunk of a PNG, such as ``IHDR``, up to ``MAX_CHUNKS``."""
    offset = len(PNG_START)
    for _ in range(MAX_CHUNKS):
        if offset + 8 > len(data):
            break
        length, kind = struct.unpack_from(">I4s", data, offset)
        yield kind
        offset += length + 12  # length, kind and checksum take four bytes each


class _JpegHeader(NamedTuple):
    """Size of a JPEG in pixels, and the offset of its first scan in bytes."""

    width: int
    height: int
    scan: int


def _jpeg_header(data: bytes) -> _JpegHeader:
    """Return the header of a JPEG, zeros for an unusual one."""
    offset, width, height = 2, 0, 0
    with suppress(struct.error):
        for _ in range(MAX_SEGMENTS):
            prefix, marker, length = struct.unpack_from(">BBH", data, offset)
            if prefix != 0xFF:
                break
            if marker == 0xDA:  # start of a scan
                return _JpegHeader(width, height, offset)
            # The start of a frame; the three others of this range are tables, or reserved.
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width = struct.unpack_from(">HH", data, offset + 5)
            offset += 2 + length
    return _JpegHeader(0, 0, 0)


class _TimedFile(BytesIO):
    """A file in memory that raises ``ImageUnreadableError`` when it is read for more than ``MAX_SECONDS``."""

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
        raise too_many("too many pixels", MAX_PILLOW_PIXELS) from None
    except Exception as error:
        raise damaged(error) from error


def _check(picture: Image) -> None:
    """Raise ``ImageUnreadableError`` for a picture that would take too long to decode, or too much memory."""
    check_shape(*picture.size, MAX_PILLOW_PIXELS)
    if picture.format in ("JPEG", "MPO"):
        # Read in small blocks, so that the clock is checked often: a scan may have only 100 bytes.
        picture.decodermaxblock = 2048  # type: ignore[attr-defined]
    if picture.format == "TIFF":
        tags = picture.tag_v2  # type: ignore[attr-defined]
        if (count := tags.get(322, 0) * tags.get(323, 0)) > MAX_PILLOW_PIXELS:  # width, length of a tile
            raise too_many(f"tiles of {count:,} pixels", MAX_PILLOW_PIXELS)
        if picture.info.get("compression") in ("jpeg", "tiff_jpeg"):
            check_shape(*picture.size, max_pixels=8_000_000)  # each may be drawn in 100 scans


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
    """Return the error about a picture that a decoder refuses, unless memory or the like ran out.

    Decoders raise any class.
    """
    words = " ".join(str(error).split())
    message = words[:200].rstrip(".") or type(error).__name__
    return shortage_of(error) or ImageUnreadableError(f"The picture is damaged: {message}.")


def _unknown(data: bytes) -> ImageUnreadableError:
    """Return the error about bytes that no decoder knows."""
    with suppress(UnicodeDecodeError):
        if "\0" not in data[:1_000].decode():
            return ImageUnreadableError(
                "This file holds text, not a picture.",
                Hint("If it is a puzzle: {}.", Call("flowvision puzzle FILE", "parse_puzzle(path).solve()")),
            )
    return ImageUnreadableError(f"This file is not a picture, or damaged; it has {len(data):,} bytes.")


def decode(data: bytes, name: str = "screenshot") -> Screenshot:
    """Decode a picture: upright (EXIF), 8 bits a channel, transparency laid on black or white.

    Kinds are recognized by content; of a GIF, the first frame is read. Raises ``ImageUnreadableError`` for
    bytes that are not a picture, ``MissingExtraError`` for HEIC without the extra.
    """
    if not data:
        raise ImageUnreadableError("The file is empty: 0 bytes.")
    if foreign := foreign_content(data):
        raise ImageUnreadableError(f"This is {foreign}, not a picture.", AS_MADE)
    if not is_whole(data):
        raise ImageUnreadableError(
            f"The file ends in the middle of the picture, after {len(data):,} bytes.",
            "Copy the file once more.",
        )
    if size := plain_size(data):
        try:
            if data.startswith(JPEG_START):
                pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            else:
                pixels = truecolour_of(data, size)
        except cv2.error:
            pixels = None
        except Exception as error:  # such as out of memory
            raise damaged(error) from error
        if pixels is not None:
            return Screenshot(as_bgr(pixels), name)
    with opened(data) as picture:
        return Screenshot(bgr_of(picture), name)


def truecolour_of(data: bytes, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """Return BGR or BGRA pixels (H, W, 3 or 4) of a PNG in RGB or RGBA with 8 bits a channel.

    ``None`` if kornia-rs is not installed or refuses the file; Pillow then reports the fault.
    """
    try:
        from kornia_rs import io

        has_alpha = data[25] == TRUECOLOUR_WITH_ALPHA
        mode = "rgba" if has_alpha else "rgb"
        pixels = np.asarray(io.decode_image_png_u8(data, size[::-1], mode))  # height first
    except Exception:  # damaged, no wheel for this machine, or another version
        return None
    except BaseException as error:  # kornia-rs panics; Ctrl-C and the time limit pass through
        if type(error).__name__ != "PanicException":
            raise
        return None
    code = cv2.COLOR_RGBA2BGRA if has_alpha else cv2.COLOR_RGB2BGR
    for top in range(0, len(pixels), STRIP):
        rows = pixels[top : top + STRIP]
        rows[...] = cv2.cvtColor(rows, code)
    return pixels


def pixels_in(data: bytes) -> int:
    """Return the number of pixels, without decoding; 0 for files that cannot be read."""
    try:
        if (size := plain_size(data)) is None:
            with opened(data) as picture:
                size = picture.size
    except FlowvisionError:
        return 0
    return size[0] * size[1]


def encode(bgr: Bgr, suffix: str = ".png") -> bytes:
    """Encode a picture as PNG, JPEG, WebP without loss, or a page of PDF, by ``suffix``."""
    return ENCODERS[suffix](bgr)


def _jpeg_of(bgr: Bgr) -> bytes:
    """Encode a JPEG of quality 92."""
    _, encoded = cv2.imencode(".jpg", bgr, (cv2.IMWRITE_JPEG_QUALITY, 92))
    return encoded.tobytes()


def _webp_of(bgr: Bgr) -> bytes:
    """Encode a WebP without loss. Raises ``OutputError`` for a side that is too long."""
    longer = max(bgr.shape[:2])
    if longer > MAX_WEBP_SIDE:
        raise OutputError(
            f"WebP holds at most {MAX_WEBP_SIDE:,} pixels a side; this picture has {longer:,}.",
            "Choose .png.",
        )
    _, encoded = cv2.imencode(".webp", bgr, (cv2.IMWRITE_WEBP_QUALITY, 101))  # above 100: without loss
    return encoded.tobytes()


def pdf_of(bgr: Bgr, px_an_inch: float = 150.0) -> bytes:
    """Encode a page as large as the picture at this resolution."""
    from PIL import Image

    file = BytesIO()
    page = Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))
    # Without dates the same picture is the same file.
    page.save(file, "PDF", resolution=px_an_inch, quality=92, creationDate=None, modDate=None)
    return file.getvalue()


def png_of(bgr: Bgr) -> bytes:
    """Encode an 8-bit RGB PNG without interlace (RFC 2083)."""
    height, width = bgr.shape[:2]
    data = chunk(b"IDAT", deflated(_filtered(bgr)))
    return PNG_START + header_of(width, height, TRUECOLOUR) + data + chunk(b"IEND", b"")


def header_of(width: int, height: int, colour_type: int) -> bytes:
    """Return the first chunk of a PNG with 8 bits a channel, without interlace."""
    bits, deflate, usual_filters, no_interlace = 8, 0, 0, 0
    header = width, height, bits, colour_type, deflate, usual_filters, no_interlace
    return chunk(b"IHDR", struct.pack(">IIBBBBB", *header))


def deflated(strips: Iterable[NDArray[np.uint8]]) -> bytes:
    """Return strips of filtered rows, compressed together."""
    zlib: Any
    try:
        from isal import isal_zlib as zlib
    except ImportError:  # no wheel for this machine
        import zlib
    deflate = zlib.compressobj(level=1)  # higher ones save nothing with ISA-L, and 2 % with zlib
    packed = [deflate.compress(strip) for strip in strips]
    return b"".join([*packed, deflate.flush()])


def _filtered(bgr: Bgr) -> Iterator[NDArray[np.uint8]]:
    """Yield strips of the rows of a PNG, each the difference to the row above (filter type 2)."""
    height, width = bgr.shape[:2]
    above = np.zeros(3 * width, np.uint8)
    for top in range(0, height, STRIP):
        strip = bgr[top : top + STRIP]
        rgb = cv2.cvtColor(strip, cv2.COLOR_BGR2RGB).reshape(-1, 3 * width)
        rows = np.empty((len(rgb), 1 + 3 * width), np.uint8)
        rows[:, 0] = UP  # each row begins with the number of its filter
        np.subtract(rgb[0], above, out=rows[0, 1:])
        np.subtract(rgb[1:], rgb[:-1], out=rows[1:, 1:])
        above = rgb[-1]
        yield rows


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG: length, kind, data and checksum."""
    length, checksum = len(data), crc32(data, crc32(kind))
    return length.to_bytes(4) + kind + data + checksum.to_bytes(4)


ENCODERS: dict[str, Callable[[Bgr], bytes]] = {
    ".png": png_of,
    ".jpg": _jpeg_of,
    ".jpeg": _jpeg_of,
    ".webp": _webp_of,
    ".pdf": pdf_of,
}
"""The encoder of every still picture of ``files.FORMS``, by suffix."""
