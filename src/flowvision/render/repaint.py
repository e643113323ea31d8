"""Pipes already on a board: measure their width, and erase those that the answer does not use.

Pipes tint the cells under them; the tint of a cell is the colour of its ground in the picture. A passage is
the part of a side that a pipe covers. Points are x first, colours of pixels BGR.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Rgb, pixels_at
from flowvision.puzzle.layout import Board, Point, Polyline
from flowvision.puzzle.model import Solution
from flowvision.render.ground import UNLIKE, circle_of, grounds_of, smooth_ground, soft_edge_px, whole_dot
from flowvision.render.halos import remove_halos
from flowvision.render.look import SEEN_DOT, PlacedBoard
from flowvision.render.paint import (
    Part,
    across,
    corner_of,
    differences_from,
    distances_in,
    part_around,
    part_between,
)

BAND = 0.07
"""Half the width of a line along a side, in cell widths; some pixels are added."""
ACROSS = np.linspace(-0.5, 0.5, 101)
"""Points of a cut through a pipe, in cell widths from its middle: the cut is one cell long."""
MIDDLE = slice(49, 52)
"""The middle three of them."""
BESIDE = 0.05
"""Distance of these cuts from the side between two cells, in cell widths."""
MIN_STEP, UNLIKE_DIMMED = 24, 110
"""Least difference in a channel (of 255) between pipe and ground; largest one from the flow's colour."""
WIDEST = 0.9
"""Width of the widest pipe, in cell widths."""
UNLIKE_EDGE = 160
"""Difference in a channel from a pipe's colour at which its soft edge ends."""
PASSAGE, CLEAR = 0.21, 0.86
"""Half of a restored line, in cell widths: a pipe covers less. Share of a side without its corners."""


class _Lane(NamedTuple):
    """A pipe over a bridge: its colour as drawn, and that of the solution's pipe in its place."""

    drawn: Rgb
    solved: Rgb


class _Cell(Struct, frozen=True):
    """A cell to repaint: the colour of its dot, those of its pipes, and where they pass its sides.

    ``passed``: in cell units. ``lanes``: on a bridge.
    """

    number: int
    dot: Rgb | None
    colours: set[Rgb] = field(default_factory=set)
    passed: list[Point] = field(default_factory=list)
    lanes: set[_Lane] = field(default_factory=set)


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
    solved_edges = [set(path.edges) for path in solution.paths]
    unfinished = [flow for flow, edges in enumerate(drawn) if set(edges) != solved_edges[flow]]
    if not unfinished:
        return
    piped_cells = placed.cells_of(chain.from_iterable(drawn))
    cell_count = len(placed.board.layout.cells)
    clean = [cell for cell in range(cell_count) if cell not in piped_cells] or sorted(piped_cells)
    median = np.median(grounds_of(canvas, placed, clean), axis=0)
    ground = Rgb.of_bgr(median.round().astype(int).tolist())
    dots = {flow: solution.paths[flow].ends for flow in unfinished}
    remove_halos(canvas, placed, ground, palette, drawn, dots)
    wrong = [flow for flow in unfinished if drawn[flow]]
    if not wrong:
        return
    ground_in = smooth_ground(canvas, placed, clean)
    cells = _cells_under(placed.board, solution, palette, {flow: drawn[flow] for flow in wrong})
    # Every patch is made from the original picture, so all are made before any is applied.
    tints = grounds_of(canvas, placed, [cell.number for cell in cells])
    patches = [
        _patch_of(canvas, ground_in, placed, cell, tint) for cell, tint in zip(cells, tints, strict=True)
    ]
    for part, bgr, mask in patches:
        if mask.any():
            cv2.copyTo(bgr, mask, canvas[part])


def _cells_under(
    board: Board, solution: Solution, palette: Sequence[Rgb], pipes: Mapping[int, Collection[int]]
) -> list[_Cell]:
    """Return the cells under these pipes (edges by flow)."""
    layout, flow_of = board.layout, solution.flow_of
    dots: dict[int, Rgb] = {}
    for path, colour in zip(solution.paths, palette, strict=True):
        dots |= {layout.cell_of[dot]: colour for dot in path.ends}
    cells: dict[int, _Cell] = {}
    for flow, edges in pipes.items():
        colour = palette[flow]
        for edge in edges:
            for strand, crossing in zip(board.graph.edges[edge], layout.crossings(edge), strict=True):
                number = layout.cell_of[strand]
                cell = cells.setdefault(number, _Cell(number, dots.get(number)))
                cell.passed.append(crossing)
                cell.colours.add(colour)
                if number in layout.bridges and strand in flow_of:
                    cell.lanes.add(_Lane(colour, palette[flow_of[strand]]))
    return list(cells.values())


def _patch_of(
    bgr: Bgr, ground_in: Callable[[Part], Bgr], placed: PlacedBoard, cell: _Cell, tint: NDArray[np.uint8]
) -> tuple[Part, Bgr, NDArray[np.uint8]]:
    """Return a part of the picture, its pixels without the pipes of a cell, and a mask (255) of the cell.

    ``ground_in``: the ground without tint in a part. ``tint`` (3,): of the cell.
    """
    cell_width_px, to_px = placed.cell_width_px, placed.frame.to_px
    shape = placed.board.layout.cells[cell.number]
    outline = to_px(shape.outline)
    # The part ends before its second corner, whose decimals would be cut off.
    part = part_between(outline.min(axis=0), np.ceil(outline.max(axis=0)) + 1, bgr)
    before, corner = bgr[part], corner_of(part)
    inside = np.zeros(before.shape[:2], np.uint8)
    if not before.size:
        return part, before, inside
    cv2.fillPoly(inside, [(outline - corner).round().astype(np.int32)], 255)
    ground = ground_in(part)
    after = _without_tint(before, tint, ground)
    if cell.lanes:
        return part, _recoloured(after, before, cell.lanes), inside
    for crossing in to_px(cell.passed):
        _restore_line(after, outline - corner, crossing - corner, cell_width_px)
    # Within the lines along the sides, which were restored, pipes become ground.
    inner = cv2.erode(inside, _round(BAND * cell_width_px + 1), borderValue=0)
    difference = np.min([differences_from(colour, before) for colour in cell.colours], axis=0)
    is_pipe = (difference < UNLIKE).astype(np.uint8)
    with_soft_edge = cv2.dilate(is_pipe, _round(soft_edge_px(cell_width_px)))
    is_erased = (inner > 0) & (with_soft_edge > 0)
    after[is_erased] = ground[is_erased]
    if cell.dot is not None:
        (centre,) = to_px(shape.centre)
        colours = cell.dot, Rgb.of_bgr(tint.tolist())
        dot = circle_of(whole_dot(bgr, centre.tolist(), colours, cell_width_px, alone=False))
        middle, radius_px = dot or (centre, SEEN_DOT * cell_width_px)
        _keep_dot(after, before, cell.dot, middle - corner, radius_px)
    return part, after, inside


def _without_tint(before: Bgr, tint: NDArray[np.uint8], ground: Bgr) -> Bgr:
    """Return pixels with a tint (3,) replaced by the mean of the ground.

    The change is the same for all, so that a glow across them stays. It is full up to a difference of 8 from
    the tint and fades to none at 32, so that lines stay.
    """
    change = np.asarray(cv2.mean(ground)[:3], np.float32) - tint
    excess = np.arange(256, dtype=np.float32) - 8
    share = 1 - (excess / 24).clip(0, 1)
    change_by_difference = np.rint(share[:, None] * change).astype(np.int16)  # (256, 3)
    changes = change_by_difference[differences_from(Rgb.of_bgr(tint.tolist()), before)]
    return np.asarray((before + changes).clip(0, 255), np.uint8)


def _recoloured(restored: Bgr, before: Bgr, lanes: Collection[_Lane]) -> Bgr:
    """Return a cell with its pipes and their soft edges in the solution's colours.

    ``before``: the cell as drawn; ``restored``: without its tint.
    """
    result = restored.astype(np.float32)
    for drawn, solved in lanes:
        differences = differences_from(drawn, before)
        is_pipe = (differences < UNLIKE).astype(np.uint8)
        edge = cv2.dilate(is_pipe, _round(1)) * (1 - differences / UNLIKE_EDGE).clip(0)
        share = np.where(is_pipe, 1, edge)
        result += share[..., None] * np.subtract(solved.bgr, drawn.bgr)
    return np.asarray(result.round().clip(0, 255), np.uint8)


def _keep_dot(restored: Bgr, original: Bgr, colour: Rgb, middle: Floats, radius_px: float) -> None:
    """Copy a round dot from the original, in place, with a smooth edge where a pipe led out of it.

    ``middle`` (2,): in pixels of both patches.
    """
    part = part_around(middle, radius_px + 1, restored)
    before, after = original[part], restored[part]
    distances = distances_in(part, middle)
    is_inside = (distances < radius_px - 2)[..., None]
    dot = np.where(is_inside, before, np.array(colour.bgr, np.uint8))
    inwards = (radius_px + 0.5 - distances)[..., None]  # from the dot's edge
    cover = inwards.clip(0, 1).astype(np.float32)  # opacity: the edge is a pixel wide
    blend = after * (1 - cover) + dot * cover
    after[:] = blend.round()


def _restore_line(patch: Bgr, outline: Floats, crossing: Floats, cell_width_px: float) -> None:
    """Restore the line along a side where a pipe passed, from the line beside the pipe, in place.

    ``outline`` (corners, 2), ``crossing`` (2,) on the side: in pixels of the patch. Each pixel of the passage
    is copied from its mirror image at the passage's nearer end.
    """
    side = _side_near(outline, crossing)
    length = float(np.linalg.norm(side))
    direction = side / length
    passage_px, clear_px = PASSAGE * cell_width_px, CLEAR * length / 2
    height, width = patch.shape[:2]
    # Complex numbers turned so that the side is the real axis, its crossing 0.
    pixels = np.arange(width) + 1j * np.arange(height)[:, None]
    turned = (pixels - complex(*crossing)) * complex(*direction).conjugate()
    is_near = np.abs(turned.imag) < BAND * cell_width_px + 3
    is_passage = is_near & (np.abs(turned.real) < passage_px)
    along_px = turned.real[is_passage]
    # Beyond the passage ``clear_px - passage_px`` of the line is left: mirror images are squeezed into it, to
    # stay clear of the corners, and to 0.6 at most, as the line is alike farther on.
    squeeze = np.clip((clear_px - passage_px) / passage_px, 0.0, 0.6)
    mirrored_px = passage_px + squeeze * (passage_px - np.abs(along_px))
    moves_px = np.where(along_px < 0, -mirrored_px, mirrored_px) - along_px
    targets = np.argwhere(is_passage)[:, ::-1]  # (N, 2)
    sources = np.rint(targets + moves_px[:, None] * direction).astype(int)
    x, y = sources.clip(0, (width - 1, height - 1)).T
    patch[is_passage] = patch[y, x]


def _side_near(outline: Floats, point: Floats) -> Floats:
    """Return the vector (2,) along the side of an outline whose middle is nearest to a point."""
    following = np.roll(outline, -1, axis=0)
    to_middles = (outline + following) / 2 - point
    nearest = int(np.hypot(*to_middles.T).argmin())
    side: Floats = following[nearest] - outline[nearest]
    return side


def _round(reach_px: float) -> NDArray[np.uint8]:
    """Return a round structuring element, for OpenCV's morphology, with this radius."""
    size = 2 * round(reach_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def played_width(
    bgr: Bgr, placed: PlacedBoard, palette: Sequence[Rgb], drawn: Sequence[Collection[int]]
) -> float | None:
    """Return the width of the pipes in the picture, in cell widths; ``None`` if unclear.

    ``drawn``: per flow, the edges under its pipes.
    """
    sampled = _lines_sampled(placed.board, drawn)
    if not sampled:
        return None
    flows, lines = zip(*sampled, strict=True)
    pixels, is_inside = _cuts_through(bgr, placed, lines)
    colours = np.median(pixels[:, MIDDLE], axis=1)  # (lines, 3)
    differences = np.abs(pixels - colours[:, None]).max(axis=2)
    # Both ends of a cut must differ from the pipe.
    first, last = differences[:, :2], differences[:, -2:]
    steps = np.minimum(first.max(axis=1), last.max(axis=1))  # (lines,), in levels
    is_pipe = differences <= steps[:, None] / 2
    widths = is_pipe.sum(axis=1) / (len(ACROSS) - 1)
    flow_colours = np.array([palette[flow].bgr for flow in flows])
    has_flow_colour = np.abs(colours - flow_colours).max(axis=1) < UNLIKE_DIMMED
    is_clear = is_inside & has_flow_colour & (steps >= MIN_STEP) & (widths < WIDEST)
    if not is_clear.any():
        return None
    low, width, high = np.percentile(widths[is_clear], (25, 50, 75)).tolist()
    is_one_width = high - low <= 0.25 * width  # else what was measured is not the pipes alone
    return float(width) if is_one_width else None


def _cuts_through(bgr: Bgr, placed: PlacedBoard, lines: Sequence[Polyline]) -> tuple[Bgr, NDArray[np.bool_]]:
    """Return the pixels (lines, ACROSS, 3) of a cut through each line, and if the cut is in the picture.

    ``lines``: from a cell's middle over the side to its neighbour's. A cut is parallel to the side, close by.
    """
    points_px = placed.frame.to_px(lines).reshape(-1, 3, 2)
    start, crossing, end = points_px.swapaxes(0, 1)  # (lines, 2) each
    ahead = end - start
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    aside = ACROSS[:, None] * across(ahead)[:, None]  # (lines, ACROSS, 2)
    cuts = BESIDE * ahead[:, None] + aside
    pixels, is_inside = pixels_at(bgr, crossing[:, None] + placed.cell_width_px * cuts)
    return pixels, np.asarray(is_inside.all(axis=1))


def _lines_sampled(board: Board, drawn: Sequence[Collection[int]]) -> list[tuple[int, Polyline]]:
    """Return about five lines from cell to cell under the pipes of every flow, with the flow; no warps."""
    layout = board.layout
    sampled = []
    for flow, edges in enumerate(drawn):
        some_edges = sorted(edges)[:: max(1, len(edges) // 5)]
        lines = (layout.strokes[edge][0] for edge in some_edges if not layout.is_warp(edge))
        sampled += [(flow, line) for line in lines]
    return sampled
