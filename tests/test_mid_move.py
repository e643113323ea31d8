"""Boards in mid-move are read: halo and pointer over them, and tints that hide their lines."""

from contextlib import suppress
from random import Random

import pytest

from flowvision import Answer, solve_image
from flowvision.errors import FlowvisionError
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.reading.options import Options
from tests.commands import NIGHTLY
from tests.tools.synthetic import THEMES, Style, draw_screenshot

OLD = THEMES["old"]
AMPLE = Options(seconds=600)
"""A busy machine must not stop a late strategy."""


def drawn(seed: int, **look) -> tuple[Puzzle, tuple[int, int], Answer]:
    """A random board in the old look, its size, and what is read of it."""
    random = Random(seed)
    rows, cols = random.randint(5, 10), random.randint(5, 10)
    board = boards.square(rows, cols)
    puzzle, solution = random_puzzle(board, seed, max(3, round(rows * cols / 9)))
    style = Style(OLD, line=random.randrange(5), drawn=random.uniform(0.3, 1), **look)
    return (
        puzzle,
        (rows, cols),
        solve_image(draw_screenshot(board, puzzle, style, seed, solution).screenshot, AMPLE),
    )


def assert_right(puzzle: Puzzle, size: tuple[int, int], checked: Answer) -> None:
    lattice = checked.reading.lattice
    assert lattice is not None
    assert (lattice.rows, lattice.cols) == size
    found = {frozenset(pair) for pair in checked.reading.puzzle.terminals}
    assert found == {frozenset(pair) for pair in puzzle.terminals}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(1, 11))
def test_halo_and_pointer_are_no_part_of_the_board(seed):
    """A halo covers lines, and lies half-way between the ground and the dots of its flow beside it."""
    assert_right(*drawn(seed, finger=True, pointer=True, scale=0.5))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("tint", [0.5, 0.62])
@pytest.mark.parametrize("seed", range(1, 11))
def test_tints_as_bright_as_lines_hide_no_cells(seed, tint):
    """Finished cells of the old tablet look; what is refused is not misread."""
    assert_right(*drawn(seed, tint=tint, scale=0.5))


def test_a_part_of_a_tinted_board_is_never_taken_for_all_of_it():
    """Where tints part a board, lines still frame a part of it, which may have exactly one solution."""
    seeds = range(11, 41 if NIGHTLY else 15)
    right = 0
    for seed in seeds:
        with suppress(FlowvisionError):
            assert_right(*drawn(seed, tint=0.5, finger=True))
            right += 1
    assert right >= 0.75 * len(seeds)
