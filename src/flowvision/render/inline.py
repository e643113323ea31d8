"""Pictures shown by terminals that can: the protocols of kitty and iTerm2, and sixels."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr

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
    height, width = bgr.shape[:2]
    if height > HEIGHT_PX:
        size = max(1, round(width * HEIGHT_PX / height)), HEIGHT_PX
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    if protocol == "sixel":
        return _sixel(bgr) + "\n"
    data = encode(bgr)
    return (_kitty(data) if protocol == "kitty" else _iterm(data)) + "\n"


def _kitty(png: bytes) -> str:
    """The kitty graphics protocol: PNG, transmitted and displayed, in chunks."""
    packed = b64encode(png).decode()
    chunks = [packed[start : start + CHUNK] for start in range(0, len(packed), CHUNK)]
    return "".join(
        f"\x1b_G{'a=T,f=100,q=2,' if not number else ''}m={int(number + 1 < len(chunks))};{chunk}\x1b\\"
        for number, chunk in enumerate(chunks)
    )


def _iterm(png: bytes) -> str:
    """iTerm2's inline images (OSC 1337)."""
    return f"\x1b]1337;File=inline=1;size={len(png)}:{b64encode(png).decode()}\x07"


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
