import numpy as np

from flowvision import solve_image
from tests.drawing import screenshot_of


def test_nothing_is_hidden_between_two_boards() -> None:
    board = screenshot_of("R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n")[140 - 45 : 140 + 300 + 45]
    assert solve_image(np.concatenate((board, board))).size == (6, 5)
