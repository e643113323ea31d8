"""What terminals show: text in as many colours as they have, half blocks, and pictures as they take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

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


Protocol: TypeAlias = Literal["kitty", "iterm", "sixel"]
CHUNK = 4096
"""Characters of a picture that kitty takes at once."""
SIXEL_COLOURS = 64
ASK = "\x1b[c"
"""Asks a terminal what it can (primary device attributes); ``4`` in the answer stands for sixels."""
HEIGHT_PX = 600
"""Pictures are made no higher, so that they fit into a window."""


def protocol_of(environ: Mapping[str, str], ask: Callable[[str], str]) -> Protocol | None:
    """How a terminal shows pictures, ``None`` if it does not.

    It is told by the variables terminals set; of one that sets none, by what it answers: ``ask`` sends it a
    text and gives what comes back, empty where nothing does. Inside tmux or screen, which pass on neither
    protocol by themselves, there are sixels at most.
    """
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if term == "dumb":
        return None
    if not (environ.get("TMUX") or term.startswith(("screen", "tmux"))):
        if environ.get("KITTY_WINDOW_ID") or term in ("xterm-kitty", "xterm-ghostty") or program == "ghostty":
            return "kitty"
        if program in ("iTerm.app", "WezTerm", "mintty", "rio") or environ.get("LC_TERMINAL") == "iTerm2":
            return "iterm"
        if environ.get("KONSOLE_VERSION"):
            return "kitty"
    answer = ask(ASK)
    inside = answer[answer.find("?") + 1 : answer.rfind("c")] if "?" in answer else ""
    return "sixel" if "4" in inside.split(";")[1:] else None


def shown(bgr: Bgr, protocol: Protocol) -> str:
    """The text that shows a picture in a terminal, smaller where it is high; ends with a line break."""
    # Imported only here: few terminals are sent pictures.
    from base64 import b64encode

    import cv2

    from flowvision.image.codec import encode

    height, width = bgr.shape[:2]
    if height > HEIGHT_PX:
        size = max(1, round(width * HEIGHT_PX / height)), HEIGHT_PX
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    if protocol == "sixel":
        return _sixel(bgr) + "\n"
    data = encode(bgr)
    packed = b64encode(data).decode()
    return (_kitty(packed) if protocol == "kitty" else _iterm(packed, len(data))) + "\n"


def _kitty(packed: str) -> str:
    """The kitty graphics protocol: PNG in base64, transmitted and displayed, in chunks."""
    chunks = [packed[start : start + CHUNK] for start in range(0, len(packed), CHUNK)]
    return "".join(
        f"\x1b_G{'a=T,f=100,q=2,' if not number else ''}m={int(number + 1 < len(chunks))};{chunk}\x1b\\"
        for number, chunk in enumerate(chunks)
    )


def _iterm(packed: str, size: int) -> str:
    """iTerm2's inline images (OSC 1337): base64, and its number of bytes."""
    return f"\x1b]1337;File=inline=1;size={size}:{packed}\x07"


def _sixel(bgr: Bgr) -> str:
    """Six rows of pixels a band, one colour after the other (DEC STD 070)."""
    from PIL import Image

    image = Image.fromarray(np.ascontiguousarray(bgr[:, :, ::-1])).quantize(SIXEL_COLOURS)
    indices = np.asarray(image)
    palette = np.array(image.getpalette() or [], int).reshape(-1, 3)
    height, width = indices.shape
    parts = [f'\x1bPq"1;1;{width};{height}']
    parts += [
        f"#{n};2;{';'.join(str(round(100 * channel / 255)) for channel in colour)}"
        for n, colour in enumerate(palette.tolist())
    ]
    weights = (1 << np.arange(6))[:, None]
    for top in range(0, height, 6):
        band = indices[top : top + 6]
        for colour in np.unique(band).tolist():
            bits = ((band == colour) * weights[: len(band)]).sum(axis=0)
            parts.append(f"#{colour}{_runs(bits)}$")
        parts.append("-")
    return "".join(parts) + "\x1b\\"


def _runs(bits: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    """The sixels of one colour in a band, equal ones counted."""
    ends = np.flatnonzero(np.diff(bits, append=-1)) + 1
    counts = np.diff(ends, prepend=0)
    return "".join(
        f"!{count}{chr(63 + value)}" if count > 3 else chr(63 + value) * count
        for value, count in zip(bits[ends - 1].tolist(), counts.tolist(), strict=True)
    )
