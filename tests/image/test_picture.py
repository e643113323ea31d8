import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision import solve_image
from flowvision.errors import BoardNotFoundError
from flowvision.image.picture import (
    CropBox,
    Frame,
    Screenshot,
    affine_map,
    are_apart,
    as_bgr,
    cut_out,
    pixels_at,
    turned,
)
from flowvision.reading.options import Options
from tests.boards import FIVE_PAIRS, pairs_of
from tests.drawing import FIVE, page_of, screenshot_of
from tests.seeing import refusal

TILTED = np.array([[61.0, 4.0, 12.0], [-3.0, 58.0, 140.0], [0.002, -0.001, 1.0]])
"""A board that was photographed at a slant."""


def test_a_homography_comes_back_as_it_was_given() -> None:
    frame = Frame.of_homography(TILTED)
    assert np.array_equal(frame.homography, TILTED)
    assert all(type(number) is float for number in frame.matrix)
    assert Frame.of_homography(frame.homography) == frame
    assert len({Frame.of_homography(TILTED.astype(np.float64)), frame}) == 1


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
    assert np.allclose(affine_map(points, onto), matrix)
    off = onto + random.normal(size=onto.shape)
    best = affine_map(points, off)

    def error(candidate: np.ndarray) -> float:
        return float(((Frame.of_homography(candidate).to_px(points) - off) ** 2).sum())

    for row, col in np.ndindex(2, 3):
        beside = best.copy()
        beside[row, col] += 0.01
        assert error(best) < error(beside)


@pytest.mark.parametrize("degrees", [90, 180, -90, -40.5])
def test_turning_loses_nothing(degrees):
    shot = Screenshot(screenshot_of(FIVE))
    there = turned(shot, degrees)
    back = turned(there, -degrees)
    height, width = shot.bgr.shape[:2]
    y, x = ((b - a) // 2 for b, a in zip(back.bgr.shape, (height, width), strict=False))
    middle = back.bgr[y : y + height, x : x + width].astype(int)
    assert (np.abs(middle - shot.bgr).max(axis=2) > 60).mean() < (0.03 if degrees % 90 else 1e-9)
    assert pairs_of(solve_image(there, Options(rotate=-degrees)).reading.puzzle) == FIVE_PAIRS


def test_the_part_is_read_and_the_whole_is_drawn_on():
    one, other = screenshot_of(FIVE), screenshot_of("RG.\nB..\nBGR\n", 80)
    both = page_of(other, one)
    options = Options(crop=(other.shape[1], 0, one.shape[1], len(one)))
    answer = solve_image(both, options)
    assert pairs_of(answer.reading.puzzle) == FIVE_PAIRS
    assert answer.picture.shape == both.shape
    changed = (answer.picture != both).any(axis=2)
    assert changed[:, other.shape[1] :].any()
    assert not changed[:, : other.shape[1]].any()
    plain = solve_image(one).reading
    for (a, b), (c, d) in zip(answer.reading.ends_px, plain.ends_px, strict=True):
        assert np.allclose(np.array([a, b]) - (other.shape[1], 0), [c, d], atol=1.5)


@pytest.mark.parametrize(
    "box", [(-1, 0, 10, 10), (0, 0, 5000, 10), (10, 10, 0, 4), (320, 0, 10, 10), (0, 575, 10, 10)]
)
def test_a_part_outside_the_picture_is_refused(box):
    with pytest.raises(BoardNotFoundError, match="324 × 580"):
        cut_out(Screenshot(screenshot_of(FIVE)), box)
    refusal(screenshot_of(FIVE), Options(crop=box), code="board-not-found")


BOXES = st.builds(CropBox, *2 * [st.integers(0, 9)], *2 * [st.integers(1, 9)])


@given(BOXES, BOXES)
def test_boxes_are_apart_that_share_no_pixel(one: CropBox, other: CropBox) -> None:
    numbers = np.arange(400).reshape(20, 20, 1).repeat(3, axis=2).astype(np.uint16)
    parts = [set(cut_out(Screenshot(numbers), box).bgr.ravel().tolist()) for box in (one, other)]
    assert [len(part) for part in parts] == [box.width * box.height for box in (one, other)]
    assert are_apart(one, other) == parts[0].isdisjoint(parts[1])


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
        assert np.abs(as_bgr(pixels) - expected.astype(float)).max() <= 1


def test_the_nearest_pixel_is_taken() -> None:
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4)
    seen, inside = pixels_at(picture, np.array([[2.4, 0.6], [-0.4, 2.4], [3.6, 1.0], [1.0, -0.6]]))
    assert (seen.tolist(), inside.tolist()) == ([6, 8, 7, 1], [True, True, False, False])
