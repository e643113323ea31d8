import cv2
import numpy as np
import pytest

from flowvision.diagnosis.picture import BLURRED_PX, EVEN, sharpness_of
from tests.drawing import FIVE, screenshot_of


@pytest.mark.parametrize("sigma", [4, 8, 14])
def test_edges_are_as_wide_as_the_blur(sigma: int) -> None:
    """A step blurred by a Gaussian rises by its height in sigma times the root of 2 pi."""
    step = np.full((1200, 1200, 3), 50, np.uint8)
    step[:, 675:] = 250
    edge_px, _ = sharpness_of(np.asarray(cv2.GaussianBlur(step, (0, 0), sigma), np.uint8))
    assert edge_px == pytest.approx(sigma * np.sqrt(2 * np.pi), rel=0.15)


def test_a_screenshot_is_sharp_and_even() -> None:
    bgr = screenshot_of(FIVE, 120, (12, 300))
    stored = cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], cv2.IMREAD_COLOR)
    for seen in (bgr, np.asarray(stored, np.uint8)):
        edge_px, even = sharpness_of(seen)
        assert edge_px < BLURRED_PX / 2
        assert even >= EVEN
