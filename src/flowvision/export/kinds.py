"""What an answer can be written as, told by the suffix of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from flowvision.errors import OutputError
from flowvision.files import STANDARD

Kind = Literal["png", "jpeg", "apng", "gif", "mp4", "svg"]

KINDS: dict[str, Kind] = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".apng": "apng",
    ".gif": "gif",
    ".mp4": "mp4",
    ".svg": "svg",
}
"""By suffix; a ``.png`` may be animated as well."""


def kind_of(place: str, animate: bool = False) -> Kind:
    """What to write at a place (``-``, standard output: PNG). Raises ``OutputError`` for unknown suffixes.

    ``animate`` makes an animated PNG of a PNG; what cannot move is refused.
    """
    suffix = ".png" if place == STANDARD else Path(place).suffix.lower()
    if suffix not in KINDS:
        seen = f"{suffix!r}" if suffix else "a file without a suffix"
        raise OutputError(f"Cannot write an answer as {seen}.", f"Choose one of {', '.join(KINDS)}.")
    kind = KINDS[suffix]
    if animate and kind == "jpeg":
        raise OutputError("A JPEG cannot be animated.", "Choose .gif, .png, .mp4 or .svg.")
    return "apng" if animate and kind == "png" else kind
