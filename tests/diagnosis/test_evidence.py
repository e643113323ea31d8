import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.diagnosis.evidence import EVEN, SAME_COLOUR, colour_groups, even_share, is_one_colour
from tests.drawing import CORNER, LEVEL_5X5, PITCH, screenshot_of
from tests.pictures import photo
from tests.seeing import dots_of


def test_a_screenshot_is_even_and_a_photograph_is_not() -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=120, corner=(12, 300))
    compressed = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
    for screenshot in (bgr, np.asarray(cv2.imdecode(compressed, cv2.IMREAD_COLOR), np.uint8)):
        assert even_share(screenshot) >= EVEN
    assert even_share(photo()) < EVEN


def test_nothing_is_hidden_between_two_boards() -> None:
    height, room = 5 * PITCH, 45
    top = CORNER[1]
    board = screenshot_of("R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n")[top - room : top + height + room]
    assert solve_image(np.concatenate((board, board))).size == (6, 5)


@pytest.mark.parametrize(("step", "is_one"), [(0.1, True), (0.9, False)])
def test_a_series_of_colours_is_one_group_but_not_one_colour(step: float, is_one: bool) -> None:
    dots = dots_of([(50.0, step * SAME_COLOUR * n, 0.0) for n in range(6)])
    (group,) = colour_groups(dots)
    assert len(group) == 6
    assert is_one_colour(dots, group) == is_one
