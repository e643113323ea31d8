"""Colours have names and letters, and every flow a letter and a colour of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.image.picture import Rgb
from flowvision.palette import (
    COLOURS,
    colour_name,
    contrast,
    letters_for,
    luminance,
    palette_for,
    rims_for,
    shown_on,
)


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


ANY_COLOUR = st.builds(Rgb, *[st.integers(0, 255)] * 3)
BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (BLACK, WHITE, 21.0),
        (Rgb(255, 0, 0), WHITE, 3.998),
        (Rgb(119, 119, 119), WHITE, 4.478),
        (Rgb(0, 0, 255), BLACK, 2.444),
    ],
)
def test_published_contrasts(a, b, expected):
    """The figures that every checker of web pages gives."""
    assert contrast(a, b) == pytest.approx(expected, abs=0.01)
    assert contrast(b, a) == contrast(a, b)


@given(ANY_COLOUR, st.lists(ANY_COLOUR, min_size=1, max_size=5))
def test_rims_stand_out_from_every_ground(colour, grounds):
    """One shade that does; or two, one of which does on each ground."""
    rims = rims_for(colour, grounds)
    assert 1 <= len(rims) <= 2
    for ground in grounds:
        assert max(contrast(shade, ground) for shade in rims) >= 3


@given(ANY_COLOUR)
def test_on_one_ground_there_is_one_rim_at_most(colour):
    """Some shade of any colour stands out from any single ground."""
    for ground in (BLACK, WHITE, Rgb(118, 118, 118)):
        assert len(rims_for(colour, (ground,))) <= 1
        assert contrast(shown_on(colour, ground), ground) >= 3


def test_luminance_runs_from_black_to_white():
    """From 0 to 1, and green is brighter than red, red than blue."""
    primaries = [luminance(Rgb(*colour)) for colour in ((0, 255, 0), (255, 0, 0), (0, 0, 255))]
    assert [luminance(WHITE), *primaries, luminance(BLACK)] == sorted(
        [luminance(BLACK), luminance(WHITE), *primaries], reverse=True
    )
