"""The text form, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_puzzle, parse, read_drawn
from tests.drawing import FIVE
from tests.puzzle.shapes import BOARDS


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
@given(seed=st.integers(0, 200))
def test_a_puzzle_comes_back_from_its_text(board, seed):
    """Board, walls, bridges, warps and every pair."""
    puzzle, _ = random_puzzle(board, seed)
    text = format_puzzle(board, puzzle)
    again = parse(text)
    assert again.board == board
    assert {frozenset(pair) for pair in again.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}
    assert format_puzzle(again.board, again.puzzle, again.letters) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("R.\n..", "R appears once"),
        ("RR\nRR", "R appears 4 times"),
        ("..\n..", "no dots"),
        ("R.R\n..", "not equally long: 3, 2"),
        ("R?R", "Line 1"),
        ("R.R\nwall 1,1/6,6", "without a cell"),
        ("R.R\n...\n...\nwarp 1,1/2,2", "does not join the two ends"),
        ("hex\nR+R", "no bridges"),
    ],
)
def test_a_fault_is_named(text, message):
    """The message says what is wrong, and where."""
    with pytest.raises(PuzzleInvalidError, match=message):
        parse(text)


def test_every_fault_is_listed_at_once():
    """Two letters that stand alone are both named."""
    with pytest.raises(PuzzleInvalidError, match=r"A appears once.* B appears once"):
        parse("A..\n..B")


def test_a_solved_board_is_told_from_a_faulty_one():
    """The advice is to take the pipes out, only where every cell has a letter."""
    with pytest.raises(PuzzleInvalidError) as solved:
        parse("RRR\nGGG")
    assert "solved already" in solved.value.hint
    with pytest.raises(PuzzleInvalidError) as faulty:
        parse("RRR\nG.G")
    assert "solved already" not in faulty.value.hint


def test_comments_and_blank_lines_are_skipped():
    """A puzzle pasted with its story is still a puzzle."""
    assert len(parse("# level 1\n\nR.R\n").puzzle.terminals) == 1


def test_comments_may_end_any_line():
    """A puzzle is copied with what is said beside it, as the README shows it."""
    noted = "".join(f"{line}   // a row\n" for line in FIVE.splitlines())
    assert read_drawn(f"// before\n{noted}wall 1,1/1,2 // after\n") == read_drawn(f"{FIVE}wall 1,1/1,2\n")
