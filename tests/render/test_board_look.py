"""Boards drawn without a screenshot, read back by the reader: an oracle that shares nothing with drawing."""

from __future__ import annotations

import pytest

from flowvision.image.picture import Rgb
from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle.text import format_puzzle, parse
from flowvision.render.board_look import LEAST_PX, MOST_PX, draw_board
from flowvision.render.colours import NAMES, colour_name
from flowvision.render.letters import NAMED, palette_for
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


@pytest.mark.parametrize("letter", NAMED)
def test_colours_have_their_names(letter: str) -> None:
    """Every shade of the game's palettes, and a little off it."""
    for shade in NAMED[letter]:
        assert colour_name(Rgb(*shade)) == NAMES[letter]
        assert colour_name(Rgb(*(min(255, part + 2) for part in shade))) == NAMES[letter]


def test_any_number_of_letters_has_different_colours() -> None:
    """The game's own first; a letter that names a colour has it."""
    letters = "RGXYQZ" + "".join(map(chr, range(0x61, 0x7B))) + "0123456789"
    palette = palette_for(letters)
    assert len(set(palette)) == len(letters)
    assert palette[0] == Rgb(*NAMED["R"][0])
    assert palette[3] == Rgb(*NAMED["Y"][0])
