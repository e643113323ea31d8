"""What workers draw: answers as pictures, still or moving; all of it runs in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowvision.errors import PuzzleInvalidError, UnsolvableError
from flowvision.export.drawing import Drawing, solve_drawing
from flowvision.export.pictures import encoded
from flowvision.forms import Form
from flowvision.image.codec import decode
from flowvision.image.crop import turned
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.palette import letters_for
from flowvision.puzzle.layout import Board
from flowvision.reading.options import Options
from flowvision.render.board_look import draw_board
from flowvision.render.overlay import draw_solution
from flowvision.solvers import Limits, Solved, solve
from flowvision.value import value_type
from flowvision.web.written import puzzle_of

MARGIN = 0.8
"""Of a job's time, what the solver gets: the rest is for the drawing."""


@value_type
class DrawnPuzzle:
    """A puzzle to draw.

    ``text``: in any written form. ``frame``: nine numbers that map cell units to pixels; none without a
    picture. ``colours``: ``#rrggbb``, one a flow.
    """

    text: str
    frame: tuple[float, ...]
    colours: tuple[str, ...]


def solved_picture(data: bytes, options: Options, form: Form) -> bytes:
    """The answer to a screenshot as a file of this form, as ``flowvision solve`` writes it."""
    return encoded(solve_drawing(data, options)[1], form)


def puzzle_picture(data: bytes, rotate: float, drawn: DrawnPuzzle, form: Form, seconds: float) -> bytes:
    """The solution of a puzzle drawn over the picture it was read from, or over its board alone.

    Raises ``FlowvisionError`` for a puzzle without a solution, or a frame that puts it off the picture.
    """
    named = puzzle_of(drawn.text)
    board, puzzle = named.board, named.puzzle
    outcome = solve(puzzle, limits=Limits(seconds * MARGIN), board=board)
    if not isinstance(outcome, Solved):
        raise UnsolvableError("The puzzle has no solution to draw.", "Check its dots, walls and holes.")
    palette = _palette(drawn.colours, len(puzzle.terminals))
    if data:
        shot = decode(data)
        base = turned(shot, rotate).bgr if rotate else shot.bgr
        frame = _frame(drawn.frame, board, base)
    else:
        plain = draw_board(board, puzzle, palette)
        base, frame = plain.bgr, plain.frame
    solved = draw_solution(base, board, outcome.solution, frame, palette)
    letters = letters_for(palette)
    return encoded(Drawing(base, solved, board, puzzle, outcome.solution, frame, palette, letters), form)


def _frame(numbers: Sequence[float], board: Board, bgr: Bgr) -> Frame:
    """The frame of nine numbers. Raises ``PuzzleInvalidError`` when it puts the board off the picture."""
    frame = Frame(tuple(numbers))
    with np.errstate(all="ignore"):
        points = frame.to_px([point for cell in board.layout.cells for point in cell.outline])
    reach = 2 * sum(bgr.shape[:2])
    if not np.isfinite(points).all() or (np.abs(points) > reach).any():
        raise PuzzleInvalidError("The frame puts the board off the picture.")
    return frame


def _palette(colours: Sequence[str], flows: int) -> tuple[Rgb, ...]:
    if len(colours) < flows:
        raise PuzzleInvalidError(f"{len(colours)} colours for {flows} flows.")
    return tuple(Rgb(*bytes.fromhex(colour.removeprefix("#"))) for colour in colours[:flows])
