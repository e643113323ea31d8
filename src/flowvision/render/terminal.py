"""Colours of text in terminals, and pictures of half blocks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from flowvision.image.picture import Bgr, Rgb
from flowvision.render.contrast import shown_on

Depth: TypeAlias = Literal[0, 4, 8, 24]
"""Bits of a colour: none, 16 colours, 256, all."""
GROUND = Rgb(0, 0, 0)
"""Boards bring their own ground, so that every colour shows whatever the terminal's is."""
LINES = Rgb(140, 140, 140)
"""Walls and openings."""
RESET = "\x1b[0m"


def depth_of(environ: Mapping[str, str], is_terminal: bool) -> Depth:
    """How many colours to use: ``NO_COLOR`` (https://no-color.org), ``COLORTERM`` and ``TERM`` decide."""
    term = environ.get("TERM", "").lower()
    if not is_terminal or environ.get("NO_COLOR") or term == "dumb":
        return 0
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return 24
    if term.endswith(("-direct", "-truecolor", "-24bit")) or environ.get("WT_SESSION"):
        return 24
    return 8 if "256color" in term or term in ("xterm-kitty", "xterm-ghostty", "alacritty") else 4


def painted(text: str, colour: Rgb, depth: Depth) -> str:
    """A text in a colour, made lighter where it would not show on the ground of boards behind it."""
    return filled(text, shown_on(colour, GROUND), GROUND, depth) if depth else text


def filled(text: str, upper: Rgb, lower: Rgb, depth: Depth) -> str:
    """A text in one colour on another, both as they are."""
    codes = (*_codes(upper, depth, True), *_codes(lower, depth, False))
    return f"\x1b[{';'.join(codes)}m{text}{RESET}"


def half_blocks(bgr: Bgr, columns: int, depth: Depth) -> str:
    """A picture as ``columns`` of characters, each two pixels high."""
    import cv2

    rows = max(1, round(bgr.shape[0] * columns / bgr.shape[1] / 2))
    small = cv2.resize(bgr, (columns, 2 * rows), interpolation=cv2.INTER_AREA)
    lines = []
    for upper, lower in zip(small[::2], small[1::2], strict=True):
        pairs = zip(upper[:, ::-1].tolist(), lower[:, ::-1].tolist(), strict=True)
        line = "".join(filled("▀", Rgb(*above), Rgb(*below), depth) for above, below in pairs)
        lines.append(line.replace(RESET + "\x1b[", "\x1b[0;"))
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def _codes(colour: Rgb, depth: Depth, is_front: bool) -> tuple[str, ...]:
    """The nearest colour's part of an escape sequence."""
    # Imported only here: plain output needs none of it.
    from rich.color import Color, ColorSystem

    systems = {4: ColorSystem.STANDARD, 8: ColorSystem.EIGHT_BIT, 24: ColorSystem.TRUECOLOR}
    return tuple(Color.from_rgb(*colour).downgrade(systems[depth]).get_ansi_codes(is_front))
