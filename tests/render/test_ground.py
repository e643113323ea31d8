import cv2
import numpy as np
import pytest

from flowvision.image.picture import Rgb
from flowvision.render.ground import circle_of, inside_of, whole_dot

RED, BLACK = Rgb(255, 0, 0), Rgb(0, 0, 0)
NARROW_PX = 90.0


def shown(draw) -> np.ndarray:
    """A cell of 120 px, with whatever is drawn on it in red."""
    bgr = np.zeros((120, 120, 3), np.uint8)
    draw(bgr)
    return bgr


@pytest.mark.parametrize("pipe", [False, True])
@pytest.mark.parametrize("radius", [22, 31, 38])
def test_a_round_dot_has_a_middle_and_a_radius(radius, pipe):
    def draw(bgr):
        cv2.circle(bgr, (60, 58), radius, (0, 0, 255), -1, cv2.LINE_AA)
        if pipe:
            cv2.rectangle(bgr, (45, 58), (75, 119), (0, 0, 255), -1)

    dot = whole_dot(shown(draw), (60, 58), (RED, BLACK), NARROW_PX, alone=not pipe)
    middle, seen = circle_of(dot)
    np.testing.assert_allclose(middle, (60, 58), atol=1)
    assert seen == pytest.approx(radius, abs=1.5)
    _, inner = circle_of(inside_of(dot, NARROW_PX))
    assert inner == pytest.approx(seen - 2, abs=0.6)


def test_a_dot_outside_the_picture_has_no_pixels():
    dot = whole_dot(shown(lambda bgr: None), (-200, 60), (RED, BLACK), NARROW_PX)
    assert not inside_of(dot, NARROW_PX).mask.size


@pytest.mark.parametrize("lined", [False, True])
@pytest.mark.parametrize("radius", [26, 33])
def test_what_a_letter_encloses_is_not_the_dot(radius, lined):
    def draw(bgr):
        cv2.circle(bgr, (60, 60), radius, (0, 0, 255), -1, cv2.LINE_AA)
        half = round(0.55 * radius)
        cv2.rectangle(bgr, (60 - half, 60 - half), (60 + half, 60 + half), (0, 0, 0), 4)
        if lined:
            cv2.rectangle(bgr, (15, 15), (105, 105), (0, 0, 255), 3)

    dot = whole_dot(shown(draw), (60, 60), (RED, BLACK), NARROW_PX)
    middle, seen = circle_of(dot)
    np.testing.assert_allclose(middle, (60, 60), atol=1)
    assert seen == pytest.approx(radius, abs=1.5)


def test_other_shapes_are_no_circles():
    for draw in (
        lambda bgr: cv2.ellipse(bgr, (60, 60), (38, 24), 0, 0, 360, (0, 0, 255), -1),
        lambda bgr: cv2.rectangle(bgr, (30, 30), (90, 90), (0, 0, 255), -1),
    ):
        dot = whole_dot(shown(draw), (60, 60), (RED, BLACK), NARROW_PX)
        assert circle_of(dot) is None
