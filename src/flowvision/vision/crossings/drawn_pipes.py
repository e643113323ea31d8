"""Pipes that are already drawn: sides of cells with a flow's colour running through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.vision.pixels.view import (
    Floats,
    View,
    colour_distance,
    is_inside,
    lab_of,
    percentiles,
    sample,
)
from flowvision.vision.settings import PipeSettings

ALONG = np.array((-0.1, -0.07, -0.03, 0.02))
"""Cell widths: where a pipe is sampled on its way through a side, from between the rim of a dot
(0.35) and the side (0.5) to just beyond it."""
ACROSS = np.array((-0.08, 0.0, 0.08))  # cell widths: where it is sampled across; half a pipe is 0.167 wide
BESIDE = np.array((-0.3, 0.3))  # where the ground is sampled, on both sides of a pipe; in cell widths
CUT = np.linspace(-0.3, 0.3, 31)
"""Cell widths: the points of a cut, across a pipe and some ground on both sides."""
ROUND, ROUND_SHOWN = np.linspace(0.0, 1.0, 12), 3
"""Places of a pipe that turns, as shares of the way from the middle of its cell to that of its two sides; how
many of these points show it."""
STEP = 24  # what differs less along a cut, in every channel (of 255), is ground alone
NEAR_MIDDLE = CUT[np.abs(CUT) <= 0.2]
"""Cell widths: the points of a cut so near that a pipe through the cell passes them, even where it turns in a
wide round; farther out are the lines of a hexagon's next sides."""

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
        return _lab_of_flows(self.palette)

    def gates(self, edge: int) -> tuple[Gate, Gate]:
        """Return the gates of an edge: from the middle of each of its cells to its side."""
        strokes = self.board.layout.strokes[edge]
        return strokes[0][:2], strokes[-1][:-3:-1]


def _lab_of_flows(palette: Sequence[Rgb]) -> Floats:
    return lab_of(np.array([colour[::-1] for colour in palette], np.uint8))


def flows_through(
    view: View,
    frame: Frame,
    gates: Sequence[Gate],
    palette: Sequence[Rgb],
    settings: PipeSettings,
    *,
    bends: bool = False,
    along: Floats = ALONG,
) -> list[int | None]:
    """Return the flow whose pipe is drawn through each gate, or ``None``.

    ``bends``: pipes may bend there, so that on one hand there is the same pipe. ``along``: where pipes are
    sampled.
    """
    if not gates:
        return []
    starts, middles = np.array(gates, dtype=np.float64).transpose(1, 0, 2)
    stretch, to_cells = _scales(frame, middles)
    way = (middles - starts) @ stretch.T
    way /= np.linalg.norm(way, axis=1)[:, None]
    side = way[:, ::-1] * (-1.0, 1.0)
    lane = _around(way, side, along, ACROSS) @ to_cells
    flows = _lab_of_flows(palette)

    def away_from_flows(gates: NDArray[np.intp], offsets: Floats) -> Floats:
        """(gates, points, flows): how far the colours there are from those of the flows, in Lab."""
        colours = lab_of(sample(view, frame, middles[gates], offsets[gates]))
        return colour_distance(colours[:, :, None], flows)

    # Where no point of these is alike, too few of all are; most gates, and empty boards, end here.
    enough = lane.shape[1] - int(settings.share * (lane.shape[1] - 1))
    few = away_from_flows(np.arange(len(gates)), lane[:, -enough:])
    left = np.flatnonzero((few < settings.alike).any(axis=(1, 2)))
    found: list[int | None] = [None] * len(gates)
    if left.size:
        away = away_from_flows(left, lane)
        beside = away_from_flows(left, _around(way, side, along[:2], BESIDE) @ to_cells)
        of_hands = beside.reshape(len(left), 2, len(BESIDE), -1).min(axis=1)
        apart = of_hands.max(axis=1) if bends else of_hands.min(axis=1)
        for gate, flow in zip(left, _nearest_flows(away, apart, settings), strict=True):
            found[gate] = flow
    return found


def _nearest_flows(away: Floats, apart: Floats, settings: PipeSettings) -> list[int | None]:
    """Return per gate the flow whose colour is in its lane but not on the ground beside it."""
    is_alike = percentiles(away, 100 * settings.share) < np.minimum(
        settings.alike, settings.ground_near * apart
    )
    passes = is_alike & (apart > settings.ground_apart)
    nearest = np.where(passes, away.mean(axis=1), np.inf).argmin(axis=1).tolist()
    return [flow if passing[flow] else None for flow, passing in zip(nearest, passes, strict=True)]


def _scales(frame: Frame, points: Floats) -> tuple[Floats, Floats]:
    """Return (2, 2) each, at the mean of the points: pixels per cell unit; cell units per cell width."""
    x, y = points.mean(axis=0).tolist()
    stretch = frame.stretch((x, y))
    return stretch, np.asarray(np.linalg.inv(stretch).T * frame.cell_width_px((x, y)))


def _around(way: Floats, side: Floats, along: Floats, across: Floats) -> Floats:
    """Return (gates, len(along) · len(across), 2): offsets from the middle of each gate's side."""
    a, c = (part.ravel() for part in np.meshgrid(along, across, indexing="ij"))
    return np.asarray(way[:, None, :] * a[:, None] + side[:, None, :] * c[:, None])


def _cuts_across(frame: Frame, gates: Sequence[Gate], cut: Floats = CUT) -> tuple[Floats, Floats]:
    """Return the middles of sides (N, 2), and the points of a cut beside each (N, M, 2), in cell units."""
    starts, middles = np.array(gates, np.float64).transpose(1, 0, 2)
    stretch, to_cells = _scales(frame, middles)
    way = (middles - starts) @ stretch.T
    way /= np.linalg.norm(way, axis=1)[:, None]
    # Into the cell from its side: clear of the line and of most dots.
    return middles, _around(way, way[:, ::-1] * (-1.0, 1.0), np.array([-0.07]), cut) @ to_cells


def drawn_edges(seen: SeenBoard, settings: PipeSettings) -> tuple[frozenset[int], ...]:
    """Return per flow the edges of the board with a pipe of its colour through the sides at both ends.

    It also fills the middles of cells without a dot. Pipes begin at dots, so other cells are checked only if
    something leaves a dot. If pipes are paler or darker than dots, they must join two dots in one shade.
    """
    nothing = (frozenset[int](),) * len(seen.palette)
    if not _leaving_unseen(seen, nothing):
        return nothing
    found = _edges_in(seen, settings)
    if unseen := _leaving_unseen(seen, found):
        thin = _thin_edges(seen, unseen, settings.alike)
        found = tuple(edges | more for edges, more in zip(found, thin, strict=True))
    whole = [_goes_whole(seen.board, edges, at) for edges, at in zip(found, seen.dots, strict=True)]
    left = [() if is_whole else at for is_whole, at in zip(whole, seen.dots, strict=True)]
    shades = _shades_at(replace(seen, dots=left))
    if not shades:
        return found
    in_shades = [shades.get(flow, colour) for flow, colour in enumerate(seen.palette)]
    # Large dots, and their shadows, end before the last places along a pipe.
    others = _edges_in(replace(seen, palette=in_shades), settings, ALONG[2:])
    return tuple(
        other if flow in shades and _goes_whole(seen.board, other, at) else edges
        for flow, (edges, other, at) in enumerate(zip(found, others, seen.dots, strict=True))
    )


def _leaving_unseen(seen: SeenBoard, found: Sequence[Collection[int]]) -> list[Gate]:
    """Return the gates round dots and pipe ends that show something else than ground but no known pipe."""
    graph, gates = seen.board.graph, list[Gate]()
    for edges, at in zip(found, seen.dots, strict=True):
        times = Counter(strand for edge in edges for strand in graph.edges[edge])
        bare = [dot for dot in at if dot not in times]
        for strand in bare + [strand for strand, ends in times.items() if ends == 1 and strand not in at]:
            for edge in graph.incident[strand]:
                if edge not in edges:
                    gates.append(seen.gates(edge)[graph.edges[edge][0] == strand])
    if not gates:
        return []
    cut = CUT if seen.board.squares else NEAR_MIDDLE
    cuts = sample(seen.view, seen.frame, *_cuts_across(seen.frame, gates, cut))
    # Packed to one row a channel: over so short a last axis NumPy takes four times as long.
    lines = np.ascontiguousarray(np.moveaxis(cuts, 1, 0).reshape(len(cut), -1))
    apart = (lines.max(axis=0) - lines.min(axis=0)).reshape(len(gates), -1)
    return [gates[n] for n in np.flatnonzero((apart > STEP).any(axis=1)).tolist()]


def _edges_in(seen: SeenBoard, settings: PipeSettings, along: Floats = ALONG) -> tuple[frozenset[int], ...]:
    board = seen.board
    edges = range(len(board.layout.strokes))
    found: list[set[int]] = [set() for _ in seen.palette]
    for edge, flow in zip(edges, _flows_on(seen, edges, settings, along), strict=True):
        if flow is not None:
            found[flow].add(edge)
    shown = _shown_in_middles(seen, found, settings.alike)
    # Dots may hold letters, and of two pipes on a bridge one is hidden: there is nothing to see.
    hidden = {board.layout.cell_of[dot] for at in seen.dots for dot in at}
    hidden |= set(board.layout.cell_of[len(board.layout.cells) :])

    def fills(flow: int, edge: int) -> bool:
        cells = {board.layout.cell_of[strand] for strand in board.graph.edges[edge]} - hidden
        return all(flow in shown[cell] for cell in cells)

    return tuple(frozenset(edge for edge in kept if fills(flow, edge)) for flow, kept in enumerate(found))


def _shades_at(seen: SeenBoard) -> dict[int, Rgb]:
    graph = seen.board.graph
    at = [
        (flow, edge, dot)
        for flow, dots in enumerate(seen.dots)
        for dot in dots
        for edge in graph.incident[dot]
    ]
    if not at:
        return {}
    sides = [seen.gates(edge)[graph.edges[edge][0] != dot][1] for _, edge, dot in at]
    bgr = sample(seen.view, seen.frame, np.array(sides, dtype=np.float64), np.zeros((len(sides), 1, 2)))
    lab, flows = lab_of(bgr)[:, 0], seen.flows[[flow for flow, *_ in at]]
    chroma, own_chroma = (np.hypot(colours[:, 1], colours[:, 2]) for colours in (lab, flows))
    turned = np.arctan2(lab[:, 2], lab[:, 1]) - np.arctan2(flows[:, 2], flows[:, 1])
    is_shade = (
        (np.cos(turned) > np.cos(np.radians(15.0)))  # a gloss on a dot turns its hue by about 6°
        & (own_chroma > 20.0)  # shades of grey have any hue
        & (chroma > 0.5 * own_chroma)  # tints of cells and bars of the ground have less
        & (np.abs(lab[:, 0] - flows[:, 0]) < 25.0)
        & (colour_distance(lab, flows) > 5.0)  # nearer to its dots it has their colour
    )
    shown = [(*at[n], Rgb(*bgr[n, 0, ::-1].astype(int).tolist())) for n in np.flatnonzero(is_shade)]
    left = Counter(flow for flow, _ in {(flow, dot) for flow, _, dot, _ in shown})
    return {flow: colour for flow, _, _, colour in shown if left[flow] == len(seen.dots[flow])}


def _goes_whole(board: Board, edges: Collection[int], dots: Collection[int]) -> bool:
    ends = Counter(strand for edge in edges for strand in board.graph.edges[edge])
    odd = {strand for strand, times in ends.items() if times == 1}
    return bool(edges) and odd == set(dots) and max(ends.values()) == 2 - (len(edges) == 1)


def _shown_in_middles(seen: SeenBoard, found: Sequence[Collection[int]], alike: float) -> dict[int, set[int]]:
    """Return per cell on these edges the flows whose colour fills its middle; a pipe may turn round that."""
    layout, flows = seen.board.layout, seen.flows
    sides: dict[tuple[int, int], list[Point]] = {}
    for flow, edges in enumerate(found):
        for edge in edges:
            for strand, line in zip(seen.board.graph.edges[edge], seen.gates(edge), strict=True):
                sides.setdefault((layout.cell_of[strand], flow), []).append(line[1])
    cells = sorted({cell for cell, _ in sides})
    if not cells:
        return {}
    middles = np.array([layout.cells[cell].centre for cell in cells])
    to_cells = _scales(seen.frame, middles)[1]
    around = np.array([(across, down) for across in ACROSS for down in ACROSS]) / 2 @ to_cells
    lab = lab_of(sample(seen.view, seen.frame, middles, around))
    away = np.sort(colour_distance(lab[:, :, None], flows), axis=1)[:, len(around) // 2]
    shown = {cell: set(np.flatnonzero(away[n] < alike).tolist()) for n, cell in enumerate(cells)}
    turns = [(cell, flow) for (cell, flow), at in sides.items() if flow not in shown[cell] and len(at) == 2]
    if turns:
        starts = np.array([layout.cells[cell].centre for cell, _ in turns])
        chords = np.array([sides[turn] for turn in turns]).mean(axis=1)
        lab = lab_of(sample(seen.view, seen.frame, starts, ROUND[:, None] * (chords - starts)[:, None]))
        away = colour_distance(lab, flows[[flow for _, flow in turns], None])
        for number in np.flatnonzero((away < alike).sum(axis=1) >= ROUND_SHOWN):
            shown[turns[number][0]].add(turns[number][1])
    return shown


def _flows_on(
    seen: SeenBoard, edges: Sequence[int], settings: PipeSettings, along: Floats
) -> list[int | None]:
    def through(gates: Sequence[Gate]) -> list[int | None]:
        bends = seen.board.lattice is None
        return flows_through(seen.view, seen.frame, gates, seen.palette, settings, bends=bends, along=along)

    gates = [seen.gates(edge) for edge in edges]
    found = through([first for first, _ in gates])
    # The other end is looked at only where there is one: on most boards nowhere.
    left = [n for n, flow in enumerate(found) if flow is not None]
    for n, flow in zip(left, through([gates[n][1] for n in left]), strict=True):
        found[n] = flow if flow == found[n] else None
    return found


def _thin_edges(seen: SeenBoard, unseen: Sequence[Gate], alike: float) -> tuple[frozenset[int], ...]:
    """Return per flow the edges under pipes that are thin, off the middles of cells, or cut by the picture.

    Its colour crosses their sides and passes the middles of both cells, with ground on both sides.
    """
    board = seen.board
    if max(_crossing_flows(seen, unseen, alike)[0]) < 0:
        return (frozenset[int](),) * len(seen.palette)
    gates = [gate for edge in range(len(board.graph.edges)) for gate in seen.gates(edge)]
    flows, places = _crossing_flows(seen, gates, alike)
    shown = _near_middles(seen, alike)
    found: list[set[int]] = [set() for _ in seen.palette]
    for edge, both in enumerate(zip(flows[::2], flows[1::2], strict=True)):
        ends, flow = board.graph.edges[edge], max(both)
        if flow < 0 or not all(shown[board.layout.cell_of[strand], flow] for strand in ends):
            continue
        at_dot = any(
            gate_flow < 0 and end in seen.dots[flow] for gate_flow, end in zip(both, ends, strict=True)
        )
        # From the other side, right is left; a pipe may be shifted a little at a line.
        apart = abs(places[2 * edge] + places[2 * edge + 1])
        if at_dot or (both[0] == both[1] and (apart < 0.06 or board.lattice is None)):
            found[flow].add(edge)
    return tuple(map(frozenset, found))


def _crossing_flows(seen: SeenBoard, gates: Sequence[Gate], alike: float) -> tuple[list[int], list[float]]:
    points = _cuts_across(seen.frame, gates)
    away = colour_distance(lab_of(sample(seen.view, seen.frame, *points))[:, :, None], seen.flows)
    inside = is_inside(seen.view, seen.frame, *points)
    is_alike = (away < alike) & inside[..., None]
    each, last = np.arange(len(gates)), len(CUT) - 1
    flow = is_alike.sum(axis=1).argmax(axis=1)
    mask = is_alike[each, :, flow]
    low, high = mask.argmax(axis=1), last - mask[:, ::-1].argmax(axis=1)
    # Where the picture ends there is no ground to be seen; on one hand at least there is.
    ends = inside[each, np.maximum(low - 1, 0)] | inside[each, np.minimum(high + 1, last)]
    is_solid = mask.sum(axis=1) >= 0.7 * (high - low + 1)
    is_pipe = is_solid & ends & (low > 0) & (high < last) & (CUT[high] - CUT[low] < 0.45)
    return np.where(is_pipe, flow, -1).tolist(), ((CUT[low] + CUT[high]) / 2).tolist()


def _near_middles(seen: SeenBoard, alike: float) -> NDArray[np.bool_]:
    middles = np.array([cell.centre for cell in seen.board.layout.cells])
    box = np.stack(np.meshgrid(NEAR_MIDDLE, NEAR_MIDDLE), axis=-1).reshape(-1, 2)
    lab = lab_of(sample(seen.view, seen.frame, middles, box))
    return np.column_stack([(colour_distance(lab, colour) < alike).any(axis=1) for colour in seen.flows])
