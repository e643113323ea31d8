"""The solution drawn over the screenshot, on a copy unless told otherwise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.palette import labels_for, letters_for, undimmed
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.render.discs import (
    JUST_INSIDE,
    JUST_OUTSIDE,
    glossy_dot,
    inside_of,
    lit,
    shaded_round,
    share_of_circle,
    whole_dot,
)
from flowvision.render.look import DOT_MIDDLE, PLAIN, SEEN_DOT, Look, PlacedBoard
from flowvision.render.paint import Disc, disc, lifted, put_back
from flowvision.render.pipes import (
    Pipe,
    draw_arrows,
    draw_crossings,
    draw_letters,
    draw_pipe,
    draw_rims,
    pipes_of,
)


def draw_solution(
    bgr: Bgr, board: Board, solution: Solution, frame: Frame, palette: Sequence[Rgb], look: Look = PLAIN
) -> Bgr:
    """A copy of the picture with the paths on it, each in its colour, drawn as ``look`` says.

    ``palette``: the colours of the dots. Where the whole board is dimmed, dots and pipes get the colours that
    it had before.
    Dots stay as they are, with their letters; the picture is changed nowhere else.
    """
    return draw_over(bgr.copy(), board, solution, frame, palette, look)


def draw_over(
    canvas: Bgr, board: Board, solution: Solution, frame: Frame, palette: Sequence[Rgb], look: Look = PLAIN
) -> Bgr:
    """The solution drawn into the picture itself, which is returned."""
    placed, played, full = PlacedBoard(board, frame), None, undimmed(palette)
    is_dimmed = full != tuple(palette)
    is_there = _is_there(look, solution)
    if is_there and not is_dimmed and not (look.letters or look.arrows):
        return canvas
    if any(look.drawn) and look.pipes and not is_there:
        # Imported only here: most boards are empty.
        from flowvision.render.played_pipes import edges_shown, played_pipes
        from flowvision.render.repaint import take_back

        played = played_pipes(canvas, placed, palette, look.drawn)
        if played and not played.even:
            own = [played.colour_of(*one) for one in enumerate(palette)]
            look = _going_on(look, solution, edges_shown(canvas, placed, solution, own))
        take_back(canvas, placed, solution, palette, look.drawn)
    elif look.drawn and look.pipes and look.edges is None and not is_there:
        _without_presses(canvas, placed, solution, palette)
    if played and not is_dimmed:  # copies draw pipes in other shades than dots
        full = tuple(played.colour_of(*one) for one in enumerate(palette))
    pipes = pipes_of(canvas, placed, solution, full, look, played)
    if look.pipes:
        # A flow that is on the board from dot to dot stays as it is, unless it is dimmed.
        there = {flow: edges for flow, edges in enumerate(look.drawn) if not is_dimmed}
        missing = [pipe for pipe in pipes if there.get(pipe.flow) != frozenset(pipe.path.edges)]
        textured = played is not None and not played.even
        dots = dots_of(canvas, placed, solution, (palette, full), missing, textured, look.given)
        _draw_pipes(canvas, placed, missing, *dots)
        if look.given:
            _draw_given(canvas, placed, solution, full, look.given)
    if look.arrows:
        draw_arrows(canvas, placed, pipes)
    if look.letters:
        letters = labels_for(look.named(letters_for(palette)))
        draw_letters(canvas, placed, solution, pipes, letters, () if look.lettered else full)
    return canvas


def _is_there(look: Look, solution: Solution) -> bool:
    """Whether the picture shows the whole solution, and every dot."""
    pairs = zip(look.drawn, solution.paths, strict=True) if look.drawn else ()
    return bool(look.drawn) and not look.given and all(edges == set(path.edges) for edges, path in pairs)


def _without_presses(canvas: Bgr, placed: PlacedBoard, solution: Solution, palette: Sequence[Rgb]) -> None:
    """Remove the halo of a finger on a dot, where a quick look round the dots finds one likely."""
    middles = placed.middles_px(end for path in solution.paths for end in path.ends)
    colours = [colour for colour in palette for _ in (0, 1)]
    if shaded_round(canvas, middles, colours, SHADED * placed.cell_width_px).max(initial=0.0) > SHADED_SHARE:
        # Imported only here: few boards are in mid-move.
        from flowvision.render.halos import take_presses_off

        take_presses_off(canvas, placed, solution, palette)


def _going_on(look: Look, solution: Solution, shown: Collection[int]) -> Look:
    """The look without the pipes that the answer shares: a textured ground cannot be redrawn under them.

    ``shown``: edges of the solution that the picture shows in their flow's colour.
    """
    pairs = list(zip(look.drawn, solution.paths, strict=True))
    wrong = tuple(edges if set(edges) - set(path.edges) else frozenset[int]() for edges, path in pairs)
    kept = {edge for edges, path in pairs for edge in path.edges if edge in edges or edge in shown}
    every = solution.edges if look.edges is None else look.edges
    return replace(look, drawn=wrong, edges=every - kept)


SHADED, SHADED_SHARE = 0.4, 0.5
"""A circle round a dot, in cell widths, and how much of it a finger's halo shades at least."""
LETTERED = 0.5
"""The share of a circle inside a dot that has its colour, at least, where a letter crosses it."""


def dots_of(
    bgr: Bgr,
    placed: PlacedBoard,
    solution: Solution,
    palettes: tuple[Sequence[Rgb], Sequence[Rgb]],
    pipes: Sequence[Pipe],
    textured: bool = False,
    given: Collection[int] = (),
) -> tuple[list[Disc], list[Disc]]:
    """The dots of these pipes, to be put back over their rims, and over the pipes themselves.

    They are as the picture shows them, or in their full colour where the board is dimmed.

    ``palettes``: the colours of dots as the picture shows them, and in full. ``textured``: dots and ground
    have no one colour; dots are discs that end where the picture changes. ``given``: dots that it does not
    show.
    """
    ends = [
        (pipe, end) for pipe in pipes for end in solution.paths[pipe.flow].ends
        if end in pipe.path.vertices and end not in given
    ]  # fmt: skip
    if not ends:
        return [], []
    cell_width_px, centres = placed.cell_width_px, placed.middles_px(strand for _, strand in ends)
    if textured:
        return [], [glossy_dot(bgr, centre, cell_width_px) for centre in centres.tolist()]
    seen, full = ([palette[pipe.flow] for pipe, _ in ends] for palette in palettes)
    radii = [share * cell_width_px for share in (DOT_MIDDLE, JUST_INSIDE, JUST_OUTSIDE)]
    circles = share_of_circle(bgr, centres, seen, radii)
    over_rims, over_pipes = list[Disc](), list[Disc]()
    for number, (pipe, _) in enumerate(ends):
        centre, dimmed = centres[number].tolist(), full[number] != seen[number]
        alone = dimmed or pipe.colour != full[number]
        middle, inside, outside = circles[number]
        # A letter may reach over the middle; it stays within the dot.
        whole = middle == 1 or (middle >= LETTERED and inside == 1 and outside == 0)
        if not alone and inside == 1 and outside == 0:
            # With its soft edge, wherever in its pixel its middle lies.
            over_rims += [lifted(bgr, centre, SEEN_DOT * cell_width_px + 1)] if pipe.rims else []
        elif pipe.rims or alone or not whole:
            dot = whole_dot(bgr, centre, (seen[number], pipe.ground), cell_width_px)
            over_rims.append(lit(dot, seen[number], full[number]) if dimmed else dot)
            over_pipes += [inside_of(over_rims[-1], cell_width_px)] if alone or not whole else []
        if whole and not dimmed:
            over_pipes.append(lifted(bgr, centre, DOT_MIDDLE * cell_width_px))
    return over_rims, over_pipes


def _draw_pipes(
    canvas: Bgr,
    placed: PlacedBoard,
    pipes: Sequence[Pipe],
    over_rims: Sequence[Disc],
    over_pipes: Sequence[Disc],
) -> None:
    for pipe in pipes:
        draw_rims(canvas, pipe)
    for dot in over_rims:
        put_back(canvas, dot)
    for pipe in pipes:
        draw_pipe(canvas, pipe)
    draw_crossings(canvas, placed, pipes)
    for dot in over_pipes:
        put_back(canvas, dot)


def _draw_given(
    canvas: Bgr, placed: PlacedBoard, solution: Solution, palette: Sequence[Rgb], given: Collection[int]
) -> None:
    """Dots of the game's size where the picture shows none, in place."""
    for path, colour in zip(solution.paths, palette, strict=True):
        for middle in placed.middles_px(set(given) & set(path.ends)).tolist():
            disc(canvas, middle, SEEN_DOT * placed.cell_width_px, colour)
