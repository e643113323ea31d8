import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.pixels.lines import AXES, free_lines, line_pixels, line_response, noise_step
from flowvision.vision.pixels.view import view_of


def picture_with(axis, at, width, level):
    value = np.zeros((120, 120), np.uint8)
    value[:, at : at + width] = level
    return value if axis == 0 else np.ascontiguousarray(value.T)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_a_line_answers_where_it_lies(axis, width):
    response = line_response(picture_with(axis, 50, width, 100), axis, 6)
    profile = response.max(axis=axis)
    assert profile[50 : 50 + width].min() == 400
    assert profile[:44].max() == 0
    assert profile[50 + width + 6 :].max() == 0


@pytest.mark.parametrize("axis", AXES)
def test_a_single_edge_gives_nothing(axis):
    response = line_response(picture_with(axis, 40, 40, 200), axis, 6)
    assert response.max() == 0


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("at", [0, 1, 117])
def test_a_line_on_the_rim_of_the_picture_is_seen(axis, at):
    response = line_response(picture_with(axis, at, 3, 100), axis, 6)
    assert response.max(axis=axis)[at : at + 3].min() > 0


def test_noise_raises_the_step_and_flat_pictures_do_not():
    rng = np.random.default_rng(1)
    noisy = np.clip(rng.normal(60, 8, (200, 200)), 0, 255).astype(np.uint8)
    assert noise_step(line_response(np.zeros((50, 50), np.uint8), 0, 6)) == 14
    assert noise_step(line_response(noisy, 0, 6)) > 40


def view_with(width: int, level: int, ground: int = 0):
    bgr = np.full((540, 540, 3), ground, np.uint8)
    bgr[:400, 200 : 200 + width] = ground + level
    bgr[450:453, 400 : 400 + width] = ground + level
    return view_of(Screenshot(bgr), None, 540)


@pytest.mark.parametrize(
    ("width", "level", "seen"), [(9, 100, True), (13, 100, False), (5, 19, True), (5, 17, False)]
)
def test_free_lines_are_narrow_and_stand_out(width: int, level: int, seen: bool) -> None:
    mask = free_lines(view_with(width, level, 60)).mask
    assert (mask[20:380, 200 : 200 + width] == 255 * seen).all()
    assert not mask[:, :199].any()


@pytest.mark.parametrize(("width", "level", "seen"), [(4, 100, True), (16, 100, False), (4, 3, False)])
def test_pixels_of_lines_are_counted_along_them(width: int, level: int, seen: bool) -> None:
    found = line_pixels(view_with(width, level), 0)
    assert found.profile[202] == pytest.approx(400 / 540 * seen, abs=0.01)
    assert found.mask[390, 201 : 199 + width].all() == found.mask.any() == seen
    assert not found.mask[440:].any()  # too short
