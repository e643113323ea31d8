import pytest

from flowvision.image.picture import Rgb
from flowvision.palette import (
    COLOURS,
    PALETTES,
    brightness_of,
    colour_name,
    letters_for,
    names_for,
    palette_for,
    undimmed,
)


@pytest.mark.parametrize("letter", COLOURS)
def test_colours_have_their_names(letter: str) -> None:
    for shade in COLOURS[letter].shades:
        assert colour_name(shade) == COLOURS[letter].name
        assert colour_name(Rgb(*(min(255, part + 2) for part in shade))) == COLOURS[letter].name


def test_any_number_of_letters_has_different_colours() -> None:
    letters = "YGXRQZ" + "".join(map(chr, range(0x61, 0x7B))) + "0123456789"
    palette = palette_for(letters)
    assert len(set(palette)) == len(letters)
    assert palette[0] == COLOURS["Y"].rgb
    assert palette[3] == COLOURS["R"].rgb


def test_letters_and_colours_belong_together() -> None:
    assert letters_for(palette_for(list(COLOURS))) == tuple(COLOURS)


def test_names_are_what_letters_stand_for() -> None:
    palette = [Rgb(76, 0, 0), Rgb(50, 13, 13), Rgb(70, 67, 0), Rgb(40, 1, 1), Rgb(255, 0, 0)]
    assert len({colour_name(colour) for colour in palette}) < len(palette)
    letters, names = letters_for(palette), names_for(palette)
    assert names == tuple(COLOURS[letter].name for letter in letters)
    assert len(set(names)) == len(palette)


def test_letters_never_repeat() -> None:
    assert letters_for([]) == ()
    letters = letters_for([Rgb(255, 0, 0)] * 20)
    assert len(set(letters)) == 20
    assert letters[0] == "R"


@pytest.mark.parametrize("theme", PALETTES.values(), ids=list(PALETTES))
@pytest.mark.parametrize("dim", [0.5, 0.65, 0.8, 0.9])
def test_a_dimmed_theme_is_brightened(theme, dim):
    palette = [Rgb(*(round(part * dim) for part in colour)) for colour in theme[:5]]
    assert brightness_of(palette) == pytest.approx(dim, abs=0.02)
    for colour, bright in zip(theme, undimmed(palette), strict=False):
        assert max(abs(a - b) for a, b in zip(bright, colour, strict=True)) <= 8


@pytest.mark.parametrize("theme", PALETTES.values(), ids=list(PALETTES))
def test_a_theme_as_it_is_stays(theme):
    for start in range(len(theme) - 2):
        assert brightness_of(theme[start : start + 3]) == 1.0


@pytest.mark.parametrize(
    "palette",
    [
        [(158, 43, 39), (65, 65, 65), (86, 51, 28), (0, 0, 170), (24, 20, 20)],
        [(66, 127, 42), (218, 209, 71), (230, 127, 49), (67, 86, 225), (255, 255, 255)],
        [(250, 17, 44), (24, 65, 255), (247, 239, 24), (16, 165, 0), (192, 44, 233)],
    ],
)
def test_palettes_of_other_games_stay(palette):
    assert brightness_of([Rgb(*colour) for colour in palette]) == 1.0


@pytest.mark.parametrize("dim", [0.15, 0.3, 0.5, 0.7])
def test_letters_and_names_of_a_dimmed_board_are_those_of_the_game(dim):
    palette = PALETTES["current"][:8]
    dimmed = [Rgb(*(round(part * dim) for part in colour)) for colour in palette]
    assert letters_for(dimmed) == letters_for(palette)
    assert [colour_name(colour) for colour in undimmed(dimmed)] == [colour_name(colour) for colour in palette]
