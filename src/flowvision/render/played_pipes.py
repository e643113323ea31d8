"""Measured width and turns of the pipes that are already on a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Floats, Frame, Rgb
from flowvision.image.pixels import pixels_at, unit_circle
from flowvision.puzzle.layout import Point
from flowvision.puzzle.model import Solution
from flowvision.render.look import PlacedBoard

Ints = NDArray[np.int_]

MOST = 5
"""Largest samples of a flow's sides and of a board's cells."""
BESIDE = 0.05
"""Distance from the side at which a pipe is measured, in cells: dots of any size leave it bare there."""
WIDEST = 0.9
"""Widest pipe, in cell widths: wider is a cell in its colour."""
OWN = 110
"""Largest difference of a pipe's colour from its dots', in one channel (of 255)."""
LEAST_STEP = 24
"""Least difference of a pipe from its ground (of 255): below it the edge cannot be seen."""
SPREAD = 0.25
"""Largest spread of half of the measured widths, as a share of their median."""
CORNER = 0.88
"""Place, of half the width along both arms, that a square corner covers and a round one does not."""
RING, POINTS = 0.42, 24
"""The circle on which a cell's ground is looked at, outside dots: its radius in cell widths."""
OTHER = 60
"""Distance from a flow's colour in one channel (of 255) below which a pixel counts as its pipe."""
EVEN = 30.0
"""Largest variation of a plain ground within a cell (of 255); glossy or textured ones cannot be redrawn."""


class PlayedPipes(Struct, frozen=True):
    """Look of pipes on a board. ``width``: in cell widths. ``square``: turns have corners.

    ``even``: the ground round them has one colour per cell.
    """

    width: float
    square: bool
    even: bool


def played_pipes(
    bgr: Bgr, placed: PlacedBoard, palette: Sequence[Rgb], drawn: Sequence[Collection[int]]
) -> PlayedPipes | None:
    """Return the look of the pipes on these edges, by flow; ``None`` where no width can be measured."""
    strokes, cell_width_px = placed.board.layout.strokes, placed.cell_width_px
    looked = [
        (flow, strokes[edge][0])
        for flow, edges in enumerate(drawn)
        for edge in sorted(edges)[:: max(1, len(edges) // MOST)]
        if len(strokes[edge]) == 1
    ]
    if not looked:
        return None
    numbers, widths, seen = _sections(bgr, placed.frame, [stroke for _, stroke in looked], cell_width_px)
    flows = np.array([flow for flow, _ in looked])[numbers]
    own = np.abs(seen - np.array(palette)[flows, ::-1]).max(axis=1) < OWN
    widths = widths[own & (widths < WIDEST * cell_width_px)] / cell_width_px
    if not len(widths):
        return None
    low, width, high = np.percentile(widths, (25, 50, 75))
    if high - low > SPREAD * width:
        return None
    square = _is_square(bgr, placed, palette, drawn, width * cell_width_px)
    touched = placed.cells_of(chain.from_iterable(drawn))
    return PlayedPipes(float(width), square, _is_even(bgr, placed, palette, touched))


def edges_shown(bgr: Bgr, placed: PlacedBoard, solution: Solution, palette: Sequence[Rgb]) -> frozenset[int]:
    """Return the edges of a solution whose sides show their flow's colour where a pipe passes them."""
    found = []
    for path, colour in zip(solution.paths, palette, strict=False):
        sides = placed.frame.to_px([placed.board.layout.strokes[edge][0][1] for edge in path.edges])
        for edge, (x, y) in zip(path.edges, np.rint(sides).astype(int).tolist(), strict=True):
            seen = bgr[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3)
            if seen.size and _apart(np.median(seen, axis=0), colour[::-1]) < OTHER:
                found.append(edge)
    return frozenset(found)


def _sections(
    bgr: Bgr, frame: Frame, strokes: Sequence[Sequence[Point]], cell_width_px: float
) -> tuple[Ints, Ints, Ints]:
    """Cut across pipes beside the sides that they pass, along ``strokes`` from cell to cell.

    Return, where both edges are seen, the number of the stroke (N,), the width (N,) and the colour (N, 3),
    BGR.
    """
    before, side, after = np.moveaxis(frame.to_px(strokes).reshape(-1, 3, 2), 1, 0)
    way = _unit(after - before)
    reach = max(2, round(cell_width_px / 2))
    off = np.arange(-reach, reach + 1)[:, None] * (way[:, ::-1] * (-1, 1))[:, None]
    seen, inside = pixels_at(bgr, (side + BESIDE * cell_width_px * way)[:, None] + off)
    numbers = np.flatnonzero(inside.all(axis=1))
    cuts = seen[numbers].astype(int)
    colours = np.sort(cuts[:, reach - 1 : reach + 2], axis=1)[:, 1]
    away = np.abs(cuts - colours[:, None]).max(axis=2)
    step = np.minimum(away[:, :2].max(axis=1), away[:, -2:].max(axis=1))
    outside = away > step[:, None] / 2
    left, right = outside[:, reach - 1 :: -1], outside[:, reach + 1 :]
    clear = (step >= LEAST_STEP) & left.any(axis=1) & right.any(axis=1)
    widths = left.argmax(axis=1) + right.argmax(axis=1) + 1
    return numbers[clear], widths[clear], colours[clear]


def _is_square(
    bgr: Bgr, placed: PlacedBoard, palette: Sequence[Rgb], drawn: Sequence[Collection[int]], width_px: float
) -> bool:
    """Return true if most turns of the pipes fill the corner that a round join leaves out."""
    board, turns, owners = placed.board, list[list[Sequence[Point]]](), list[int]()
    for flow, edges in enumerate(drawn):
        arms = defaultdict[int, list[Sequence[Point]]](list)
        for edge in edges:
            for strand in board.graph.edges[edge]:
                arms[strand].append(board.strokes_from(edge, strand)[0][:2])
        passed = [both for both in arms.values() if len(both) == 2]
        turns += passed
        owners += [flow] * len(passed)
    if not turns:
        return False
    lines = placed.frame.to_px(turns).reshape(-1, 2, 2, 2)
    ways = _unit(lines[:, :, 1] - lines[:, :, 0])
    seen, inside = pixels_at(bgr, lines[:, 0, 0] - ways.sum(axis=1) * CORNER * width_px / 2)
    turned = inside & (np.abs(ways.prod(axis=1).sum(axis=1)) < 0.3)
    own = np.array(palette)[owners, ::-1][turned]
    filled = np.abs(seen[turned] - own).max(axis=1, initial=0) < LEAST_STEP
    return 2 * int(filled.sum()) > len(filled)


def _unit(ways: Floats) -> Floats:
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-9))


def _apart(a: object, b: object) -> float:
    return float(np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64)).max())


def _is_even(bgr: Bgr, placed: PlacedBoard, palette: Sequence[Rgb], cells: Collection[int]) -> bool:
    """Return true if the ground has one colour within most of these cells, pipes left out."""
    middles = placed.middles_px(sorted(cells)[:: max(1, len(cells) // MOST)])
    seen = pixels_at(bgr, middles[:, None] + RING * placed.cell_width_px * unit_circle(POINTS))[0].astype(int)
    away = np.abs(seen[:, :, None] - np.array(palette)[:, ::-1]).max(axis=3).min(axis=2)
    spreads = []
    for points, is_ground in zip(seen, away >= OTHER, strict=True):
        beside = np.sort(points[is_ground], axis=0)
        if len(beside) >= POINTS // 3:
            spreads.append((beside[-1 - len(beside) // 5] - beside[len(beside) // 5]).max())
    return not spreads or bool(np.median(spreads) < EVEN)
