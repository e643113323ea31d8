"""Random puzzles as text for tests and benchmarks to draw, whatever the generator's defaults."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase, ascii_uppercase

from flowvision.errors import GaveUpError
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_puzzle
from flowvision.puzzle_tools.generator import ATTEMPTS, Shape, make_board
from flowvision.solvers import has_one_strict_solution, solve

LETTERS = ascii_uppercase + ascii_lowercase


def make_puzzle(shape: Shape, colours: int | None, seed: int) -> str:
    """Return a puzzle with exactly one solution in the text form; the same for the same seed."""
    for number in range(seed * ATTEMPTS, (seed + 1) * ATTEMPTS):
        board = make_board(shape, Random(number))
        try:
            puzzle, _ = random_puzzle(board, number, colours)
        except GaveUpError:
            continue
        if has_one_strict_solution(solve(puzzle)):
            return format_puzzle(board, puzzle, LETTERS)
    raise GaveUpError(f"No puzzle of {shape} with the seed {seed} has exactly one solution.")
