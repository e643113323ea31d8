"""Contrast between colours, and the rims that make a pipe stand out from its ground (WCAG 2)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache

from flowvision.colours import Rgb

BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)
MIN_CONTRAST = 3.0
"""Contrast that WCAG 2.1 requires of graphics (success criterion 1.4.11)."""
HIDDEN = 1.4
"""A pipe with less contrast is hardly visible: yellow on white has 1.2, black on dark grey 1.3. The game
draws navy on black, 1.41, without a rim."""
SHADES = 16
"""Steps from a colour to white or black."""


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
    lights = sorted(luminance(ground) for ground in grounds)
    first_step = 5 if _lowest(colour, lights) >= MIN_CONTRAST else 1
    for step in range(first_step, SHADES + 1):
        shades = [_mixed(colour, end, step / SHADES) for end in (WHITE, BLACK)]
        best = max(shades, key=lambda shade: _lowest(shade, lights))
        if _lowest(best, lights) >= 3.2:  # soft edges and compression reduce it
            return (best,)
    return BLACK, WHITE


def shown_on(colour: Rgb, ground: Rgb) -> Rgb:
    """Return the colour, or its nearest shade that stands out from a ground."""
    return colour if contrast(colour, ground) >= MIN_CONTRAST else rims_for(colour, (ground,))[0]


def _lowest(colour: Rgb, lights: Sequence[float]) -> float:
    level = luminance(colour)
    place = bisect(lights, level)
    nearest = lights[max(0, place - 1) : place + 1]
    return min((_contrast(level, light) for light in nearest), default=21.0)


def _contrast(a: float, b: float) -> float:
    darker, brighter = sorted((a, b))
    return (brighter + 0.05) / (darker + 0.05)


def _mixed(a: Rgb, b: Rgb, share: float) -> Rgb:
    def between(x: int, y: int) -> int:
        return round(x + share * (y - x))

    return Rgb(*map(between, a, b))
