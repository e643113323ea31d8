"""Growing pipes: pieces of paths, the time when each appears, and the frames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from math import dist, floor

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.image.clip import Clip, Patch, changed_box
from flowvision.image.picture import Bgr, Floats
from flowvision.puzzle.layout import Board, Point, Polyline
from flowvision.puzzle.model import Path, Solution
from flowvision.render.look import PIPE, RIM, PlacedBoard
from flowvision.render.paint import BITS, fixed


class Piece(Struct, frozen=True):
    """A part of a flow's path, from ``start`` to ``end``, counted in edges from its first dot."""

    flow: int
    start: float
    end: float


def pieces_of(solution: Solution, order: Sequence[int], edges: Collection[int]) -> tuple[Piece, ...]:
    """Return the runs of these edges along the paths of the flows, in ``order``."""
    return tuple(Piece(flow, *run) for flow in order for run in solution.paths[flow].runs(edges))


def lines_along(board: Board, path: Path, piece: Piece) -> list[Polyline]:
    """Return the lines of a piece in cell units, a new one after every warp."""
    lines: list[list[Point]] = []
    for number in range(floor(piece.start), len(path.edges)):
        low, high = max(piece.start - number, 0.0), min(piece.end - number, 1.0)
        if high <= low:
            break
        strokes = board.strokes_from(path.edges[number], path.vertices[number])
        for line in _cut(strokes, low, high):
            if lines and lines[-1][-1] == line[0]:
                lines[-1] += line[1:]
            else:
                lines.append(list(line))
    return [tuple(line) for line in lines]


def _cut(strokes: Sequence[Polyline], low: float, high: float) -> Iterator[Polyline]:
    segments = [ends for line in strokes for ends in pairwise(line)]
    lengths = [dist(*ends) for ends in segments]
    at, whole = 0.0, sum(lengths)
    for ((ax, ay), end), length in zip(segments, lengths, strict=True):
        begin, stop = max((low * whole - at) / length, 0.0), min((high * whole - at) / length, 1.0)
        if begin < stop:
            first, last = ((ax + n * (end[0] - ax), ay + n * (end[1] - ay)) for n in (begin, stop))
            yield first, end if stop == 1 else last
        at += length


FRAME_MS = 50
"""Twenty frames a second: a GIF shown faster is slowed down by browsers."""
FIRST_MS, LAST_MS = 600, 2500
"""Time for the picture before anything grows, and at the end."""


FramePlan = tuple[tuple[Piece, ...], int]
"""Pieces that appear in a frame, and its duration in milliseconds."""


class Turn(Struct, frozen=True):
    """Time in which a piece grows, in seconds from the beginning."""

    piece: Piece
    start: float
    end: float


def frames_of(pieces: Sequence[Piece]) -> list[FramePlan]:
    """Return frames in which the pieces grow in turn, at one speed; the first shows none."""
    length, count = _length_and_frames(pieces)
    plans: list[FramePlan] = [((), FIRST_MS if count else LAST_MS)]
    for number in range(count):
        low, high = (length * (number + n) / count for n in (0, 1))
        plans.append((tuple(_between(pieces, low, high)), FRAME_MS if number < count - 1 else LAST_MS))
    return plans


def turns_of(pieces: Sequence[Piece]) -> list[Turn]:
    """Return the time of each piece, for continuous animations."""
    length, count = _length_and_frames(pieces)
    clock, turns = FIRST_MS / 1000, list[Turn]()
    for piece in pieces:
        start, clock = clock, clock + count * FRAME_MS / 1000 / length * (piece.end - piece.start)
        turns.append(Turn(piece, start, clock))
    return turns


def _length_and_frames(pieces: Sequence[Piece]) -> tuple[float, int]:
    length = sum(piece.end - piece.start for piece in pieces)
    return length, min(60, round(2 * length))  # a larger board is drawn faster, not longer


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    at = 0.0
    for piece in pieces:
        length = piece.end - piece.start
        start, end = max(low - at, 0.0), min(high - at, length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        at += length


PixelBox = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not included."""


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
    patches = [Patch(0, 0, base, frames[0][1])]
    solved, grown = final, list[int]()
    for number, (pieces, milliseconds) in enumerate(frames[1:], 2):
        boxes = list[PixelBox]()
        for piece in pieces:
            if piece.flow not in grown:
                grown.append(piece.flow)
                solved = solved_with(grown) if placed.board.layout.bridges else final
            boxes += _uncover(canvas, solved, placed, solution.paths[piece.flow], piece)
        if number == len(frames) and (box := changed_box(canvas, final)):
            boxes.append(box)
            canvas[:] = final
        if boxes:
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            left, top = min(lefts), min(tops)
            part = canvas[top : max(bottoms), left : max(rights)].copy()
            patches.append(Patch(left, top, part, milliseconds))
        else:
            patches[-1] = replace(patches[-1], milliseconds=patches[-1].milliseconds + milliseconds)
    return Clip(tuple(patches))


def _uncover(canvas: Bgr, solved: Bgr, placed: PlacedBoard, path: Path, piece: Piece) -> list[PixelBox]:
    board, frame = placed.board, placed.frame
    # Curves of free boards lie up to 0.2 beside straight lines.
    width = PIPE + 2 * RIM + (0.2 if board.lattice is None else 0.0)
    width_px = width * placed.cell_width_px
    boxes = [_show(canvas, solved, frame.to_px(line), width_px) for line in lines_along(board, path, piece)]
    # A cell is complete once the tip is in the middle of the next one, the last cell at the end.
    strands = list(path.vertices[floor(piece.start + 1e-6) : floor(piece.end + 1e-6)])
    if piece.end >= len(path.edges) - 1e-6:
        strands.append(path.vertices[-1])
    outlines = [frame.to_px(board.layout.cell_at(strand).outline) for strand in strands]
    boxes += [_show(canvas, solved, outline) for outline in outlines]
    return [box for box in boxes if box[0] < box[2] and box[1] < box[3]]


def _show(canvas: Bgr, solved: Bgr, points_px: Floats, width_px: float | None = None) -> PixelBox:
    """Copy the pixels under a line of that width, or within an outline, from the solved picture."""
    reach = (width_px or 1.0) / 2 + 2
    low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
    left, top = (max(0, int(edge)) for edge in low)
    right, bottom = (min(size, int(edge) + 1) for size, edge in zip(canvas.shape[1::-1], high, strict=True))
    if left >= right or top >= bottom:
        return 0, 0, 0, 0
    mask = np.zeros((bottom - top, right - left), np.uint8)
    local = points_px - (left, top)
    if width_px is None:
        cv2.fillPoly(mask, [np.round(local).astype(np.int32)], 255)
    else:
        thickness = max(1, round(width_px))
        cv2.polylines(mask, [fixed(local)], False, 255, thickness, cv2.LINE_8, BITS)
    part = np.s_[top:bottom, left:right]
    cv2.copyTo(solved[part], mask, canvas[part])
    return left, top, right, bottom
