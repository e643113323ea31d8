"""Animated PNG files (third edition of the PNG specification): one palette, and only what changes."""

from __future__ import annotations

import struct

import numpy as np

from flowvision.image.clip import Clip
from flowvision.image.indexed import indexed
from flowvision.image.png import PALETTE, SIGNATURE, chunk, deflated, header_of

FOR_EVER = 0
"""How often the frames are played: 0 is without end."""
KEEP, REPLACE = 0, 0
"""A frame stays when the next one is shown, which replaces the pixels in its box."""


def apng_of(clip: Clip) -> bytes:
    """A clip as an animated PNG, played without end; programs that know no APNG show its first frame."""
    made = indexed(clip)
    parts = [SIGNATURE, header_of(*made.size, PALETTE)]
    parts.append(chunk(b"acTL", struct.pack(">II", len(made.patches), FOR_EVER)))
    parts.append(chunk(b"PLTE", made.table))
    number = 0
    for patch in made.patches:
        # Every row begins with the number of its filter: 0 is none, as suits numbers of colours.
        data = deflated([np.pad(np.asarray(patch.picture), ((0, 0), (1, 0)))])
        box = (*patch.picture.size, patch.x, patch.y)
        control = struct.pack(">IIIIIHHBB", number, *box, patch.milliseconds, 1000, KEEP, REPLACE)
        parts.append(chunk(b"fcTL", control))
        parts.append(chunk(b"fdAT", struct.pack(">I", number + 1) + data) if number else chunk(b"IDAT", data))
        number += 2 if number else 1
    return b"".join([*parts, chunk(b"IEND", b"")])
