"""The game's level lines, both ways."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.formats import format_level, looks_like_level, parse_level
from flowvision.puzzle.random_cover import random_puzzle
from tests.boards import SMALL_BOARDS

WRAPPED = boards.square(3, 4, warps=[((r, 0), (r, 3)) for r in range(3)] + [((0, 1), (2, 1))])
BOTH_SIDES = boards.square(4, 2, warps=[((r, 0), (r, 1)) for r in range(4)])


def puzzle_on(board, seed):
    """A random puzzle; its solution too."""
    return random_puzzle(board, seed)


@pytest.mark.parametrize(
    "board",
    [*(board for name, board in SMALL_BOARDS.items() if name != "two wide"), WRAPPED, BOTH_SIDES],
    ids=[*(name for name in SMALL_BOARDS if name != "two wide"), "all rows", "both sides"],
)
@settings(max_examples=20)
@given(seed=st.integers(0, 200))
def test_a_level_comes_back_from_its_line(board, seed):
    """Board and pairs."""
    puzzle, solution = random_puzzle(board, seed)
    line = format_level(board, puzzle, solution, 3, 17)
    assert looks_like_level(line)
    level = parse_level(line)
    assert level.name == "3/17"
    assert level.board == board
    assert level.puzzle == puzzle
    assert format_level(level.board, level.puzzle, solution, 3, 17) == line


def test_one_warp_of_two_wide_rows_cannot_be_said():
    """A wall in a level line would close both sides between the two cells."""
    board = SMALL_BOARDS["two wide"]
    with pytest.raises(PuzzleInvalidError, match="which sides"):
        format_level(board, *puzzle_on(board, 1))


def test_a_line_of_the_game_is_read():
    """Size with flags, bridges, holes and walls, in the game's own order."""
    level = parse_level("4:3+B,1,7,2,5,3:11,0|1;0,4,8;1,2,6,7;")
    board = level.board
    assert board == boards.square(3, 4, [(0, 3), (2, 3)], [((0, 0), (0, 1))], [(1, 1)])
    places = board.lattice.places
    assert [places[a] for a, _ in level.puzzle.terminals] == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("RGB", "Not a level line"),
        ("5,1,1,2;0,1", "says 2 flows and gives 1"),
        ("5,1,1,1;0,99", "cell off the board"),
        ("5,1,1,1;0,x", "Not a number"),
        ("5,1,1,1,,,7;0,1", "between two cells"),
        ("5,1,1,1;3", "fewer than two"),
    ],
)
def test_what_is_no_level_is_told_so(line, message):
    """In words, with what is wrong."""
    with pytest.raises(PuzzleInvalidError, match=message):
        parse_level(line)
