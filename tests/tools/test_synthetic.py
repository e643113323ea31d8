"""Synthetic screenshots are where and what they say they are."""

import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from tests.tools.synthetic import PHONES, THEMES, Style, draw_screenshot

BOARD = boards.square(7, 6)
PUZZLE, SOLUTION = random_puzzle(BOARD, 3, 5)


def pixel(shot, point):
    x, y = np.round(shot.frame.to_px(point)[0]).astype(int)
    return tuple(int(n) for n in shot.screenshot.bgr[y, x, ::-1])


@pytest.mark.sweep(6)
@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("phone", PHONES.values(), ids=list(PHONES))
def test_dots_and_lines_lie_where_the_frame_says(theme, phone):
    shot = draw_screenshot(BOARD, PUZZLE, Style(theme, phone), 1)
    for colour, pair in zip(shot.palette, PUZZLE.terminals, strict=True):
        for dot in pair:
            assert pixel(shot, BOARD.layout.cells[dot].centre) == tuple(colour)
    for x, y in ((1, 1), (3, 5), (5, 6)):
        assert pixel(shot, (x, y)) == tuple(theme.lines[0])
    assert shot.screenshot.bgr.shape == (phone.height, phone.width, 3)
