"""Boards with warps are read whole, however they are cut out and whatever is played over their openings."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import PHONES, THEMES
from tests.made_boards import WARPED, ends, puzzle_on

STYLES = [
    Style(),
    Style(THEMES["old"], drawn=0.5, letters="white"),
    Style(THEMES["wide"], drawn=0.8, quality=60, scale=0.6),
    Style(drawn=1.0, dim=0.7, phone=PHONES["iphone-15"]),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.theme.name}-{style.drawn}")
@pytest.mark.parametrize("name", WARPED)
def test_boards_with_openings_are_read_back(name, style, seed):
    """Cells, walls, openings and pairs."""
    board = WARPED[name]
    puzzle, solution = puzzle_on(board, 10 * seed)
    reading = read_image(draw_screenshot(board, puzzle, style, seed, solution).screenshot).reading
    assert reading.board.lattice == board.lattice
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}


def test_a_glow_that_ends_at_the_rim_is_no_border():
    """It rises there from black as a line does; but the corner beside it is a hole all the same."""
    board = WARPED["corners"]
    puzzle, _ = puzzle_on(board, 0)
    shot = draw_screenshot(board, puzzle, Style(), 0).screenshot
    bottom = shot.bgr[1150:1700, :24]
    bottom[:] = np.maximum(bottom, (60, 0, 0))
    assert read_image(shot).reading.board.lattice == board.lattice


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("style", [Style(drawn=1.0), Style(THEMES["old"], drawn=1.0, scale=0.5, quality=80)])
def test_a_pipe_and_its_tint_run_out_through_an_opening(style, seed):
    """The lines beside them seem to go on beyond the board; its outline shows where it ends."""
    board = boards.square(5, 5, (), (), (), ends(5, (2,), ()))
    puzzle, solution = puzzle_on(board, 10 * seed)
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    room = round(shot.frame.pitch_px((0.5, 0.5)))
    bgr = np.pad(shot.screenshot.bgr, ((0, 0), (room, room), (0, 0)))
    for begin, way in ((0, -1), (5, 1)):
        (x0, y0), (_, y1) = np.round(shot.frame.to_px([(begin, 2), (begin, 3)])).astype(int).tolist()
        inside = bgr[y0 - 1 : y1 + 2, x0 + room - way * room // 6].astype(float)
        fade = np.linspace(1, 0, room)[::way]
        left = x0 + room if way == 1 else x0
        out = np.s_[y0 - 1 : y1 + 2, left : left + room]
        bgr[out] = np.maximum(bgr[out], inside[:, None] * fade[None, :, None])
    reading = read_image(bgr).reading
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}
