"""Drawing in picture coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.debug.canvas import GREEN, SIDE_PX, WHITE, Canvas, box_round


@given(st.integers(20, 400), st.integers(20, 400), st.data())
def test_a_disc_lies_where_its_pixels_were(width: int, height: int, data: st.DataObject) -> None:
    """Whatever the part and its scale, a mark drawn at a point covers the canvas pixel of that point."""
    x, y = data.draw(st.integers(5, width - 6)), data.draw(st.integers(5, height - 6))
    box = np.array([x - 5, y - 5, x + 6, y + 6], dtype=np.float64)
    canvas = Canvas(np.zeros((height, width, 3), np.uint8), box)
    canvas.circle((x, y), 1.5, WHITE, -1)
    ys, xs = np.nonzero(canvas.bgr[..., 0] > 128)
    assert max(canvas.bgr.shape) == SIDE_PX
    assert canvas.at([(x, y)])[0] == pytest.approx((xs.mean(), ys.mean()), abs=1)


def test_the_picture_is_not_drawn_on() -> None:
    """The canvas is a copy."""
    bgr = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    canvas = Canvas(bgr)
    canvas.line([(0, 0), (500, 500)], GREEN)
    assert not bgr.any()
    assert canvas.bgr.any()


def test_a_tint_lies_on_its_mask() -> None:
    """A mask of half size tints the pixels it stands for, and no others."""
    mask = np.zeros((50, 50), np.uint8)
    mask[:25] = 255
    to_picture = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]], dtype=np.float64)
    canvas = Canvas(np.zeros((100, 100, 3), np.uint8))
    canvas.tint(mask, to_picture, WHITE)
    assert canvas.bgr[20 : SIDE_PX // 2 - 20, 20:-20].min() == WHITE[0]
    assert canvas.bgr[SIDE_PX // 2 + 20 :].max() == 0


def test_a_box_outside_the_picture_shows_all_of_it() -> None:
    """A box that misses the picture is no reason to fail."""
    canvas = Canvas(np.zeros((40, 20, 3), np.uint8), box_round(np.array([[500.0, 500.0], [600.0, 600.0]])))
    assert canvas.bgr.shape == (SIDE_PX, SIDE_PX // 2, 3)
