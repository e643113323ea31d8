"""Draw the solution over the screenshot, by default on a copy: pipes, dots, letters and arrows.

A pipe may have rims, wider strokes below it. Dots are lifted from the picture first, and put back over both.
Palettes hold the colour of each flow. A board is dimmed while the game shows a message over it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.colours import HIDDEN, contrast, ink_on, labels_for, rims_for
from flowvision.image.picture import Bgr, Floats, Frame, Rgb
from flowvision.palette import letters_for, undimmed
from flowvision.puzzle.layout import Board, Polyline
from flowvision.puzzle.model import Path, Solution
from flowvision.render.curves import INK, LETTERED, arrows_along, bridges_passed, curves_of, middles_passed
from flowvision.render.ground import (
    JUST_INSIDE,
    JUST_OUTSIDE,
    distinct,
    grounds_of,
    inside_of,
    share_of_circle,
    whole_dot,
)
from flowvision.render.look import (
    BRIDGE_GAP,
    DOT_MIDDLE,
    LETTER,
    PIPE,
    PIPE_LETTER,
    PLAIN,
    RIM,
    SEEN_DOT,
    Look,
    PlacedBoard,
    usual_width,
)
from flowvision.render.paint import Disc, across, disc, lifted, polygon, put_back, stroke, text, thickness_of

STRAIGHT = 0.008
"""Largest distance of a pipe's line from the polyline that is drawn, in cell widths."""
MAX_HIDDEN = 0.3
"""Share of the cells of a pipe in which it may hardly be visible without rims."""
RUN_OUT = 0.75
"""Distance from the picture's edge at which a warp's pipe is extended beyond it, in cell widths."""


Grounds = NDArray[np.uint8]
"""Colours (N, 3), BGR, of the ground in cells."""


class Stroke(NamedTuple):
    """A colour, and the width in which a pipe's lines are drawn in it."""

    colour: Rgb
    width_px: float


class Pipe(Struct, frozen=True, eq=False):
    """One flow's pipe in a picture.

    ``path``: the piece of the flow's path under it. ``lines_px``: polylines (N, 2), a new one after every
    warp. ``strokes``: the widest first: the rims, where the pipe does not stand out from its ``ground``, and
    the pipe itself.
    """

    flow: int
    path: Path
    lines_px: tuple[NDArray[np.float32], ...]
    strokes: tuple[Stroke, ...]
    ground: Rgb

    @property
    def colour(self) -> Rgb:
        """The colour of the pipe itself."""
        return self.strokes[-1].colour

    @property
    def outer_px(self) -> float:
        """The width with all rims."""
        return self.strokes[0].width_px


def draw_solution(
    bgr: Bgr,
    board: Board,
    solution: Solution,
    frame: Frame,
    palette: Sequence[Rgb],
    look: Look = PLAIN,
    in_place: bool = False,
) -> Bgr:
    """Draw the paths on a copy of the picture, or ``in_place``, and return it.

    ``palette``: the colours of the dots. On a dimmed board, dots and pipes get their full brightness. Other
    dots stay as they are, with their letters.
    """
    canvas = bgr if in_place else bgr.copy()
    placed, width = PlacedBoard(board, frame), PIPE
    bright = undimmed(palette)
    is_dimmed = bright != tuple(palette)
    is_drawn = look.shows_all(solution)
    if is_drawn and not any((is_dimmed, look.letters, look.arrows)):
        return canvas
    if any(look.drawn) and look.pipes and not is_drawn:
        # Imported only here: most boards are empty.
        from flowvision.render.repaint import erase_pipes, played_width

        width = played_width(canvas, placed, palette, look.drawn) or PIPE
        erase_pipes(canvas, placed, solution, palette, look.drawn)
    pipes = pipes_of(canvas, placed, solution, bright, look, width)
    if look.pipes:
        # A flow that is on the board from dot to dot stays as it is, unless it is dimmed.
        missing = [pipe for pipe in pipes if is_dimmed or not look.shows(pipe.flow, pipe.path)]
        over_rims, over_pipes = _lifted_dots(canvas, placed, solution, palette, missing, look.given)
        _draw_pipes(canvas, placed, missing, over_rims, over_pipes)
        _draw_given(canvas, placed, solution, bright, look.given)
    if look.arrows:
        draw_arrows(canvas, placed, pipes)
    if look.letters:
        letters = labels_for(look.named(letters_for(palette)))
        draw_letters(canvas, placed, solution, pipes, letters, () if look.lettered else bright)
    return canvas


def _lifted_dots(
    bgr: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    palette: Sequence[Rgb],
    pipes: Sequence[Pipe],
    given: Collection[int],
) -> tuple[list[Disc], list[Disc]]:
    """Return the dots to put back over the rims of these pipes, and over the pipes themselves.

    On a dimmed board they get their pipe's colour. ``given``: dots that the picture does not show.
    """
    reached = [(pipe, dot) for pipe in pipes for dot in _dots_reached(pipe, solution) if dot not in given]
    if not reached:
        return [], []
    cell_width_px = placed.cell_width_px
    centres = placed.middles_px(dot for _, dot in reached)
    colours = [palette[pipe.flow] for pipe, _ in reached]
    radii_px = JUST_INSIDE * cell_width_px, JUST_OUTSIDE * cell_width_px
    shares = share_of_circle(bgr, centres, colours, radii_px)
    is_dimmed = undimmed(palette) != tuple(palette)
    over_rims: list[Disc] = []
    over_pipes: list[Disc] = []
    for (pipe, _), centre, (inside, outside) in zip(reached, centres.tolist(), shares, strict=True):
        is_usual = inside == 1 and outside == 0  # a disc of the game's size
        if is_usual and not is_dimmed:
            # Rims would show round the dot: all of it goes over them, a pixel more for its soft edge. A pipe
            # of its own colour may cover the rest, so that only its middle, with its letter, goes over that.
            if len(pipe.strokes) > 1:
                over_rims.append(lifted(bgr, centre, SEEN_DOT * cell_width_px + 1))
            over_pipes.append(lifted(bgr, centre, DOT_MIDDLE * cell_width_px))
            continue
        dot = whole_dot(bgr, centre, (palette[pipe.flow], pipe.ground), cell_width_px)
        if is_dimmed:
            gain = max(pipe.colour) / max(1, *palette[pipe.flow])
            dot = replace(dot, pixels=np.asarray(cv2.convertScaleAbs(dot.pixels, alpha=gain), np.uint8))
        over_rims.append(dot)
        over_pipes.append(inside_of(dot, cell_width_px))
    return over_rims, over_pipes


def _dots_reached(pipe: Pipe, solution: Solution) -> list[int]:
    """Return the dots of its flow that a pipe reaches: a piece of a path may end before them."""
    return [end for end in solution.paths[pipe.flow].ends if end in pipe.path.vertices]


def _draw_given(
    canvas: Bgr, placed: PlacedBoard, solution: Solution, palette: Sequence[Rgb], given: Collection[int]
) -> None:
    """Draw the dots that the picture does not show, in place."""
    for path, colour in zip(solution.paths, palette, strict=True):
        for centre in placed.middles_px(dot for dot in path.ends if dot in given).tolist():
            disc(canvas, centre, SEEN_DOT * placed.cell_width_px, colour)


def _draw_pipes(
    canvas: Bgr,
    placed: PlacedBoard,
    pipes: Sequence[Pipe],
    over_rims: Sequence[Disc],
    over_pipes: Sequence[Disc],
) -> None:
    """Draw all rims before all pipes, and put the dots back over both."""
    for pipe in pipes:
        _draw_strokes(canvas, pipe, pipe.strokes[:-1])
    for dot in over_rims:
        put_back(canvas, dot)
    for pipe in pipes:
        _draw_strokes(canvas, pipe, pipe.strokes[-1:])
    draw_crossings(canvas, placed, pipes)
    for dot in over_pipes:
        put_back(canvas, dot)


def pipes_of(
    bgr: Bgr, placed: PlacedBoard, solution: Solution, palette: Sequence[Rgb], look: Look, width: float = PIPE
) -> list[Pipe]:
    """Return the pipes to draw, with rims where the ground in ``bgr`` needs them.

    ``width``: in cell widths. ``look.edges`` may cut a path into pieces.
    """
    board, cell_width_px = placed.board, placed.cell_width_px
    ground_at = grounds_of(bgr, placed, range(len(board.layout.cells)))
    pieces = []
    is_rimmed = False  # all pipes of a picture have rims, or none
    for flow, path in _pieces_drawn(solution, look):
        grounds = ground_at[_inner_cells(board, path)]
        pieces.append((flow, path, grounds))
        if not look.shows(flow, path):
            is_rimmed |= _is_hidden(palette[flow], grounds)
    rim_px = max(1.0, RIM * cell_width_px)
    drawn = []
    for flow, path, grounds in pieces:
        colour, shades = palette[flow], distinct(grounds)
        rims = rims_for(colour, shades) if is_rimmed else ()
        width_px = (width - RIM if rims else width) * cell_width_px
        # The widest stroke is the outermost rim, drawn first.
        widths_px = [width_px + 2 * number * rim_px for number in range(len(rims) + 1)]
        strokes = tuple(map(Stroke, (colour, *rims), widths_px))[::-1]
        lines_px = tuple(_lines_px(curves_of(board, path), placed, bgr.shape))
        ground = shades[len(shades) // 2]
        drawn.append(Pipe(flow, path, lines_px, strokes, ground))
    return drawn


def _is_hidden(colour: Rgb, grounds: Grounds) -> bool:
    """Return true if a pipe is hardly visible on a good part of these grounds (N, 3), BGR."""
    hidden = sum(contrast(colour, Rgb.of_bgr(ground)) < HIDDEN for ground in grounds.tolist())
    return hidden > MAX_HIDDEN * len(grounds)


def _pieces_drawn(solution: Solution, look: Look) -> Iterator[tuple[int, Path]]:
    """Yield each flow to draw with each unbroken piece of its path to draw."""
    for flow, path in enumerate(solution.paths):
        if look.flows is None or flow in look.flows:
            for piece in path.pieces(path.edges if look.edges is None else look.edges):
                yield flow, piece


def _draw_strokes(canvas: Bgr, pipe: Pipe, strokes: Sequence[Stroke]) -> None:
    for colour, width_px in strokes:
        for line in pipe.lines_px:
            stroke(canvas, line, colour, thickness_of(width_px))


def draw_crossings(canvas: Bgr, placed: PlacedBoard, pipes: Sequence[Pipe]) -> None:
    """Draw the horizontal pipe of a bridge again, with ground on both sides, in place."""
    crossings_by_cell = defaultdict[int, list[_Crossing]](list)
    for pipe in pipes:
        for _, cell, line in bridges_passed(placed.board, pipe.path):
            start, _, end = placed.frame.to_px(line)
            dx, dy = np.abs(end - start).tolist()
            crossing = _Crossing(dy / max(dx, 1e-9), pipe, start, end)
            crossings_by_cell[cell].append(crossing)
    for crossings in crossings_by_cell.values():
        if len(crossings) == 2:
            upper, lower = sorted(crossings, key=lambda crossing: crossing.slope)
            _draw_over(canvas, upper, lower.pipe)


class _Crossing(NamedTuple):
    """A pipe that crosses a bridge between two sides (2,), in pixels; ``slope``: 0 level."""

    slope: float
    pipe: Pipe
    start: Floats
    end: Floats


def _draw_over(canvas: Bgr, upper: _Crossing, below: Pipe) -> None:
    """Draw a pipe again over the one below it, with a gap beside it, in place."""
    pipe, line = upper.pipe, np.array((upper.start, upper.end))
    along = upper.end - upper.start
    ahead = along / np.linalg.norm(along)
    both_ways = np.array((-ahead, ahead))
    reach_px = below.outer_px / 2 + 2  # half of the lower pipe, and its soft edge
    *rims, (colour, width_px) = pipe.strokes
    gap_px = max(1.0, BRIDGE_GAP / PIPE * width_px)
    _bar(canvas, line.mean(axis=0) + reach_px * both_ways, pipe.ground, pipe.outer_px + 2 * gap_px)
    for rim, rim_px in rims:
        _bar(canvas, line, rim, rim_px)
    # A little longer than its rims, to hide their soft ends.
    _bar(canvas, line + 2 * both_ways, colour, width_px)


def _bar(canvas: Bgr, line: Floats, colour: Rgb, width_px: float) -> None:
    """Draw a straight line (2, 2) with square ends, in place."""
    start, end = line
    along = end - start
    side = across(along) / np.linalg.norm(along) * (thickness_of(width_px) / 2)
    polygon(canvas, (start + side, end + side, end - side, start - side), colour)


def _inner_cells(board: Board, path: Path) -> list[int]:
    """Return the inner cells of a path except bridges, which have rails; its ends if no cell is left."""
    bridges = board.layout.bridges
    cells = [board.layout.cell_of[strand] for strand in path.vertices]
    inner = [cell for cell in cells[1:-1] if cell not in bridges]
    return inner or [cells[0], cells[-1]]


def _lines_px(
    lines: Sequence[Polyline], placed: PlacedBoard, shape: tuple[int, ...]
) -> Iterator[NDArray[np.float32]]:
    """Yield polylines of a pipe, in cell units, as (N, 2) in pixels, extended beyond the board at warps.

    ``shape``: of the picture.
    """
    cell_width_px = placed.cell_width_px
    for number, line in enumerate(lines):
        points_px = placed.frame.to_px(line).astype(np.float32)
        corners = cv2.approxPolyDP(points_px, STRAIGHT * cell_width_px, closed=False)
        line_px = np.asarray(corners, np.float32).reshape(-1, 2)
        if number > 0:
            line_px = _run_out(line_px[::-1], cell_width_px, shape)[::-1]
        if number < len(lines) - 1:
            line_px = _run_out(line_px, cell_width_px, shape)
        yield line_px


def _run_out(
    line_px: NDArray[np.float32], cell_width_px: float, shape: tuple[int, ...]
) -> NDArray[np.float32]:
    """Return a line (N, 2), extended beyond the picture if it ends near the picture's edge (``RUN_OUT``)."""
    last = line_px[-1]
    step = last - line_px[-2]
    ahead = step / max(float(np.linalg.norm(step)), 1e-6)
    end = last + ahead * (RUN_OUT * cell_width_px)
    is_inside = (end >= 0) & (end < (shape[1], shape[0]))
    if is_inside.all():
        return line_px
    # Further out, so that its round end is not seen; the last point is on the way.
    beyond = end + (end - last)
    return np.vstack((line_px[:-1], beyond)).astype(np.float32)


def draw_letters(
    canvas: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    pipes: Sequence[Pipe],
    letters: Sequence[str],
    dot_palette: Sequence[Rgb] = (),
) -> None:
    """Write each flow's letter along its pipe, in place; with a ``dot_palette`` also on its dots.

    ``letters`` and ``dot_palette``: per flow. On the dots, a disc of their colour covers what is there.
    """
    cell_width_px = placed.cell_width_px
    pipe_letter_px = PIPE_LETTER * cell_width_px
    for pipe in pipes:
        ink, letter = ink_on(pipe.colour), letters[pipe.flow]
        dots = _dots_reached(pipe, solution) if dot_palette else ()
        for centre in placed.middles_px(dots).tolist():
            colour = dot_palette[pipe.flow]
            disc(canvas, centre, DOT_MIDDLE * cell_width_px, colour)
            text(canvas, centre, letter, LETTER * cell_width_px, ink_on(colour), anchor="mm")
        if pipe_letter_px >= 6:  # smaller ones cannot be read
            middles = middles_passed(placed.board, pipe.path)[LETTERED]  # of every third inner cell
            for middle in placed.frame.to_px(middles).tolist():
                text(canvas, middle, letter, pipe_letter_px, ink, anchor="mm")


def draw_arrows(canvas: Bgr, placed: PlacedBoard, pipes: Sequence[Pipe]) -> None:
    """Draw arrows on every second side that a pipe passes, at least on one, in place."""
    width = usual_width(placed.board)
    for pipe in pipes:
        for arrow in arrows_along(placed.board, pipe.path, width):
            arrow_px = placed.frame.to_px(arrow)
            stroke(canvas, arrow_px, ink_on(pipe.colour), max(1.0, INK * placed.cell_width_px))
