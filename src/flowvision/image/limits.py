"""How large a picture may be: its shape, and the memory that decoding it takes."""

from __future__ import annotations

from flowvision.errors import ImageUnreadableError

MIN_SIDE, MAX_SIDE = 32, 20_000
"""Pixels. A board of three cells has them; the longest scrolled screenshots have half of that."""
MAX_RATIO = 40
"""Of the longer side to the shorter one: no screen, and no scrolled screenshot of one, comes near."""
MAX_PIXELS = 80_000_000
"""20 times the largest phone screenshot; decoded, 240 MB."""
MAX_BYTES = 850_000_000
"""Of memory while a picture is decoded, its file included, so that all of it stays below 1 GB."""

HINT = "Give a screenshot as the phone made it, or shrink the picture."


def check_shape(width: int, height: int, bytes_a_pixel: float = 3.0, file_bytes: int = 0) -> None:
    """Raise ``ImageUnreadableError`` unless a picture of so many pixels is one that is read.

    ``bytes_a_pixel``: what its kind takes at most while it is decoded; its file may be there twice.
    """
    shape = f"{width:,} × {height:,}"
    if width < 1 or height < 1:
        raise ImageUnreadableError(f"The picture is {shape} pixels: there is nothing to see.")
    if width * height > MAX_PIXELS:
        raise ImageUnreadableError(
            f"The picture has {shape} pixels; at most {MAX_PIXELS // 1_000_000} million are read.", HINT
        )
    if min(width, height) < MIN_SIDE or max(width, height) > MAX_SIDE:
        raise ImageUnreadableError(
            f"The picture is {shape} pixels; sides of {MIN_SIDE} to {MAX_SIDE:,} are read.", HINT
        )
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ImageUnreadableError(
            f"The picture is {shape} pixels; a side at most {MAX_RATIO} times as long as the other is read.",
            HINT,
        )
    needed = width * height * bytes_a_pixel + 2 * file_bytes
    if needed > MAX_BYTES:
        raise ImageUnreadableError(
            f"The picture has {shape} pixels. Its kind takes {bytes_a_pixel:g} bytes of memory each, which "
            f"makes {needed / 1e6:,.0f} MB with its file; at most {MAX_BYTES / 1e6:,.0f} MB are used.",
            "Save it as a plain PNG or JPEG, or shrink it.",
        )
