import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, affine_map

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
