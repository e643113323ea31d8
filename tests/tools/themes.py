"""How the game has looked, as measured on real screenshots: its line colours, its screens."""

from __future__ import annotations

from msgspec import Struct

from flowvision.image.picture import Rgb
from flowvision.palette import PALETTES, rgbs


class Theme(Struct, frozen=True):
    """One look of the game. ``lines``: the grid line colours of its packs; ``glow``: its background bars."""

    name: str
    palette: tuple[Rgb, ...]
    lines: tuple[Rgb, ...]
    glow: tuple[Rgb, ...]
    blurred: bool = True
    """Background bars are blurred (new look) or flat with round ends (old look)."""


GLOW = rgbs((30, 0, 0), (0, 0, 28), (33, 0, 33), (0, 24, 24), (24, 16, 0), (0, 20, 0))
NEW_LINES = rgbs((63, 109, 63), (127, 63, 63), (127, 98, 63), (122, 119, 70), (66, 85, 131), (57, 117, 115))

CURRENT = Theme("current", PALETTES["current"], NEW_LINES, GLOW)
OLD = Theme(
    "old",
    PALETTES["old"],
    rgbs((123, 123, 63), (127, 95, 63), (63, 127, 63), (63, 95, 127), (118, 104, 119)),
    rgbs((26, 0, 26), (18, 18, 0), (0, 24, 24), (24, 24, 24), (0, 24, 0)),
    blurred=False,
)
WIDE = Theme("wide", PALETTES["wide"], rgbs((74, 108, 68), (120, 66, 64), (119, 96, 66)), GLOW)
MUTED = Theme("muted", PALETTES["muted"], NEW_LINES, GLOW)

THEMES = {theme.name: theme for theme in (CURRENT, OLD, WIDE, MUTED)}
"""Every look, by name."""


class Phone(Struct, frozen=True):
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
        """Left, top and pitch, in pixels, of a board of this size in cell units.

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
