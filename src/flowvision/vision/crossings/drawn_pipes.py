"""Pipes that are already drawn: sides of cells with a flow's colour running through them.

A gate leads from the middle of a cell through one of its sides; an edge has two. A cut is a row of points
across a gate. Cells are numbers, and so are strands: the ways through a cell, two on a bridge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import compress
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    Mask,
    Numbers,
    View,
    colour_distance,
    grid_points,
    is_inside,
    lab_of,
    sample,
)
from flowvision.vision.settings import PIPES

CUT = np.linspace(-0.4, 0.4, 41)
"""Cell widths: the points of a cut, from its middle, across a pipe and some ground on both sides."""
INTO_CELL = 0.07
"""Cell widths from a side to its cut."""
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
Passage = tuple[int, int]  # a cell and a flow whose pipe may lead through it


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
        return strokes[0][:2], strokes[-1][:-3:-1]  # the first two points, and the last two backwards


def lab_of_flows(palette: Sequence[Rgb]) -> Floats:
    """Return (flows, 3): the colours of a palette in Lab."""
    return lab_of(np.array([colour[::-1] for colour in palette], np.uint8))


class Cuts(NamedTuple):
    """Cuts across ``gates``, by number: all but those of one colour, through which no pipe is drawn.

    ``lab`` (cuts, points, 3): the colours of their points; ``is_in_picture`` (cuts, points).
    """

    gates: Numbers
    lab: Floats
    is_in_picture: Mask


def cuts_of(view: View, frame: Frame, gates: Sequence[Gate]) -> Cuts:
    """Return the cuts across at least one gate."""
    points = _cuts_across(frame, gates)
    bgr = sample(view, frame, *points)
    varied = np.flatnonzero((bgr != bgr[:, :1]).any(axis=(1, 2)))
    return Cuts(varied, lab_of(bgr[varied]), is_inside(view, frame, *points)[varied])


def flows_through(cuts: Cuts, flows: Floats) -> dict[int, int]:
    """Return by gate the flow whose pipe is drawn through it: its colour, between ground.

    ``flows`` (flows, 3): their colours, in Lab.
    """
    # (flows, cuts, points). Flows come first: over a short last axis NumPy takes three times as long.
    flow_distance = colour_distance(cuts.lab, flows[:, None, None])
    is_in_picture = cuts.is_in_picture
    # If the ground has nearly the flow's colour, only what is nearer to the flow's is a pipe.
    ground_distance = np.maximum(flow_distance[..., :1], flow_distance[..., -1:])
    max_distance = np.minimum(PIPES.alike, HALF_WAY * ground_distance)
    is_alike = (flow_distance < max_distance) & is_in_picture & (flow_distance == flow_distance.min(axis=0))
    cut_numbers = np.arange(len(cuts.gates))
    last_point = len(CUT) - 1
    flow = np.count_nonzero(is_alike, axis=2).argmax(axis=0)
    is_flow_there = is_alike[flow, cut_numbers]
    first_of_pipe = is_flow_there.argmax(axis=1)
    last_of_pipe = last_point - is_flow_there[:, ::-1].argmax(axis=1)
    # Ground must be seen on one side at least; on the other the picture may end.
    is_end_in_picture = (
        is_in_picture[cut_numbers, np.maximum(first_of_pipe - 1, 0)]
        | is_in_picture[cut_numbers, np.minimum(last_of_pipe + 1, last_point)]
    )
    is_solid = is_flow_there.sum(axis=1) >= PIPES.solid_share_min * (last_of_pipe - first_of_pipe + 1)
    is_pipe = is_solid & is_end_in_picture & (first_of_pipe > 0) & (last_of_pipe < last_point)
    return dict(zip(cuts.gates[is_pipe].tolist(), flow[is_pipe].tolist(), strict=True))


def _cuts_across(frame: Frame, gates: Sequence[Gate], cut: Floats = CUT) -> tuple[Floats, Floats]:
    """Return the middles of the gates' sides (N, 2), and the offsets (N, points, 2) of a cut beside each.

    Both in cell units, as for ``sample``. ``cut`` (points,): in cell widths.
    """
    starts, middles = np.array(gates, np.float64).transpose(1, 0, 2)
    x, y = middles.mean(axis=0).tolist()
    stretch = frame.stretch((x, y))  # (2, 2): from cell units to pixels, in which a cut is square to its gate
    direction = (middles - starts) @ stretch.T
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    normal = direction[:, None, ::-1] * (-1.0, 1.0)
    # Into the cell from its side: clear of the line and of most dots.
    points = normal * cut[:, None] - INTO_CELL * direction[:, None]  # in cell widths
    to_cell_units = np.linalg.inv(stretch).T * frame.cell_width_px((x, y))
    return middles, points @ to_cell_units


def drawn_edges(seen_board: SeenBoard) -> tuple[frozenset[int], ...]:
    """Return per flow the edges of the board with a pipe of its colour through the sides at both ends.

    Such a pipe also passes the middles of cells without a dot. Pipes begin at dots, so other cells are
    checked only if something leaves a dot. If pipes are paler or darker than dots, they must join two dots
    in one shade.
    """
    if not _leave_dots(seen_board):
        return (frozenset(),) * len(seen_board.palette)
    gates = [gate for edge in range(len(seen_board.board.graph.edges)) for gate in seen_board.gates(edge)]
    cuts = cuts_of(seen_board.view, seen_board.frame, gates)
    edges_of = _edges_in(seen_board, cuts)
    # Without dots, a flow whose pipe joins both is left out of the search for shades.
    unjoined_dots = [
        () if _joins_both_dots(seen_board.board, edges, dots) else dots
        for edges, dots in zip(edges_of, seen_board.dots, strict=True)
    ]
    shades = _shades_at(replace(seen_board, dots=unjoined_dots))
    if not shades:
        return edges_of
    palette = [shades.get(flow, colour) for flow, colour in enumerate(seen_board.palette)]
    edges_in_shades = _edges_in(replace(seen_board, palette=palette), cuts)
    return tuple(
        in_shade if flow in shades and _joins_both_dots(seen_board.board, in_shade, dots) else edges
        for flow, (edges, in_shade, dots) in enumerate(
            zip(edges_of, edges_in_shades, seen_board.dots, strict=True)
        )
    )


class _WayOut(NamedTuple):
    """An edge that begins at a dot of a flow; ``gate``: that of the cell at its other end."""

    flow: int
    dot: int
    gate: Gate


def _ways_out(seen_board: SeenBoard) -> list[_WayOut]:
    """Return the ways out of all dots."""
    graph = seen_board.board.graph
    return [
        # The second gate if the edge begins at the dot, else the first.
        _WayOut(flow, dot, seen_board.gates(edge)[graph.edges[edge][0] == dot])
        for flow, dots in enumerate(seen_board.dots)
        for dot in dots
        for edge in graph.incident[dot]
    ]


def _leave_dots(seen_board: SeenBoard) -> bool:
    """Return whether anything but plain ground shows where pipes may leave dots."""
    gates = [way.gate for way in _ways_out(seen_board)]
    if not gates:
        return False
    cut = CUT if seen_board.board.squares else NEAR_MIDDLE
    cut_bgr = sample(seen_board.view, seen_board.frame, *_cuts_across(seen_board.frame, gates, cut))
    # (points, gates · 3) of (gates, points, 3): over so short a last axis NumPy takes four times as long.
    rows_of_points = np.ascontiguousarray(np.moveaxis(cut_bgr, 1, 0).reshape(len(cut), -1))
    contrasts = cv2.absdiff(rows_of_points[WITHIN:], rows_of_points[:-WITHIN])
    return bool((contrasts > STEP).any())


def _edges_in(seen_board: SeenBoard, cuts: Cuts) -> tuple[frozenset[int], ...]:
    """Return per flow the edges with a pipe of its colour, all cells on the way checked.

    ``cuts``: of two gates an edge, of its first and of its last cell.
    """
    graph, cell_of = seen_board.board.graph, seen_board.board.layout.cell_of
    flow_at = flows_through(cuts, seen_board.flows)
    flow_of_edge = dict[int, int]()
    for edge in range(len(graph.edges)):
        first_flow, last_flow = flow_at.get(2 * edge), flow_at.get(2 * edge + 1)
        flow = last_flow if first_flow is None else first_flow
        if flow is None:
            continue
        # Large dots reach to the side, and hide the pipe there.
        is_at_dot = any(
            gate_flow is None and end in seen_board.dots[flow]
            for gate_flow, end in zip((first_flow, last_flow), graph.edges[edge], strict=True)
        )
        if is_at_dot or first_flow == last_flow:
            flow_of_edge[edge] = flow
    passages_of = {
        edge: {(cell_of[strand], flow) for strand in graph.edges[edge]} for edge, flow in flow_of_edge.items()
    }
    hidden = _hidden_in_middles(seen_board, set[Passage]().union(*passages_of.values()))
    return tuple(
        frozenset(
            edge
            for edge, edge_flow in flow_of_edge.items()
            if edge_flow == flow and hidden.isdisjoint(passages_of[edge])
        )
        for flow in range(len(seen_board.palette))
    )


def _shades_at(seen_board: SeenBoard) -> dict[int, Rgb]:
    """Return by flow the colour of pipes that are paler or darker than their dots, if both dots have one.

    A shade has about the hue of its dot, shows at its side, and is neither grey nor the tint of a cell.
    """
    ways_out = _ways_out(seen_board)
    shades = dict[int, dict[int, Rgb]]()
    if not ways_out:
        return {}
    sides = np.array([side for _, side in (way.gate for way in ways_out)], np.float64)
    side_bgr = sample(seen_board.view, seen_board.frame, sides, np.zeros((1, 2)))[:, 0]
    side_lab = lab_of(side_bgr)
    dot_lab = seen_board.flows[[way.flow for way in ways_out]]
    side_chroma, dot_chroma = (np.hypot(lab[:, 1], lab[:, 2]) for lab in (side_lab, dot_lab))
    has_hue = (side_lab * dot_lab)[:, 1:].sum(axis=1) > COS_HUE * side_chroma * dot_chroma
    is_coloured = (dot_chroma > LEAST_CHROMA) & (side_chroma > TINT_CHROMA * dot_chroma)
    is_as_light = np.abs(side_lab[:, 0] - dot_lab[:, 0]) < LIGHTER
    is_shade = has_hue & is_coloured & is_as_light & (colour_distance(side_lab, dot_lab) > LEAST_SHADE)
    for number in np.flatnonzero(is_shade).tolist():
        way = ways_out[number]
        (blue, green, red) = side_bgr[number].tolist()
        shades.setdefault(way.flow, {})[way.dot] = Rgb(red, green, blue)
    return {
        flow: list(shade_of_dot.values())[-1]  # that of the last dot
        for flow, shade_of_dot in shades.items()
        if len(shade_of_dot) == len(seen_board.dots[flow])
    }


def _joins_both_dots(board: Board, edges: Collection[int], dots: Collection[int]) -> bool:
    """Return whether edges form one path between both dots of a flow, without branches.

    Loops beside it do not count.
    """
    edge_counts = Counter(strand for edge in edges for strand in board.graph.edges[edge])
    path_ends = {strand for strand, count in edge_counts.items() if count == 1}
    # Inner strands have two edges each; a single edge has none.
    return bool(edges) and path_ends == set(dots) and max(edge_counts.values()) == min(len(edges), 2)


def _hidden_in_middles(seen_board: SeenBoard, passages: Collection[Passage]) -> set[Passage]:
    """Return the passages without the flow's colour near the middle of the cell."""
    layout = seen_board.board.layout
    # Not checked: letters hide the middles of dots, and the upper pipe of a bridge hides the lower one.
    unchecked = {layout.cell_of[dot] for dots in seen_board.dots for dot in dots} | layout.bridges
    unseen = sorted((cell, flow) for cell, flow in passages if cell not in unchecked)
    for axis in (NEAR_MIDDLE[::5], NEAR_MIDDLE):  # a few points show nearly all
        if not unseen:
            break
        middles = np.array([layout.cells[cell].centre for cell, _ in unseen])
        box_lab = lab_of(sample(seen_board.view, seen_board.frame, middles, grid_points(axis, axis)))
        flow_distance = colour_distance(box_lab, seen_board.flows[[flow for _, flow in unseen], None])
        is_unseen = np.all(flow_distance >= PIPES.alike, axis=1)
        unseen = list(compress(unseen, is_unseen))
    return set(unseen)
