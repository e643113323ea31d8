"""Puzzles on paper: unsolved, on white, in the size in which they are printed."""

from __future__ import annotations

from flowvision.errors import OutputError
from flowvision.forms import Form, still_words
from flowvision.image.codec import encode, pdf_of
from flowvision.palette import palette_for
from flowvision.puzzle.forms import NamedPuzzle
from flowvision.puzzle.model import Solution
from flowvision.render.board_look import PAPER, draw_board
from flowvision.render.svg import SvgBoard, svg_of
from flowvision.render.timeline import pieces_of

CELL_MM, MOST_MM = 14.0, 180.0
"""Width of a cell, and of the largest board, as in ``PAPER``."""
PX_AN_INCH = 300.0
"""At which the pixels of ``PAPER`` are so large."""


def on_paper(item: NamedPuzzle, form: Form) -> bytes:
    """A puzzle without its answer, its letters in its dots. Raises ``OutputError`` for what moves."""
    if form.name == "svg":
        return vectors_on_paper(item).encode()
    if form.content != "picture":
        raise OutputError("An unsolved puzzle does not move.", f"Choose {still_words()}, not animated.")
    drawn = draw_board(item.board, item.puzzle, palette_for(item.letters), item.letters, PAPER)
    return pdf_of(drawn.bgr, PX_AN_INCH) if form.name == "pdf" else encode(drawn.bgr, form.suffixes[0])


def vectors_on_paper(item: NamedPuzzle, solution: Solution | None = None) -> str:
    """The same as SVG; with the pipes of a ``solution``."""
    edges = {edge for path in solution.paths for edge in path.edges} if solution else set[int]()
    still = pieces_of(solution, range(len(solution.paths)), edges) if solution else ()
    xs, ys = zip(*(corner for cell in item.board.layout.cells for corner in cell.outline), strict=True)
    side = max(max(xs) - min(xs), max(ys) - min(ys))
    return svg_of(
        SvgBoard(
            item.board,
            item.puzzle,
            palette_for(item.letters),
            item.letters,
            solution,
            still,
            labels=dict(enumerate(item.letters)),
            style=PAPER,
            cell_mm=min(CELL_MM, MOST_MM / side),
        )
    )
