import cv2
import numpy as np
import pytest

from flowvision.vision.grid.spacing import line_evidence
from flowvision.vision.kinds.rectangular.rectify import _sharpness, is_tilted, rectified
from tests.drawing import random_text, screenshot_of
from tests.seeing import lines_in, region_of, view_in

SIZE = 480, 700
UPRIGHT = screenshot_of(random_text(7, 6, 5), corner=(60, 140))
CORNERS = np.array([(60, 140), (420, 140), (420, 560), (60, 560)], np.float64)
"""Of the board on it."""


def turned(view):
    """The rectified view."""
    region = region_of(view.bgr)
    return rectified(line_evidence(region, view))


def through(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    seen = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return seen[:, :2] / seen[:, 2:]


def assert_upright(matrix: np.ndarray):
    """The board seen through ``matrix`` has upright and level sides in the rectified view.

    To a twentieth of a cell, which spacings allow for; a tilt of a degree is twice that.
    """
    seen = view_in(cv2.warpPerspective(UPRIGHT, matrix, SIZE))
    found = turned(seen)
    assert found is not None
    again = turned(found) or found
    corners = through(CORNERS, np.linalg.inv(again.to_picture) @ matrix)
    assert np.abs(corners[[0, 1, 2, 3], [0, 1, 0, 1]] - corners[[3, 0, 1, 2], [0, 1, 0, 1]]).max() < 0.05 * 60


@pytest.mark.parametrize("degrees", [-12, -4, -1, 1, 3, 9])
def test_a_turned_board_is_turned_back(degrees):
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 0.85)
    assert_upright(np.vstack((turn, (0, 0, 1))))


@pytest.mark.parametrize("shifts", [(30, 0, 0, 0), (0, 25, 15, 0), (20, 0, 0, 35)])
def test_a_board_in_perspective_is_turned_back(shifts):
    seen = CORNERS * 0.9 + (24, 35) + np.column_stack((shifts, np.roll(shifts, 1)))
    assert_upright(cv2.getPerspectiveTransform(CORNERS.astype(np.float32), seen.astype(np.float32)))


@pytest.mark.parametrize("what", ["nothing", "noise", "upright lines alone"])
def test_without_two_families_of_lines_nothing_is_turned(what):
    bgr = np.zeros((400, 400, 3), np.uint8)
    if what == "noise":
        bgr = np.random.default_rng(0).integers(0, 255, bgr.shape, np.uint8)
    if what == "upright lines alone":
        bgr[:, 20:400:60] = 120
    assert turned(view_in(bgr)) is None


@pytest.mark.parametrize("degrees", [0, 1])
def test_a_tilt_of_a_degree_is_noticed(degrees):
    """Lines lean over by more than their width."""
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 0.85)
    assert is_tilted(lines_in(region_of(cv2.warpAffine(UPRIGHT, turn, SIZE)))) == (degrees > 0)


def test_a_turned_view_does_not_pretend_to_reach_the_rim():
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 5, 0.85)
    found = turned(view_in(cv2.warpAffine(UPRIGHT, turn, SIZE)))
    assert found.rims == ((False, False), (False, False))
    assert max(found.size) <= 2 * max(SIZE)
    assert found.gray.shape == found.bgr.shape[:2]


def test_a_tall_view_does_not_turn_inside_out() -> None:
    strong = np.ones((4000, 24), bool)
    assert np.isfinite(_sharpness(strong, np.array([(-0.12 / 24, 0.03), (0.12 / 24, 0.0)]), 1.0)).all()
