"""Palettes that were read: letters and names of their colours, and their brightness.

A board that fades in, or lies behind a dialog, is dimmed; its colours are matched to the game's full ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from flowvision.colours import COLOURS, PALETTES, Rgb, colour_name, squared_distance
from flowvision.puzzle.model import LETTERS

Floats = NDArray[np.float64]

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
_LETTERS = sorted(COLOURS)
_SHADES = np.array([shade for letter in _LETTERS for shade in COLOURS[letter].shades], np.float64)
_SHADES_OF = [len(COLOURS[letter].shades) for letter in _LETTERS]
_FIRST_SHADES = np.cumsum([0, *_SHADES_OF[:-1]])
"""Where each letter's shades begin in ``_SHADES``."""


def letters_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """Return a different letter for every colour: that of the nearest named colour, closest first.

    Other colours take the remaining letters, then small letters and digits. Dimmed colours are matched to the
    game's full ones.
    """
    if not palette:
        return ()
    palette = undimmed(palette)
    from_shades = _distances(_SHADES[:, None], np.array(palette, np.float64))
    # (letters, flows), so that of equal distances the first letter is taken, then the first flow.
    distances = np.minimum.reduceat(from_shades, _FIRST_SHADES)  # of each letter its nearest shade
    chosen, free = dict[int, str](), dict.fromkeys(LETTERS)
    for flat_index in np.argsort(distances, axis=None, kind="stable").tolist():
        letter_number, flow = divmod(flat_index, len(palette))
        letter = _LETTERS[letter_number]
        if flow not in chosen and letter in free:
            chosen[flow] = letter
            del free[letter]
    spare = chain(free, repeat("?"))
    return tuple(chosen[flow] if flow in chosen else next(spare) for flow in range(len(palette)))


def names_for(palette: Sequence[Rgb]) -> tuple[str, ...]:
    """Return a name for every colour: that of its letter in the game, else of the game's nearest colour.

    Two colours may have the same name.
    """
    names = []
    for letter, rgb in zip(letters_for(palette), palette, strict=True):
        names.append(COLOURS[letter].name if letter in COLOURS else colour_name(rgb))
    return tuple(names)


def _distances(a: Floats, b: Floats) -> Floats:
    """Return the squared distances of colours (…, 3), broadcast against one another."""
    return np.asarray(squared_distance(np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)))


def undimmed(palette: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Return the colours as the game draws them undimmed."""
    return _undimmed(tuple(palette))


@lru_cache(8)
def _undimmed(palette: tuple[Rgb, ...]) -> tuple[Rgb, ...]:
    """Return the colours at full brightness."""
    brightness = brightness_of(palette)
    if brightness == 1:
        return palette
    channels = np.minimum(255, np.round(np.array(palette) / brightness)).astype(int)
    return tuple(Rgb(*colour) for colour in channels.tolist())


def brightness_of(palette: Sequence[Rgb]) -> float:
    """Return the brightness of a palette, a share of that of its theme; 1.0 unless all of it is dimmed.

    A theme is one of ``PALETTES``.
    """
    if len(palette) < FEWEST:
        return 1.0
    colours = np.array(palette, np.float64)
    themes = [np.array(theme, np.float64) for theme in PALETTES.values()]
    if any(_misfits(colours[None], theme)[0] < UNDIMMED for theme in themes):
        return 1.0
    # Divided by a lower factor, the brightest channel alone would exceed 255 by more than all flows together
    # may: ``EXACT`` is a mean over them. The factor 1.0 is always left.
    factors = FACTORS[colours.max() / FACTORS <= 255 + EXACT * len(palette)]
    if factors[0] >= CLEARLY:
        return 1.0
    brightened = colours / factors[:, None, None]
    misfits = np.min([_misfits(brightened, theme) for theme in themes], axis=0)
    best = int(misfits.argmin())
    is_dimmed = misfits[best] < EXACT and factors[best] < CLEARLY
    return float(factors[best]) if is_dimmed else 1.0


def _misfits(palettes: Floats, theme: Floats) -> Floats:
    """Return the mean distance (N,) of each palette's colours (N, flows, 3) from the nearest of a theme."""
    # Channel by channel, and the theme first: NumPy takes twenty times as long over short last axes.
    largest = np.zeros((len(theme), *palettes.shape[:2]))
    for channel in range(3):
        differences = np.abs(theme[:, None, None, channel] - palettes[..., channel])
        np.maximum(largest, differences, out=largest)
    return np.asarray(largest.min(axis=0).mean(axis=1))
