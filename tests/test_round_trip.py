"""What is drawn is read back: random puzzles in every look."""

from random import Random

import pytest

from flowvision import solve_image
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import Solved, solve
from tests.tools.synthetic import draw_screenshot, random_style


@pytest.mark.sweep(6)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_drawn_is_read_back(seed):
    """Size, every cell's neighbours and every pair, whatever the theme, phone, size and compression.

    Boards of 5 × 5 to 15 × 18, scales of 0.5 to 2, JPEG down to quality 30, dimmed, lettered, partly
    played. Only puzzles with one solution, as in the game: others are the business of the pipeline's tests.
    """
    random = Random(seed)
    rows, cols = random.randint(5, 18), random.randint(5, 15)
    style = random_style(seed)
    board = boards.square(rows, cols)
    count = min(len(style.theme.palette), max(3, round(rows * cols / 10)))
    puzzle, solution = random_puzzle(board, seed, count)
    outcome = solve(puzzle)
    if not (isinstance(outcome, Solved) and outcome.unique):
        pytest.skip("the random puzzle has several solutions")
    reading = solve_image(draw_screenshot(board, puzzle, style, seed, solution).screenshot).reading
    assert reading.lattice is not None
    assert (reading.lattice.rows, reading.lattice.cols) == (rows, cols)
    assert reading.board.graph == board.graph
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == {
        frozenset(pair) for pair in puzzle.terminals
    }
