"""Boards drawn without a screenshot, read back by the reader: an oracle that shares nothing with drawing."""

from __future__ import annotations

import pytest

from flowvision.palette import palette_for
from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle.text import format_puzzle, parse
from flowvision.render.board_look import LEAST_PX, MOST_PX, draw_board
from tests.drawing import FIVE, FIVE_SOLVED
from tests.made_boards import MADE


@pytest.mark.parametrize("text", [FIVE, *MADE.values()])
def test_a_drawn_board_is_read_back(text: str) -> None:
    """Cells, walls and dots in the colours that the letters name."""
    parsed = parse(text)
    plain = draw_board(parsed.board, parsed.puzzle, palette_for(parsed.letters))
    reading = read_image(plain.bgr).reading
    assert format_puzzle(reading.board, reading.puzzle) == format_puzzle(parsed.board, parsed.puzzle)


def test_it_is_solved_as_any_screenshot() -> None:
    """With the letters of the file."""
    parsed = parse(FIVE)
    answer = solve_image(draw_board(parsed.board, parsed.puzzle, palette_for(parsed.letters)).bgr)
    assert str(answer) == FIVE_SOLVED


@pytest.mark.parametrize("size", [2, 9, 40, 90])
def test_pictures_are_neither_huge_nor_too_small_to_see(size: int) -> None:
    """A cell has 16 pixels at least; a picture is about 1200 wide at most where that allows it."""
    rows = "\n".join(["R" + "." * (size - 1), *["." * size] * (size - 2), "." * (size - 1) + "R"])
    parsed = parse(rows)
    height, width = draw_board(parsed.board, parsed.puzzle, palette_for("R")).bgr.shape[:2]
    assert height == width
    assert LEAST_PX * size <= width <= max(MOST_PX, (LEAST_PX + 1) * (size + 1))
