"""Pipes already on a board: measure their width, and erase those that the answer does not use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

import cv2
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb, pixels_at
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.model import Solution
from flowvision.render.ground import EDGE, EDGE_PX, UNLIKE, circle_of, grounds_of, smooth_ground, whole_dot
from flowvision.render.halos import remove_halos
from flowvision.render.look import SEEN_DOT, PlacedBoard
from flowvision.render.paint import Part

BAND = 0.07
"""Half the width of a line along a side, in cell widths; some pixels are added."""
ACROSS = np.linspace(-0.5, 0.5, 101)
"""Points of a cut through a pipe, in cell widths."""
MIDDLE = slice(49, 52)
Mask = NDArray[np.bool_]


class _Cell(Struct, frozen=True):
    """A cell to repaint, with the colours of its pipes, the sides they pass, and the colour of its dot.

    ``lanes``: on a bridge, the colour of each pipe, and that of the solution's pipe in its place.
    """

    number: int
    dot: Rgb | None
    colours: list[Rgb] = field(default_factory=list)
    passed: list[Point] = field(default_factory=list)
    lanes: list[tuple[Rgb, Rgb]] = field(default_factory=list)


def erase_pipes(
    canvas: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    palette: Sequence[Rgb],
    drawn: Sequence[Collection[int]],
) -> None:
    """Erase every pipe that the solution does not use, in place.

    ``drawn``: per flow, the edges under its pipes. Lines, walls and dots stay. The ground is that of cells
    without pipes, if there are any.
    """
    unfinished = [flow for flow, edges in enumerate(drawn) if set(edges) != set(solution.paths[flow].edges)]
    if not unfinished:
        return
    touched = placed.cells_of(chain.from_iterable(drawn))
    clean = [cell for cell in range(len(placed.board.layout.cells)) if cell not in touched] or sorted(touched)
    median = np.median(grounds_of(canvas, placed, clean), axis=0)
    plain = Rgb(*median[::-1].round().astype(int).tolist())
    remove_halos(
        canvas, placed, plain, palette, drawn, {flow: solution.paths[flow].ends for flow in unfinished}
    )
    wrong = [flow for flow in unfinished if drawn[flow]]
    if not wrong:
        return
    ground_in = smooth_ground(canvas, placed, clean)
    cells = _cells_under(placed.board, solution, palette, {flow: drawn[flow] for flow in wrong})
    # Every patch is made from the original picture, so all are made before any is applied.
    tints = grounds_of(canvas, placed, [cell.number for cell in cells])
    patches = [_patch_of(canvas, ground_in, placed, *each) for each in zip(cells, tints, strict=True)]
    for part, bgr, mask in patches:
        if mask.any():
            cv2.copyTo(bgr, mask, canvas[part])


def _cells_under(
    board: Board, solution: Solution, palette: Sequence[Rgb], pipes: Mapping[int, Collection[int]]
) -> list[_Cell]:
    layout, cells = board.layout, dict[int, _Cell]()
    dots = {
        layout.cell_of[dot]: palette[flow] for flow, path in enumerate(solution.paths) for dot in path.ends
    }
    for flow, edges in pipes.items():
        for edge in edges:
            lines = layout.strokes[edge]
            for strand, on_side in zip(board.graph.edges[edge], (lines[0][1], lines[-1][-2]), strict=True):
                number = layout.cell_of[strand]
                cell = cells.setdefault(number, _Cell(number, dots.get(number)))
                cell.passed.append(on_side)
                cell.colours.append(palette[flow])
                if number in layout.bridges and strand in solution.flow_of:
                    cell.lanes.append((palette[flow], palette[solution.flow_of[strand]]))
    return list(cells.values())


def _patch_of(
    bgr: Bgr, ground_in: Callable[[Part], Bgr], placed: PlacedBoard, cell: _Cell, tint: NDArray[np.uint8]
) -> tuple[Part, Bgr, NDArray[np.uint8]]:
    """Return a part of the picture, one cell in it without its pipes, and a mask of changed pixels."""
    cell_width_px, to_px = placed.cell_width_px, placed.frame.to_px
    shape = placed.board.layout.cells[cell.number]
    outline, centre = to_px(shape.outline), to_px(shape.centre)[0]
    part = _part(outline, bgr)
    old, corner = bgr[part], np.array((part[1].start, part[0].start), np.float64)
    inside = np.zeros(old.shape[:2], np.uint8)
    if not old.size:
        return part, old, inside
    cv2.fillPoly(inside, [(outline - corner).round().astype(np.int32)], 255)
    ground = ground_in(part)
    new = _without_tint(old, tint, ground)
    if cell.lanes:
        return part, _recoloured(new, old, cell.lanes), inside
    for side in cell.passed:
        _restore_line(new, outline - corner, to_px(side)[0] - corner, cell_width_px)
    inner = cv2.erode(inside, _round(BAND * cell_width_px + 1), borderValue=0)
    apart = np.min([_apart(old, np.array(colour[::-1], np.uint8)) for colour in cell.colours], axis=0)
    soft_edge = _round(max(EDGE_PX, EDGE * cell_width_px))
    pipe = cv2.dilate((apart < UNLIKE).astype(np.uint8), soft_edge)
    cv2.copyTo(ground, cv2.bitwise_and(inner, pipe), new)
    if cell.dot is not None:
        colours = cell.dot, Rgb(*tint[::-1].tolist())
        dot = circle_of(whole_dot(bgr, centre.tolist(), colours, cell_width_px, alone=False))
        middle, radius = dot or (centre, SEEN_DOT * cell_width_px)
        _keep_dot(new, old, cell.dot, middle - corner, radius)
    return part, new, inside


def _without_tint(old: Bgr, tint: NDArray[np.uint8], ground: Bgr) -> Bgr:
    """Return a cell's pixels with its tint (3,) replaced by the mean of the ground."""
    # One change for the whole cell, so that a glow across it stays.
    change = np.asarray(cv2.mean(ground)[:3], np.float32) - tint
    # Full up to 8 from the tint, none from 32, so that lines stay.
    share = 1 - ((np.arange(256, dtype=np.float32) - 8) / 24).clip(0, 1)
    changes = np.rint(share[:, None] * change).astype(np.int16)
    change_at = cv2.LUT(cv2.merge([_apart(old, tint)] * 3), changes[None])
    return np.asarray(cv2.add(old, change_at, dtype=cv2.CV_8U), np.uint8)


def _recoloured(new: Bgr, old: Bgr, lanes: Sequence[tuple[Rgb, Rgb]]) -> Bgr:
    """Return the cell with its pipes and their soft edges in other colours."""
    result = new.astype(np.float32)
    for was, will_be in set(lanes):
        away = _apart(old, np.array(was[::-1], np.uint8))
        is_pipe = (away < UNLIKE).astype(np.uint8)
        share = np.where(is_pipe, 1, cv2.dilate(is_pipe, _round(1)) * (1 - away / 160).clip(0))
        result += share[..., None] * np.subtract(will_be[::-1], was[::-1])
    return np.asarray(result.round().clip(0, 255), np.uint8)


def _keep_dot(new: Bgr, old: Bgr, colour: Rgb, middle: Floats, radius: float) -> None:
    """Copy a round dot from the old picture, in place, with a smooth edge where a pipe led out of it."""
    x0, y0 = np.maximum(np.floor(middle - radius - 1), 0).astype(int).tolist()
    x1, y1 = np.maximum(np.ceil(middle + radius + 2), 0).astype(int).tolist()
    before, after = old[y0:y1, x0:x1], new[y0:y1, x0:x1]
    dx = np.arange(x0, x0 + after.shape[1]) - middle[0]
    dy = np.arange(y0, y0 + after.shape[0])[:, None] - middle[1]
    distances = np.sqrt(dx * dx + dy * dy)
    cover = np.clip(radius + 0.5 - distances, 0.0, 1.0).astype(np.float32)[..., None]
    dot = np.where((distances < radius - 2)[..., None], before, np.array(colour[::-1], np.uint8))
    after[:] = (after * (1 - cover) + dot * cover).round()


def _restore_line(new: Bgr, outline: Floats, middle: Floats, cell_width_px: float) -> None:
    """Restore the line along a side where a pipe passed, from the line beside the pipe, in place."""
    following = np.roll(outline, -1, axis=0)
    side = int(np.hypot(*((outline + following) / 2 - middle).T).argmin())
    ends = outline[side], following[side]
    length = float(np.linalg.norm(ends[1] - ends[0]))
    direction = (ends[1] - ends[0]) / length
    # A pipe of 0.33 covers less of the line; beyond ``clear`` are the corners.
    passage, clear = 0.21 * cell_width_px, 0.86 * length / 2
    height, width = new.shape[:2]
    # As complex numbers: the direction becomes the real axis.
    turned = np.arange(width) + 1j * np.arange(height)[:, None] - complex(*middle)
    turned *= complex(*direction).conjugate()
    band = (np.abs(turned.real) < passage) & (np.abs(turned.imag) < BAND * cell_width_px + 3)
    along = turned.real[band]
    # Mirrored at the passage's ends, and squeezed so as to stay clear of the corners.
    squeezed = np.clip((clear - passage) / passage, 0.0, 0.6) * (passage - np.abs(along))
    move = np.where(along < 0, -1, 1) * (passage + squeezed) - along
    source = np.rint(np.argwhere(band)[:, ::-1] + move[:, None] * direction).astype(int)
    x, y = source.clip(0, (width - 1, height - 1)).T
    new[band] = new[y, x]


def _apart(bgr: Bgr, colour: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the largest difference (H, W) of a channel between each pixel and a colour."""
    # A colour applies to every pixel; OpenCV's stubs do not know that.
    away = cv2.absdiff(bgr, (*colour.tolist(), 0))  # type: ignore[call-overload]
    first, second, third = cv2.split(away)
    return np.asarray(cv2.max(cv2.max(first, second), third), np.uint8)


def _part(outline: Floats, canvas: Bgr) -> Part:
    low, high = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int) + 1
    (x0, y0), (x1, y1) = np.stack((low, high)).clip(0, (canvas.shape[1], canvas.shape[0])).tolist()
    return slice(y0, y1), slice(x0, x1)


def _round(reach_px: float) -> NDArray[np.uint8]:
    size = 2 * round(reach_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def played_width(
    bgr: Bgr, placed: PlacedBoard, palette: Sequence[Rgb], drawn: Sequence[Collection[int]]
) -> float | None:
    """Return the width of the pipes ``drawn`` by each flow, in cell widths; ``None`` if unclear."""
    strokes = placed.board.layout.strokes
    sampled = [
        (flow, strokes[edge][0])
        for flow, edges in enumerate(drawn)
        for edge in sorted(edges)[:: max(1, len(edges) // 5)]
        if len(strokes[edge]) == 1
    ]
    if not sampled:
        return None
    flows, lines = zip(*sampled, strict=True)
    before, side, after = np.moveaxis(placed.frame.to_px(lines).reshape(-1, 3, 2), 1, 0)
    way = (after - before) / np.linalg.norm(after - before, axis=1, keepdims=True)
    # Next to the line between both cells, whose middle a pipe covers.
    cut = ACROSS[:, None] * (way[:, ::-1] * (-1, 1))[:, None] + 0.05 * way[:, None]
    pixels, inside = pixels_at(bgr, side[:, None] + placed.cell_width_px * cut)
    colours = np.median(pixels[:, MIDDLE], axis=1)
    away = np.abs(pixels - colours[:, None]).max(axis=2)
    step = np.minimum(away[:, :2].max(axis=1), away[:, -2:].max(axis=1))
    widths = (away <= step[:, None] / 2).sum(axis=1) / (len(ACROSS) - 1)
    is_own = np.abs(colours - np.array(palette)[list(flows), ::-1]).max(axis=1) < 110
    widths = widths[inside.all(axis=1) & (step >= 24) & is_own & (widths < 0.9)]
    if not len(widths):
        return None
    low, width, high = np.percentile(widths, (25, 50, 75)).tolist()
    return float(width) if high - low <= 0.25 * width else None
