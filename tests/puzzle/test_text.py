import json

import pytest

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.check import SHOWN, invalid_puzzle, shown
from flowvision.puzzle.formats import puzzles_in, written
from flowvision.puzzle.free import open_sides
from flowvision.puzzle.layout import Board, NamedPuzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import Record, build_record, format_puzzle, load_json, parse, read_drawn
from flowvision.solvers import has_one_strict_solution, solve
from tests.boards import SMALL_BOARDS
from tests.drawing import LEVEL_5X5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no puzzle"),
        ("R.\n..", "R appears once"),
        ("RR\nRR", "R appears 4 times"),
        ("..\n..", "no dots"),
        ("R.R\n..", "not equally long: 3 and 2"),
        ("R?R", "'R.R' is not a row of cells"),
        ("R.R\nR?R", "Line 2"),
        ("R.R\nwall 1,1/6,6", "without a cell"),
        ("R.R\n...\n...\nwarp 1,1/2,2", "does not join the two ends"),
        ("hex\nR+R", "no bridges"),
        ("free", "0 cells"),
        ("free\ncells 999999\nR 0 1", "999,999 cells"),
        ("free\ncells 3", "no dots"),
        ("free\ncells 3\nR 0 3", "from 0 to 2; there is no 3"),
        ("free\ncells 3\nR 0 1\n0: 7 1", "there is no 7"),
        ("free\ncells 3\nR 0 1\n1: 1", "Cell 1 is listed as its own neighbour"),
        ("free\ncells 3\nR 0 1\nR 1 2", "Letter R has dots twice"),
        ("free\ncells 3\nR 0 1\nnonsense", "Line 4"),
        ("free\ncells 3\nR 0 1\n0: 1,2", "Line 4"),
        ("free\ncells ²", "Line 2"),
        (f"free\ncells {'9' * 5000}", "Line 2"),
    ],
)
def test_a_fault_is_named(text, message):
    with pytest.raises(PuzzleInvalidError, match=message):
        parse(text)


@pytest.mark.parametrize(("text", "is_solved"), [("RRR\nGGG", True), ("RRR\nG.G", False)])
def test_only_a_solved_board_gets_the_hint_about_solved_boards(text, is_solved):
    with pytest.raises(PuzzleInvalidError) as raised:
        parse(text)
    assert ("solved already" in raised.value.hint) == is_solved


def test_comments_may_end_any_line():
    noted = "".join(f"{line}   // a row\n" for line in LEVEL_5X5.splitlines())
    assert read_drawn(f"// before\n{noted}wall 1,1/1,2 // after\n") == read_drawn(
        f"{LEVEL_5X5}wall 1,1/1,2\n"
    )


PENTAGON = """\
# a pentagon and its middle
free
cells 6
R 0 2
G 3 5
0: 1 4 5
1: 2 5

2: 3 5
3: 4 5
4: 5
"""


@pytest.mark.parametrize("kind", [kind for kind in SMALL_BOARDS if kind not in ("bridge", "mixed")])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_without_rows_is_read_back(kind: str, seed: int) -> None:
    board = Board(SMALL_BOARDS[kind].graph, SMALL_BOARDS[kind].layout)
    puzzle, _ = random_puzzle(SMALL_BOARDS[kind], seed)
    text = format_puzzle(board, puzzle)
    again = parse(text)
    assert open_sides(again.board) == open_sides(board)
    assert len(again.board.layout.cells) == len(board.layout.cells)
    assert again.puzzle.terminals == puzzle.terminals
    assert format_puzzle(again.board, again.puzzle, again.letters) == text
    assert has_one_strict_solution(solve(again.puzzle)) == has_one_strict_solution(solve(puzzle))


def test_a_board_without_rows_is_recognized() -> None:
    (named,) = puzzles_in(PENTAGON, "a.txt")
    assert (named.name, named.letters, named.board.lattice) == ("a.txt", ("R", "G"), None)
    assert written(named, "text") == format_puzzle(named.board, named.puzzle, named.letters).rstrip("\n")
    with pytest.raises(PuzzleInvalidError, match="rows and columns"):
        written(named, "record")
    outcome = solve(named.puzzle, board=named.board)
    assert set(outcome.solution.flow_of) == set(range(6))


def test_the_objects_of_read_are_read() -> None:
    board = {"tiling": "free", "cells": 3, "sides": [[0, 1], [1, 2]]}
    flows = [{"letter": "R", "ends": [0, 2]}]
    (named,) = puzzles_in(json.dumps({"file": "cube.png", "board": board, "flows": flows}))
    assert (named.name, named.letters, named.puzzle.terminals) == ("cube.png", ("R",), ((0, 2),))
    assert open_sides(named.board) == [(0, 1), (1, 2)]


PLAIN = {"id": "a", "rows": 3, "cols": 4, "pairs": [[[0, 0], [2, 3]]]}


def parse_record(line: str) -> NamedPuzzle:
    return build_record(load_json(line, Record))


def test_a_record_becomes_a_board_and_its_pairs():
    named = parse_record(json.dumps(PLAIN | {"holes": [[1, 1]], "walls": [[[0, 2], [0, 3]]]}))
    assert named.name == "a"
    assert named.board == boards.square(3, 4, holes=[(1, 1)], walls=[((0, 2), (0, 3))])
    places = named.board.lattice.places
    assert [tuple(places[dot] for dot in pair) for pair in named.puzzle.terminals] == [((0, 0), (2, 3))]


def test_wrap_joins_the_ends_of_rows_and_columns_unless_a_wall_parts_them():
    walls = [[[r, 0], [r, 3]] for r in (0, 2)] + [[[0, c], [2, c]] for c in range(4)]
    named = parse_record(json.dumps(PLAIN | {"wrap": "both", "walls": walls}))
    second_row = ((1, 0), (1, 3))
    assert named.board == boards.square(3, 4, warps=[second_row])


FAULTY_RECORDS = [
    ({"pairs": [[[0, 0]]]}, "length 2"),
    ({"pairs": [[[0, 0], [9, 9]]]}, r"off the board: \(9, 9\)"),
    ({"rows": 100_000}, "1 to 250,000"),
    ({"bridges": [[0, 0]]}, "dots on bridges"),
    ({"bridges": [[7, 0]]}, "Bridges are off"),
    ({"topology": "round"}, "topology"),
    ({"topology": "x" * 10_000}, "Invalid enum"),
    ({"wrap": "rows"}, "wrap"),
    ({"topology": "hex", "wrap": "both"}, "no warps"),
    ({"warps": [[[0, 0], [1, 1]]]}, "two ends"),
    ({"holes": [[0, 0]]}, "off the board"),
]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Not a JSON record"),
        ("{}", "required field `rows`"),
        ('{"rows": 1e999, "cols": 3, "pairs": []}', "out of range"),
        *((json.dumps(PLAIN | changes), message) for changes, message in FAULTY_RECORDS),
    ],
)
def test_a_fault_is_named_and_quoted_in_part(line, message):
    with pytest.raises(PuzzleInvalidError, match=message) as raised:
        parse_record(line)
    assert len(str(raised.value)) < 400


NAMES = [str(n) for n in range(SHOWN + 3)]


@pytest.mark.parametrize(
    ("names", "words", "message"),
    [
        (NAMES[:1], NAMES[:1], NAMES[:1]),
        (NAMES[:SHOWN], NAMES[:SHOWN], NAMES[:SHOWN]),
        (NAMES, [*NAMES[:SHOWN], "3 more"], [*NAMES[:SHOWN], "And", "3", "more."]),
    ],
)
def test_the_first_of_many_are_shown_and_the_others_counted(names, words, message):
    assert shown(names).replace(" and ", ", ").split(", ") == words
    assert invalid_puzzle(names).message.split() == message
