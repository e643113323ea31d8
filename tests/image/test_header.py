"""What a file says of itself before it is decoded."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision.errors import ImageUnreadableError
from flowvision.image.codec import decode
from flowvision.image.header import (
    MAX_SCANS,
    READABLE,
    check_shape,
    checked_header,
    foreign_content,
    foreign_kind,
    header_of,
)

SIZE = (70, 45)
KINDS = ["PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF"]


def saved(kind: str, size: tuple[int, int] = SIZE, mode: str = "RGB", **options: object) -> bytes:
    """A picture of this size, written by Pillow."""
    file = io.BytesIO()
    Image.effect_noise(size, 40).convert(mode).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "P"])
def test_sizes_are_those_of_the_pictures(kind: str, mode: str) -> None:
    """Of every kind and mode that can be written."""
    if (kind, mode) in {("JPEG", "RGBA"), ("JPEG", "P"), ("WEBP", "P")}:
        pytest.skip("no such picture")
    for size in (SIZE, (333, 500), (6_000, 160)):
        header = header_of(saved(kind, size, mode))
        assert (header.kind, header.width, header.height) == (kind, *size)


@pytest.mark.parametrize(
    "options", [{"lossless": True}, {"quality": 50}, {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}]
)
def test_every_form_of_webp(options: dict[str, object]) -> None:
    """Lossy, lossless and extended."""
    header = header_of(saved("WEBP", **options))
    assert (header.width, header.height) == SIZE


@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
def test_pictures_of_phones(kind: str) -> None:
    """HEIC and AVIF say their size in a box of properties; it may be that of the blocks that cover it."""
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    Image.init()
    if kind not in Image.SAVE:
        pytest.skip("this Pillow writes none")
    header = header_of(saved(kind))
    assert header.kind == "HEIF"
    assert 0 <= header.width - SIZE[0] < 64
    assert 0 <= header.height - SIZE[1] < 64


@pytest.mark.parametrize("kind", ["DDS", "PPM", "TGA", "ICNS", "EPS", "JPEG2000", "PCX", "SGI", "MSP"])
def test_other_kinds_reach_no_decoder(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Pillow can read beyond the kinds that are named is refused by its first bytes."""
    data = saved(kind, (64, 64), "1" if kind == "MSP" else "RGB")
    monkeypatch.setattr(Image, "open", None)
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(ImageUnreadableError):
        decode(data)


def test_a_kind_is_told_by_content() -> None:
    """EPS under any name is no picture: no Ghostscript is started."""
    eps = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n%%EndComments\nshowpage\n"
    with pytest.raises(ImageUnreadableError, match="not a picture"):
        decode(eps, "shot.png")


def with_scans(count: int) -> bytes:
    """A progressive JPEG of so many scans: its last one, again and again."""
    plain = saved("JPEG", (64, 64), progressive=True, quality=80)
    last = plain.rfind(b"\xff\xda")
    scan = plain[last : plain.rfind(b"\xff\xd9")]
    return plain[:last] + scan * (count - plain.count(b"\xff\xda") + 1) + b"\xff\xd9"


def test_a_jpeg_of_many_scans_is_refused() -> None:
    """Each costs the time of a whole picture; the bound is where it is said to be."""
    assert header_of(with_scans(MAX_SCANS)).time == MAX_SCANS / 4
    with pytest.raises(ImageUnreadableError, match="more than 100 scans"):
        header_of(with_scans(MAX_SCANS + 1))
    with pytest.raises(ImageUnreadableError, match="more than 100 scans"):
        header_of(with_scans(2_000))


def test_what_would_take_too_long_is_refused() -> None:
    """Nothing ends a decoder: many scans, and slow kinds, may have fewer pixels, by the header alone."""
    data = bytearray(with_scans(MAX_SCANS))
    frame = data.find(b"\xff\xc2")
    assert checked_header(bytes(data)).time == MAX_SCANS / 4
    data[frame + 5 : frame + 9] = struct.pack(">HH", 3_000, 3_000)
    with pytest.raises(ImageUnreadableError, match="25 times as long"):
        checked_header(bytes(data))
    deep = bytearray(saved("PNG"))
    deep[16:25] = struct.pack(">IIB", 7_100, 7_100, 16)
    with pytest.raises(ImageUnreadableError, match="5 times as long"):
        checked_header(bytes(deep))


def test_what_follows_the_picture_is_no_scan() -> None:
    """Phones put a film behind the picture, whose bytes may look like any marker."""
    film = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8).tobytes() + b"\xff\xda" * 500
    for progressive in (False, True):
        data = saved("JPEG", progressive=progressive)
        assert header_of(data + film + b"\xff\xd9").time == header_of(data).time


@pytest.mark.parametrize(
    ("width", "height", "why"),
    [
        (1, 30_000, "sides of 32 to 20,000"),
        (31, 31, "sides of 32"),
        (20_001, 1_000, "20,000"),
        (32, 1_281, "40 times"),
        (9_000, 9_000, "at most 80 million"),
        (0, 100, "nothing to see|is damaged"),
    ],
)
def test_shapes_that_are_not_read(width: int, height: int, why: str) -> None:
    """Every bound has its words, and holds whichever side is the longer one."""
    for size in ((width, height), (height, width)):
        bmp = bytearray(saved("BMP"))
        bmp[18:26] = struct.pack("<ii", *size)
        with pytest.raises(ImageUnreadableError, match=why):
            checked_header(bytes(bmp))


@pytest.mark.parametrize("size", [(32, 32), (32, 1_280), (1_280, 32), (20_000, 500), (4_000, 20_000)])
def test_shapes_at_the_bounds_are_read(size: tuple[int, int]) -> None:
    """The bounds belong to what is read."""
    png = bytearray(saved("PNG"))
    png[16:24] = struct.pack(">II", *size)
    assert checked_header(bytes(png)).width == size[0]


def test_tiles_of_a_tiff_are_bounded() -> None:
    """A small picture whose tiles are huge would take their memory."""
    data = saved("TIFF")
    offset = struct.unpack_from("<I", data, 4)[0]
    (count,) = struct.unpack_from("<H", data, offset)
    tags = [data[offset + 2 + 12 * n : offset + 14 + 12 * n] for n in range(count)]
    tags += [struct.pack("<HHII", tag, 4, 1, 16_000) for tag in (322, 323)]
    made = data[:4] + struct.pack("<I", len(data)) + data[8:]
    made += struct.pack("<H", len(tags)) + b"".join(tags) + bytes(4)
    with pytest.raises(ImageUnreadableError, match="tiles"):
        header_of(made)


def test_no_real_screenshot_is_refused() -> None:
    """The bounds are far from what people have."""
    folder = Path(__file__).resolve().parents[3] / "shared" / "screenshots" / "images"
    if not folder.is_dir():
        pytest.skip("no shared screenshots here")
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".gif"):
            checked_header(path.read_bytes())


@pytest.mark.parametrize("name", ["a.mp4", "b.MOV", "c.pdf"])
def test_foreign_names(name: str) -> None:
    """Videos and documents are known by their suffix in any case, and are never taken for screenshots."""
    assert foreign_kind(name)
    assert f".{name.split('.')[1].lower()}" not in READABLE


@pytest.mark.parametrize(
    "start",
    [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBP", b"\0\0\0\x1cftypheic", b"", b"\0"],
)
def test_pictures_are_not_foreign(start: bytes) -> None:
    """No picture is taken for something else by its first bytes."""
    assert foreign_content(start + bytes(40)) is None


@pytest.mark.parametrize(
    ("size", "is_large"), [((10, 10), False), ((32, 1_300), False), ((20_001, 1_000), True)]
)
def test_only_what_is_too_large_is_to_be_shrunk(size: tuple[int, int], is_large: bool) -> None:
    """A picture that is too small or too long would not be read then either."""
    with pytest.raises(ImageUnreadableError) as raised:
        check_shape(*size)
    assert ("shrink" in raised.value.hint) == is_large
