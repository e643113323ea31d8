import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.image.picture import Rgb
from flowvision.render.paint import disc, lifted, put_back, stroke, thickness_of

WHITE = Rgb(255, 255, 255)
MIDDLES = st.floats(20, 40)


def centroid(canvas):
    """Middle of what is bright, x first, and its area in pixels."""
    light = canvas[:, :, 0] / 255
    ys, xs = np.mgrid[: light.shape[0], : light.shape[1]]
    area = light.sum()
    return (light * xs).sum() / area, (light * ys).sum() / area, area


@given(MIDDLES, MIDDLES, st.floats(4, 15))
def test_a_disc_is_where_and_as_large_as_it_should_be(x, y, radius):
    canvas = np.zeros((60, 60, 3), np.uint8)
    disc(canvas, (x, y), radius, WHITE)
    cx, cy, area = centroid(canvas)
    assert abs(cx - x) < 0.15
    assert abs(cy - y) < 0.15
    soft_edge = 0.5  # of OpenCV's, half a pixel further out
    assert area == pytest.approx(np.pi * (radius + soft_edge) ** 2, rel=0.06)


@given(st.floats(-5, 35), st.floats(-5, 35), st.floats(1, 9))
def test_a_disc_is_put_back(x, y, radius):
    original = np.random.default_rng(0).integers(0, 255, (30, 30, 3), np.uint8)
    canvas = original.copy()
    kept = lifted(canvas, (x, y), radius)
    canvas[:] = 0
    put_back(canvas, kept)
    ys, xs = np.mgrid[:30, :30]
    away = np.hypot(xs - x, ys - y)
    assert np.array_equal(canvas[away < radius - 1], original[away < radius - 1])
    assert not canvas[away > radius + 1.5].any()


@given(st.floats(3, 60), st.floats(30, 40))
def test_a_stroke_is_as_wide_as_it_should_be(width, y):
    """OpenCV's own antialiased lines are up to 2.5 pixels wider."""
    canvas = np.zeros((80, 80, 3), np.uint8)
    stroke(canvas, [(10, y), (70, y)], WHITE, thickness_of(width))
    assert canvas[:, 40, 0].sum() / 255 == pytest.approx(width, abs=1.3)
