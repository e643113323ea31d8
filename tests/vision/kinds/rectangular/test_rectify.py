import cv2
import numpy as np
import pytest

from flowvision.vision.grid.spacing import line_evidence
from flowvision.vision.kinds.rectangular.rectify import _sharpness, is_tilted, rectified
from flowvision.vision.pixels.view import View
from tests.drawing import PITCH, random_text, screenshot_of
from tests.seeing import lines_in, region_of, view_in

SIZE = 480, 700
UPRIGHT = screenshot_of(random_text(7, cols=6, pairs=5), corner=(60, 140))
CORNERS = np.array([(60, 140), (420, 140), (420, 560), (60, 560)], np.float64)
"""Of the board on it."""


def turned(view):
    """Return the rectified view, or None."""
    region = region_of(view.bgr)
    return rectified(line_evidence(region, view))


def rotation(degrees: float) -> np.ndarray:
    """Return (2, 3): the rotation of ``UPRIGHT`` about its middle, a little smaller."""
    return cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 0.85)


def through(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Map points by a homography."""
    mapped = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return mapped[:, :2] / mapped[:, 2:]


def upright(matrix: np.ndarray) -> View:
    """Return the rectified view of a board seen through ``matrix``, whose sides are upright and level in it.

    To a twentieth of a cell, which spacings allow for; a tilt of a degree is twice that. A view may be
    rectified twice.
    """
    first = turned(view_in(cv2.warpPerspective(UPRIGHT, matrix, SIZE)))
    assert first is not None
    view = turned(first) or first
    upper_left, upper_right, lower_right, lower_left = through(
        CORNERS, np.linalg.inv(view.to_picture) @ matrix
    )
    aside = [upper_left[0] - lower_left[0], upper_right[0] - lower_right[0]]
    down = [upper_left[1] - upper_right[1], lower_left[1] - lower_right[1]]
    assert np.abs([aside, down]).max() < 0.05 * PITCH
    return view


@pytest.mark.parametrize("degrees", [-12, -4, -1, 1, 3, 9])
def test_a_turned_board_is_turned_back_about_the_middle(degrees):
    view, middle = upright(np.vstack((rotation(degrees), (0, 0, 1)))), np.array([SIZE]) / 2
    assert through(middle, view.to_picture) == pytest.approx(middle, abs=0.05 * PITCH)


@pytest.mark.parametrize("shifts", [(30, 0, 0, 0), (0, 25, 15, 0), (20, 0, 0, 35)])
def test_a_board_in_perspective_is_turned_back(shifts):
    """``shifts``: pixels by which corners move to the right, and the next corner down."""
    to_the_right, down = shifts, np.roll(shifts, 1)
    smaller = CORNERS * 0.9 + (24, 35)  # about the same middle
    moved = smaller + np.column_stack((to_the_right, down))
    upright(cv2.getPerspectiveTransform(CORNERS.astype(np.float32), moved.astype(np.float32)))


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
    bgr = cv2.warpAffine(UPRIGHT, rotation(degrees), SIZE)
    assert is_tilted(lines_in(region_of(bgr))) == (degrees > 0)


def test_a_turned_view_does_not_pretend_to_reach_the_rim():
    view = turned(view_in(cv2.warpAffine(UPRIGHT, rotation(5), SIZE)))
    assert view.rims == ((False, False), (False, False))
    assert max(view.size) <= 2 * max(SIZE)
    assert view.gray.shape == view.bgr.shape[:2]


def test_a_tall_view_does_not_turn_inside_out() -> None:
    strong = np.ones((4000, 24), bool)
    assert np.isfinite(_sharpness(strong, np.array([(-0.12 / 24, 0.03), (0.12 / 24, 0.0)]), bin_px=1.0)).all()
