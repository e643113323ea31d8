"""A letter for every flow, after the name of its colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Rgb
from flowvision.puzzle.marks import LETTERS

NAMED = {
    "R": ((255, 0, 0), (234, 51, 35), (197, 24, 27)),
    "B": ((12, 41, 254), (0, 0, 255), (20, 40, 244), (0, 80, 139)),
    "G": ((0, 141, 0), (0, 128, 0), (61, 139, 38), (0, 98, 46)),
    "Y": ((234, 224, 0), (238, 238, 0), (232, 224, 74)),
    "O": ((251, 137, 0), (255, 127, 0), (236, 142, 52), (179, 95, 20)),
    "C": ((0, 255, 255), (117, 251, 254)),
    "M": ((255, 10, 201), (255, 0, 255), (234, 53, 194)),
    "N": ((165, 42, 42), (151, 52, 47)),
    "P": ((128, 0, 128), (116, 20, 123), (107, 25, 101)),
    "W": ((255, 255, 255),),
    "A": ((159, 159, 189), (166, 166, 166)),
    "L": ((0, 255, 0), (117, 251, 76)),
    "T": ((161, 138, 81), (189, 183, 107), (157, 138, 89)),
    "E": ((0, 128, 128),),
    "I": ((9, 25, 159), (0, 0, 139), (57, 40, 176)),
    "K": ((255, 125, 238), (255, 20, 148)),
}
"""Red, blue, green, yellow, orange, cyan, magenta, browN (maroon), purple, white, grAy, lime, tan, tEal,
Indigo (navy), pinK: as the game's palettes draw them."""


GOLDEN = 0.618
"""Of the circle of hues: steps of so much never come near one another for long."""
SHADES = np.array([shade for letter in sorted(NAMED) for shade in NAMED[letter]], np.float64)
FIRST_SHADES = np.cumsum([0, *(len(NAMED[letter]) for letter in sorted(NAMED))])[:-1]
"""Of every letter, in alphabetical order, where its shades begin in ``SHADES``."""


def letters_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """A different letter for every colour: that of the nearest named colour, closest first.

    Colours left over take the remaining letters, then small letters and digits.
    """
    if not palette:
        return ()
    # (letters, flows), so that of equal distances the first letter is taken, then the first flow.
    apart = np.minimum.reduceat(distances(SHADES[:, None], np.array(palette, np.float64)), FIRST_SHADES)
    named, chosen, taken = sorted(NAMED), dict[int, str](), set[str]()
    for nearest in np.argsort(apart, axis=None, kind="stable").tolist():
        letter, flow = named[nearest // len(palette)], nearest % len(palette)
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
        if letter.upper() in NAMED and letter.upper() not in chosen.values():
            chosen[flow] = letter.upper()
    spare = [name for name in NAMED if name not in chosen.values()]
    made = []
    for flow in range(len(letters)):
        if flow not in chosen and spare:
            chosen[flow] = spare.pop(0)
        made.append(Rgb(*NAMED[chosen[flow]][0]) if flow in chosen else _hue(flow))
    return tuple(made)


def _hue(number: int) -> Rgb:
    from colorsys import hls_to_rgb

    light = (0.35, 0.6, 0.8)[number % 3]
    return Rgb(*(round(255 * part) for part in hls_to_rgb(GOLDEN * number % 1, light, 0.7)))


def distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted distances in RGB (..., 3) that follow the eye (the "redmean" approximation of CIE's)."""
    mean_red = (a[..., 0] + b[..., 0]) / 2
    red, green, blue = np.moveaxis((a - b) ** 2, -1, 0)
    return np.asarray((2 + mean_red / 256) * red + 4 * green + (2 + (255 - mean_red) / 256) * blue)
