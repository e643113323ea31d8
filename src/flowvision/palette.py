"""The colours of flows: their names, their letters, and the shades in which the game's palettes draw them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Rgb
from flowvision.puzzle.model import LETTERS
from flowvision.value import value_type


@value_type
class NamedColour:
    """A colour of the game: its flow's letter, its name, and its shades, the current palette's first."""

    letter: str
    name: str
    shades: tuple[Rgb, ...]

    @property
    def rgb(self) -> Rgb:
        """The shade in which the current game draws it."""
        return self.shades[0]


def _colour(letter: str, name: str, *shades: tuple[int, int, int]) -> NamedColour:
    return NamedColour(letter, name, tuple(Rgb(*shade) for shade in shades))


COLOURS = {
    colour.letter: colour
    for colour in (
        _colour("R", "red", (255, 0, 0), (234, 51, 35), (197, 24, 27)),
        _colour("B", "blue", (12, 41, 254), (0, 0, 255), (20, 40, 244), (0, 80, 139)),
        _colour("G", "green", (0, 141, 0), (0, 128, 0), (61, 139, 38), (0, 98, 46)),
        _colour("Y", "yellow", (234, 224, 0), (238, 238, 0), (232, 224, 74)),
        _colour("O", "orange", (251, 137, 0), (255, 127, 0), (236, 142, 52), (179, 95, 20)),
        _colour("C", "cyan", (0, 255, 255), (117, 251, 254)),
        _colour("M", "magenta", (255, 10, 201), (255, 0, 255), (234, 53, 194)),
        _colour("N", "brown", (165, 42, 42), (151, 52, 47)),
        _colour("P", "purple", (128, 0, 128), (116, 20, 123), (107, 25, 101)),
        _colour("W", "white", (255, 255, 255)),
        _colour("A", "grey", (159, 159, 189), (166, 166, 166), (128, 128, 128)),
        _colour("L", "lime", (0, 255, 0), (117, 251, 76)),
        _colour("T", "tan", (161, 138, 81), (189, 183, 107), (157, 138, 89)),
        _colour("E", "teal", (0, 128, 128)),
        _colour("I", "indigo", (9, 25, 159), (0, 0, 139), (57, 40, 176)),
        _colour("K", "pink", (255, 125, 238), (255, 20, 148)),
    )
}
"""By letter, in the order in which new flows take them; shades as measured on screenshots, and plain grey."""
GOLDEN = 0.618
"""Step between hues, of the colour circle: the golden ratio keeps any number of them apart."""
_LETTERS = sorted(COLOURS)
_SHADES = np.array([shade for letter in _LETTERS for shade in COLOURS[letter].shades], np.float64)
_FIRST_SHADES = np.cumsum([0, *(len(COLOURS[letter].shades) for letter in _LETTERS)])[:-1]
"""Where each letter's shades begin in ``_SHADES``."""


def colour_name(colour: Rgb) -> str:
    """The name of the game's colour that is nearest to this one."""
    apart = _distances(_SHADES, np.array(colour, np.float64))
    return COLOURS[_LETTERS[int(np.minimum.reduceat(apart, _FIRST_SHADES).argmin())]].name


def letter_named(name: str) -> str | None:
    """The letter of the game's colour of that name, such as ``red``; ``None`` where there is none."""
    return next((colour.letter for colour in COLOURS.values() if colour.name == name.lower()), None)


def letters_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """A different letter for every colour: that of the nearest named colour, closest first.

    Colours left over take the remaining letters, then small letters and digits.
    """
    if not palette:
        return ()
    # (letters, flows), so that of equal distances the first letter is taken, then the first flow.
    apart = np.minimum.reduceat(_distances(_SHADES[:, None], np.array(palette, np.float64)), _FIRST_SHADES)
    chosen, taken = dict[int, str](), set[str]()
    for nearest in np.argsort(apart, axis=None, kind="stable").tolist():
        letter, flow = _LETTERS[nearest // len(palette)], nearest % len(palette)
        if flow not in chosen and letter not in taken:
            chosen[flow] = letter
            taken.add(letter)
    spare = iter([*(letter for letter in LETTERS if letter not in taken), *("?" for _ in palette)])
    return tuple(chosen[flow] if flow in chosen else next(spare) for flow in range(len(palette)))


def palette_for(letters: Sequence[str]) -> tuple[Rgb, ...]:
    """A different colour for every letter: the one it is named after where there is one and it is free.

    The others take the game's colours that are left, then hues from all round the colour wheel.
    """
    chosen: dict[int, str] = {}
    for flow, letter in enumerate(letters):
        if letter.upper() in COLOURS and letter.upper() not in chosen.values():
            chosen[flow] = letter.upper()
    spare = [letter for letter in COLOURS if letter not in chosen.values()]
    made = []
    for flow in range(len(letters)):
        if flow not in chosen and spare:
            chosen[flow] = spare.pop(0)
        made.append(COLOURS[chosen[flow]].rgb if flow in chosen else _hue(flow))
    return tuple(made)


def _hue(number: int) -> Rgb:
    from colorsys import hls_to_rgb

    light = (0.35, 0.6, 0.8)[number % 3]
    return Rgb(*(round(255 * part) for part in hls_to_rgb(GOLDEN * number % 1, light, 0.7)))


def _distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances in RGB (..., 3), weighted as the eye sees them (the "redmean" approximation)."""
    mean_red = (a[..., 0] + b[..., 0]) / 2
    red, green, blue = np.moveaxis((a - b) ** 2, -1, 0)
    return np.asarray((2 + mean_red / 256) * red + 4 * green + (2 + (255 - mean_red) / 256) * blue)
