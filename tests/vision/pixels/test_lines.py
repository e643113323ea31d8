import gc
import weakref

import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.pixels.lines import (
    AXES,
    forget_lines,
    free_lines,
    line_pixels,
    line_response,
    lines_mask,
    noise_step,
)
from flowvision.vision.pixels.view import view_of

WIDEST = 6
"""Pixels: the widest line that is sought."""


def picture_with(axis, at, width, level):
    """A line along the axis, and the picture that it lies in is transposed for the other one."""
    value = np.zeros((120, 120), np.uint8)
    value[:, at : at + width] = level
    return value if axis == 0 else np.ascontiguousarray(value.T)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_a_line_answers_where_it_lies(axis, width):
    at, level, sum_of_weights = 50, 100, 4
    profile = line_response(picture_with(axis, at, width, level), axis, WIDEST).max(axis=axis)
    assert profile[at : at + width].min() == sum_of_weights * level
    assert profile[: at - WIDEST].max() == 0
    assert profile[at + width + WIDEST :].max() == 0


@pytest.mark.parametrize("axis", AXES)
def test_a_single_edge_gives_nothing(axis):
    half_bright = picture_with(axis, at=40, width=40, level=200)
    assert line_response(half_bright, axis, WIDEST).max() == 0


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("at", [0, 1, 117])
def test_a_line_on_the_rim_of_the_picture_is_seen(axis, at):
    response = line_response(picture_with(axis, at, width=3, level=100), axis, WIDEST)
    assert response.max(axis=axis)[at : at + 3].min() > 0


def test_noise_raises_the_step_and_flat_pictures_do_not():
    flat, lowest = np.zeros((50, 50), np.uint8), 14
    noisy = np.random.default_rng(1).normal(60, 8, (200, 200)).clip(0, 255).astype(np.uint8)
    assert noise_step(line_response(flat, 0, WIDEST)) == lowest
    assert noise_step(line_response(noisy, 0, WIDEST)) > 40


LEFT, LENGTH = 200, 400


def view_with(width: int, level: int, ground: int = 0):
    """An upright line of this width and brightness above the ground, and a short piece of one."""
    bgr = np.full((540, 540, 3), ground, np.uint8)
    bgr[:LENGTH, LEFT : LEFT + width] = ground + level
    bgr[450:453, 400 : 400 + width] = ground + level
    return view_of(Screenshot(bgr), box=None, view_px=540)


@pytest.mark.parametrize(
    ("width", "level", "is_seen"), [(9, 100, True), (13, 100, False), (5, 19, True), (5, 17, False)]
)
def test_free_lines_are_narrow_and_stand_out(width: int, level: int, is_seen: bool) -> None:
    """``level``: of the line, above the ground."""
    mask = free_lines(view_with(width, level, ground=60)).mask
    assert (mask[20 : LENGTH - 20, LEFT : LEFT + width] == 255 * is_seen).all()
    assert not mask[:, : LEFT - 1].any()


@pytest.mark.parametrize(("width", "level", "is_seen"), [(4, 100, True), (16, 100, False), (4, 3, False)])
def test_pixels_of_lines_are_counted_along_them(width: int, level: int, is_seen: bool) -> None:
    view = view_with(width, level)
    lines, height = line_pixels(view, axis=0), view.size[1]
    assert lines.profile[LEFT + 2] == pytest.approx(LENGTH / height * is_seen, abs=0.01)
    on_line = lines.mask[LENGTH - 10, LEFT + 1 : LEFT - 1 + width]
    assert on_line.all() == lines.mask.any() == is_seen
    assert not lines.mask[440:].any()  # the short piece


def test_forgotten_lines_keep_no_view():
    view = view_of(Screenshot(np.zeros((90, 90, 3), np.uint8)), None, 90)
    assert not lines_mask(view).any()
    gray = weakref.ref(view.gray)
    del view
    forget_lines()
    gc.collect()
    assert gray() is None
