"""Colours of flows: names, letters, and their shades in the game's palettes.

A board that fades in, or lies behind a dialog, is dimmed; its colours are matched to the game's full ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Rgb
from flowvision.puzzle.model import LETTERS


class NamedColour(Struct, frozen=True):
    """A colour of the game: its name, and its shades in the looks of ``PALETTES``, in order."""

    name: str
    shades: tuple[Rgb, ...]

    @property
    def rgb(self) -> Rgb:
        """The shade in which the current game draws it."""
        return self.shades[0]


def rgbs(*values: tuple[int, int, int]) -> tuple[Rgb, ...]:
    """Return colours from plain tuples."""
    return tuple(Rgb(*value) for value in values)


COLOURS = {
    "R": NamedColour("red", rgbs((255, 0, 0), (255, 0, 0), (234, 51, 35), (197, 24, 27))),
    "B": NamedColour("blue", rgbs((12, 41, 254), (0, 0, 255), (20, 40, 244), (0, 80, 139))),
    "G": NamedColour("green", rgbs((0, 141, 0), (0, 128, 0), (61, 139, 38), (0, 98, 46))),
    "Y": NamedColour("yellow", rgbs((234, 224, 0), (238, 238, 0), (232, 224, 74))),
    "O": NamedColour("orange", rgbs((251, 137, 0), (255, 127, 0), (236, 142, 52), (179, 95, 20))),
    "C": NamedColour("cyan", rgbs((0, 255, 255), (0, 255, 255), (117, 251, 254))),
    "M": NamedColour("magenta", rgbs((255, 10, 201), (255, 0, 255), (234, 53, 194))),
    "N": NamedColour("brown", rgbs((165, 42, 42), (165, 42, 42), (151, 52, 47))),
    "P": NamedColour("purple", rgbs((128, 0, 128), (128, 0, 128), (116, 20, 123), (107, 25, 101))),
    "W": NamedColour("white", rgbs((255, 255, 255), (255, 255, 255), (255, 255, 255))),
    "A": NamedColour("grey", rgbs((159, 159, 189), (166, 166, 166), (159, 159, 187), (128, 128, 128))),
    "L": NamedColour("lime", rgbs((0, 255, 0), (0, 255, 0), (117, 251, 76))),
    "T": NamedColour("tan", rgbs((161, 138, 81), (189, 183, 107), (157, 138, 89))),
    "E": NamedColour("teal", rgbs((0, 128, 128), (0, 128, 128))),
    "I": NamedColour("indigo", rgbs((9, 25, 159), (0, 0, 139), (57, 40, 176))),
    "K": NamedColour("pink", rgbs((255, 125, 238), (255, 20, 148))),
}
"""By letter, in the order in which new flows take them; shades as measured on screenshots, and plain grey."""

_ORDER = "RBGYOCMNPWALTIEK"
_LOOKS = {"current": _ORDER, "old": _ORDER, "wide": _ORDER[:13], "muted": "RGBPO"}
PALETTES = {
    look: tuple(COLOURS[letter].shades[number] for letter in order)
    for number, (look, order) in enumerate(_LOOKS.items())
}
"""The colours of flows in each look of the game, in the order in which it takes them."""

FACTORS = np.linspace(0.12, 1.0, 177)
"""Brightnesses of a fade-in frame or of a board behind a dialog."""
CLEARLY = 0.93
"""Brightness above which a palette counts as undimmed: the difference is not seen."""
EXACT = 10.0
"""Mean difference over the flows (of 255) between dimmed colours, once brightened, and their theme's."""
UNDIMMED = 8.0
"""Largest mean difference from a theme, without brightening, of a palette that is not dimmed."""
FEWEST = 3
"""Fewest colours that tell a dimmed palette from another game's."""
HUE = 24
"""Difference of channels (of 255) below which a colour has no hue: the game's greyest, blue-grey, has 30."""
BLACK, WHITE = 64, 210
"""Upper limits of the lightest channel of black, and of grey."""
_LETTERS = sorted(COLOURS)
_SHADES = np.array([shade for letter in _LETTERS for shade in COLOURS[letter].shades], np.float64)
_FIRST_SHADES = np.cumsum([0, *(len(COLOURS[letter].shades) for letter in _LETTERS)])[:-1]
"""Where each letter's shades begin in ``_SHADES``."""


def colour_name(colour: Rgb) -> str:
    """Return the name of the game's nearest colour; for one without a hue, by lightness."""
    if max(colour) - min(colour) < HUE:
        return "black" if max(colour) < BLACK else "grey" if max(colour) < WHITE else "white"
    apart = _distances(_SHADES, np.array(colour, np.float64))
    return COLOURS[_LETTERS[int(np.minimum.reduceat(apart, _FIRST_SHADES).argmin())]].name


def letter_named(name: str) -> str | None:
    """Return the letter of the game's colour of that name, such as ``red``, or ``None``."""
    return next((letter for letter, colour in COLOURS.items() if colour.name == name.lower()), None)


def letters_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """Return a different letter for every colour: that of the nearest named colour, closest first.

    Other colours take the remaining letters, then small letters and digits. Dimmed colours are matched to the
    game's full ones.
    """
    if not palette:
        return ()
    palette = undimmed(palette)
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


def labels_for(letters: Sequence[str]) -> tuple[str, ...]:
    """Return labels of dots: the letters of their flows, or numbers from 1 when letters run out."""
    return tuple(map(str, range(1, len(letters) + 1))) if "?" in letters else tuple(letters)


def names_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """Return the names of the colours by their letters, so that no two flows share one."""
    pairs = zip(letters_for(palette), palette, strict=True)
    return tuple(COLOURS[letter].name if letter in COLOURS else colour_name(rgb) for letter, rgb in pairs)


def palette_for(letters: Sequence[str]) -> tuple[Rgb, ...]:
    """Return a different colour for every letter, its own if that is free.

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
    # Steps of the golden ratio keep any number of hues apart.
    return Rgb(*(round(255 * part) for part in hls_to_rgb(0.618 * number % 1, light, 0.7)))


def _distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return squared distances in RGB (..., 3), weighted like human vision (the "redmean" approximation)."""
    mean_red = (a[..., 0] + b[..., 0]) / 2
    red, green, blue = np.moveaxis((a - b) ** 2, -1, 0)
    return np.asarray((2 + mean_red / 256) * red + 4 * green + (2 + (255 - mean_red) / 256) * blue)


def undimmed(palette: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Return the colours as the game draws them undimmed."""
    return _undimmed(tuple(palette))


@lru_cache(8)
def _undimmed(palette: tuple[Rgb, ...]) -> tuple[Rgb, ...]:
    light = brightness_of(palette)
    if light == 1:
        return palette
    return tuple(Rgb(*(min(255, round(channel / light)) for channel in colour)) for colour in palette)


def brightness_of(palette: Sequence[Rgb]) -> float:
    """Return the brightness of a palette relative to the game's; 1.0 unless a theme is dimmed as a whole."""
    if len(palette) < FEWEST:
        return 1.0
    colours = np.array(palette, np.float64)
    themes = [np.array(theme, np.float64) for theme in PALETTES.values()]
    if any(_misfits(colours[None], theme)[0] < UNDIMMED for theme in themes):
        return 1.0
    # By others even the brightest colour alone would become too bright.
    factors = FACTORS[colours.max() / FACTORS <= 255 + EXACT * len(palette)]
    if not len(factors) or factors[0] >= CLEARLY:
        return 1.0
    misfits = np.min([_misfits(colours[None] / factors[:, None, None], theme) for theme in themes], axis=0)
    best = int(misfits.argmin())
    return float(factors[best]) if misfits[best] < EXACT and factors[best] < CLEARLY else 1.0


def _misfits(palettes: NDArray[np.float64], theme: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean distance (N,) of each palette's colours (N, flows, 3) from the nearest of a theme."""
    # Channel by channel, and the theme first: NumPy takes twenty times as long over short last axes.
    away = np.zeros((len(theme), *palettes.shape[:2]))
    for channel in range(3):
        np.maximum(away, np.abs(theme[:, None, None, channel] - palettes[..., channel]), out=away)
    return np.asarray(away.min(axis=0).mean(axis=1))
