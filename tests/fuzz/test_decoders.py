"""Damaged pictures of every kind: pixels, or an error of ours."""

import struct
from contextlib import suppress
from functools import cache
from random import Random
from zlib import crc32

import cv2
import numpy as np
from PIL import Image

from flowvision.errors import FlowvisionError
from flowvision.image.codec import MAX_PIXELS, PNG_START, decode, pixels_in
from tests.fuzz.driver import damaged, random_cases
from tests.image.pngs import CHANNELS, animated, saved, turning

SIZE = (48, 40)
MODES = ("RGB", "RGBA", "L", "CMYK", "1", "I;16", "F", "P", "LAB", "YCbCr")
COMPRESSIONS = (
    "tiff_lzw", "tiff_adobe_deflate", "tiff_jpeg", "tiff_ccitt", "packbits", "group4", "webp", "zstd",
)  # fmt: skip
LARGE = 2_000_000
"""Pixels: a damaged header may claim millions; such pictures are only judged by it here."""


def small(kind: str, mode: str = "RGB", **options: object) -> bytes:
    """A small picture, written by Pillow; nothing where this Pillow cannot."""
    with suppress(KeyError, OSError, ValueError):
        return saved(kind, mode=mode, size=SIZE, **options)
    return b""


@cache
def pictures() -> list[bytes]:
    with suppress(ImportError):
        import pillow_heif

        pillow_heif.register_heif_opener()
    exif = turning()
    frames = {"save_all": True, "append_images": [Image.new("RGB", SIZE, "red")]}
    noise = np.random.default_rng(0).integers(0, 256, (*SIZE, 4), np.uint8)
    made = [
        *(small("PNG", mode) for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16")),
        small("PNG", "P", transparency=3),
        small("PNG", exif=exif),
        small("PNG", **frames),
        *(animated(2, filter_number, colour_type) for colour_type in CHANNELS for filter_number in (0, 9)),
        cv2.imencode(".png", noise.astype(np.uint16) * 257)[1].tobytes(),
        *(small("JPEG", mode, progressive=way) for mode in ("RGB", "L", "CMYK") for way in (True, False)),
        small("JPEG", exif=exif),
        *(small("WEBP", lossless=way, exif=exif) for way in (True, False)),
        small("WEBP", "RGBA"),
        small("WEBP", **frames),
        *(small("BMP", mode) for mode in ("RGB", "P", "1", "L", "RGBA")),
        *(small("GIF", mode) for mode in ("P", "L")),
        small("GIF", **frames),
        *(
            small("TIFF", mode)
            for mode in ["RGB", "RGBA", "L", "CMYK", "1", "I;16", "F", "P", "LAB", "YCbCr"]
        ),
        *(small("TIFF", compression=way, exif=exif) for way in COMPRESSIONS),
        small("HEIF"),
        small("AVIF"),
    ]
    return [data for data in made if data]


def with_checksums(data: bytes, random: Random) -> bytes:
    """Correct most checksums of a PNG: a decoder stops at the first wrong one."""
    if not data.startswith(PNG_START) or not random.randrange(4):
        return data
    whole, at = bytearray(data), len(PNG_START)
    while at + 12 <= len(whole):
        (length,) = struct.unpack_from(">I", whole, at)
        if at + 12 + length > len(whole):
            break
        struct.pack_into(">I", whole, at + 8 + length, crc32(whole[at + 4 : at + 8 + length]))
        at += 12 + length
    return bytes(whole)


@random_cases()
def test_decoders(random: Random) -> None:
    assert len(pictures()) > 25
    data = with_checksums(damaged(random.choice(pictures()), random, random.choice(pictures())), random)
    with suppress(FlowvisionError):
        if pixels_in(data) > LARGE:
            return
        bgr = decode(data).bgr
        assert bgr.dtype == np.uint8
        assert bgr.ndim == 3
        assert bgr.shape[0] * bgr.shape[1] <= MAX_PIXELS
