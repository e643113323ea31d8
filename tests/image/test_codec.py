import io
import struct
import sys
import time
import tracemalloc
import zlib
from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, features

from flowvision.errors import ImageUnreadableError, MissingExtraError, OutputError
from flowvision.image.codec import PNG_START, STRIP, chunk, decode, encode, png_of, truecolour_of
from flowvision.image.pixels import as_bgr
from tests.drawing import FIVE, screenshot_of
from tests.image.pngs import CHANNELS, END, PALETTE, RGB, TABLE, animated, header, png

SHAPE = (40, 60)


def gradient() -> np.ndarray:
    rows, cols = np.mgrid[: SHAPE[0], : SHAPE[1]]
    return np.dstack([rows * 5, cols * 4, 255 - rows * 2 - cols]).astype(np.uint8)


def saved(bgr: np.ndarray, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)).save(file, kind, **options)
    return file.getvalue()


def png_claiming(width: int, height: int) -> bytes:
    return PNG_START + header((width, height), RGB) + chunk(b"IDAT", zlib.compress(bytes(99))) + END


@pytest.mark.parametrize(
    ("kind", "loss"), [("PNG", 0), ("BMP", 0), ("TIFF", 0), ("WEBP", 0), ("JPEG", 12), ("GIF", 12)]
)
def test_every_kind_comes_out_as_it_was_saved(kind: str, loss: int) -> None:
    shot = decode(saved(gradient(), kind, **({"lossless": True} if kind == "WEBP" else {})), "a name")
    assert np.abs(shot.bgr.astype(int) - gradient()).mean() <= loss
    assert shot.name == "a name"


def test_first_frame_of_an_animation_counts() -> None:
    frames = [Image.new("RGB", (40, 32), colour) for colour in ("red", "blue")]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    assert decode(file.getvalue()).bgr[0, 0].tolist() == [0, 0, 255]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
@pytest.mark.parametrize(("orientation", "turn"), [(6, cv2.ROTATE_90_CLOCKWISE), (3, cv2.ROTATE_180)])
def test_exif_orientation_is_honoured(kind: str, orientation: int, turn: int) -> None:
    exif = Image.Exif()
    exif[0x112] = orientation
    upright = cv2.rotate(gradient(), turn)
    got = decode(saved(gradient(), kind, exif=exif)).bgr
    assert got.shape == upright.shape
    assert np.abs(got.astype(int) - upright).mean() < 5


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparency_is_laid_on_black(kind: str) -> None:
    rgba = np.full((40, 32, 4), 200, np.uint8)
    rgba[:, :3, 3] = [0, 128, 255]
    file = io.BytesIO()
    Image.fromarray(rgba).save(file, kind, **({"lossless": True, "exact": True} if kind == "WEBP" else {}))
    got = decode(file.getvalue()).bgr
    assert got[0, 0].tolist() == [0, 0, 0]
    assert got[0, 1].tolist() == pytest.approx([100] * 3, abs=1)
    assert got[0, 2].tolist() == [200] * 3


@pytest.mark.parametrize("size", [(40_000, 40_000), (9_000, 9_000), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1)])
def test_a_huge_header_is_refused_at_once(size: tuple[int, int]) -> None:
    data = png_claiming(*size)
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(ImageUnreadableError, match=r"at most 80 million"):
        decode(data)
    assert time.process_time() - start < 5
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_huge_gif_is_refused_by_its_header() -> None:
    small = saved(gradient(), "GIF")
    for size in ((9_000, 9_000), (11_000, 11_000), (65_000, 65_000)):
        huge = small[:6] + struct.pack("<HH", *size) + small[10:]
        with pytest.raises(ImageUnreadableError, match="at most 36 million"):
            decode(huge)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF"])
@pytest.mark.parametrize("share", [0.3, 0.97])
def test_a_file_cut_short_is_refused(kind: str, share: float) -> None:
    data = saved(gradient(), kind)
    with pytest.raises(ImageUnreadableError):
        decode(data[: int(len(data) * share)])


def test_webp_is_without_loss_up_to_its_largest() -> None:
    bgr = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)
    assert np.array_equal(decode(encode(bgr, ".webp")).bgr, bgr)
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
    got = decode(saved(gradient(), kind, quality=90)).bgr
    assert np.abs(got.astype(int) - gradient()).mean() < 12


def test_heic_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.register_heif_opener()
    heic = saved(gradient(), "HEIF")
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
    samples = np.random.default_rng(0).integers(0, 1 << depth, (41, 35, CHANNELS[colour_type]))
    extra = TABLE if colour_type == PALETTE else b""
    return png(samples.astype(f"u{depth // 8}"), [0, 1, 2, 3, 4], 3, interlaced, extra, colour_type)


@pytest.mark.parametrize(("colour_type", "depth"), PNG_KINDS)
@pytest.mark.parametrize("interlaced", [False, True])
def test_every_kind_of_png_is_read_as_opencv_reads_it(colour_type: int, depth: int, interlaced: bool) -> None:
    data = noise_png(colour_type, depth, interlaced=interlaced)
    theirs = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED))
    assert np.abs(decode(data).bgr.astype(int) - as_bgr(theirs)).max() <= 1


@pytest.mark.parametrize(("colour_type", "depth"), PNG_KINDS)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_damaged_png_is_read_as_it_was_or_not_at_all(colour_type: int, depth: int, seed: int) -> None:
    whole = noise_png(colour_type, depth)
    data, random = bytearray(whole), np.random.default_rng(seed)
    data[random.integers(33, len(data) - 12)] ^= int(random.integers(1, 256))
    with suppress(ImageUnreadableError):
        assert np.array_equal(decode(bytes(data)).bgr, decode(whole).bgr)


@pytest.mark.parametrize("colour_type", [RGB, PALETTE, *CHANNELS])
@pytest.mark.parametrize("filter_number", [0, 9])
def test_of_an_animation_the_default_picture_counts(colour_type: int, filter_number: int) -> None:
    """OpenCV's decoder crashes on damaged frames."""
    shot = decode(animated(2, filter_number, colour_type))
    assert shot.bgr.shape == (40, 48, 3)
    assert (shot.bgr == shot.bgr[:, :1]).all()
    assert len(np.unique(shot.bgr[:, 0], axis=0)) > 20


def test_opencv_decodes_nothing_but_jpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[bytes]()
    imdecode = cv2.imdecode

    def noted(data: np.ndarray, flags: int) -> np.ndarray:
        seen.append(data[:3].tobytes())
        return imdecode(data, flags)

    monkeypatch.setattr(cv2, "imdecode", noted)
    for kind in ("PNG", "BMP", "GIF", "TIFF", "WEBP", "JPEG"):
        decode(saved(gradient(), kind))
    decode(animated())
    for colour_type, depth in PNG_KINDS:
        decode(noise_png(colour_type, depth))
    with pytest.raises(ImageUnreadableError):
        decode(saved(gradient(), "PNG")[:-60] + chunk(b"IEND", b""))
    assert seen == [b"\xff\xd8\xff"]


SHAPES = [(1, 1), (1, 7), (7, 1), (STRIP, 5), (STRIP + 1, 5), (3 * STRIP - 1, 33)]


@pytest.fixture(params=["isal", "zlib"])
def _deflate(request, monkeypatch):
    if request.param == "zlib":
        monkeypatch.setitem(sys.modules, "isal", None)
    else:
        pytest.importorskip("isal")


@pytest.mark.usefixtures("_deflate")
@pytest.mark.parametrize("shape", SHAPES)
def test_every_decoder_finds_the_same_pixels(shape):
    bgr = np.random.default_rng(shape[0]).integers(0, 256, (*shape, 3), np.uint8)
    data = png_of(bgr)
    assert np.array_equal(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED), bgr)
    Image.open(io.BytesIO(data)).verify()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), bgr[:, :, ::-1])


@pytest.mark.usefixtures("_deflate")
def test_screenshots_are_packed_about_as_small_as_by_opencv():
    """Fast packing must not fill a disk with folders of solutions."""
    bgr = screenshot_of(FIVE)
    assert len(png_of(bgr)) < 1.25 * len(cv2.imencode(".png", bgr)[1])


def as_opencv(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED))


@given(
    st.integers(1, 70),
    st.integers(1, 70),
    st.sampled_from((3, 4)),
    st.lists(st.integers(0, 4), min_size=1, max_size=9),
    st.integers(1, 5),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_pixels_are_those_of_opencv(height, width, channels, filters, pieces, interlaced, seed):
    pytest.importorskip("kornia_rs")
    samples = np.random.default_rng(seed).integers(0, 256, (height, width, channels), np.uint8)
    data = png(samples, filters, pieces, interlaced)
    pixels = truecolour_of(data, (width, height))
    assert np.array_equal(pixels, as_opencv(data))


def test_a_header_that_the_file_does_not_keep_is_no_harm() -> None:
    data = png(np.zeros((10, 20, 3), np.uint8), [0])
    larger = data[:16] + struct.pack(">II", 40, 30) + data[24:]
    larger = larger[:29] + struct.pack(">I", zlib.crc32(larger[12:29])) + larger[33:]
    assert truecolour_of(larger, (40, 30)) is None
    with pytest.raises(ImageUnreadableError):
        decode(larger)


@pytest.mark.parametrize("installed", [True, False])
def test_pictures_are_read_with_and_without_the_decoder(installed, monkeypatch):
    """Some platforms have no wheel of the decoder."""
    if installed:
        pytest.importorskip("kornia_rs")
    else:
        monkeypatch.setitem(sys.modules, "kornia_rs", None)
    samples = np.random.default_rng(3).integers(0, 256, (51, 37, 4), np.uint8)
    plain, clear = png(samples[..., :3], [1, 4]), png(samples, [0])
    assert np.array_equal(decode(plain).bgr, as_opencv(plain))
    laid = as_opencv(clear)[..., :3] * (as_opencv(clear)[..., 3:] / 255)
    assert np.abs(decode(clear).bgr - laid).max() <= 1
    assert (truecolour_of(plain, (37, 51)) is not None) == installed


def test_a_panic_of_the_decoder_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    kornia_rs = pytest.importorskip("kornia_rs")
    panic, limit = (type(name, (BaseException,), {}) for name in ("PanicException", "OutOfTime"))
    raised: list[BaseException] = [panic(), KeyboardInterrupt(), limit()]

    def decode_image_png_u8(*_given: object) -> None:
        raise raised.pop(0)

    monkeypatch.setattr(kornia_rs.io, "decode_image_png_u8", decode_image_png_u8)
    data = png(np.full((40, 40, 3), 7, np.uint8), [0])
    assert np.array_equal(decode(data).bgr, as_opencv(data))
    for ends in (KeyboardInterrupt, limit):
        with pytest.raises(ends):
            decode(data)
