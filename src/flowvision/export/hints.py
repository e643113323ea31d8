"""Hints on the picture: pieces of the solution, numbered where they have an order; and the same as text."""

from __future__ import annotations

from collections.abc import Collection

from flowvision.export.drawing import Drawing
from flowvision.image.picture import Bgr, Rgb
from flowvision.palette import colour_name
from flowvision.puzzle.model import Solution
from flowvision.render.ansi import Depth
from flowvision.render.board_look import GROUND
from flowvision.render.paint import disc, ink_on, text
from flowvision.render.text import solved_text
from flowvision.render.timeline import Piece, pieces_of
from flowvision.solvers.hints import FlowNames, Hint, strands_named, words_of

NUMBER, NUMBER_AT = 0.26, 0.34
"""Height of the numbers beside dots, and their distance from the middle, in cell widths."""
CELL_NUMBER = 0.3
"""Height of the number of a cell without row and column, in cell widths."""


def hint_words(hint: Hint, drawing: Drawing) -> list[str]:
    """The hint in sentences, with the colours of the flows."""
    names = FlowNames(drawing.letters, [colour_name(rgb) for rgb in drawing.palette])
    return words_of(hint, drawing.puzzle, drawing.board, names)


def hint_text(hint: Hint, drawing: Drawing, known: Collection[int], depth: Depth = 0) -> str:
    """The board with its dots, the ``known`` edges and the hint's, and its words; ``depth`` as of colours."""
    shown = {*known, *hint.edges}
    board, puzzle, letters = drawing.board, drawing.puzzle, drawing.letters
    drawn = solved_text(board, puzzle, drawing.solution, letters, drawing.palette, depth, shown)
    return "\n".join([drawn, *hint_words(hint, drawing)])


def hint_pieces(hint: Hint, solution: Solution) -> tuple[Piece, ...]:
    """The pieces of paths that a hint shows, flow by flow in the order of the hint."""
    return pieces_of(solution, list(dict.fromkeys(hint.flows)), set(hint.edges))


def draw_numbers(canvas: Bgr, drawing: Drawing, hint: Hint) -> None:
    """The number of every flow beside its two dots, where flows have an order; the numbers of cells named.

    Cells with rows and columns are named by these, and get no numbers.
    """
    cells, cell_of = drawing.board.layout.cells, drawing.board.layout.cell_of

    def write(cell: int, words: str, height: float, away: float, colour: Rgb | None) -> None:
        x, y = cells[cell].centre
        at = drawing.frame.to_px((x + away, y + away))[0].tolist()
        size = height * drawing.frame.cell_width_px((x, y))
        ground = colour or GROUND
        disc(canvas, at, 0.75 * size, ground)
        text(canvas, at, words, size, ink_on(ground), "mm")

    for flow, number in numbers_of(hint).items():
        for dot in drawing.puzzle.terminals[flow]:
            write(cell_of[dot], number, NUMBER, NUMBER_AT, drawing.palette[flow])
    if drawing.board.lattice is None:
        for strand in sorted(strands_named(hint, drawing.puzzle)):
            write(cell_of[strand], str(cell_of[strand] + 1), CELL_NUMBER, 0.0, None)


def numbers_of(hint: Hint) -> dict[int, str]:
    """The place of each flow in the order; nothing where the order does not matter."""
    flows = dict.fromkeys(hint.flows) if hint.numbered else ()
    return {flow: str(number) for number, flow in enumerate(flows, 1)}
