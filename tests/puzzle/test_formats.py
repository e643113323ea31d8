"""Every written form is told apart by content."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.formats import (
    WRITTEN_FORMS,
    InvalidPuzzle,
    NamedPuzzle,
    letters_for,
    puzzles_in,
    written,
)
from flowvision.puzzle.levels import format_level
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.records import format_record
from flowvision.puzzle.text import draw, format_puzzle
from tests.puzzle.shapes import BOARDS

BOARD = BOARDS["holes"]
PUZZLE, SOLUTION = random_puzzle(BOARD, 4)
PAIRS = {frozenset(pair) for pair in PUZZLE.terminals}


def grid_of_words():
    """The same puzzle as numbers with spaces between them."""
    return "\n".join(" ".join(row) for row in draw(BOARD, PUZZLE).grid)


def screenshot_object():
    """The same puzzle as ``flowvision read --json`` says it."""
    drawn = draw(BOARD, PUZZLE)
    return json.dumps({"file": "a.png", "board": {"tiling": "square", "grid": drawn.grid, "walls": []}})


@pytest.mark.parametrize(
    "text",
    [
        format_puzzle(BOARD, PUZZLE),
        format_record(BOARD, PUZZLE, "name"),
        format_level(BOARD, PUZZLE, SOLUTION),
        grid_of_words(),
        f"4 4\n{grid_of_words()}\n",
        screenshot_object(),
    ],
    ids=["text", "record", "level", "words", "words with size", "reading"],
)
def test_the_same_puzzle_in_every_form(text):
    """Board and pairs are the same, whatever it was written in."""
    (found,) = puzzles_in(text)
    assert isinstance(found, NamedPuzzle)
    assert found.board == BOARD
    assert {frozenset(pair) for pair in found.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
@pytest.mark.parametrize("form", WRITTEN_FORMS)
@given(seed=st.integers(0, 500))
def test_what_is_written_is_read_back(form, board, seed):
    """Every kind of board in every form, save what the form cannot say; flows may come in another order."""
    puzzle, solution = random_puzzle(board, seed)
    named = NamedPuzzle("2/7", board, puzzle, letters_for(len(puzzle.terminals)))
    try:
        text = written(named, form, solution)
    except PuzzleInvalidError:
        assert form == "grid" or board == BOARDS["two wide"]
        return
    (found,) = puzzles_in(text, "2/7")
    assert found.board == board
    assert found.name == "2/7"
    assert {frozenset(pair) for pair in found.puzzle.terminals} == set(map(frozenset, puzzle.terminals))
    assert text == written(found, form, solution) or form in ("text", "grid")


def test_lines_that_are_no_puzzle_do_not_stop_the_rest():
    """Each is named by its line."""
    line = format_record(BOARD, PUZZLE, "a")
    found = list(puzzles_in(f"{line}\n{{bad\n\n{line}\n", "levels.jsonl"))
    assert [type(one) for one in found] == [NamedPuzzle, InvalidPuzzle, NamedPuzzle]
    assert found[1].name == "levels.jsonl:2"


def test_several_grids_with_their_sizes():
    """Width and height before each; 0 0 ends the file; more flows than letters are no trouble."""
    wide = " ".join(str(n) for n in range(1, 71))
    found = list(puzzles_in(f"3 1\nA.A\n70 2\n{wide}\n{wide}\n0 0\n", "many"))
    assert [one.name for one in found] == ["many:1", "many:2"]
    assert [len(one.puzzle.terminals) for one in found] == [1, 70]


@pytest.mark.parametrize(("text", "message"), [("1 .\n. .", "1 appears once"), ("1 1\n. . .", "not equally")])
def test_a_bare_grid_with_a_fault_is_told_so(text, message):
    """As for the text form."""
    with pytest.raises(PuzzleInvalidError, match=message):
        list(puzzles_in(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"rows":1}', "JSON list; puzzles are JSON records, one a line"),
        ('[\n{"rows": 2,\n"cols": 2}\n]', "JSON list"),
        ('{"rows":1', "Not a JSON record"),
        ("5:4,1,7", "Not a level line: '5:4,1,7'. It begins with size,page,level,flows"),
        ("X_5,1", "Not a level line"),
        ("5,0,1,5;1,2,3", "says 5 flows and gives 1 path"),
        ("R.G\n.!.\nG.R", "Line 2 is neither a row of cells"),
    ],
)
def test_what_is_damaged_is_told_as_the_form_that_was_meant(text, said):
    """Once, in words of that form."""
    try:
        told = [item.error.message for item in puzzles_in(text) if isinstance(item, InvalidPuzzle)]
    except PuzzleInvalidError as error:
        told = [error.message]
    assert len(told) == 1
    assert said in told[0]
