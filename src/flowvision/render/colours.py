"""Colours by name: what the colour of a flow is called."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Rgb
from flowvision.render.letters import FIRST_SHADES, NAMED, SHADES, distances

NAMES = {
    "R": "red", "B": "blue", "G": "green", "Y": "yellow", "O": "orange", "C": "cyan", "M": "magenta",
    "N": "brown", "P": "purple", "W": "white", "A": "grey", "L": "lime", "T": "tan", "E": "teal",
    "I": "indigo", "K": "pink",
}  # fmt: skip
"""What the colours of ``letters.NAMED`` are called."""


def colour_name(colour: Rgb) -> str:
    """What a colour is called: the nearest of the game's colours."""
    apart = np.minimum.reduceat(distances(SHADES, np.array(colour, np.float64)), FIRST_SHADES)
    return NAMES[sorted(NAMED)[int(apart.argmin())]]
