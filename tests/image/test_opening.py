import io
import struct
import subprocess

import numpy as np
import pytest
from PIL import Image

from flowvision.errors import ImageUnreadableError
from flowvision.image import codec
from flowvision.image.codec import MAX_SEGMENTS, decode, is_whole, opened, pixels_in, plain_size
from flowvision.image.pixels import check_shape

SIZE = (70, 45)
KINDS = ["PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF"]
MODES = {"JPEG": ("RGB", "L"), "WEBP": ("RGB", "L", "RGBA")}


def saved(kind: str, size: tuple[int, int] = SIZE, mode: str = "RGB", **options: object) -> bytes:
    file = io.BytesIO()
    Image.effect_noise(size, 40).convert(mode).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "mode"), [(kind, mode) for kind in KINDS for mode in MODES.get(kind, ("RGB", "L", "RGBA", "P"))]
)
def test_sizes_are_those_of_the_pictures(kind: str, mode: str) -> None:
    for size in (SIZE, (333, 500), (6_000, 160)):
        data = saved(kind, size, mode)
        with opened(data) as picture:
            assert picture.size == size
        assert plain_size(data) in (size, None)
        assert pixels_in(data) == size[0] * size[1]


def test_usual_files_need_no_pillow() -> None:
    for data in (saved("PNG"), saved("PNG", mode="RGBA"), saved("JPEG"), saved("JPEG", mode="L")):
        assert plain_size(data) == SIZE
    exif = Image.Exif()
    exif[0x112] = 6
    unusual = [saved("PNG", mode=mode) for mode in ("L", "P", "I;16")]
    unusual += [
        saved("PNG", transparency=(1, 2, 3)),
        saved("PNG", exif=exif),
        saved("JPEG", progressive=True),
    ]
    assert [plain_size(data) for data in unusual] == [None] * len(unusual)


@pytest.mark.parametrize("kind", ["DDS", "EPS", "JPEG2000", "MSP"])
def test_other_kinds_reach_no_decoder(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow would start Ghostscript for EPS."""
    data = saved(kind, (64, 64), "1" if kind == "MSP" else "RGB")
    monkeypatch.setattr(subprocess, "Popen", None)
    Image.init()
    monkeypatch.setattr(Image, "OPEN", {name: Image.OPEN[name] for name in codec.FORMATS})
    with pytest.raises(ImageUnreadableError, match="not a picture"):
        decode(data, "shot.png")


def with_scans(count: int) -> bytes:
    """A progressive JPEG of so many scans: its last one, again and again."""
    plain = saved("JPEG", (64, 64), progressive=True, quality=80)
    last = plain.rfind(b"\xff\xda")
    scan = plain[last : plain.rfind(b"\xff\xd9")]
    return plain[:last] + scan * (count - plain.count(b"\xff\xda") + 1) + b"\xff\xd9"


def test_a_jpeg_of_many_scans_is_given_up_between_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    data, times = with_scans(500), iter(range(10_000))
    monkeypatch.setattr(codec, "thread_time", lambda: next(times))
    monkeypatch.setattr(codec, "MAX_SECONDS", 10)
    with pytest.raises(ImageUnreadableError, match="10 seconds"):
        decode(data)
    assert next(times) < 15


def test_what_follows_a_jpeg_changes_no_pixel() -> None:
    """Phones append a film whose bytes may look like any marker."""
    film = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8).tobytes() + b"\xff\xda" * 500
    for progressive in (False, True):
        data = saved("JPEG", progressive=progressive)
        assert np.array_equal(decode(data + film + b"\xff\xd9").bgr, decode(data).bgr)


def test_a_header_without_end_is_no_long_way() -> None:
    """400 MB of empty segments would take minutes."""
    data = b"\xff\xd8" + b"\xff\xe0\0\2" * (MAX_SEGMENTS + 1)
    assert plain_size(data + saved("JPEG")[2:]) is None
    assert not is_whole(data)


@pytest.mark.parametrize(
    ("width", "height", "why"),
    [
        (1, 30_000, "sides of 32 to 20,000"),
        (31, 31, "sides of 32"),
        (20_001, 1_000, "20,000"),
        (32, 1_281, "40 times"),
        (6_100, 6_000, "at most 36 million"),
        (0, 100, "is empty|is damaged|not a picture"),
    ],
)
def test_shapes_that_are_not_read(width: int, height: int, why: str) -> None:
    for size in ((width, height), (height, width)):
        bmp = bytearray(saved("BMP"))
        bmp[18:26] = struct.pack("<ii", *size)
        with pytest.raises(ImageUnreadableError, match=why), opened(bytes(bmp)):
            pass


@pytest.mark.parametrize("size", [(32, 32), (32, 1_280), (1_280, 32), (20_000, 500), (4_000, 20_000)])
def test_shapes_at_the_bounds_are_read(size: tuple[int, int]) -> None:
    check_shape(*size)


def test_tiles_of_a_tiff_are_bounded() -> None:
    data = saved("TIFF")
    offset = struct.unpack_from("<I", data, 4)[0]
    (count,) = struct.unpack_from("<H", data, offset)
    tags = [data[offset + 2 + 12 * n : offset + 14 + 12 * n] for n in range(count)]
    tags += [struct.pack("<HHII", tag, 4, 1, 16_000) for tag in (322, 323)]
    made = data[:4] + struct.pack("<I", len(data)) + data[8:]
    made += struct.pack("<H", len(tags)) + b"".join(tags) + bytes(4)
    with pytest.raises(ImageUnreadableError, match="tiles"):
        decode(made)
