"""What a picture looks like, measured on drawn ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.diagnosis.surface import BLURRED_PX, EVEN, STREWN, sharpness_of, specks_of
from tests.drawing import FIVE, screenshot_of


@pytest.mark.parametrize("sigma", [4, 8, 14])
def test_edges_are_as_wide_as_the_blur(sigma: int) -> None:
    """A step blurred by a Gaussian rises by its height in sigma times the root of 2 pi."""
    step = np.zeros((1200, 1200, 3), np.uint8)
    step[:, 675:] = 200
    edge_px, _ = sharpness_of(np.asarray(cv2.GaussianBlur(step, (0, 0), sigma), np.uint8))
    assert edge_px == pytest.approx(sigma * np.sqrt(2 * np.pi), rel=0.15)


def test_a_screenshot_is_sharp_and_even() -> None:
    """Drawn boards, also compressed ones, have edges far below the bound."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    stored = cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], cv2.IMREAD_COLOR)
    for seen in (bgr, np.asarray(stored, np.uint8)):
        edge_px, even = sharpness_of(seen)
        assert edge_px < BLURRED_PX / 2
        assert even >= EVEN


@pytest.mark.parametrize("share", [0.015, 0.02, 0.04])
def test_specks_are_single_pixels(share: float) -> None:
    """Salt and pepper are; lines, letters, noise and blocks of JPEG are none."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    chance = np.random.default_rng(1).random(bgr.shape[:2])
    salted = bgr.copy()
    salted[chance < share / 2], salted[chance > 1 - share / 2] = 0, 255
    assert specks_of(salted) > STREWN
    text = bgr.copy()
    for row in range(20, len(text), 14):
        cv2.putText(text, "The quick brown fox" * 3, (0, row), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255))
    stored = cv2.imdecode(cv2.imencode(".jpg", text, [cv2.IMWRITE_JPEG_QUALITY, 15])[1], cv2.IMREAD_COLOR)
    noisy = np.clip(text + np.random.default_rng(1).normal(0, 12, text.shape), 0, 255)
    for other in (bgr, text, stored, noisy):
        assert specks_of(np.asarray(other, np.uint8)) < STREWN / 2
