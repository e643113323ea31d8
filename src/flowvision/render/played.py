"""Pipes that are on a board already: their width, turns and colours, measured on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.model import Solution
from flowvision.render.sizes import narrow_px_of
from flowvision.value import value_type

Floats = NDArray[np.float64]

MOST = 5
"""Sides of a flow, and cells of a board, that are looked at: more say the same."""
BESIDE = (0.05,)
"""Where a pipe is measured, in cells from the side that it passes: dots of any size leave it bare there."""
WIDEST = 0.9
"""Wider is no pipe but a cell in its colour; in widths of a narrow cell."""
OWN = 110
"""Of 255, in one channel: how far a pipe's colour may be from its dots'."""
ANOTHER = 24
"""Of 255, in one channel: a pipe that differs more from its dots has a shade of its own."""
LEAST_STEP = 24
"""Of 255: a pipe differs from its ground by so much at least, or its edge cannot be seen."""
SPREAD = 0.25
"""Half of the widths that are measured lie so close together, of their median, or none is believed."""
CORNER = 0.88
"""How far out, of half the width along both arms, a square corner shows the pipe and a round one does not."""
RING, POINTS = 0.42, 24
"""The circle on which a cell's ground is looked at, outside dots: its radius in widths of a narrow cell."""
OTHER = 60
"""Of 255, in one channel: what is nearer to a flow's colour is taken for its pipe."""
EVEN = 30.0
"""Of 255: grounds that vary more within a cell are glossy or textured, and cannot be made again."""


@value_type
class PlayedPipes:
    """How the pipes on a board look. ``width``: in widths of a narrow cell. ``square``: turns have corners.

    ``colours``: by flow, of those that have a pipe. ``even``: the ground round them has one colour a cell.
    """

    width: float
    square: bool
    colours: Mapping[int, Rgb]
    even: bool

    def colour_of(self, flow: int, dots: Rgb) -> Rgb:
        """The colour of a flow's pipe: that of its ``dots``, unless its pipe clearly has another one."""
        seen = self.colours.get(flow, dots)
        return seen if _apart(seen, dots) > ANOTHER else dots


def played_pipes(
    bgr: Bgr, board: Board, frame: Frame, palette: Sequence[Rgb], drawn: Sequence[Collection[int]]
) -> PlayedPipes | None:
    """The look of the pipes that lie on these edges, by flow; ``None`` where no width can be told."""
    narrow_px = narrow_px_of(board, frame)
    widths: list[float] = []
    colours: dict[int, Rgb] = {}
    for flow, edges in enumerate(drawn):
        seen = [
            section
            for edge in sorted(edges)[:: max(1, len(edges) // MOST)]
            if len(board.layout.strokes[edge]) == 1
            for section in _sections(bgr, frame, board.layout.strokes[edge][0], narrow_px)
        ]
        own = [(width, colour) for width, colour in seen if _apart(colour, palette[flow][::-1]) < OWN]
        if own:
            widths += [width / narrow_px for width, _ in own if width < WIDEST * narrow_px]
            median = np.median([colour for _, colour in own], axis=0).round().astype(int)
            colours[flow] = Rgb(*median[::-1].tolist())
    if not widths:
        return None
    low, width, high = np.percentile(widths, (25, 50, 75)).tolist()
    if high - low > SPREAD * width:
        return None
    square = _is_square(bgr, board, frame, (colours, drawn), width * narrow_px)
    touched = {
        board.layout.cell_of[strand]
        for edges in drawn
        for edge in edges
        for strand in board.graph.edges[edge]
    }
    return PlayedPipes(width, square, colours, _is_even(bgr, board, frame, palette, touched))


def edges_shown(
    bgr: Bgr, board: Board, frame: Frame, solution: Solution, colours: Sequence[Rgb]
) -> frozenset[int]:
    """The edges of a solution whose sides show their flow's colour where a pipe passes them."""
    found = []
    for path, colour in zip(solution.paths, colours, strict=False):
        for edge in path.edges:
            x, y = np.rint(frame.to_px(board.layout.strokes[edge][0][1])[0]).astype(int).tolist()
            seen = bgr[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3)
            if seen.size and _apart(np.median(seen, axis=0), colour[::-1]) < OTHER:
                found.append(edge)
    return frozenset(found)


def _sections(
    bgr: Bgr, frame: Frame, stroke: Sequence[Point], narrow_px: float
) -> list[tuple[float, Floats]]:
    """Cuts across a pipe beside the side that it passes: the width in pixels and the colour (3,), BGR.

    ``stroke``: from the middle of a cell over that of its side to the next. A cut whose edges cannot be seen
    is left out.
    """
    before, side, after = frame.to_px(stroke)
    way = (after - before) / max(float(np.linalg.norm(after - before)), 1e-9)
    across = way[::-1] * (-1, 1)
    reach = round(narrow_px / 2)
    found = []
    for beside in BESIDE:
        points = side + beside * narrow_px * way + np.arange(-reach, reach + 1)[:, None] * across
        at = np.rint(points).astype(int)
        if (at < 0).any() or (at >= (bgr.shape[1], bgr.shape[0])).any():
            continue
        cut = bgr[at[:, 1], at[:, 0]].astype(np.float64)
        colour = np.median(cut[reach - 1 : reach + 2], axis=0)
        away = np.abs(cut - colour).max(axis=1)
        step = min(away[:2].max(), away[-2:].max())
        if step >= LEAST_STEP:
            outside = np.flatnonzero(away > step / 2)
            left, right = outside[outside < reach], outside[outside > reach]
            if len(left) and len(right):
                found.append((float(right[0] - left[-1] - 1), colour))
    return found


def _is_square(
    bgr: Bgr,
    board: Board,
    frame: Frame,
    pipes: tuple[Mapping[int, Rgb], Sequence[Collection[int]]],
    width_px: float,
) -> bool:
    """Whether most turns of the pipes fill the corner that a round join leaves out."""
    votes = []
    colours, drawn = pipes
    for flow, colour in colours.items():
        arms: dict[int, list[Floats]] = {}
        for edge in drawn[flow]:
            strokes = board.layout.strokes[edge]
            for strand, stroke in zip(board.graph.edges[edge], (strokes[0], strokes[-1][::-1]), strict=True):
                middle, side = frame.to_px(stroke[:2])
                arms.setdefault(strand, []).append((side - middle) / max(np.linalg.norm(side - middle), 1e-9))
        for strand, ways in arms.items():
            if len(ways) == 2 and abs(float(ways[0] @ ways[1])) < 0.3:
                centre = frame.to_px(board.layout.cells[board.layout.cell_of[strand]].centre)[0]
                x, y = np.rint(centre - (ways[0] + ways[1]) * CORNER * width_px / 2).astype(int).tolist()
                if 0 <= x < bgr.shape[1] and 0 <= y < bgr.shape[0]:
                    votes.append(_apart(bgr[y, x], colour[::-1]) < LEAST_STEP)
    return len(votes) > 0 and sum(votes) > len(votes) / 2


def _apart(a: object, b: object) -> float:
    """How far two colours are apart in the channel where they differ most."""
    return float(np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64)).max())


def _is_even(bgr: Bgr, board: Board, frame: Frame, palette: Sequence[Rgb], cells: Collection[int]) -> bool:
    """Whether the ground is of one colour within most of these cells, pipes left out."""
    turns = 2 * np.pi * np.arange(POINTS) / POINTS
    ring = RING * narrow_px_of(board, frame) * np.column_stack((np.cos(turns), np.sin(turns)))
    found = []
    for cell in sorted(cells)[:: max(1, len(cells) // MOST)]:
        at = np.rint(frame.to_px(board.layout.cells[cell].centre)[0] + ring).astype(int)
        at = at.clip(0, (bgr.shape[1] - 1, bgr.shape[0] - 1))
        seen = bgr[at[:, 1], at[:, 0]].astype(np.float64)
        pipe = np.min([np.abs(seen - colour[::-1]).max(axis=1) for colour in palette], axis=0) < OTHER
        if (~pipe).sum() >= POINTS // 3:
            low, high = np.percentile(seen[~pipe], (20, 80), axis=0)
            found.append(float((high - low).max()))
    return not found or float(np.median(found)) < EVEN
