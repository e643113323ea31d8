import io
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from contextlib import suppress
from itertools import count
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, features

from flowvision.errors import ImageUnreadableError, MissingExtraError, OutputError
from flowvision.image import codec
from flowvision.image.codec import PNG_START, chunk, decode, encode, opened, plain_size, png_of
from flowvision.image.picture import as_bgr, check_shape
from tests.drawing import LEVEL_5X5, screenshot_of
from tests.image.pngs import CHANNELS, END, PALETTE, RGB, TABLE, animated, header, png, saved, turning

SHAPE = (40, 60)


def gradient() -> np.ndarray:
    rows, cols = np.mgrid[: SHAPE[0], : SHAPE[1]]
    return np.dstack([rows * 5, cols * 4, 255 - rows * 2 - cols]).astype(np.uint8)


def as_opencv(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED))


def mean_difference(bgr: np.ndarray, expected: np.ndarray) -> float:
    assert bgr.shape == expected.shape
    return float(np.abs(bgr.astype(int) - expected).mean())


LOSSY = 12
"""Mean difference of a gradient that a lossy format has kept, of 255."""


@pytest.mark.parametrize(
    ("kind", "max_difference"),
    [("PNG", 0), ("BMP", 0), ("TIFF", 0), ("WEBP", 0), ("JPEG", LOSSY), ("GIF", LOSSY)],
)
def test_every_kind_comes_out_as_it_was_saved(kind: str, max_difference: int) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    shot = decode(saved(kind, gradient(), **options), "a name")
    assert mean_difference(shot.bgr, gradient()) <= max_difference
    assert shot.name == "a name"


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_first_frame_of_an_animation_counts(kind: str) -> None:
    frames = {"save_all": True, "append_images": [Image.new("RGB", SHAPE[::-1], "red")]}
    assert mean_difference(decode(saved(kind, gradient(), **frames)).bgr, gradient()) < LOSSY


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
@pytest.mark.parametrize(("orientation", "turn"), [(6, cv2.ROTATE_90_CLOCKWISE), (3, cv2.ROTATE_180)])
def test_exif_orientation_is_honoured(kind: str, orientation: int, turn: int) -> None:
    bgr = decode(saved(kind, gradient(), exif=turning(orientation))).bgr
    assert mean_difference(bgr, cv2.rotate(gradient(), turn)) < 5


def decoded(kind: str, rgba: np.ndarray) -> np.ndarray:
    """Return the pixels that are read from a picture with transparency, saved without loss."""
    file = io.BytesIO()
    Image.fromarray(rgba).save(file, kind, **({"lossless": True, "exact": True} if kind == "WEBP" else {}))
    return decode(file.getvalue()).bgr


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparency_is_laid_on_black(kind: str) -> None:
    brightness_of_alpha = {0: 0, 128: 100, 255: 200}
    rgba = np.full((40, 32, 4), 200, np.uint8)
    rgba[:, :3, 3] = list(brightness_of_alpha)
    expected = np.array([[brightness] * 3 for brightness in brightness_of_alpha.values()])
    differences = np.abs(decoded(kind, rgba)[0, :3] - expected).max(axis=1)
    assert (differences <= [0, 1, 0]).all()  # what is mixed is rounded


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize(("ink", "ground"), [(0, 255), (255, 0)])
def test_lines_on_a_transparent_ground_stay_in_view(kind: str, ink: int, ground: int) -> None:
    rgba = np.zeros((80, 60, 4), np.uint8)
    rgba[::8] = ink, ink, ink, 255
    bgr = decoded(kind, rgba)
    assert bgr[0, 0].tolist() == [ink] * 3
    assert bgr[4, 0].tolist() == [ground] * 3


@pytest.mark.parametrize("size", [(40_000, 40_000), (9_000, 9_000), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1)])
def test_a_huge_header_is_refused_at_once(size: tuple[int, int]) -> None:
    data = PNG_START + header(size, RGB) + chunk(b"IDAT", zlib.compress(bytes(99))) + END
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(ImageUnreadableError, match=r"at most 80 million"):
        decode(data)
    _now_bytes, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.process_time() - start < 5
    assert peak_bytes < 1_000_000


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF"])
@pytest.mark.parametrize("share", [0.3, 0.97])
def test_a_file_cut_short_is_refused(kind: str, share: float) -> None:
    data = saved(kind, gradient())
    with pytest.raises(ImageUnreadableError):
        decode(data[: int(len(data) * share)])


def test_webp_is_without_loss_up_to_its_largest() -> None:
    bgr = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)
    assert np.array_equal(decode(encode(bgr, ".webp")).bgr, bgr)
    assert encode(np.zeros((16_383, 1, 3), np.uint8), ".webp")
    with pytest.raises(OutputError, match="16,383"):
        encode(np.zeros((16_384, 1, 3), np.uint8), ".webp")


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((3, 3), float),
        np.zeros(9, np.uint8),
        np.zeros((2, 2, 5), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_arrays_that_are_no_pictures(bad: np.ndarray) -> None:
    with pytest.raises(ImageUnreadableError):
        as_bgr(bad)


@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
def test_pictures_of_phones(kind: str) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    if "avif" not in features.modules:
        pillow_heif.register_avif_opener()
    assert mean_difference(decode(saved(kind, gradient(), quality=90)).bgr, gradient()) < LOSSY


def test_heic_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    heic = saved("HEIF", gradient())
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    monkeypatch.delitem(Image.OPEN, "HEIF")
    with pytest.raises(MissingExtraError, match="pillow-heif") as caught:
        decode(heic)
    assert "[heic]" in caught.value.hint


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"%PDF-1.7", "a PDF document"),
        (b"\0\0\0\x18ftypmp42", "a video"),
        (b"\0\0\0\x14ftypqt  ", "a video"),
        (b"\x1aE\xdf\xa3", "a video"),
        (b"RIFF\0\0\0\0AVI ", "a video"),
    ],
)
def test_other_media_are_named(start: bytes, kind: str) -> None:
    with pytest.raises(ImageUnreadableError, match=f"This is {kind}"):
        decode(start + bytes(40))


PNG_KINDS = [(colour_type, depth) for colour_type in CHANNELS for depth in (8, 16)]
PNG_KINDS.remove((PALETTE, 16))


def noise_png(colour_type: int, depth: int, interlaced: bool = False) -> bytes:
    """Return a PNG of 35 × 41 pixels with rows in all five filters."""
    samples = np.random.default_rng(0).integers(0, 1 << depth, (41, 35, CHANNELS[colour_type]))
    table = TABLE if colour_type == PALETTE else b""
    return png(samples.astype(f"u{depth // 8}"), [0, 1, 2, 3, 4], 3, interlaced, table, colour_type)


@pytest.mark.parametrize(("colour_type", "depth"), PNG_KINDS)
@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("decoder", ["kornia_rs", "Pillow"])
def test_every_kind_of_png_is_read_as_opencv_reads_it(colour_type, depth, interlaced, decoder, monkeypatch):
    data = noise_png(colour_type, depth, interlaced)
    if decoder == "Pillow":
        monkeypatch.setitem(sys.modules, "kornia_rs", None)  # some platforms have no wheel
        assert codec.truecolour_of(data, (35, 41)) is None
    assert np.abs(decode(data).bgr.astype(int) - as_bgr(as_opencv(data))).max() <= 1


@pytest.mark.parametrize(("colour_type", "depth"), PNG_KINDS)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_damaged_png_is_read_as_it_was_or_not_at_all(colour_type: int, depth: int, seed: int) -> None:
    whole = noise_png(colour_type, depth)
    damaged, random = bytearray(whole), np.random.default_rng(seed)
    behind_header, last_chunk = 33, len(whole) - 12
    damaged[random.integers(behind_header, last_chunk)] ^= int(random.integers(1, 256))
    with suppress(ImageUnreadableError):
        assert np.array_equal(decode(bytes(damaged)).bgr, decode(whole).bgr)


@pytest.mark.parametrize("colour_type", [RGB, PALETTE, *CHANNELS])
@pytest.mark.parametrize("filter_number", [0, 9])
def test_of_an_animation_the_default_picture_counts(colour_type: int, filter_number: int) -> None:
    """OpenCV's decoder crashes on damaged frames; the default picture has rows of one colour each."""
    bgr = decode(animated(2, filter_number, colour_type)).bgr
    assert bgr.shape == (40, 48, 3)
    assert (bgr == bgr[:, :1]).all()
    assert len(np.unique(bgr[:, 0], axis=0)) > 20


def test_opencv_decodes_nothing_but_jpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = list[bytes]()
    imdecode = cv2.imdecode

    def note_start(data: np.ndarray, flags: int) -> np.ndarray:
        starts.append(data[:3].tobytes())
        return imdecode(data, flags)

    monkeypatch.setattr(cv2, "imdecode", note_start)
    files = [saved(kind, gradient()) for kind in ("PNG", "BMP", "GIF", "TIFF", "WEBP", "JPEG")]
    for data in (*files, animated(), *(noise_png(*kind) for kind in PNG_KINDS)):
        decode(data)
    cut_png = saved("PNG", gradient())[:-60] + chunk(b"IEND", b"")
    with pytest.raises(ImageUnreadableError):
        decode(cut_png)
    jpeg_start = b"\xff\xd8\xff"
    assert starts == [jpeg_start]


SHAPES = [(1, 1), (1, 7), (7, 1), (codec.STRIP, 5), (codec.STRIP + 1, 5), (3 * codec.STRIP - 1, 33)]


@pytest.fixture(params=["isal", "zlib"])
def _each_deflate(request, monkeypatch):
    """Pack with either library."""
    if request.param == "zlib":
        monkeypatch.setitem(sys.modules, "isal", None)
    else:
        pytest.importorskip("isal")


@pytest.mark.usefixtures("_each_deflate")
@pytest.mark.parametrize("shape", SHAPES)
def test_other_decoders_find_the_pixels_that_were_packed(shape):
    bgr = np.random.default_rng(shape[0]).integers(0, 256, (*shape, 3), np.uint8)
    data = png_of(bgr)
    assert np.array_equal(as_opencv(data), bgr)
    Image.open(io.BytesIO(data)).verify()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), bgr[:, :, ::-1])


@pytest.mark.usefixtures("_each_deflate")
def test_screenshots_are_packed_about_as_small_as_by_opencv():
    """Fast packing must not fill a disk with folders of solutions."""
    bgr = screenshot_of(LEVEL_5X5)
    assert len(png_of(bgr)) < 1.25 * len(cv2.imencode(".png", bgr)[1])


def test_a_header_that_the_file_does_not_keep_is_no_harm() -> None:
    data = png(np.zeros((10, 20, 3), np.uint8), filters=[0])
    behind_header = len(PNG_START) + len(header((20, 10), RGB))
    claims_more = PNG_START + header((40, 30), RGB) + data[behind_header:]
    assert codec.truecolour_of(claims_more, (40, 30)) is None  # left to Pillow, which names the fault
    with pytest.raises(ImageUnreadableError):
        decode(claims_more)


class PanicException(BaseException):
    """What a crash in Rust becomes; it is known by its name."""


class OutOfTime(BaseException):
    """An exception of the program that calls Flowvision."""


def test_another_decoder_follows_one_that_panics_unless_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    kornia_rs = pytest.importorskip("kornia_rs")
    decoder = Mock()
    monkeypatch.setattr(kornia_rs.io, "decode_image_png_u8", decoder)
    data = png(np.full((40, 40, 3), 7, np.uint8), [0])
    decoder.side_effect = PanicException()
    assert np.array_equal(decode(data).bgr, as_opencv(data))
    for interruption in (KeyboardInterrupt, OutOfTime):
        decoder.side_effect = interruption()
        with pytest.raises(interruption):
            decode(data)


NOISE_SIZE = (70, 45)
KINDS = ["PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF"]
MODES = {"JPEG": ("RGB", "L"), "WEBP": ("RGB", "L", "RGBA")}


@pytest.mark.parametrize(
    ("kind", "mode"), [(kind, mode) for kind in KINDS for mode in MODES.get(kind, ("RGB", "L", "RGBA", "P"))]
)
def test_sizes_are_those_of_the_pictures(kind: str, mode: str) -> None:
    for size in (NOISE_SIZE, (333, 500), (2_000, 60)):
        data = saved(kind, mode=mode, size=size)
        with opened(data) as picture:
            assert picture.size == size
        assert plain_size(data) in (size, None)
        assert codec.pixels_in(data) == size[0] * size[1]


USUAL = {"PNG": saved("PNG"), "RGBA": saved("PNG", mode="RGBA"), "JPEG": saved("JPEG")}
USUAL |= {"grey JPEG": saved("JPEG", mode="L")}
SCAN, NO_FRAMES = b"\xff\xda", {"Huffman tables": 0xC4, "reserved": 0xC8, "conditioning": 0xCC}
"""Marker of a JPEG's scan, and of segments that do not hold its size, between those that may."""
USUAL |= {
    name: USUAL["JPEG"].replace(SCAN, struct.pack(">BBHHHH", 0xFF, marker, 8, 1, 1, 1) + SCAN)
    for name, marker in NO_FRAMES.items()
}
UNUSUAL = {mode: saved("PNG", mode=mode) for mode in ("L", "P", "I;16")}
UNUSUAL |= {"transparent": saved("PNG", transparency=(1, 2, 3)), "turned": saved("PNG", exif=turning())}
UNUSUAL |= {"progressive": saved("JPEG", progressive=True)}


def test_only_usual_files_have_a_plain_size() -> None:
    """Pillow reads the others."""
    assert {name: plain_size(data) for name, data in USUAL.items()} == dict.fromkeys(USUAL, NOISE_SIZE)
    assert {name: plain_size(data) for name, data in UNUSUAL.items()} == dict.fromkeys(UNUSUAL)


@pytest.mark.parametrize("kind", ["DDS", "EPS", "JPEG2000", "MSP"])
def test_other_kinds_reach_no_decoder(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow would start Ghostscript for EPS.

    To open another format than ``codec.FORMATS`` would be a ``KeyError``, to start a program a ``TypeError``.
    """
    data = saved(kind, mode="1" if kind == "MSP" else "RGB", size=(64, 64))
    monkeypatch.setattr(subprocess, "Popen", None)
    Image.init()
    monkeypatch.setattr(Image, "OPEN", {name: Image.OPEN[name] for name in codec.FORMATS})
    with pytest.raises(ImageUnreadableError, match="not a picture"):
        decode(data, "shot.png")


JPEG_END = b"\xff\xd9"


def with_scans(count: int) -> bytes:
    """Return a progressive JPEG of this many scans: its last one, again and again."""
    plain = saved("JPEG", size=(64, 64), progressive=True, quality=80)
    last = plain.rfind(SCAN)
    scan = plain[last : plain.rfind(JPEG_END)]
    return plain[:last] + scan * (count - plain.count(SCAN) + 1) + JPEG_END


def test_a_jpeg_of_many_scans_is_given_up_between_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()  # a second later at each look
    monkeypatch.setattr(codec, "thread_time", lambda: next(clock))
    monkeypatch.setattr(codec, "MAX_SECONDS", 10)
    with pytest.raises(ImageUnreadableError, match="10 seconds"):
        decode(with_scans(500))
    looks = next(clock)
    assert looks < 15


@pytest.mark.parametrize("progressive", [False, True])
def test_what_follows_a_jpeg_changes_no_pixel(progressive: bool) -> None:
    """Phones append a film whose bytes may look like any marker."""
    film = np.random.default_rng(0).integers(0, 256, 1 << 20, np.uint8).tobytes() + SCAN * 500
    jpeg = saved("JPEG", progressive=progressive)
    assert np.array_equal(decode(jpeg + film + JPEG_END).bgr, decode(jpeg).bgr)


def test_a_header_without_end_is_not_followed() -> None:
    """400 MB of empty segments would take minutes."""
    jpeg_start, empty_segment = b"\xff\xd8", b"\xff\xe0\0\2"
    data = jpeg_start + empty_segment * (codec.MAX_SEGMENTS + 1)
    assert plain_size(data + saved("JPEG").removeprefix(jpeg_start)) is None
    assert not codec.is_whole(data)


def bmp_of(width: int, height: int) -> bytes:
    """Return a BMP whose header claims this size."""
    file = saved("BMP")
    return file[:18] + struct.pack("<ii", width, height) + file[26:]


def gif_of(width: int, height: int) -> bytes:
    """Return a GIF whose header claims this size."""
    file = saved("GIF")
    return file[:6] + struct.pack("<HH", width, height) + file[10:]


@pytest.mark.parametrize(
    ("width", "height", "why"),
    [
        (1, 30_000, "sides of 32 to 20,000"),
        (31, 31, "sides of 32"),
        (20_001, 1_000, "20,000"),
        (32, 1_281, "40 times"),
        (6_100, 6_000, "at most 36 million"),
        (9_000, 9_000, "at most 36 million"),
        (0, 100, "is empty|is damaged|not a picture"),
    ],
)
def test_shapes_that_are_not_read(width: int, height: int, why: str) -> None:
    files = [bmp_of(width, height), bmp_of(height, width)]
    if min(width, height) > 2_000:
        files.append(gif_of(width, height))
    for data in files:
        with pytest.raises(ImageUnreadableError, match=why), opened(data):
            pass


@pytest.mark.parametrize("size", [(32, 32), (32, 1_280), (1_280, 32), (20_000, 500), (4_000, 20_000)])
def test_shapes_at_the_bounds_are_read(size: tuple[int, int]) -> None:
    check_shape(*size)


def test_tiles_of_a_tiff_are_bounded() -> None:
    """The tags of a TIFF are replaced by others, at its end, that claim tiles of 16,000 pixels."""
    data, tag_bytes, tile_tags, type_long = saved("TIFF"), 12, (322, 323), 4
    first_ifd = struct.unpack_from("<I", data, 4)[0]
    (count,) = struct.unpack_from("<H", data, first_ifd)
    tags = data[first_ifd + 2 : first_ifd + 2 + tag_bytes * count]
    tags += b"".join(struct.pack("<HHII", tag, type_long, 1, 16_000) for tag in tile_tags)
    ifd = struct.pack("<H", count + len(tile_tags)) + tags + bytes(4)
    with pytest.raises(ImageUnreadableError, match="tiles"):
        decode(data[:4] + struct.pack("<I", len(data)) + data[8:] + ifd)
