"""Damaged files of every kind and damaged boards: pixels, answers, or errors of ours."""

import struct
from contextlib import suppress
from functools import cache
from random import Random
from zlib import crc32

import cv2
import numpy as np
from PIL import Image

from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.codec import MAX_PIXELS, PNG_START, decode, pixels_in
from flowvision.image.picture import Bgr
from flowvision.reading.options import Options
from tests.drawing import LEVEL_5X5, SEVERAL, TOUCHING, UNSOLVABLE, screenshot_of
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
def files() -> list[bytes]:
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
def test_a_damaged_picture_is_decoded_or_refused(random: Random) -> None:
    assert len(files()) > 25
    data = with_checksums(damaged(random.choice(files()), random, random.choice(files())), random)
    with suppress(FlowvisionError):
        if pixels_in(data) > LARGE:
            return
        bgr = decode(data).bgr
        assert bgr.dtype == np.uint8
        assert bgr.ndim == 3
        assert bgr.shape[0] * bgr.shape[1] <= MAX_PIXELS


BOARDS = [
    screenshot_of(text, pitch=16, corner=(6, 20)) for text in (LEVEL_5X5, SEVERAL, UNSOLVABLE, TOUCHING)
]
QUICK = Options(seconds=0.02)


def damaged_board(random: Random) -> Bgr:
    bgr = random.choice(BOARDS).copy()
    for _ in range(random.randint(1, 3)):
        damage(bgr, random)
    if random.random() < 0.3:
        width, height = random.randint(32, 160), random.randint(32, 200)
        bgr = np.asarray(cv2.resize(bgr, (width, height), interpolation=random.randrange(4)), np.uint8)
    return bgr


def damage(bgr: Bgr, random: Random) -> None:
    """Move, cover, mirror or dim a part of a picture, or fill it with noise or a mesh."""
    height, width = bgr.shape[:2]
    h, w = random.randint(1, height), random.randint(1, width)
    y, x = random.randint(0, height - h), random.randint(0, width - w)
    part = bgr[y : y + h, x : x + w]
    match random.randrange(7):
        case 0:
            part[:] = [random.randrange(256) for _ in range(3)]
        case 1:
            part[:] = np.random.default_rng(random.randrange(1 << 32)).integers(0, 256, part.shape)
        case 2:
            part[:: random.randint(2, 9), :: random.randint(2, 9)] = 255
        case 3:
            part[:] = part[::-1].copy()
        case 4:
            part[:] = part // random.randint(1, 4)
        case 5:
            part[:] = 255 - part
        case _:
            part[:] = np.roll(part, random.randint(1, 20), axis=random.randrange(2))


@random_cases(60)
def test_a_damaged_board_is_answered_or_refused(random: Random) -> None:
    bgr = damaged_board(random)
    with suppress(FlowvisionError):
        assert solve_image(bgr, QUICK).picture.shape == bgr.shape
