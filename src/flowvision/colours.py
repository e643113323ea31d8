"""Colours of the game: names, letters, shades, contrast; one for every letter. No NumPy, no OpenCV."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct


class Rgb(NamedTuple):
    """A colour, 0 to 255 a channel."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """``#rrggbb``."""
        return f"#{bytes(self).hex()}"

    @property
    def bgr(self) -> tuple[int, int, int]:
        """The channels in OpenCV's order."""
        return self.blue, self.green, self.red

    @classmethod
    def of_bgr(cls, bgr: Iterable[int]) -> Rgb:
        """Return the colour of a pixel in OpenCV's order."""
        blue, green, red = bgr
        return cls(red, green, blue)


class NamedColour(Struct, frozen=True):
    """A colour of the game: its name, and its shades in the looks of ``PALETTES``, in order."""

    name: str
    shades: tuple[Rgb, ...]

    @property
    def rgb(self) -> Rgb:
        """The shade in which the current game draws it."""
        return self.shades[0]


def rgbs(digits: str) -> tuple[Rgb, ...]:
    """Return the colours of words of six hexadecimal digits, as in CSS."""
    return tuple(Rgb(*bytes.fromhex(word)) for word in digits.split())


COLOURS = {
    "R": NamedColour("red", rgbs("ff0000 ff0000 ea3323 c5181b")),
    "B": NamedColour("blue", rgbs("0c29fe 0000ff 1428f4 00508b")),
    "G": NamedColour("green", rgbs("008d00 008000 3d8b26 00622e")),
    "Y": NamedColour("yellow", rgbs("eae000 eeee00 e8e04a")),
    "O": NamedColour("orange", rgbs("fb8900 ff7f00 ec8e34 b35f14")),
    "C": NamedColour("cyan", rgbs("00ffff 00ffff 75fbfe")),
    "M": NamedColour("magenta", rgbs("ff0ac9 ff00ff ea35c2")),
    "N": NamedColour("brown", rgbs("a52a2a a52a2a 97342f")),
    "P": NamedColour("purple", rgbs("800080 800080 74147b 6b1965")),
    "W": NamedColour("white", rgbs("ffffff ffffff ffffff")),
    "A": NamedColour("grey", rgbs("9f9fbd a6a6a6 9f9fbb 808080")),
    "L": NamedColour("lime", rgbs("00ff00 00ff00 75fb4c")),
    "T": NamedColour("tan", rgbs("a18a51 bdb76b 9d8a59")),
    "E": NamedColour("teal", rgbs("008080 008080")),
    "I": NamedColour("indigo", rgbs("09199f 00008b 3928b0")),
    "K": NamedColour("pink", rgbs("ff7dee ff1494")),
}
"""By letter, in the order in which new flows take them; shades as measured on screenshots, and plain grey."""

_ORDER = "RBGYOCMNPWALTIEK"
_LOOKS = {"current": _ORDER, "old": _ORDER, "wide": _ORDER[:13], "muted": "RGBPO"}
PALETTES = {
    look: tuple(COLOURS[letter].shades[number] for letter in order)
    for number, (look, order) in enumerate(_LOOKS.items())
}
"""The colours of flows in each look of the game, in the order in which it takes them."""

HUE = 24
"""Difference of channels (of 255) below which a colour has no hue: the game's greyest, blue-grey, has 30."""
BLACK_BELOW, GREY_BELOW = 64, 210
"""Lightest channel (of 255) below which a colour without a hue is black, or grey."""

BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)
MIN_CONTRAST = 3.0
"""Contrast that WCAG 2.1 requires of graphics (success criterion 1.4.11)."""
HIDDEN = 1.4
"""A pipe with less contrast is hardly visible: yellow on white has 1.2, black on dark grey 1.3. The game
draws navy on black, 1.41, without a rim."""
RIM_CONTRAST = 3.2
"""Contrast of a rim: soft edges and compression reduce it to the required one."""
SHADES, CLEAR_STEP = 16, 5
"""Steps from a colour to white or black; number of those after which a shade clearly differs from it."""


def colour_name(colour: Rgb) -> str:
    """Return the name of the game's nearest colour; for one without a hue, by lightness."""
    if max(colour) - min(colour) < HUE:
        return "black" if max(colour) < BLACK_BELOW else "grey" if max(colour) < GREY_BELOW else "white"

    def distance(letter: str) -> float:
        return float(min(squared_distance(shade, colour) for shade in COLOURS[letter].shades))

    return COLOURS[min(COLOURS, key=distance)].name


def squared_distance(a: Any, b: Any) -> Any:
    """Return squared distances in RGB, weighted like human vision (the "redmean" approximation).

    ``a``, ``b``: three channels each, numbers or arrays.
    """
    mean_red = (a[0] + b[0]) / 2
    red_weight, blue_weight = 2 + mean_red / 256, 2 + (255 - mean_red) / 256
    differences = [x - y for x, y in zip(a, b, strict=True)]
    red, green, blue = (difference**2 for difference in differences)
    return red_weight * red + 4 * green + blue_weight * blue


def letter_named(name: str) -> str | None:
    """Return the letter of the game's colour of that name, such as ``red``, or ``None``."""
    letters = (letter for letter, colour in COLOURS.items() if colour.name == name.lower())
    return next(letters, None)


def labels_for(letters: Sequence[str]) -> tuple[str, ...]:
    """Return labels of dots: the letters of their flows, or numbers from 1 when letters run out."""
    if "?" not in letters:
        return tuple(letters)
    return tuple(str(number) for number, _ in enumerate(letters, 1))


def palette_for(letters: Sequence[str]) -> tuple[Rgb, ...]:
    """Return a different colour for every letter, its own if that is free.

    The others take the game's colours that are left, then hues from all round the colour wheel.
    """
    chosen: dict[int, str] = {}
    for flow, letter in enumerate(letters):
        if letter.upper() in COLOURS and letter.upper() not in chosen.values():
            chosen[flow] = letter.upper()
    spare = [letter for letter in COLOURS if letter not in chosen.values()]
    palette = []
    for flow in range(len(letters)):
        if flow not in chosen and spare:
            chosen[flow] = spare.pop(0)
        palette.append(COLOURS[chosen[flow]].rgb if flow in chosen else _hue(flow))
    return tuple(palette)


def _hue(number: int) -> Rgb:
    """Return a colour of its own for every number, by steps of the golden ratio round the colour wheel."""
    from colorsys import hls_to_rgb

    # Three levels of lightness in turn, so that neighbours on the wheel differ in that as well.
    hue, lightness, saturation = 0.618 * number % 1, (0.35, 0.6, 0.8)[number % 3], 0.7
    channels = hls_to_rgb(hue, lightness, saturation)
    return Rgb(*(round(255 * channel) for channel in channels))


@lru_cache(maxsize=4096)
def luminance(colour: Rgb) -> float:
    """Return the relative luminance, 0 (black) to 1 (white), of an sRGB colour."""
    red, green, blue = map(_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: int) -> float:
    """Return the linear light of a channel, 0 to 1 (IEC 61966-2-1)."""
    part = channel / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def contrast(a: Rgb, b: Rgb) -> float:
    """Return the contrast of two colours, 1 to 21."""
    return _contrast(luminance(a), luminance(b))


def ink_on(ground: Rgb) -> Rgb:
    """Return white where it is legible on this colour, as in the game, else black.

    Large letters need a contrast of 3 (WCAG 2): white has 2.6 on the game's grey, 3.4 on its tan.
    """
    return WHITE if contrast(WHITE, ground) >= MIN_CONTRAST else BLACK


def rims_for(colour: Rgb, grounds: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Return the rims of a pipe, from inside out, that stand out from every ground.

    Usually one: the nearest sufficient shade of the colour. If none suffices, two: black and white.
    """
    luminances = sorted(map(luminance, grounds))
    # A pipe that stands out itself needs a rim that differs clearly from it.
    first_step = CLEAR_STEP if _lowest_contrast(colour, luminances) >= MIN_CONTRAST else 1
    for step in range(first_step, SHADES + 1):
        shades = [_mixed(colour, end, step / SHADES) for end in (WHITE, BLACK)]
        best = max(shades, key=lambda shade: _lowest_contrast(shade, luminances))
        if _lowest_contrast(best, luminances) >= RIM_CONTRAST:
            return (best,)
    return BLACK, WHITE


def shown_on(colour: Rgb, ground: Rgb) -> Rgb:
    """Return the colour, or its nearest shade that stands out from a ground."""
    return colour if contrast(colour, ground) >= MIN_CONTRAST else rims_for(colour, (ground,))[0]


def _lowest_contrast(colour: Rgb, luminances: Sequence[float]) -> float:
    """Return the contrast of a colour with the nearest of rising ``luminances``; 21 without any."""
    level = luminance(colour)
    place = bisect(luminances, level)
    next_ones = luminances[max(0, place - 1) : place + 1]  # below and above it
    return min((_contrast(level, other) for other in next_ones), default=21.0)


def _contrast(a: float, b: float) -> float:
    """Return the contrast of two luminances (WCAG 2.1), 1 to 21."""
    darker, brighter = sorted((a, b))
    return (brighter + 0.05) / (darker + 0.05)


def _mixed(a: Rgb, b: Rgb, share: float) -> Rgb:
    """Return the colour after a share of the way from one to the other."""
    return Rgb(*(round(x + share * (y - x)) for x, y in zip(a, b, strict=True)))
