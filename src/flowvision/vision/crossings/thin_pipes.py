"""Drawn pipes that the usual look misses: thin ones, beside the middles of cells, or cut by the picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.vision.crossings.drawn_pipes import CUT, Gate, cuts_across, gates_of
from flowvision.vision.pixels.view import Floats, View, colour_distance, is_inside, lab_of, sample
from flowvision.vision.settings import PipeSettings

SOLID = 0.7
"""The share of a pipe's section that has its colour."""
WIDEST = 0.45
"""A section as wide, in cell widths, is no pipe."""
SHIFT = 0.06
"""How far a pipe may be shifted from one side of a line to the other, in cell widths."""
MIDDLE = 0.2
"""A pipe through a cell passes its middle so near, even where it turns in a wide round."""


def thin_edges(
    view: View,
    frame: Frame,
    board: Board,
    palette: Sequence[Rgb],
    dots: Sequence[Collection[int]],
    settings: PipeSettings,
    unseen: Sequence[Gate],
) -> tuple[frozenset[int], ...]:
    """Per flow, the edges whose sides its colour crosses, and that pass the middles of both cells.

    A pipe of any width up to ``WIDEST``, with ground on both hands; beyond the picture there may be anything.
    It may end where the cell of its dot begins. ``unseen``: gates through one of which at least they lead.
    """
    flows = lab_of(np.array([colour[::-1] for colour in palette], np.uint8))
    if max(_sections(view, frame, unseen, flows, settings.alike)[0]) < 0:
        return (frozenset[int](),) * len(palette)
    gates = [gate for edge in range(len(board.graph.edges)) for gate in gates_of(board, edge)]
    seen, places = _sections(view, frame, gates, flows, settings.alike)
    shown = _near_middles(view, frame, board, flows, settings.alike)
    found: list[set[int]] = [set() for _ in palette]
    for edge, both in enumerate(zip(seen[::2], seen[1::2], strict=True)):
        ends, flow = board.graph.edges[edge], max(both)
        if flow < 0 or not all(shown[board.layout.cell_of[strand], flow] for strand in ends):
            continue
        at_dot = any(one < 0 and end in dots[flow] for one, end in zip(both, ends, strict=True))
        # From the other side, right is left.
        apart = abs(places[2 * edge] + places[2 * edge + 1])
        if at_dot or (both[0] == both[1] and (apart < SHIFT or board.lattice is None)):
            found[flow].add(edge)
    return tuple(map(frozenset, found))


def _sections(
    view: View, frame: Frame, gates: Sequence[Gate], flows: Floats, alike: float
) -> tuple[list[int], list[float]]:
    """Per gate the flow that crosses it, -1 for none, and how far to the side of its middle."""
    points = cuts_across(frame, gates)
    away = colour_distance(lab_of(sample(view, frame, *points))[:, :, None], flows)
    inside = is_inside(view, frame, *points)
    own = (away < alike) & inside[..., None]
    each, last = np.arange(len(gates)), len(CUT) - 1
    flow = own.sum(axis=1).argmax(axis=1)
    mask = own[each, :, flow]
    low, high = mask.argmax(axis=1), last - mask[:, ::-1].argmax(axis=1)
    # Where the picture ends there is no ground to be seen; on one hand at least there is.
    ends = inside[each, np.maximum(low - 1, 0)] | inside[each, np.minimum(high + 1, last)]
    is_solid = mask.sum(axis=1) >= SOLID * (high - low + 1)
    is_pipe = is_solid & ends & (low > 0) & (high < last) & (CUT[high] - CUT[low] < WIDEST)
    return np.where(is_pipe, flow, -1).tolist(), ((CUT[low] + CUT[high]) / 2).tolist()


def _near_middles(view: View, frame: Frame, board: Board, flows: Floats, alike: float) -> NDArray[np.bool_]:
    """(cells, flows): whether a flow's colour lies near the middle of a cell."""
    middles = np.array([cell.centre for cell in board.layout.cells])
    along = CUT[np.abs(CUT) <= MIDDLE]
    box = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    seen = lab_of(sample(view, frame, middles, box))
    return np.column_stack([(colour_distance(seen, colour) < alike).any(axis=1) for colour in flows])
