"""Hints on the picture: pieces of the solution, numbered where they have an order; and the same as text."""

from __future__ import annotations

from collections.abc import Sequence

from flowvision.export.drawing import Drawing
from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.render.paint import ink_on, text
from flowvision.render.text import marked_text
from flowvision.render.timeline import Piece, pieces_of
from flowvision.solvers.asked_hints import words_of
from flowvision.solvers.hints import Hint

NUMBER = 0.45
"""Of a narrow cell's width: the height of the numbers on dots."""


def hint_text(hint: Hint, puzzle: Puzzle, board: Board, letters: Sequence[str]) -> str:
    """The board with its dots and the steps of the hint as letters, and the words."""
    flow_of = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    edges = puzzle.graph.edges
    flow_of |= {s: flow for edge, flow in zip(hint.edges, hint.flows, strict=True) for s in edges[edge]}
    marks = {board.layout.cell_of[strand]: letters[flow] for strand, flow in flow_of.items()}
    if board.lattice is None:
        drawn = " ".join(f"{cell}:{letter}" for cell, letter in sorted(marks.items()))
    else:
        drawn = marked_text(board.lattice, marks, ".")
    return "\n".join([drawn, hint.why, *words_of(hint, puzzle, board, letters)])


def hint_pieces(hint: Hint, solution: Solution) -> tuple[Piece, ...]:
    """The pieces of paths that a hint shows, flow by flow in the order of the hint."""
    return pieces_of(solution, list(dict.fromkeys(hint.flows)), set(hint.edges))


def draw_numbers(canvas: Bgr, drawing: Drawing, hint: Hint) -> None:
    """The number of every flow of a hint on its two dots, where flows are to be drawn in order."""
    layout = drawing.board.layout
    for flow, number in numbers_of(hint).items():
        for dot in drawing.puzzle.terminals[flow]:
            centre = layout.cells[layout.cell_of[dot]].centre
            at, size = drawing.frame.to_px(centre)[0].tolist(), NUMBER * drawing.frame.narrow_px(centre)
            text(canvas, at, number, size, ink_on(drawing.palette[flow]), "mm")


def numbers_of(hint: Hint) -> dict[int, str]:
    """By flow, its place in the order; nothing where the order does not matter."""
    flows = dict.fromkeys(hint.flows) if hint.numbered else ()
    return {flow: str(number) for number, flow in enumerate(flows, 1)}
