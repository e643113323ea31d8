"""GIF files, written fast: one palette for all frames, and only the boxes that change."""

from __future__ import annotations

import struct

from flowvision.image.clip import Clip
from flowvision.image.indexed import indexed

FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""The extension that says how often to play the frames: 0 times is without end."""


def gif_of(clip: Clip) -> bytes:
    """A clip as a GIF (version 89a) that is played without end; times are cut to hundredths of a second."""
    from PIL.GifImagePlugin import getdata

    made = indexed(clip)
    width, height = made.size
    # A global table of 2 ** (7 + 1) colours, 8 bits a channel.
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0b1111_0111, 0, 0), made.table, FOR_EVER]
    for patch in made.patches:
        parts += getdata(patch.picture, (patch.x, patch.y), duration=patch.milliseconds)
    return b"".join([*parts, b";"])
