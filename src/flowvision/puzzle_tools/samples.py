"""Synthetic screenshots as files: the picture, and the puzzle it shows beside it."""

from __future__ import annotations

from pathlib import Path

from flowvision.errors import UnsolvableError
from flowvision.files import STANDARD, read_bytes, refuse_overwriting, write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_puzzle, parse
from flowvision.puzzle_tools.generator import board_of
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.solvers import Solved, solve


def write_sample(
    output: str, source: str | None, size: str, colours: int | None, style: Style, seed: int
) -> None:
    """Draw the puzzle in the file ``source``, or a random one, and write the picture and its puzzle.

    Raises ``PuzzleInvalidError`` for a puzzle or size that cannot be drawn, ``OutputError`` when it
    cannot be written.
    """
    given = (
        _random(size, colours, seed, len(style.theme.palette))
        if source is None
        else _given(source, style.drawn > 0)
    )
    board, puzzle, solution = given
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    target = Path(output)
    beside = target.with_suffix(".txt")
    refuse_overwriting(output, [source] if source else [])
    picture = encode(shot.screenshot.bgr, ".png" if output == STANDARD else target.suffix)
    write_bytes(output, picture)
    if output != STANDARD and (source is None or not _same_file(beside, source)):
        write_text(beside, format_puzzle(board, puzzle))


def _random(size: str, colours: int | None, seed: int, most: int) -> tuple[Board, Puzzle, Solution | None]:
    board = board_of(size)
    rows, cols = (board.lattice.rows, board.lattice.cols) if board.lattice else (0, 0)
    count = colours or min(most, max(2, round(rows * cols / 9)))
    return board, *random_puzzle(board, seed, count)


def _given(source: str, with_solution: bool) -> tuple[Board, Puzzle, Solution | None]:
    given = parse(read_bytes(source).decode("utf-8", "replace"))
    if not with_solution:
        return given.board, given.puzzle, None
    outcome = solve(given.puzzle, prove_unique=False)
    if not isinstance(outcome, Solved):
        raise UnsolvableError("The puzzle has no solution of which to draw a part.", "Leave out `--drawn`.")
    return given.board, given.puzzle, outcome.solution


def _same_file(a: Path, b: str) -> bool:
    return a.exists() and a.samefile(b)
