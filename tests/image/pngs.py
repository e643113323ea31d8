"""Picture files in memory: written by Pillow, or PNG chunk by chunk, also such as no encoder writes."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

from flowvision.image.codec import PNG_START, chunk
from flowvision.image.picture import Bgr

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
"""Of each pass of an interlaced PNG: the first row and column, and the steps from row to row and column to
column (RFC 2083, section 2.6)."""
TABLE = chunk(b"PLTE", bytes((7 * n) % 256 for n in range(768)))


def saved(
    kind: str,
    picture: Bgr | None = None,
    mode: str = "RGB",
    size: tuple[int, int] = (70, 45),
    **options: object,
) -> bytes:
    """Return a file that Pillow wrote: of this picture, or of noise in this mode."""
    file = io.BytesIO()
    noise = Image.effect_noise(size, 40).convert(mode)
    image = noise if picture is None else Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    image.save(file, kind, **options)
    return file.getvalue()


def turning(orientation: int = 6) -> Image.Exif:
    """Return the note of a camera that was held sideways."""
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif


def png(
    samples: np.ndarray,
    filters: list[int],
    pieces: int = 1,
    interlaced: bool = False,
    extra: bytes = b"",
    colour_type: int | None = None,
) -> bytes:
    """Return a PNG whose filtered rows are these samples (H, W, channels).

    8 or 16 bits a channel, as the samples have; RGB or RGBA where no colour type is given.
    """
    height, width, channels = samples.shape
    big = samples.astype(samples.dtype.newbyteorder(">"))
    passes = [big[top::down, left::across] for top, left, down, across in ADAM7]
    rows = [row.tobytes() for part in (passes if interlaced else [big]) for row in part if row.size]
    packed = packed_rows(rows, filters)
    step = -(-len(packed) // pieces)
    colour_type = (RGB if channels == 3 else RGBA) if colour_type is None else colour_type
    data = b"".join(chunk(b"IDAT", packed[at : at + step]) for at in range(0, len(packed), step))
    depth = 8 * samples.itemsize
    return PNG_START + header((width, height), colour_type, depth, interlaced) + extra + data + END


def animated(frames: int = 2, filter_number: int = 0, colour_type: int = RGB) -> bytes:
    """Return an animation whose default picture, rows of one colour, is not a frame.

    The rows of its frames have a filter, which need not exist.
    """
    width, height = size = 48, 40
    length = width * CHANNELS[colour_type]
    parts = [PNG_START, header(size, colour_type), chunk(b"acTL", struct.pack(">II", frames, 0))]
    parts += [TABLE] if colour_type == PALETTE else []
    parts += [chunk(b"IDAT", packed_rows([bytes([5 * row % 256]) * length for row in range(height)], [0]))]
    for frame in range(frames):
        box = struct.pack(">IIIIIHHBB", 2 * frame, width, height, 0, 0, 1, 10, 0, 0)
        rows = packed_rows([bytes([3 * row % 256]) * length for row in range(height)], [filter_number])
        parts += [chunk(b"fcTL", box), chunk(b"fdAT", struct.pack(">I", 2 * frame + 1) + rows)]
    return b"".join([*parts, END])


def header(size: tuple[int, int], colour_type: int, depth: int = 8, interlaced: bool = False) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", *size, depth, colour_type, 0, 0, interlaced))


def packed_rows(rows: list[bytes], filters: list[int]) -> bytes:
    return zlib.compress(
        b"".join(bytes([filters[at % len(filters)]]) + row for at, row in enumerate(rows)), 1
    )


END = chunk(b"IEND", b"")
