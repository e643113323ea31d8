"""Pipes: where a solution's paths run in a picture, how wide, in what colours, and the letters on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.model import Path, Solution
from flowvision.render.contrast import HIDDEN, contrast, rims_for
from flowvision.render.curves import Floats, curves_of, is_bent, middles_passed, sides_passed
from flowvision.render.ground import distinct, grounds_of
from flowvision.render.look import BRIDGE_GAP, DOT_MIDDLE, LETTER, PIPE, PIPE_LETTER, RIM, Look, narrow_px_of
from flowvision.render.paint import disc, ink_on, polygon, stroke, text, thickness_of
from flowvision.render.played import PlayedPipes
from flowvision.value import value_type

HIDES = 0.3
"""The share of its cells in which a pipe is hidden, from which on it needs a rim."""
CROPPED = 0.75
"""A pipe that leaves the board runs out of a picture that ends so near; in widths of a narrow cell."""
WOBBLE = 0.008
"""Lines that stray by less are drawn straight; in widths of a narrow cell."""
LEGIBLE_PX = 6
"""Smaller letters cannot be read: pipes go without."""
EVERY = 3
"""Cells from letter to letter along a pipe."""
ARROW = 0.085
"""How far an arrow reaches to each side of the middle of its pipe, in widths of a narrow cell."""
ARROWS_EVERY = 2
"""Sides from arrow to arrow."""
INK = 0.045
"""Thickness of an arrow's strokes, in widths of a narrow cell."""


@value_type(eq=False)
class Pipe:
    """One flow's pipe in a picture.

    ``lines_px``: polylines (N, 2), another one after every warp. ``rims``: the colours of its rims, from
    inside out, each ``rim_px`` wide; none where the pipe stands out from its ``ground``. ``square``: it turns
    in corners, as pipes that are on the board already do; else in rounds.
    """

    flow: int
    path: Path
    colour: Rgb
    lines_px: tuple[NDArray[np.float32], ...]
    width_px: float
    square: bool
    rims: tuple[Rgb, ...]
    rim_px: float
    ground: Rgb


def pipes_of(
    bgr: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    palette: Sequence[Rgb],
    look: Look,
    played: PlayedPipes | None = None,
) -> list[Pipe]:
    """The pipes to draw, their rims chosen by the ground that ``bgr`` shows beside them.

    ``played``: the look of pipes that are on the board, which these have too. A path of which ``look.edges``
    leaves out a part is as many pipes as pieces are left.
    """
    narrow_px = narrow_px_of(board, frame)
    pieces = _pieces_drawn(solution, look)
    bent, cells = is_bent(board), [_cells_between(board, path) for _, path in pieces]
    grounds = grounds_of(bgr, board, frame, [cell for beside in cells for cell in beside])
    width = played.width if played else PIPE
    rimmed = (played is None or played.even) and _need_rims(
        grounds,
        [
            (palette[flow], len(beside), not look.drawn or look.drawn[flow] != set(path.edges))
            for (flow, path), beside in zip(pieces, cells, strict=True)
        ],
    )
    made, start = [], 0
    for (flow, path), beside in zip(pieces, cells, strict=True):
        seen = distinct(grounds[start : start + len(beside)])
        start += len(beside)
        lines, rims = curves_of(board, path, bent), rims_for(palette[flow], seen) if rimmed else ()
        made.append(
            Pipe(
                flow,
                path,
                palette[flow],
                tuple(_lines_px(lines, frame, narrow_px, bgr.shape)),
                (width - RIM if rims else width) * narrow_px,
                played is not None and played.square,
                rims,
                max(1.0, RIM * narrow_px),
                seen[len(seen) // 2],
            )
        )
    return made


def _pieces_drawn(solution: Solution, look: Look) -> list[tuple[int, Path]]:
    """The flows that a look draws, each with the pieces of its path."""
    return [
        (flow, piece)
        for flow, path in enumerate(solution.paths)
        if look.flows is None or flow in look.flows
        for piece in pieces_of(path, look.edges)
    ]


def _need_rims(grounds: NDArray[np.uint8], pipes: Sequence[tuple[Rgb, int, bool]]) -> bool:
    """Whether the pipes of a picture have rims: all of them, or none, as one hand would draw them.

    ``pipes``: each one's colour, how many of the ``grounds`` (N, 3) lie beside it, and whether it is new.
    """
    start = 0
    for colour, count, is_new in pipes:
        beside = [contrast(colour, Rgb(*ground[::-1])) for ground in grounds[start : start + count].tolist()]
        if is_new and sum(shown < HIDDEN for shown in beside) > HIDES * count:
            return True
        start += count
    return False


def pieces_of(path: Path, edges: Collection[int] | None) -> list[Path]:
    """The longest stretches of a path over these edges alone; all of it where ``edges`` is ``None``."""
    if edges is None:
        return [path]
    pieces: list[Path] = []
    start = 0
    for place in range(len(path.edges) + 1):
        if place == len(path.edges) or path.edges[place] not in edges:
            if place > start:
                pieces.append(Path(path.vertices[start : place + 1], path.edges[start:place]))
            start = place + 1
    return pieces


def draw_rims(canvas: Bgr, pipe: Pipe) -> None:
    """Below the pipe, from the outermost in, in place."""
    for number in range(len(pipe.rims), 0, -1):
        for line in pipe.lines_px:
            _draw_line(
                canvas, line, pipe.rims[number - 1], pipe.width_px + 2 * number * pipe.rim_px, pipe.square
            )


def draw_pipe(canvas: Bgr, pipe: Pipe) -> None:
    """The pipe without rims, in place."""
    for line in pipe.lines_px:
        _draw_line(canvas, line, pipe.colour, pipe.width_px, pipe.square)


def _draw_line(canvas: Bgr, line: NDArray[np.float32], colour: Rgb, width_px: float, square: bool) -> None:
    """A polyline with round ends and turns, or with square ones."""
    if not square:
        stroke(canvas, line, colour, thickness_of(width_px))
        return
    last = len(line) - 2
    for number, (start, end) in enumerate(pairwise(line.astype(np.float64))):
        # At a turn each stretch reaches half a width further, so that two of them fill their corner.
        reach = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9) * (thickness_of(width_px) / 2)
        stretch = start - reach * (number > 0), end + reach * (number < last)
        _bar(canvas, np.array(stretch), colour, width_px)


def draw_crossings(canvas: Bgr, board: Board, frame: Frame, pipes: Sequence[Pipe]) -> None:
    """Over every bridge that two pipes cross, the level one again, ground on both sides of it, in place."""
    layout = board.layout
    bridges = set(layout.cell_of[len(layout.cells) :])
    if not bridges:
        return
    passing: dict[int, list[tuple[Pipe, Point, Point]]] = {}
    for pipe in pipes:
        vertices = pipe.path.vertices
        for place in range(1, len(vertices) - 1):
            cell = layout.cell_of[vertices[place]]
            if cell in bridges:
                strand, before, after = vertices[place], pipe.path.edges[place - 1], pipe.path.edges[place]
                ends = _towards(board, before, strand), _towards(board, after, strand)
                passing.setdefault(cell, []).append((pipe, *ends))
    for both in passing.values():
        if len(both) == 2:
            first, second = (frame.to_px([start, end]) for _, start, end in both)
            upper, lower = (0, 1) if _slope(first) <= _slope(second) else (1, 0)
            _draw_over(canvas, both[upper][0], (first, second)[upper], both[lower][0])


def _draw_over(canvas: Bgr, pipe: Pipe, line: NDArray[np.float64], below: Pipe) -> None:
    """One pipe straight over another: rims from side to side, ground beside it where the lower one is."""
    middle, half = line.mean(axis=0), (line[1] - line[0]) / 2
    rims_px = len(pipe.rims) * pipe.rim_px
    reach = below.width_px / 2 + len(below.rims) * below.rim_px + 2
    gap_px = max(1.0, BRIDGE_GAP / PIPE * pipe.width_px)
    across = half / np.linalg.norm(half) * reach
    under = np.array((middle - across, middle + across))
    _bar(canvas, under, pipe.ground, pipe.width_px + 2 * (rims_px + gap_px))
    for number in range(len(pipe.rims), 0, -1):
        _bar(canvas, line, pipe.rims[number - 1], pipe.width_px + 2 * number * pipe.rim_px)
    # A little longer than its rims, whose soft ends would show across it.
    end = 2 * half / np.linalg.norm(half)
    _bar(canvas, np.array((line[0] - end, line[1] + end)), pipe.colour, pipe.width_px)


def _bar(canvas: Bgr, line: NDArray[np.float64], colour: Rgb, width_px: float) -> None:
    """A straight bar with square ends, as wide as a stroke of that width."""
    start, end = line
    side = (end - start)[::-1] * (-1, 1) / np.linalg.norm(end - start) * (thickness_of(width_px) / 2)
    polygon(canvas, [start + side, end + side, end - side, start - side], colour)


def _slope(line: NDArray[np.float64]) -> float:
    """0 for a level line, infinite for an upright one."""
    across, down = np.abs(line[1] - line[0])
    return float(down / max(across, 1e-9))


def _towards(board: Board, edge: int, strand: int) -> Point:
    """Where an edge leaves the cell of one of its two strands."""
    strokes = board.layout.strokes[edge]
    return strokes[0][1] if board.graph.edges[edge][0] == strand else strokes[-1][-2]


def _cells_between(board: Board, path: Path) -> list[int]:
    """The cells of a path between its dots, where there are any."""
    cells = [board.layout.cell_of[strand] for strand in path.vertices]
    return cells[1:-1] or cells


def _lines_px(
    lines: Sequence[NDArray[np.float64]], frame: Frame, narrow_px: float, shape: tuple[int, ...]
) -> Iterator[NDArray[np.float32]]:
    """A pipe's lines in the picture; over a warp it leaves the board, and a picture that ends near."""
    for number, line in enumerate(lines):
        line_px = _straightened(frame.to_px(line), narrow_px)
        if number > 0:
            line_px = _run_out(line_px[::-1], narrow_px, shape)[::-1]
        if number < len(lines) - 1:
            line_px = _run_out(line_px, narrow_px, shape)
        yield line_px


def _run_out(line_px: NDArray[np.float32], narrow_px: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The line, its end moved on out of the picture if that ends within ``CROPPED``."""
    way = line_px[-1] - line_px[-2]
    far = line_px[-1] + way / max(float(np.linalg.norm(way)), 1e-6) * (CROPPED * narrow_px)
    if (far >= 0).all() and (far < (shape[1], shape[0])).all():
        return line_px
    return np.concatenate((line_px[:-1], (far + (far - line_px[-1]))[None])).astype(np.float32)


def _straightened(line_px: NDArray[np.float64], narrow_px: float) -> NDArray[np.float32]:
    """Only the corners of a polyline: fewer strokes."""
    corners = cv2.approxPolyDP(line_px.astype(np.float32), WOBBLE * narrow_px, False)
    return np.asarray(corners, np.float32).reshape(-1, 2)


def draw_letters(
    canvas: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    pipes: Sequence[Pipe],
    letters: Sequence[str],
    on_dots: bool = True,
) -> None:
    """Each flow's letter along its pipe, and on its dots unless these have it, black or white, in place."""
    narrow_px = narrow_px_of(board, frame)
    for pipe in pipes:
        ink, letter, path = ink_on(pipe.colour), letters[pipe.flow], solution.paths[pipe.flow]
        dots = set(path.ends) & set(pipe.path.vertices)
        for dot in dots if on_dots else ():
            centre = frame.to_px(board.layout.cells[board.layout.cell_of[dot]].centre)[0].tolist()
            disc(canvas, centre, DOT_MIDDLE * narrow_px, pipe.colour)
            text(canvas, centre, letter, LETTER * narrow_px, ink, "mm")
        if PIPE_LETTER * narrow_px >= LEGIBLE_PX:
            middles = middles_passed(board, pipe.path)[EVERY // 2 :: EVERY]
            for at in frame.to_px(middles).tolist():
                text(canvas, at, letter, PIPE_LETTER * narrow_px, ink, "mm")


def draw_arrows(canvas: Bgr, board: Board, frame: Frame, pipes: Sequence[Pipe]) -> None:
    """Arrows on every second side that a pipe passes, at least on one, in place."""
    narrow_px = narrow_px_of(board, frame)
    for pipe in pipes:
        ink = ink_on(pipe.colour)
        sides, beyond = (frame.to_px(points) for points in sides_passed(board, pipe.path))
        for arrow in _arrows(sides, beyond, narrow_px):
            stroke(canvas, arrow, ink, max(1.0, INK * narrow_px))


def arrows_along(board: Board, path: Path, width: float) -> list[Floats]:
    """The same arrows in cell units, each (3, 2): back, tip, back; ``width``: that of a narrow cell."""
    return _arrows(*sides_passed(board, path), width)


def _arrows(sides: Floats, beyond: Floats, width: float) -> list[Floats]:
    ways = (beyond - sides) / np.maximum(np.linalg.norm(beyond - sides, axis=1, keepdims=True), 1e-9)
    made = []
    for place, way in zip(sides[::ARROWS_EVERY], ways[::ARROWS_EVERY], strict=True):
        along, across = ARROW * width * way, ARROW * width * way[::-1] * (-1, 1)
        tip, back = place + 0.6 * along, place - 0.6 * along
        made.append(np.array((back + across, tip, back - across)))
    return made
