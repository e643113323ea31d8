"""Moving pictures: pipes that grow frame by frame, as data, GIF, animated PNG and MP4.

A patch is the part of a picture that changes in a frame.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from math import floor
from typing import TYPE_CHECKING

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import missing_extra
from flowvision.image.codec import PALETTE, PNG_START, chunk, deflated, header_of
from flowvision.image.picture import Bgr, Floats, brightest_channel
from flowvision.puzzle.model import Path, Solution
from flowvision.render.curves import FramePlan, Piece, lines_along
from flowvision.render.look import PIPE, RIM, PlacedBoard
from flowvision.render.paint import BITS, corner_of, fixed, part_between

if TYPE_CHECKING:
    from PIL import Image

GIF_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""The extension that says how often to play the frames: 0 times is without end."""
RATE = 20
"""Frames a second of an MP4; pictures that stay are repeated."""
CURVED = 0.2
"""Added to a pipe's width on free boards, where its curve leaves the straight line, in cell widths."""
SLIGHTLY = 1e-6
"""Edges of a path by which rounding may be off."""

PixelBox = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not included."""


class Patch(Struct, frozen=True, eq=False):
    """A frame: left, top and pixels of the box that changed, and the time for which it is shown."""

    x: int
    y: int
    bgr: Bgr
    milliseconds: int


class Clip(Struct, frozen=True, eq=False):
    """The frames of a moving picture; the first is a whole picture, the others are parts of it."""

    patches: Sequence[Patch]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.patches[0].bgr.shape[:2]
        return width, height

    def pictures(self) -> Iterator[tuple[Bgr, int]]:
        """Yield every frame as a whole picture, one array changed in place, and its milliseconds."""
        canvas = self.patches[0].bgr.copy()
        for patch in self.patches:
            height, width = patch.bgr.shape[:2]
            bottom, right = patch.y + height, patch.x + width
            canvas[patch.y : bottom, patch.x : right] = patch.bgr
            yield canvas, patch.milliseconds


def changed_box(before: Bgr, after: Bgr) -> PixelBox | None:
    """Return the box in which two pictures differ, or ``None``."""
    differences = brightest_channel(cv2.absdiff(before, after).astype(np.uint8, copy=False))
    x, y, width, height = cv2.boundingRect(differences)
    return (x, y, x + width, y + height) if width else None


def clip_of(
    base: Bgr,
    final: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    frames: Sequence[FramePlan],
    solved_with: Callable[[Sequence[int]], Bgr],
) -> Clip:
    """Return the frames of a plan: the ``base``, then the changes, finally the ``final`` picture.

    A frame without a change lengthens the one before. ``solved_with`` draws some flows alone; it is called
    where paths cross on bridges, so that no flow shows before its turn.
    """
    canvas = base.copy()
    nothing, *growing = frames
    patches = [Patch(0, 0, base, nothing.milliseconds)]
    solved, flows = final, list[int]()
    for plan in growing:
        boxes = list[PixelBox]()
        for piece in plan.pieces:
            if piece.flow not in flows:
                flows.append(piece.flow)
                solved = solved_with(flows) if placed.board.layout.bridges else final
            boxes += _uncover(canvas, solved, placed, solution.paths[piece.flow], piece)
        if plan is growing[-1] and (box := changed_box(canvas, final)):
            boxes.append(box)
            canvas[:] = final
        if boxes:
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            left, top = min(lefts), min(tops)
            part = canvas[top : max(bottoms), left : max(rights)].copy()
            patches.append(Patch(left, top, part, plan.milliseconds))
        else:
            last = patches[-1]
            patches[-1] = replace(last, milliseconds=last.milliseconds + plan.milliseconds)
    return Clip(tuple(patches))


def _uncover(canvas: Bgr, solved: Bgr, placed: PlacedBoard, path: Path, piece: Piece) -> list[PixelBox]:
    """Copy a piece of a path, and the cells it completes, from the solved picture to the canvas, in place.

    A piece starts and ends at positions on the path: whole numbers are the middles of its cells. Return the
    boxes that changed.
    """
    board, frame = placed.board, placed.frame
    width = PIPE + 2 * RIM + (CURVED if board.lattice is None else 0.0)
    width_px = width * placed.cell_width_px
    lines = lines_along(board, path, piece)
    boxes = [_show(canvas, solved, frame.to_px(line), width_px) for line in lines]
    # A cell is complete once the tip is in the middle of the next one, the last cell at the end.
    first, last = floor(piece.start + SLIGHTLY), floor(piece.end + SLIGHTLY)
    strands = list(path.vertices[first:last])
    if piece.end >= len(path.edges) - SLIGHTLY:
        strands.append(path.vertices[-1])
    outlines = [frame.to_px(board.layout.cell_at(strand).outline) for strand in strands]
    boxes += [_show(canvas, solved, outline) for outline in outlines]
    return [box for box in boxes if box]


def _show(canvas: Bgr, solved: Bgr, points_px: Floats, width_px: float | None = None) -> PixelBox | None:
    """Copy pixels from the solved picture to the canvas, in place: under a line (N, 2), or within an outline.

    ``width_px``: of the line. Return the box of the pixels, ``None`` off the picture.
    """
    reach = (width_px or 1.0) / 2 + 2  # and what rounding takes
    low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
    part = part_between(low, high + 1, canvas)
    changed = canvas[part]
    if not changed.size:
        return None
    mask = np.zeros(changed.shape[:2], np.uint8)
    local = points_px - corner_of(part)
    if width_px is None:
        cv2.fillPoly(mask, [np.round(local).astype(np.int32)], 255)
    else:
        thickness = max(1, round(width_px))
        cv2.polylines(mask, [fixed(local)], isClosed=False, color=255, thickness=thickness, shift=BITS)
    cv2.copyTo(solved[part], mask, changed)
    rows, columns = part
    return columns.start, rows.start, columns.stop, rows.stop


def gif_of(clip: Clip) -> bytes:
    """Encode a GIF (version 89a) that plays without end; times are rounded to hundredths of a second."""
    from PIL.GifImagePlugin import getdata

    table, pictures = indexed(clip)
    # A global table of 2 ** (7 + 1) colours, 8 bits a channel; the ground is colour 0, pixels are square.
    flags, ground, aspect = 0b1111_0111, 0, 0
    parts = [b"GIF89a", struct.pack("<HHBBB", *clip.size, flags, ground, aspect), table, GIF_FOR_EVER]
    for patch, picture in zip(clip.patches, pictures, strict=True):
        parts += getdata(picture, (patch.x, patch.y), duration=patch.milliseconds)
    return b"".join([*parts, b";"])


def apng_of(clip: Clip) -> bytes:
    """Encode an animated PNG that plays without end; older programs show its first frame."""
    parts = [PNG_START, header_of(*clip.size, PALETTE)]
    parts.append(chunk(b"acTL", struct.pack(">II", len(clip.patches), 0)))
    table, pictures = indexed(clip)
    parts.append(chunk(b"PLTE", table))
    number = 0  # of the chunks of frames, from 0: fcTL, which IDAT follows, then fcTL and fdAT in turn
    for patch, picture in zip(clip.patches, pictures, strict=True):
        # Every row begins with its filter's number: 0 means no filter, which suits palette indices.
        rows = np.pad(np.asarray(picture), ((0, 0), (1, 0)))
        data = deflated([rows])
        box = (*patch.bgr.shape[1::-1], patch.x, patch.y)
        per_second, keep_canvas, replace_pixels = 1000, 0, 0
        control = struct.pack(
            ">IIIIIHHBB", number, *box, patch.milliseconds, per_second, keep_canvas, replace_pixels
        )
        parts.append(chunk(b"fcTL", control))
        if number == 0:
            parts.append(chunk(b"IDAT", data))
            number = 1
        else:
            parts.append(chunk(b"fdAT", struct.pack(">I", number + 1) + data))
            number += 2
    return b"".join([*parts, chunk(b"IEND", b"")])


def mp4_of(clip: Clip) -> bytes:
    """Encode an MP4 (H.264, 4:2:0); odd widths and heights lose their last pixel.

    Raises ``MissingExtraError`` without PyAV.
    """
    try:
        import av
    except ImportError:
        raise missing_extra("An MP4 needs PyAV", "video", ", or write a .gif") from None
    from fractions import Fraction
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.mp4"
        with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
            stream = container.add_stream("libx264", rate=RATE, options={"crf": "20", "preset": "veryfast"})
            stream.width, stream.height = (length // 2 * 2 for length in clip.size)
            stream.pix_fmt, stream.time_base = "yuv420p", Fraction(1, RATE)
            for number, picture in enumerate(_frames(clip)):
                frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
                frame.pts = number
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return path.read_bytes()


def _frames(clip: Clip) -> Iterator[Bgr]:
    """Yield the pictures of an MP4 at its constant rate, each as often as it lasts."""
    width, height = (length // 2 * 2 for length in clip.size)
    clock = count = 0
    for canvas, milliseconds in clip.pictures():
        clock += milliseconds
        until = clock * RATE // 1000
        even = np.ascontiguousarray(canvas[:height, :width])
        yield from repeat(even, until - count)
        count = until


def indexed(clip: Clip) -> tuple[bytes, list[Image.Image]]:
    """Return a table of 256 colours (RGB), chosen from the first and last frame, and all frames in them.

    Frames are Pillow's pictures in palette mode, without dither: they agree wherever nothing changes.
    """
    from PIL import Image

    for last, _ in clip.pictures():  # noqa: B007 (keeps the last one)
        pass
    samples = [picture[::5, ::5] for picture in (clip.patches[0].bgr, last)]  # enough, and 25 times as fast
    table = _table(np.concatenate(samples))
    palette = Image.new("P", (1, 1))
    palette.putpalette(table)
    pictures = [Image.fromarray(_rgb(patch.bgr)) for patch in clip.patches]
    return table, [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


def _table(sample: Bgr) -> bytes:
    """Return 256 colours (RGB) for a picture: half of them by an octree, half by median cuts.

    An octree alone turns dark glows into steps; median cuts lose colours of few pixels.
    """
    from PIL import Image

    picture = Image.fromarray(_rgb(sample))
    table = b""
    half_count, half_bytes = 128, 3 * 128
    for method in (Image.Quantize.FASTOCTREE, Image.Quantize.MEDIANCUT):
        chosen = bytes(picture.quantize(half_count, method=method).getpalette() or ())
        table += chosen[:half_bytes].ljust(half_bytes, b"\0")
    return table


def _rgb(bgr: Bgr) -> Bgr:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(bgr), cv2.COLOR_BGR2RGB), np.uint8)
