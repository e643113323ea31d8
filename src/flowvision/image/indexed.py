"""A clip in few colours: one palette for all frames, and for every pixel its number in it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from flowvision.image.clip import Clip
from flowvision.image.picture import Bgr
from flowvision.value import value_type

COLOURS = 256
HALF = COLOURS // 2
SAMPLED = 5
"""Every so many pixels, across and down, the palette is chosen from."""


@value_type(eq=False)
class IndexedPatch:
    """A frame: Pillow's picture in palette mode of the box that changed, and as in ``Patch`` all else."""

    x: int
    y: int
    picture: Any
    milliseconds: int


@value_type(eq=False)
class IndexedClip:
    """``table``: red, green and blue of 256 colours; ``size``: width and height in pixels."""

    size: tuple[int, int]
    table: bytes
    patches: tuple[IndexedPatch, ...]


def indexed(clip: Clip) -> IndexedClip:
    """The clip in 256 colours, chosen from its first and last picture.

    Every pixel takes its nearest colour, without dither: frames then agree wherever nothing changes.
    """
    from PIL import Image

    first = last = clip.patches[0].bgr
    for last, _ in clip.pictures():  # noqa: B007 (the last one is wanted)
        pass
    table = _table(np.concatenate([first[::SAMPLED, ::SAMPLED], last[::SAMPLED, ::SAMPLED]]))
    palette = Image.new("P", (1, 1))
    palette.putpalette(table)
    patches = [
        IndexedPatch(
            patch.x,
            patch.y,
            Image.fromarray(_rgb(patch.bgr)).quantize(palette=palette, dither=Image.Dither.NONE),
            patch.milliseconds,
        )
        for patch in clip.patches
    ]
    return IndexedClip(clip.size, table, tuple(patches))


def _table(sample: Bgr) -> bytes:
    """Half of the colours from all over, by an octree, half where most pixels are, by median cuts.

    The one alone makes steps of dark glows, the other loses colours that few pixels have.
    """
    from PIL import Image

    picture = Image.fromarray(_rgb(sample))
    table = b""
    for method in (Image.Quantize.FASTOCTREE, Image.Quantize.MEDIANCUT):
        chosen = bytes(picture.quantize(HALF, method=method).getpalette() or ())
        table += chosen[: 3 * HALF].ljust(3 * HALF, b"\0")
    return table


def _rgb(bgr: Bgr) -> Bgr:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(bgr), cv2.COLOR_BGR2RGB), np.uint8)
