"""Draw the solution over the screenshot, by default on a copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.palette import labels_for, letters_for, undimmed
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.render.ground import JUST_INSIDE, JUST_OUTSIDE, inside_of, share_of_circle, whole_dot
from flowvision.render.look import DOT_MIDDLE, PIPE, PLAIN, SEEN_DOT, Look, PlacedBoard
from flowvision.render.paint import Disc, disc, lifted, put_back
from flowvision.render.pipes import Pipe, draw_arrows, draw_crossings, draw_letters, draw_strokes, pipes_of


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
    placed, width, full = PlacedBoard(board, frame), PIPE, undimmed(palette)
    is_dimmed = full != tuple(palette)
    pairs = zip(look.drawn, solution.paths, strict=True) if look.drawn else ()
    is_drawn = bool(look.drawn) and not look.given and all(edges == set(path.edges) for edges, path in pairs)
    if is_drawn and not is_dimmed and not (look.letters or look.arrows):
        return canvas
    if any(look.drawn) and look.pipes and not is_drawn:
        # Imported only here: most boards are empty.
        from flowvision.render.repaint import erase_pipes, played_width

        width = played_width(canvas, placed, palette, look.drawn) or PIPE
        erase_pipes(canvas, placed, solution, palette, look.drawn)
    pipes = pipes_of(canvas, placed, solution, full, look, width)
    if look.pipes:
        # A flow that is on the board from dot to dot stays as it is, unless it is dimmed.
        present = {flow: edges for flow, edges in enumerate(look.drawn) if not is_dimmed}
        missing = [pipe for pipe in pipes if present.get(pipe.flow) != frozenset(pipe.path.edges)]
        _draw_pipes(canvas, placed, missing, *_dots(canvas, placed, solution, palette, missing, look.given))
        for path, colour in zip(solution.paths, full, strict=True) if look.given else ():
            for middle in placed.middles_px(set(look.given) & set(path.ends)).tolist():
                disc(canvas, middle, SEEN_DOT * placed.cell_width_px, colour)
    if look.arrows:
        draw_arrows(canvas, placed, pipes)
    if look.letters:
        letters = labels_for(look.named(letters_for(palette)))
        draw_letters(canvas, placed, solution, pipes, letters, () if look.lettered else full)
    return canvas


def _dots(
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
    ends = [
        (pipe, end) for pipe in pipes for end in solution.paths[pipe.flow].ends
        if end in pipe.path.vertices and end not in given
    ]  # fmt: skip
    if not ends:
        return [], []
    cell_width_px, centres = placed.cell_width_px, placed.middles_px(strand for _, strand in ends)
    radii = JUST_INSIDE * cell_width_px, JUST_OUTSIDE * cell_width_px
    circles = share_of_circle(bgr, centres, [palette[pipe.flow] for pipe, _ in ends], radii)
    is_dimmed = undimmed(palette) != tuple(palette)
    over_rims, over_pipes = list[Disc](), list[Disc]()
    for (pipe, _), centre, (inside, outside) in zip(ends, centres.tolist(), circles, strict=True):
        if inside == 1 and outside == 0 and not is_dimmed:
            if pipe.rims:  # with its soft edge, at any subpixel position
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


def _draw_pipes(
    canvas: Bgr,
    placed: PlacedBoard,
    pipes: Sequence[Pipe],
    over_rims: Sequence[Disc],
    over_pipes: Sequence[Disc],
) -> None:
    for pipe in pipes:
        draw_strokes(canvas, pipe, pipe.rim_strokes)
    for dot in over_rims:
        put_back(canvas, dot)
    for pipe in pipes:
        draw_strokes(canvas, pipe, [(pipe.colour, pipe.width_px)])
    draw_crossings(canvas, placed, pipes)
    for dot in over_pipes:
        put_back(canvas, dot)
