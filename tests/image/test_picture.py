import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision import solve_image
from flowvision.errors import BoardNotFoundError
from flowvision.image import picture
from flowvision.image.picture import CropBox, Frame, Screenshot
from flowvision.reading.options import Options
from tests.boards import LEVEL_5X5_PAIRS, pairs_of
from tests.drawing import LEVEL_5X5, collage, screenshot_of
from tests.seeing import assert_refused

TILTED = np.array([[61.0, 4.0, 12.0], [-3.0, 58.0, 140.0], [0.002, -0.001, 1.0]])
"""A board that was photographed at a slant."""


def test_a_homography_comes_back_as_it_was_given() -> None:
    frame = Frame.of_homography(TILTED)
    assert np.array_equal(frame.homography, TILTED)
    assert all(type(number) is float for number in frame.matrix)
    again = Frame.of_homography(frame.homography)
    assert again == frame
    assert hash(again) == hash(frame)


def test_points_are_mapped_as_opencv_maps_them() -> None:
    points = np.random.default_rng(0).uniform(0, 9, (40, 2))
    frame = Frame.of_homography(TILTED)
    expected = cv2.perspectiveTransform(points[:, None], TILTED)[:, 0]
    assert frame.to_px(points) == pytest.approx(expected, abs=1e-9)
    assert frame.to_cells(frame.to_px(points)) == pytest.approx(points, abs=1e-9)


def test_an_affine_map_is_found_again_and_fits_best() -> None:
    random = np.random.default_rng(1)
    points, matrix = random.normal(size=(9, 2)), np.vstack((random.normal(size=(2, 3)), (0, 0, 1)))
    onto = Frame.of_homography(matrix).to_px(points)
    assert np.allclose(picture.affine_map(points, onto), matrix)
    shaken = onto + random.normal(size=onto.shape)
    least_squares = np.linalg.lstsq(np.column_stack((points, np.ones(9))), shaken)[0]
    assert np.allclose(picture.affine_map(points, shaken)[:2], least_squares.T)


@pytest.mark.parametrize(("degrees", "max_share_lost"), [(90, 0.0), (180, 0.0), (-90, 0.0), (-40.5, 0.03)])
def test_turning_loses_nothing(degrees, max_share_lost):
    """Pixels between others, at an angle, are mixed at the edges of dots."""
    shot = Screenshot(screenshot_of(LEVEL_5X5))
    rotated = picture.turned(shot, degrees)
    back = picture.turned(rotated, -degrees)
    height, width = shot.bgr.shape[:2]
    y, x = (back.bgr.shape[0] - height) // 2, (back.bgr.shape[1] - width) // 2
    middle = back.bgr[y : y + height, x : x + width].astype(int)
    is_lost = np.abs(middle - shot.bgr).max(axis=2) > 60
    assert is_lost.mean() <= max_share_lost
    assert pairs_of(solve_image(rotated, rotate=-degrees).reading.puzzle) == LEVEL_5X5_PAIRS


def test_a_part_is_read_and_the_whole_is_drawn_on():
    left, right = screenshot_of("RG.\nB..\nBGR\n", pitch=80), screenshot_of(LEVEL_5X5)
    both, shift = collage(left, right), left.shape[1]
    answer = solve_image(both, crop=(shift, 0, right.shape[1], len(right)))
    assert pairs_of(answer.reading.puzzle) == LEVEL_5X5_PAIRS
    alone = solve_image(right).reading
    assert np.allclose(np.subtract(answer.reading.ends_px, (shift, 0)), alone.ends_px, atol=1.5)
    assert answer.picture.shape == both.shape
    changed = (answer.picture != both).any(axis=2)
    assert changed[:, shift:].any()
    assert not changed[:, :shift].any()


@pytest.mark.parametrize(
    "box", [(-1, 0, 10, 10), (0, 0, 5000, 10), (10, 10, 0, 4), (320, 0, 10, 10), (0, 575, 10, 10)]
)
def test_a_part_outside_the_picture_is_refused(box):
    with pytest.raises(BoardNotFoundError, match="324 × 580"):
        picture.check_inside(Screenshot(screenshot_of(LEVEL_5X5)), box)
    assert_refused(screenshot_of(LEVEL_5X5), Options(crop=box), code="board-not-found")


BOXES = st.builds(CropBox, *2 * [st.integers(0, 9)], *2 * [st.integers(1, 9)])


@given(BOXES, BOXES)
def test_boxes_are_apart_that_share_no_pixel(a: CropBox, b: CropBox) -> None:
    pixels_a, pixels_b = (
        {(x, y) for x in range(box.x, box.x + box.width) for y in range(box.y, box.y + box.height)}
        for box in (a, b)
    )
    assert picture.are_apart(a, b) == pixels_a.isdisjoint(pixels_b)


def test_pixels_of_any_kind_become_bgr_on_black() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (40, 50, 4), np.uint8)
    bgr, alpha = noise[..., :3], noise[..., 3:]
    grey = alpha.repeat(3, axis=2)
    on_black = (bgr * (alpha / 255.0)).round()
    for pixels, expected in (
        (alpha[..., 0], grey),
        (alpha, grey),
        (alpha.astype(np.uint16) << 8, grey),
        (bgr, bgr),
        (noise, on_black),
    ):
        assert np.abs(picture.as_bgr(pixels) - expected.astype(float)).max() <= 1


@pytest.mark.parametrize(
    ("x", "y", "nearest", "is_inside"),
    [
        (2.4, 0.6, (2, 1), True),
        (-0.4, 2.4, (0, 2), True),
        (3.6, 1.0, (3, 1), False),
        (1.0, -0.6, (1, 0), False),
    ],
)
def test_the_nearest_pixel_is_taken(x, y, nearest, is_inside) -> None:
    numbers = np.arange(12, dtype=np.uint8).reshape(3, 4)
    pixels, inside = picture.pixels_at(numbers, np.array([[x, y]]))
    col, row = nearest
    assert (pixels.tolist(), inside.tolist()) == ([numbers[row, col]], [is_inside])
