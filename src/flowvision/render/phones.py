"""Screens: how large they are and where the game puts a board on them."""

from __future__ import annotations

from flowvision.value import value_type


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
