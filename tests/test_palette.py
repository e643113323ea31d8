import numpy as np
import pytest

from flowvision.colours import COLOURS, PALETTES, colour_name, labels_for, letter_named, palette_for
from flowvision.image.picture import Rgb
from flowvision.palette import brightness_of, letters_for, names_for, undimmed
from flowvision.puzzle.model import LETTERS

RED = Rgb(255, 0, 0)


@pytest.mark.parametrize("letter", COLOURS)
def test_colours_have_their_names(letter: str) -> None:
    for shade in COLOURS[letter].shades:
        assert colour_name(shade) == COLOURS[letter].name
        assert colour_name(Rgb(*(min(255, part + 2) for part in shade))) == COLOURS[letter].name
    assert letter_named(COLOURS[letter].name.title()) == letter


@pytest.mark.parametrize(
    ("grey", "name"), [(63, "black"), (64, "grey"), (209, "grey"), (210, "white"), (255, "white")]
)
def test_colours_without_a_hue_are_named_by_lightness(grey: int, name: str) -> None:
    assert colour_name(Rgb(grey, grey, grey - 23)) == name
    assert colour_name(Rgb(63, 63, 39)) == "green"


def test_palette_for_gives_any_number_of_letters_different_colours() -> None:
    palette = palette_for(f"YGXRQZ{LETTERS[26:]}")
    assert len(set(palette)) == len(palette)
    assert (palette[0], palette[3]) == (COLOURS["Y"].rgb, COLOURS["R"].rgb)


def test_letters_for_gives_every_flow_its_own_letter() -> None:
    assert letters_for([]) == ()
    assert letters_for(palette_for(list(COLOURS))) == tuple(COLOURS)
    of_one_colour = letters_for([RED] * 20)
    assert len(set(of_one_colour)) == 20
    assert of_one_colour[0] == "R"
    assert labels_for(of_one_colour) == of_one_colour


def test_flows_beyond_all_letters_are_labelled_by_numbers() -> None:
    letters = letters_for([RED] * 70)
    assert set(LETTERS) < set(letters)
    assert labels_for(letters) == tuple(map(str, range(1, 71)))


def test_names_for_gives_every_flow_the_name_of_its_letter() -> None:
    palette = [Rgb(76, 0, 0), Rgb(50, 13, 13), Rgb(70, 67, 0), Rgb(40, 1, 1), RED]
    assert len({colour_name(colour) for colour in palette}) < len(palette)
    names = names_for(palette)
    assert names == tuple(COLOURS[letter].name for letter in letters_for(palette))
    assert len(set(names)) == len(palette)


themes = pytest.mark.parametrize("theme", PALETTES.values(), ids=list(PALETTES))


@themes
@pytest.mark.parametrize("dim", [0.15, 0.3, 0.5, 0.65, 0.8, 0.9])
def test_a_theme_is_brightened_where_it_is_dimmed(theme: tuple[Rgb, ...], dim: float) -> None:
    full = theme[:5]
    dimmed = [Rgb(*(round(part * dim) for part in colour)) for colour in full]
    assert brightness_of(dimmed) == pytest.approx(dim, abs=0.02)
    assert letters_for(dimmed) == letters_for(full)
    rounding, of_brightness = 0.6 / dim, 6
    assert np.abs(np.subtract(undimmed(dimmed), full)).max() <= rounding + of_brightness


@themes
def test_three_colours_of_a_theme_are_not_dimmed(theme: tuple[Rgb, ...]) -> None:
    for start in range(len(theme) - 2):
        assert brightness_of(theme[start : start + 3]) == 1.0


@pytest.mark.parametrize(
    "palette",
    [
        [(158, 43, 39), (65, 65, 65), (86, 51, 28), (0, 0, 170), (24, 20, 20)],
        [(66, 127, 42), (218, 209, 71), (230, 127, 49), (67, 86, 225), (255, 255, 255)],
        [(250, 17, 44), (24, 65, 255), (247, 239, 24), (16, 165, 0), (192, 44, 233)],
        [(128, 0, 0), (0, 0, 127)],
    ],
)
def test_palettes_of_other_games_stay(palette: list[tuple[int, int, int]]) -> None:
    assert brightness_of([Rgb(*colour) for colour in palette]) == 1.0
