"""Lines that do not stand out in the brightest channel are found in another light."""

import numpy as np

from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.phones import PHONES
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import THEMES
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


def test_lines_lost_in_the_tint_of_played_cells_show_in_their_own_colour():
    """A played board at half the size: lines and tints are equally bright, but not equally green."""
    board = boards.square(5, 5)
    puzzle, solution = random_puzzle(board, 0, 3)
    style = Style(THEMES["wide"], PHONES["small"], drawn=1.0, scale=0.5)
    reading = read_image(draw_screenshot(board, puzzle, style, 0, solution).screenshot).reading
    assert reading.board.graph == board.graph
    assert {frozenset(p) for p in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}
