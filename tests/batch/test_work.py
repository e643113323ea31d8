import numpy as np
import pytest

from flowvision.batch.work import thumbnail
from flowvision.image.codec import decode


@pytest.mark.parametrize(
    ("size", "small"), [((300, 1200), (100, 400)), ((900, 300), (400, 133)), ((60, 80), (60, 80))]
)
def test_a_thumbnail_is_shrunk_to_its_longer_side_but_never_enlarged(size, small):
    shot = decode(thumbnail(np.zeros((*size, 3), np.uint8), long_px=400))
    assert shot.bgr.shape[:2] == small
