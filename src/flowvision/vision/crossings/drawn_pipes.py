"""Pipes already drawn: which sides of cells a flow's colour passes through."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.sampling import lab_of, sample
from flowvision.vision.pixels.view import Floats, View
from flowvision.vision.settings import DotSettings
from flowvision.vision.walls.result import SideReading

ALONG = np.array((-0.1, -0.07, -0.03, 0.02))
"""Of a narrow cell's width: where a pipe is looked for along its way through a side, from between a dot's rim
(0.35) and the side (0.5) to just beyond it."""
ACROSS = np.array((-0.08, 0.0, 0.08))
"""Of the same: and across; half a pipe is 0.167 wide."""
BESIDE = np.array((-0.3, 0.3))
"""Of the same: ground on both sides of a pipe."""
NEAR_GROUND = 0.5
"""Of the way to the ground: a pipe of nearly its colour is nearer than that to its own."""
APART = 5.0
"""Lab: how far a pipe is from the ground at least; JPEG makes dark ground vary by 2."""


def flows_through(
    view: View,
    frame: Frame,
    gates: Sequence[tuple[Point, Point]],
    palette: Sequence[Rgb],
    alike: float = DotSettings.alike,
) -> list[int | None]:
    """The flow whose pipe is drawn through each gate, ``None`` where there is none.

    A gate is the middle of a cell and the middle of one of its sides, in cell units. ``alike``: Lab, how far
    a pipe may be from its flow's colour.
    """
    if not gates:
        return []
    starts, middles = (np.array([gate[n] for gate in gates], dtype=np.float64) for n in (0, 1))
    x, y = middles.mean(axis=0).tolist()
    stretch, narrow_px = frame.stretch((x, y)), frame.narrow_px((x, y))
    way = (middles - starts) @ stretch.T
    way /= np.linalg.norm(way, axis=1)[:, None]
    side = way[:, ::-1] * (-1.0, 1.0)
    # Pipes are as wide in long cells as in square ones.
    to_cells = np.linalg.inv(stretch).T * narrow_px
    lane = _around(way, side, ALONG, ACROSS) @ to_cells
    ground = _around(way, side, ALONG[:2], BESIDE) @ to_cells
    colours = lab_of(sample(view, frame, middles, lane))
    flows = lab_of(np.array([colour[::-1] for colour in palette], np.uint8))
    away = np.linalg.norm(colours[:, :, None, :] - flows, axis=3)
    beside = lab_of(sample(view, frame, middles, ground))
    apart = np.linalg.norm(beside[:, :, None, :] - flows, axis=3).min(axis=1)
    passes = (np.percentile(away, 70, axis=1) < np.minimum(alike, NEAR_GROUND * apart)) & (apart > APART)
    best = np.where(passes, away.mean(axis=1), np.inf)
    nearest = best.argmin(axis=1)
    return [int(flow) if passes[gate, flow] else None for gate, flow in enumerate(nearest)]


def _around(way: Floats, side: Floats, along: Floats, across: Floats) -> Floats:
    """(gates, len(along) · len(across), 2): offsets from the middle of each gate's side."""
    a, c = (part.ravel() for part in np.meshgrid(along, across, indexing="ij"))
    return np.asarray(way[:, None, :] * a[:, None] + side[:, None, :] * c[:, None])


def drawn_edges(
    sides: SideReading,
    board: Board,
    palette: Sequence[Rgb],
    dots: Collection[int] | None = None,
    alike: float = DotSettings.alike,
) -> tuple[frozenset[int], ...]:
    """Per flow, the edges of the board that its pipes lie on: its colour passes their sides on both ends.

    Pipes begin at dots: with ``dots``, their strands, the rest of the board is looked at only where a pipe
    leaves one of them.
    """
    layout = board.layout
    if dots is not None:
        near = [edge for dot in dots for edge in board.graph.incident[dot]]
        if all(flow is None for flow in _passed(sides, board, palette, near, alike)):
            return tuple(frozenset() for _ in palette)
    edges = range(len(layout.strokes))
    found: list[set[int]] = [set() for _ in palette]
    for edge, flow in zip(edges, _passed(sides, board, palette, edges, alike), strict=True):
        if flow is not None:
            found[flow].add(edge)
    return tuple(frozenset(own) for own in found)


def _passed(
    sides: SideReading, board: Board, palette: Sequence[Rgb], edges: Sequence[int], alike: float
) -> list[int | None]:
    """The flow whose pipe passes both ends of each of these edges, ``None`` where there is none."""
    layout = board.layout
    gates = [
        (layout.cells[layout.cell_of[strand]].centre, stub[1] if end == 0 else stub[-2])
        for edge in edges
        for strokes in [layout.strokes[edge]]
        for end, (strand, stub) in enumerate(
            zip(board.graph.edges[edge], (strokes[0], strokes[-1]), strict=True)
        )
    ]
    through = flows_through(sides.fit.view, sides.fit.frame, gates, palette, alike)
    return [one if one == other else None for one, other in zip(through[::2], through[1::2], strict=True)]
