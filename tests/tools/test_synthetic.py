"""Synthetic screenshots are where and what they say they are."""

import numpy as np
import pytest

from flowvision.image.picture import Rgb
from flowvision.palette import COLOURS
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.contrast import HIDDEN, contrast
from tests.tools.synthetic import HALO_RADIUS, HALO_SHARE, PHONES, THEMES, Style, draw_halo, draw_screenshot

BOARD = boards.square(7, 6)
PUZZLE, SOLUTION = random_puzzle(BOARD, 3, 5)


def pixel(shot, point):
    x, y = np.round(shot.frame.to_px(point)[0]).astype(int)
    return tuple(int(n) for n in shot.screenshot.bgr[y, x, ::-1])


@pytest.mark.sweep(6)
@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("phone", PHONES.values(), ids=list(PHONES))
def test_dots_and_lines_lie_where_the_frame_says(theme, phone):
    """The middle of every dot has its flow's colour, and the grid's crossings the lines' colour."""
    shot = draw_screenshot(BOARD, PUZZLE, Style(theme, phone), 1)
    for colour, pair in zip(shot.palette, PUZZLE.terminals, strict=True):
        for dot in pair:
            assert pixel(shot, BOARD.layout.cells[dot].centre) == tuple(colour)
    for x, y in ((1, 1), (3, 5), (5, 6)):
        assert pixel(shot, (x, y)) == tuple(theme.lines[0])
    assert shot.screenshot.bgr.shape == (phone.height, phone.width, 3)


@pytest.mark.parametrize("scale", [0.5, 1.7])
def test_a_resized_picture_keeps_its_truth(scale):
    shot = draw_screenshot(BOARD, PUZZLE, Style(scale=scale), 1)
    for colour, pair in zip(shot.palette, PUZZLE.terminals, strict=True):
        assert np.allclose(pixel(shot, BOARD.layout.cells[pair[0]].centre), colour, atol=3)


@pytest.mark.parametrize(("named", "kept"), [("RGBYO", "RGBYO"), ("RDGFB", "RGB"), ("ABCDE", "ABCE")])
def test_letters_that_name_colours_have_them(named, kept):
    """As everywhere else; the others get what is left, and no two flows the same colour."""
    shot = draw_screenshot(BOARD, PUZZLE, Style(), 1, letters=tuple(named))
    drawn = dict(zip(named, shot.palette, strict=True))
    assert all(drawn[letter] == COLOURS[letter].rgb for letter in kept)
    assert len(set(shot.palette)) == 5


@pytest.mark.parametrize("ink", ["white", "black", "both"])
def test_every_dot_has_a_letter_that_can_be_read(ink):
    shot = draw_screenshot(BOARD, PUZZLE, Style(letters=ink), 1, letters=("W", "Y", "L", "I", "C"))
    assert shot.letters == ("A", "B", "C", "D", "E")
    for colour, pair in zip(shot.palette, PUZZLE.terminals, strict=True):
        x, y = np.round(shot.frame.to_px(BOARD.layout.cells[pair[0]].centre)[0]).astype(int)
        reach = int(0.15 * shot.frame.pitch_px(BOARD.layout.cells[pair[0]].centre))
        patch = shot.screenshot.bgr[y - reach : y + reach, x - reach : x + reach, ::-1].reshape(-1, 3)
        inked = [contrast(Rgb(*pixel), colour) for pixel in patch.tolist()]
        assert max(inked) >= HIDDEN


def test_a_halo_lets_through_what_is_below():
    """A disc of the flow's colour, so much of it; beyond its radius nothing changes."""
    canvas = np.full((300, 300, 3), 100, np.uint8)
    draw_halo(canvas, (150, 150), 100, Rgb(200, 0, 0))
    inside = round(100 * (1 - HALO_SHARE) + 200 * HALO_SHARE)
    assert abs(int(canvas[150, 150, 2]) - inside) <= 1
    assert canvas[150, 150, 0] < 100
    assert (canvas[150, 150 + round(100 * HALO_RADIUS) + 3] == 100).all()
