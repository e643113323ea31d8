"""Pipes that are already drawn: sides of cells with a flow's colour running through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import compress

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.view import HALF_WAY, Floats, View, colour_distance, is_inside, lab_of, sample
from flowvision.vision.settings import PIPES

CUT = np.linspace(-0.4, 0.4, 41)
"""Cell widths: the points of a cut, across a pipe and some ground on both sides."""
STEP, WITHIN = 24, 10
"""Least change in a channel, of 255, at a pipe's edge, and points of a cut within which it is."""
NEAR_MIDDLE = CUT[np.abs(CUT) <= 0.2]
"""Cell widths: the points of a cut that a pipe through the cell covers even in a wide turn; beyond them are
lines of a hexagon's next sides."""

COS_HUE, LEAST_SHADE = float(np.cos(np.radians(15.0))), 5.0
"""A gloss on a dot turns its hue by about 6°; what is nearer to the dot in Lab has its colour."""
LEAST_CHROMA, TINT_CHROMA, LIGHTER = 20.0, 0.5, 25.0
"""Lab: shades of grey have any hue; tints of cells have a smaller share of their dot's chroma; largest
difference in lightness."""

Gate = Sequence[Point]  # the middle of a cell and that of one of its sides, in cell units


class SeenBoard(Struct, frozen=True, eq=False):
    """A board in a picture, to look for pipes on: the colour of each flow, and the strands of its dots."""

    view: View
    frame: Frame
    board: Board
    palette: Sequence[Rgb]
    dots: Sequence[Collection[int]]

    @property
    def flows(self) -> Floats:
        """(flows, 3): their colours in Lab."""
        return lab_of_flows(self.palette)

    def gates(self, edge: int) -> tuple[Gate, Gate]:
        """Return the gates of an edge: from the middle of each of its cells to its side."""
        strokes = self.board.layout.strokes[edge]
        return strokes[0][:2], strokes[-1][:-3:-1]


def lab_of_flows(palette: Sequence[Rgb]) -> Floats:
    """Return (flows, 3): colours in Lab."""
    return lab_of(np.array([colour[::-1] for colour in palette], np.uint8))


def flows_through(view: View, frame: Frame, gates: Sequence[Gate], flows: Floats) -> list[int | None]:
    """Return the flow whose pipe is drawn through each gate, if any.

    ``flows`` (flows, 3): their colours, in Lab. There is ground on both sides of a pipe.
    """
    if not gates:
        return []
    points = _cuts_across(frame, gates)
    # Flows come first: over a short last axis NumPy takes three times as long.
    away = colour_distance(lab_of(sample(view, frame, *points)), flows[:, None, None])
    inside = is_inside(view, frame, *points)
    # If the ground has nearly the flow's colour, only what is nearer to the flow's is a pipe.
    apart = np.maximum(away[..., :1], away[..., -1:])
    reach = np.minimum(PIPES.alike, HALF_WAY * apart)
    is_alike = (away < reach) & inside & (away == away.min(axis=0))
    each, last = np.arange(len(gates)), len(CUT) - 1
    flow = np.count_nonzero(is_alike, axis=2).argmax(axis=0)
    mask = is_alike[flow, each]
    low, high = mask.argmax(axis=1), last - mask[:, ::-1].argmax(axis=1)
    # Ground must be seen on one side at least; on the other the picture may end.
    ends = inside[each, np.maximum(low - 1, 0)] | inside[each, np.minimum(high + 1, last)]
    is_solid = mask.sum(axis=1) >= PIPES.share * (high - low + 1)
    is_pipe = is_solid & ends & (low > 0) & (high < last)
    return [seen if drawn else None for seen, drawn in zip(flow.tolist(), is_pipe.tolist(), strict=True)]


def _cuts_across(frame: Frame, gates: Sequence[Gate], cut: Floats = CUT) -> tuple[Floats, Floats]:
    """Return the middles of sides (N, 2), and the points of a cut beside each (N, M, 2), in cell units."""
    starts, middles = np.array(gates, np.float64).transpose(1, 0, 2)
    x, y = middles.mean(axis=0).tolist()
    stretch = frame.stretch((x, y))
    way = (middles - starts) @ stretch.T
    way /= np.linalg.norm(way, axis=1)[:, None]
    side = way[:, None, ::-1] * (-1.0, 1.0)
    # Into the cell from its side: clear of the line and of most dots.
    points = side * cut[:, None] - 0.07 * way[:, None]
    return middles, points @ (np.linalg.inv(stretch).T * frame.cell_width_px((x, y)))


def drawn_edges(seen: SeenBoard) -> tuple[frozenset[int], ...]:
    """Return per flow the edges of the board with a pipe of its colour through the sides at both ends.

    It also passes the middles of cells without a dot. Pipes begin at dots, so other cells are checked only if
    something leaves a dot. If pipes are paler or darker than dots, they must join two dots in one shade.
    """
    if not _leave_dots(seen):
        return (frozenset(),) * len(seen.palette)
    found = _edges_in(seen)
    whole = [_joins_both_dots(seen.board, edges, at) for edges, at in zip(found, seen.dots, strict=True)]
    left = [() if is_whole else at for is_whole, at in zip(whole, seen.dots, strict=True)]
    shades = _shades_at(replace(seen, dots=left))
    if not shades:
        return found
    in_shades = [shades.get(flow, colour) for flow, colour in enumerate(seen.palette)]
    others = _edges_in(replace(seen, palette=in_shades))
    return tuple(
        other if flow in shades and _joins_both_dots(seen.board, other, at) else edges
        for flow, (edges, other, at) in enumerate(zip(found, others, seen.dots, strict=True))
    )


def _ways_out(seen: SeenBoard) -> list[tuple[int, int, Gate]]:
    """Return the flow, the dot and the next cell's gate, for every edge at a dot."""
    graph = seen.board.graph
    return [
        (flow, dot, seen.gates(edge)[graph.edges[edge][0] == dot])
        for flow, dots in enumerate(seen.dots)
        for dot in dots
        for edge in graph.incident[dot]
    ]


def _leave_dots(seen: SeenBoard) -> bool:
    """Return whether anything but plain ground shows where pipes may leave dots."""
    gates = [gate for *_, gate in _ways_out(seen)]
    if not gates:
        return False
    cut = CUT if seen.board.squares else NEAR_MIDDLE
    cuts = sample(seen.view, seen.frame, *_cuts_across(seen.frame, gates, cut))
    # Packed to one row a channel: over so short a last axis NumPy takes four times as long.
    lines = np.ascontiguousarray(np.moveaxis(cuts, 1, 0).reshape(len(cut), -1))
    steps = cv2.absdiff(lines[WITHIN:], lines[:-WITHIN])
    return bool((steps > STEP).any())


def _edges_in(seen: SeenBoard) -> tuple[frozenset[int], ...]:
    """Return per flow the edges with a pipe of its colour, all cells on the way checked."""
    graph, cell_of = seen.board.graph, seen.board.layout.cell_of
    gates = [gate for edge in range(len(graph.edges)) for gate in seen.gates(edge)]
    flows = flows_through(seen.view, seen.frame, gates, seen.flows)
    found: list[tuple[int, int]] = []
    for edge, (one, other) in enumerate(zip(flows[::2], flows[1::2], strict=True)):
        flow = other if one is None else one
        if flow is None:
            continue
        # Large dots reach to the side.
        at_dot = any(
            gate_flow is None and end in seen.dots[flow]
            for gate_flow, end in zip((one, other), graph.edges[edge], strict=True)
        )
        if at_dot or one == other:
            found.append((edge, flow))
    passages = {edge: {(cell_of[strand], flow) for strand in graph.edges[edge]} for edge, flow in found}
    hidden = _hidden_in_middles(seen, set[tuple[int, int]]().union(*passages.values()))
    kept = [(edge, flow) for edge, flow in found if hidden.isdisjoint(passages[edge])]
    return tuple(frozenset(edge for edge, of in kept if of == flow) for flow in range(len(seen.palette)))


def _shades_at(seen: SeenBoard) -> dict[int, Rgb]:
    """Return the colours of pipes that are paler or darker than their dots, if both dots have one."""
    ways, shades = _ways_out(seen), dict[int, dict[int, Rgb]]()
    if not ways:
        return {}
    sides = np.array([gate[1] for *_, gate in ways], np.float64)
    bgr = sample(seen.view, seen.frame, sides, np.zeros((1, 2)))[:, 0]
    lab, flows = lab_of(bgr), seen.flows[[flow for flow, *_ in ways]]
    chroma, own_chroma = (np.hypot(colours[:, 1], colours[:, 2]) for colours in (lab, flows))
    has_hue = (lab * flows)[:, 1:].sum(axis=1) > COS_HUE * chroma * own_chroma
    is_coloured = (own_chroma > LEAST_CHROMA) & (chroma > TINT_CHROMA * own_chroma)
    is_as_light = np.abs(lab[:, 0] - flows[:, 0]) < LIGHTER
    is_shade = has_hue & is_coloured & is_as_light & (colour_distance(lab, flows) > LEAST_SHADE)
    for n in np.flatnonzero(is_shade).tolist():
        flow, dot, _ = ways[n]
        shades.setdefault(flow, {})[dot] = Rgb(*bgr[n, ::-1].tolist())
    return {flow: of.popitem()[1] for flow, of in shades.items() if len(of) == len(seen.dots[flow])}


def _joins_both_dots(board: Board, edges: Collection[int], dots: Collection[int]) -> bool:
    """Return true if edges form one path from dot to dot."""
    ends = Counter(strand for edge in edges for strand in board.graph.edges[edge])
    odd = {strand for strand, times in ends.items() if times == 1}
    return bool(edges) and odd == set(dots) and max(ends.values()) == 2 - (len(edges) == 1)


def _hidden_in_middles(seen: SeenBoard, passages: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the passages, a cell and a flow each, without the flow's colour near the middle of the cell."""
    layout = seen.board.layout
    # Not checked: letters hide the middles of dots, and the upper pipe of a bridge hides the lower one.
    unchecked = {layout.cell_of[dot] for at in seen.dots for dot in at} | layout.bridges
    hidden = sorted(passage for passage in passages if passage[0] not in unchecked)
    for axis in (NEAR_MIDDLE[::5], NEAR_MIDDLE):  # a few points show nearly all
        if not hidden:
            break
        middles = np.array([layout.cells[cell].centre for cell, _ in hidden])
        box = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        lab = lab_of(sample(seen.view, seen.frame, middles, box))
        away = colour_distance(lab, seen.flows[[flow for _, flow in hidden], None])
        is_hidden = np.all(away >= PIPES.alike, axis=1)
        hidden = list(compress(hidden, is_hidden))
    return set(hidden)
