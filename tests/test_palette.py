"""Colours have names and letters, and every flow a letter and a colour of its own."""

from __future__ import annotations

import pytest

from flowvision.image.picture import Rgb
from flowvision.palette import COLOURS, colour_name, letters_for, palette_for


@pytest.mark.parametrize("letter", COLOURS)
def test_colours_have_their_names(letter: str) -> None:
    """Every shade of the game's palettes, and a little off it."""
    for shade in COLOURS[letter].shades:
        assert colour_name(shade) == COLOURS[letter].name
        assert colour_name(Rgb(*(min(255, part + 2) for part in shade))) == COLOURS[letter].name


def test_any_number_of_letters_has_different_colours() -> None:
    """The game's own first; a letter that names a colour has it."""
    letters = "RGXYQZ" + "".join(map(chr, range(0x61, 0x7B))) + "0123456789"
    palette = palette_for(letters)
    assert len(set(palette)) == len(letters)
    assert palette[0] == COLOURS["R"].rgb
    assert palette[3] == COLOURS["Y"].rgb


def test_letters_and_colours_belong_together() -> None:
    """A palette made for letters gets these letters back, as far as they name colours."""
    assert letters_for(palette_for(list(COLOURS))) == tuple(COLOURS)


def test_letters_never_repeat() -> None:
    """Equal colours get different letters; none is left without one."""
    assert letters_for([]) == ()
    letters = letters_for([Rgb(255, 0, 0)] * 20)
    assert len(set(letters)) == 20
    assert letters[0] == "R"
