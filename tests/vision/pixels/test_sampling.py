"""Pixels are picked where a frame says that cells lie."""

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.pixels.view import is_inside, sample, view_of

RANDOM = np.random.default_rng(5)
BGR = RANDOM.integers(0, 256, (60, 80, 3), dtype=np.uint8)
FRAMES = {
    "upright": Frame.of_box(7.3, 4.8, 9.1, 8.7),
    "perspective": Frame((9.1, 0.7, 7.3, -0.4, 8.7, 4.8, 0.004, 0.007, 1.0)),
}
CENTRES = RANDOM.uniform(-1, 8, (12, 2))
OFFSETS = {
    "one for all": RANDOM.uniform(-0.4, 0.4, (9, 2)),
    "each its own": RANDOM.uniform(-0.4, 0.4, (12, 9, 2)),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("offsets", OFFSETS.values(), ids=OFFSETS)
def test_the_nearest_pixel_is_picked(frame, offsets):
    """Point by point as the frame maps it, and at the rim where it lies outside."""
    view = view_of(Screenshot(BGR), None, 540)
    places = frame.to_px((CENTRES[:, None, :] + offsets).reshape(-1, 2)).reshape(12, 9, 2)
    near = np.clip(np.round(places).astype(int), 0, (79, 59))
    clear = (np.abs(places % 1 - 0.5) > 1e-3).all(axis=-1)
    picked = sample(view, frame, CENTRES, offsets)
    assert np.array_equal(picked[clear], BGR[near[..., 1], near[..., 0]][clear])
    inside = (np.round(places) == near).all(axis=-1)
    assert np.array_equal(is_inside(view, frame, CENTRES, offsets)[clear], inside[clear])
    black = sample(view, frame, CENTRES, offsets, cv2.BORDER_CONSTANT)
    assert np.array_equal(black[clear], (picked * inside[..., None])[clear])
    assert inside.any()
    assert not inside.all()


@pytest.mark.parametrize("x", [-0.6, -0.4, 79.4, 79.6])
@pytest.mark.parametrize("y", [-0.6, -0.4, 59.4, 59.6])
def test_a_point_is_inside_up_to_half_a_pixel_beyond_the_outermost_ones(x, y):
    """One outside among many inside is told, on whatever side it lies."""
    view = view_of(Screenshot(BGR), None, 540)
    points = np.array([(40.0, 30.0), (x, y), (3.0, 57.0)])
    inside = is_inside(view, Frame.of_box(0, 0, 1, 1), points, np.zeros((1, 2)))[:, 0]
    assert inside.tolist() == [True, -0.5 < x < 79.5 and -0.5 < y < 59.5, True]
