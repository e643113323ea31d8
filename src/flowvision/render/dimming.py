"""The full colours of a palette that was read from a dimmed board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Rgb
from flowvision.render.themes import THEMES

FACTORS = np.linspace(0.3, 1.0, 141)
"""Brightnesses of a fade-in frame or of a board behind a dialog."""
CLEARLY = 0.93
"""Above this nobody sees a difference."""
EXACT = 10.0
"""Of 255: how far a dimmed colour may be from its theme's, by mean over the flows, once brightened."""
PLAIN = 8.0
"""The same without brightening: a palette this near to a theme's is not dimmed."""
FEWEST = 3
"""Colours it takes to tell a dimmed palette from one of another game."""


def brightness_of(palette: Sequence[Rgb]) -> float:
    """How bright a palette is next to the game's, 1.0 unless all of it is a theme's, dimmed by one factor."""
    if len(palette) < FEWEST:
        return 1.0
    colours = np.array(palette, np.float64)
    themes = [np.array(theme.palette, np.float64) for theme in THEMES.values()]
    if min(float(_misfits(colours[None], theme)[0]) for theme in themes) < PLAIN:
        return 1.0
    brightened = colours[None] / FACTORS[:, None, None]
    misfits = np.min([_misfits(brightened, theme) for theme in themes], axis=0)
    best = int(misfits.argmin())
    dimmed = misfits[best] < EXACT and FACTORS[best] < CLEARLY
    return float(FACTORS[best]) if dimmed else 1.0


def brightened(colour: Rgb, brightness: float) -> Rgb:
    """What a dimmed colour was before."""
    return Rgb(*(min(255, round(channel / brightness)) for channel in colour))


def _misfits(palettes: NDArray[np.float64], theme: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,): how far the colours of each palette (N, flows, 3) are from the nearest of a theme, by mean."""
    # Channel by channel, and the theme first: NumPy takes twenty times as long over short last axes.
    away = np.zeros((len(theme), *palettes.shape[:2]))
    for channel in range(3):
        apart = np.abs(theme[:, None, None, channel] - palettes[..., channel])
        np.maximum(away, apart, out=away)
    return np.asarray(away.min(axis=0).mean(axis=1))
