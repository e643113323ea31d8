"""How the game has looked, as measured on real screenshots: its palettes, its line colours, its screens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Rgb
from flowvision.value import value_type

FACTORS = np.linspace(0.3, 1.0, 141)
"""Brightnesses of a fade-in frame or of a board behind a dialog."""
CLEARLY = 0.93
"""Brightness above which a palette counts as undimmed: the difference is not seen."""
EXACT = 10.0
"""Mean difference over the flows (of 255) between dimmed colours, once brightened, and their theme's."""
UNDIMMED = 8.0
"""Mean difference without brightening: a palette this near to a theme's is not dimmed."""
FEWEST = 3
"""Colours it takes to tell a dimmed palette from one of another game."""


@value_type
class Theme:
    """One look of the game. ``lines``: the grid line colours of its packs; ``glow``: its background bars."""

    name: str
    palette: tuple[Rgb, ...]
    lines: tuple[Rgb, ...]
    glow: tuple[Rgb, ...]
    blurred: bool = True
    """Background bars are blurred (new look) or flat with round ends (old look)."""


def _colours(*values: tuple[int, int, int]) -> tuple[Rgb, ...]:
    return tuple(Rgb(*value) for value in values)


GLOW = _colours((30, 0, 0), (0, 0, 28), (33, 0, 33), (0, 24, 24), (24, 16, 0), (0, 20, 0))
NEW_LINES = _colours(
    (63, 109, 63), (127, 63, 63), (127, 98, 63), (122, 119, 70), (66, 85, 131), (57, 117, 115)
)

CURRENT = Theme(
    "current",
    _colours(
        (255, 0, 0), (12, 41, 254), (0, 141, 0), (234, 224, 0), (251, 137, 0), (0, 255, 255), (255, 10, 201),
        (165, 42, 42), (128, 0, 128), (255, 255, 255), (159, 159, 189), (0, 255, 0), (161, 138, 81),
        (9, 25, 159), (0, 128, 128), (255, 125, 238),
    ),
    NEW_LINES,
    GLOW,
)  # fmt: skip
OLD = Theme(
    "old",
    _colours(
        (255, 0, 0), (0, 0, 255), (0, 128, 0), (238, 238, 0), (255, 127, 0), (0, 255, 255), (255, 0, 255),
        (165, 42, 42), (128, 0, 128), (255, 255, 255), (166, 166, 166), (0, 255, 0), (189, 183, 107),
        (0, 0, 139), (0, 128, 128), (255, 20, 148),
    ),
    _colours((123, 123, 63), (127, 95, 63), (63, 127, 63), (63, 95, 127), (118, 104, 119)),
    _colours((26, 0, 26), (18, 18, 0), (0, 24, 24), (24, 24, 24), (0, 24, 0)),
    blurred=False,
)  # fmt: skip
WIDE = Theme(
    "wide",
    _colours(
        (234, 51, 35), (20, 40, 244), (61, 139, 38), (232, 224, 74), (236, 142, 52), (117, 251, 254),
        (234, 53, 194), (151, 52, 47), (116, 20, 123), (255, 255, 255), (159, 159, 187), (117, 251, 76),
        (157, 138, 89),
    ),
    _colours((74, 108, 68), (120, 66, 64), (119, 96, 66)),
    GLOW,
)  # fmt: skip
MUTED = Theme(
    "muted",
    _colours((197, 24, 27), (0, 98, 46), (0, 80, 139), (107, 25, 101), (179, 95, 20)),
    NEW_LINES,
    GLOW,
)

THEMES = {theme.name: theme for theme in (CURRENT, OLD, WIDE, MUTED)}
"""Every look, by name."""


@value_type
class Phone:
    """A screen in pixels. Fractions are of its width or height, as measured on real screenshots."""

    name: str
    width: int
    height: int
    dithered: bool = False
    """iPhones dither the glow pixel by pixel."""

    @property
    def line_px(self) -> int:
        """Grid lines are 0.3 % of the board's width, whatever the cell size."""
        return max(2, round(0.003 * self.width))

    def place(self, rows: float, cols: float) -> tuple[float, float, float]:
        """Left, top and pitch of a board of so many cell units, in pixels.

        As wide as the screen but for 0.3 % on each side, or, where it is tall, between 11 % and 76 % of
        the height; its middle lies at 47 % of the height.
        """
        margin = max(1.5, 0.003 * self.width)
        pitch = min((self.width - 2 * margin) / cols, 0.65 * self.height / rows)
        top = max(0.11 * self.height, 0.47 * self.height - pitch * rows / 2)
        return (self.width - pitch * cols) / 2, top, pitch


PHONES = {
    phone.name: phone
    for phone in (
        Phone("small", 720, 1280),
        Phone("slim", 720, 1480),
        Phone("iphone-xr", 828, 1792, dithered=True),
        Phone("vivo", 864, 1872),
        Phone("full-hd", 1080, 1920),
        Phone("galaxy", 1080, 2400),
        Phone("iphone-15", 1179, 2556, dithered=True),
        Phone("iphone-max", 1242, 2688, dithered=True),
        Phone("quad-hd", 1440, 2560),
        Phone("tablet", 1392, 1994),
    )
}
"""Every screen, by name."""


def brightness_of(palette: Sequence[Rgb]) -> float:
    """How bright a palette is next to the game's, 1.0 unless all of it is a theme's, dimmed by one factor."""
    if len(palette) < FEWEST:
        return 1.0
    colours = np.array(palette, np.float64)
    themes = [np.array(theme.palette, np.float64) for theme in THEMES.values()]
    if any(_misfits(colours[None], theme)[0] < UNDIMMED for theme in themes):
        return 1.0
    # By others even the brightest colour alone would become too bright.
    factors = FACTORS[colours.max() / FACTORS <= 255 + EXACT * len(palette)]
    if not len(factors) or factors[0] >= CLEARLY:
        return 1.0
    brightened = colours[None] / factors[:, None, None]
    misfits = np.min([_misfits(brightened, theme) for theme in themes], axis=0)
    best = int(misfits.argmin())
    dimmed = misfits[best] < EXACT and factors[best] < CLEARLY
    return float(factors[best]) if dimmed else 1.0


def brightened(colour: Rgb, brightness: float) -> Rgb:
    """The colour before it was dimmed."""
    return Rgb(*(min(255, round(channel / brightness)) for channel in colour))


def _misfits(palettes: NDArray[np.float64], theme: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,): how far the colours of each palette (N, flows, 3) are from the nearest of a theme, by mean."""
    # Channel by channel, and the theme first: NumPy takes twenty times as long over short last axes.
    away = np.zeros((len(theme), *palettes.shape[:2]))
    for channel in range(3):
        apart = np.abs(theme[:, None, None, channel] - palettes[..., channel])
        np.maximum(away, apart, out=away)
    return np.asarray(away.min(axis=0).mean(axis=1))
