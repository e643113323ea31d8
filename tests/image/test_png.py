"""PNG files hold the pixels they were written from, as every decoder sees them."""

from __future__ import annotations

import io
import struct
import sys
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from flowvision.errors import ImageUnreadableError
from flowvision.image.codec import STRIP, decode, png_of, truecolour_of
from tests.drawing import FIVE, screenshot_of
from tests.image.pngs import png

SHAPES = [(1, 1), (1, 7), (7, 1), (STRIP, 5), (STRIP + 1, 5), (3 * STRIP - 1, 33)]


@pytest.fixture(params=["isal", "zlib"])
def _deflate(request, monkeypatch):
    """With the fast library and on machines without it."""
    if request.param == "zlib":
        monkeypatch.setitem(sys.modules, "isal", None)
    else:
        pytest.importorskip("isal")


@pytest.mark.usefixtures("_deflate")
@pytest.mark.parametrize("shape", SHAPES)
def test_every_decoder_finds_the_same_pixels(shape):
    """Of any size, also where strips end; Pillow checks the sums too."""
    bgr = np.random.default_rng(shape[0]).integers(0, 256, (*shape, 3), np.uint8)
    data = png_of(bgr)
    assert np.array_equal(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED), bgr)
    Image.open(io.BytesIO(data)).verify()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), bgr[:, :, ::-1])


@pytest.mark.usefixtures("_deflate")
def test_screenshots_are_packed_about_as_small_as_by_opencv():
    """Within a quarter: fast must not mean that folders of solutions fill a disk."""
    bgr = screenshot_of(FIVE)
    assert len(png_of(bgr)) < 1.25 * len(cv2.imencode(".png", bgr)[1])


def as_opencv(data: bytes) -> np.ndarray:
    """What OpenCV makes of a picture, with its alpha."""
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
def test_pixels_are_those_of_opencv(
    height: int, width: int, channels: int, filters: list[int], pieces: int, interlaced: bool, seed: int
) -> None:
    """Of any size, with any filters, in any number of chunks, interlaced or not, with alpha or without."""
    pytest.importorskip("kornia_rs")
    samples = np.random.default_rng(seed).integers(0, 256, (height, width, channels), np.uint8)
    data = png(samples, filters, pieces, interlaced)
    pixels = truecolour_of(data, (width, height))
    assert pixels is not None
    assert np.array_equal(pixels, as_opencv(data))


def test_a_header_that_the_file_does_not_keep_is_no_harm() -> None:
    """A picture that claims to be larger than its data, or of other channels, is not decoded."""
    data = png(np.zeros((10, 20, 3), np.uint8), [0])
    larger = data[:16] + struct.pack(">II", 40, 30) + data[24:]
    larger = larger[:29] + struct.pack(">I", zlib.crc32(larger[12:29])) + larger[33:]
    assert truecolour_of(larger, (40, 30)) is None
    with pytest.raises(ImageUnreadableError):
        decode(larger)


@pytest.mark.parametrize("installed", [True, False])
def test_pictures_are_read_with_and_without_the_decoder(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no wheel of it, Pillow decodes, to the same pixels; alpha is laid on black by either."""
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
    """A panic in Rust leaves the picture to Pillow; Ctrl-C and a limit of time end the run."""
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
