"""A part of a board is not answered as the whole: lines and dots that go on beyond it are seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr
from flowvision.pipeline import read_image
from flowvision.render.synthetic import Style, draw_screenshot
from tests.drawing import FIVE, screenshot_of
from tests.made_boards import WARPED, puzzle_on

CORNER = (70, 140)


def erased(text: str, border: str, pitch: int) -> Bgr:
    """A drawn board without its inner line next to a border."""
    bgr = screenshot_of(text, pitch, CORNER)
    rows, cols = len(text.split()), len(text.split(maxsplit=1)[0])
    (x0, y0), (right, below) = CORNER, (pitch * cols, pitch * rows)
    at = pitch if border in ("left", "top") else (right if border == "right" else below) - pitch
    if border in ("left", "right"):
        bgr[y0 + 3 : y0 + below - 2, x0 + at - 3 : x0 + at + 4] = bgr[
            y0 + 3 : y0 + below - 2, x0 + at - 5 : x0 + at - 4
        ]
    else:
        bgr[y0 + at - 3 : y0 + at + 4, x0 + 3 : x0 + right - 2] = bgr[y0 + at - 5, x0 + 3 : x0 + right - 2]
    return bgr


def size_of(bgr: Bgr) -> tuple[int, int] | None:
    """Rows and columns of what is answered; ``None``: nothing."""
    try:
        lattice = read_image(bgr).reading.lattice
    except FlowvisionError:
        return None
    assert lattice is not None
    return lattice.rows, lattice.cols


@pytest.mark.parametrize("pitch", [24, 60])
@pytest.mark.parametrize("border", ["left", "right", "top", "bottom"])
def test_a_board_without_an_inner_line_is_read_whole_or_not_at_all(border: str, pitch: int) -> None:
    """The three columns before the erased line happen to have one solution."""
    assert size_of(erased(FIVE, border, pitch)) in (None, (5, 5))


@pytest.mark.parametrize("border", ["right", "bottom"])
def test_a_cut_picture_of_a_part_is_refused(border: str) -> None:
    """Where the picture ends within the cells beyond, nothing else ends them."""
    bgr = erased(FIVE, border, 60)
    bgr = bgr[:, : CORNER[0] + 290] if border == "right" else bgr[: CORNER[1] + 290]
    assert size_of(np.ascontiguousarray(bgr)) in (None, (5, 5))


def test_a_cut_board_with_swapped_dots_is_not_opened_all_round() -> None:
    """It has no solution; with every row and column open it has exactly one, by chance."""
    bgr = screenshot_of("....\nG...\n.RB.\nGB.R\n", 60, CORNER)
    assert size_of(bgr[CORNER[1] + 4 : CORNER[1] + 236, CORNER[0] + 4 : CORNER[0] + 236].copy()) is None


@pytest.mark.parametrize("height", [4.9, 5.0, 6.0])
def test_a_board_without_a_solution_gives_no_row_away(height: float) -> None:
    """Without its last row, in which no dot is, it has exactly one; lines or a border show that row."""
    bgr = screenshot_of("G....\nY..GB\n..B.R\nY...R\n.....\n", 60, CORNER)
    assert size_of(bgr[: CORNER[1] + round(60 * height)].copy()) is None


def test_the_tips_of_a_shaped_board_are_cells() -> None:
    """Only their lines go on beyond the others, three cells wide; without them it may have one solution."""
    board = WARPED["mouths"]
    puzzle, solution = puzzle_on(board, 0)
    shot = draw_screenshot(board, puzzle, Style(), 0, solution)
    (x0, y0), (x1, y1) = np.round(shot.frame.to_px([(0, 0), (9, 9)])).astype(int).tolist()
    assert size_of(shot.screenshot.bgr[y0:y1, x0:x1].copy()) is None


def test_lines_that_fade_beyond_a_board_are_no_cells() -> None:
    """Round the icon of the game they do; no other line crosses them."""
    bgr = screenshot_of(FIVE, 60, (140, 140))
    for n in range(1, 5):
        for away in range(60):
            shade = tuple(int((1 - away / 90) * part) for part in (63, 109, 63))
            for at in (139 - away, 441 + away):
                bgr[139 + 60 * n : 141 + 60 * n, at] = bgr[at, 139 + 60 * n : 141 + 60 * n] = shade
    assert size_of(bgr) == (5, 5)


@pytest.mark.parametrize("gap", [0, 12, 30])
def test_a_board_beside_what_looks_like_dots_is_read(gap: int) -> None:
    """Buttons in a row below the board, here and there on its lattice; and one right where a dot may be."""
    bgr = screenshot_of(FIVE, 60, CORNER)
    for n in range(4):
        cv2.circle(bgr, (CORNER[0] + 30 + 74 * n, CORNER[1] + 330 + gap), 21, (255, 255, 255), -1, 16)
    assert size_of(bgr) == (5, 5)


def test_a_pair_of_dots_right_beside_a_board_is_missed() -> None:
    """The last column has no lines at all; its dots stand in plain sight."""
    bgr = screenshot_of(FIVE, 60, CORNER)
    part = bgr.copy()
    part[:, CORNER[0] + 182 :] = 0
    assert size_of(part) == (5, 3)
    for row, colour in ((1, (255, 0, 255)), (3, (255, 0, 255))):
        cv2.circle(part, (CORNER[0] + 210, CORNER[1] + 60 * row + 30), 21, colour, -1, cv2.LINE_AA)
    assert size_of(part) is None
