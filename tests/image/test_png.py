"""PNG files hold the pixels they were written from, as every decoder sees them."""

from __future__ import annotations

import io
import sys

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision.image.png import STRIP, png_of
from tests.drawing import FIVE, screenshot_of

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


def test_a_part_of_a_picture_can_be_written():
    """Rows and columns that do not lie side by side in memory."""
    bgr = np.random.default_rng(1).integers(0, 256, (90, 80, 3), np.uint8)
    for part in (bgr[10:70, 5:50], bgr[::2, ::-1]):
        assert np.array_equal(cv2.imdecode(np.frombuffer(png_of(part), np.uint8), cv2.IMREAD_COLOR), part)
