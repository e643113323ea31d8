"""What is drawn is read back: random puzzles in every look, also in the middle of a move."""

from contextlib import suppress
from random import Random

import pytest

from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from tests.boards import pairs_of
from tests.commands import NIGHTLY
from tests.seeing import AMPLE_TIME
from tests.tools.synthetic import THEMES, Style, draw_screenshot, random_style


def assert_read_back(rows: int, cols: int, flows: int, style: Style, seed: int) -> None:
    board = boards.square(rows, cols)
    puzzle, solution = random_puzzle(board, seed, flows)
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    reading = solve_image(shot.screenshot, AMPLE_TIME).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (rows, cols)
    assert set(map(frozenset, reading.board.graph.edges)) == set(map(frozenset, board.graph.edges))
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_drawn_is_read_back(seed):
    random, style = Random(seed), random_style(seed)
    rows, cols = random.randint(5, 18), random.randint(5, 15)
    flows = min(len(style.theme.palette), max(3, round(rows * cols / 10)))
    assert_read_back(rows, cols, flows, style, seed)


def assert_begun_is_read_back(seed: int, **look: object) -> None:
    """The same of a board in the old look that is partly played."""
    random = Random(seed)
    rows, cols = random.randint(5, 10), random.randint(5, 10)
    style = Style(THEMES["old"], line=random.randrange(5), drawn=random.uniform(0.3, 1), **look)
    assert_read_back(rows, cols, max(3, round(rows * cols / 9)), style, seed)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("look", [{"finger": True, "pointer": True}, {"tint": 0.5}, {"tint": 0.62}], ids=str)
@pytest.mark.parametrize("seed", range(1, 11))
def test_halo_pointer_and_tints_are_no_part_of_the_board(seed, look):
    assert_begun_is_read_back(seed, scale=0.5, **look)


def test_a_part_of_a_tinted_board_is_never_taken_for_all_of_it():
    """A refusal is allowed now and then, another board is not."""
    seeds = range(11, 41 if NIGHTLY else 15)
    read = 0
    for seed in seeds:
        with suppress(FlowvisionError):
            assert_begun_is_read_back(seed, tint=0.5, finger=True)
            read += 1
    assert read >= 0.75 * len(seeds)
