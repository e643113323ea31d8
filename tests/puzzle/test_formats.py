import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.formats import WRITTEN_FORMS, InvalidPuzzle, parse_level, puzzles_in, written
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import letters_for
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import draw, format_record
from tests.boards import SMALL_BOARDS, pairs_of

BOARD = SMALL_BOARDS["holes"]
PUZZLE, SOLUTION = random_puzzle(BOARD, seed=4)


def test_the_object_of_a_reading_is_a_puzzle() -> None:
    reading = {"file": "a.png", "board": {"tiling": "square", "grid": draw(BOARD, PUZZLE).grid}}
    (found,) = puzzles_in(json.dumps(reading))
    assert found.board == BOARD
    assert pairs_of(found.puzzle) == pairs_of(PUZZLE)


TWO_WIDE = SMALL_BOARDS["two wide"]
WRITABLE = SMALL_BOARDS | {
    "all rows": boards.square(3, 4, warps=[((r, 0), (r, 3)) for r in range(3)] + [((0, 1), (2, 1))]),
    "both sides": boards.square(4, 2, warps=[((r, 0), (r, 1)) for r in range(4)]),
}


@pytest.mark.parametrize("board", WRITABLE.values(), ids=list(WRITABLE))
@pytest.mark.parametrize("form", WRITTEN_FORMS)
@settings(max_examples=20)
@given(seed=st.integers(0, 500))
def test_what_is_written_is_read_back(form, board, seed):
    puzzle, solution = random_puzzle(board, seed)
    named = NamedPuzzle("2/7", board, puzzle, letters_for(len(puzzle.terminals)))
    if form == "level" and board == TWO_WIDE:
        # A wall in a level line would close both sides between the two cells.
        with pytest.raises(PuzzleInvalidError, match="which sides"):
            written(named, form, solution)
        return
    text = written(named, form, solution)
    (again,) = puzzles_in(text, "2/7")
    assert (again.name, again.board) == ("2/7", board)
    assert pairs_of(again.puzzle) == pairs_of(puzzle)
    assert text == written(again, form, solution)
    if form != "text":  # text has its flows in the order in which their letters appear
        assert again.puzzle == puzzle


def test_lines_that_are_no_puzzle_do_not_stop_the_rest():
    line = format_record(BOARD, PUZZLE, "a")
    before, bad, after = puzzles_in(f"{line}\n{{bad\n\n{line}\n", "levels.jsonl")
    assert before.puzzle == after.puzzle == PUZZLE
    assert isinstance(bad, InvalidPuzzle)
    assert bad.name == "levels.jsonl:2"


def test_many_damaged_lines_are_one_fault():
    good, bad = format_record(BOARD, PUZZLE, "a"), "{bad\n" * 500
    items = list(puzzles_in(f"{good}\n{bad}{good}\n{bad}", "levels.jsonl"))
    assert [type(item) for item in items] == [NamedPuzzle, InvalidPuzzle, NamedPuzzle, InvalidPuzzle]
    faults = [item for item in items if isinstance(item, InvalidPuzzle)]
    assert [fault.name for fault in faults] == ["levels.jsonl:2", "levels.jsonl:503"]
    assert all("500 lines" in fault.error.message for fault in faults)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"rows":1', "Not a JSON record"),
        ("5:4,1,7", "Not a level line: '5:4,1,7'. It begins with size,page,level,flows"),
        ("X_5,1", "Not a level line"),
        ("5,0,1,5;1,2,3", "says 5 flows and gives 1 path"),
        ("5,1,1,1;0,99", "off the board"),
        ("5,1,1,1;0,x", "Not a number"),
        ("5,1,1,1,,,7;0,1", "between two cells"),
        ("5,1,1,1;3", "fewer than two"),
    ],
)
def test_a_damaged_line_is_reported_in_the_form_that_was_meant(line, message):
    (found,) = puzzles_in(line)
    assert isinstance(found, InvalidPuzzle)
    assert message in found.error.message


def test_a_damaged_board_is_refused_with_its_line():
    with pytest.raises(PuzzleInvalidError, match="Line 2 is neither a row of cells"):
        list(puzzles_in("R.G\n.!.\nG.R"))


def test_a_line_of_the_game_is_read():
    level = parse_level("4:3+B,1,7,2,5,3:11,0|1;0,4,8;1,2,6,7;")
    places = level.board.lattice.places
    holes, wall, bridge = [(0, 3), (2, 3)], ((0, 0), (0, 1)), (1, 1)
    assert level.board == boards.square(3, 4, holes=holes, walls=[wall], bridges=[bridge])
    assert [places[start] for start, _ in level.puzzle.terminals] == [(0, 0), (0, 1)]
