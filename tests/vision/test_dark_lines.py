"""Boards of other programs, drawn dark on bright, are read as well."""

import numpy as np

from flowvision.picture import Screenshot
from flowvision.pipeline import read_image
from tests.drawing import COLOURS, FIVE, screenshot_of


def test_a_board_with_dark_lines_on_a_white_ground_is_read():
    """Lines darker than their cells; dots in the game's colours."""
    bright = screenshot_of(FIVE, 80)
    ground = bright.max(axis=2) == 0
    lines = (bright == (63, 109, 63)).all(axis=2)
    bright[ground] = 255
    bright[lines] = 60
    reading = read_image(Screenshot(np.ascontiguousarray(bright), "white")).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert len(reading.puzzle.terminals) == 5
    assert {tuple(colour) for colour in reading.palette} <= {tuple(colour) for colour in COLOURS.values()}
