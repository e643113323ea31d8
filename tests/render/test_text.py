import re

import pytest

from flowvision.colours import palette_for
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.text import depth_of, solved_text
from flowvision.solvers import solve
from tests.boards import BOARDS
from tests.drawing import FIVE

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def plain(text):
    return ESCAPES.sub("", text)


def drawn(text, depth=24, *edges):
    made = parse(text)
    solution, palette = solve(made.puzzle).solution, palette_for(made.letters)
    return solved_text(made.board, made.puzzle, solution, made.letters, palette, depth, *edges)


def random_board(name):
    puzzle, solution = random_puzzle(BOARDS[name], 2)
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(puzzle.terminals)])
    return BOARDS[name], puzzle, solution, letters, palette_for(letters)


def test_walls_are_marked_where_they_are():
    shown = plain(drawn("AB\n..\nAB\nwall 1,1/1,2\nwall 2,1/2,2\n"))
    assert shown == "●│●\n┃│┃\n● ●"
    shown = plain(drawn("A.A\nB.B\nwall 1,2/2,2\n"))
    assert shown == "●━━━●\n  ─  \n●━━━●"


def test_warps_are_marked_where_the_board_goes_on():
    shown = drawn("BAB\nCAC\nwarp 1,1/1,3\nwarp 2,1/2,3\nwarp 1,2/2,2\n")
    lines = plain(shown).splitlines()
    assert lines == ["   ▴", "◂● ● ●▸", "◂● ● ●▸", "   ▾"]
    blue = re.search(r"\x1b\[38;2;([0-9;]*);48;2;0;0;0m◂●", shown)
    assert blue[1] == re.search(r"38;2;([0-9;]*);48;2;0;0;0m●▸", shown)[1]


def test_hexagons_stand_staggered():
    board, puzzle, solution, letters, palette = random_board("hex")
    text = solved_text(board, puzzle, solution, letters, palette, 4)
    lines = plain(text).splitlines()
    for cell, (r, c) in enumerate(board.lattice.places):
        shown = letters[puzzle.dots[cell]] if cell in puzzle.dots else "•"
        assert lines[2 * r + 1 - c % 2][4 * c + 1] == shown
    ways = sum(mark in "┃╱╲" for mark in plain(text))
    assert ways == sum(len(path.edges) for path in solution.paths)


@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_cells_of_other_shapes_are_listed(name):
    made = random_board(name)
    for depth in (0, 8):
        assert [line[0] for line in solved_text(*made, depth).splitlines()] == list(made[3])


@pytest.mark.parametrize("name", ["square", "holes", "bridge", "hex"])
def test_every_dot_is_there(name):
    made = random_board(name)
    letters = made[3]
    rich, few, none = (solved_text(*made, depth) for depth in (24, 4, 0))
    assert plain(rich).count("●") == 2 * len(letters)
    assert all(plain(few).count(letter) == 2 for letter in letters)
    assert not ESCAPES.search(none)
    assert "38;2" in rich
    assert not {"38;2", "38;5"} & set(re.findall("38;[25]", few))


@pytest.mark.parametrize("depth", [4, 8, 24])
@pytest.mark.parametrize("text", ["..O..\n.....\nG.+.G\n.....\n..O..\n", FIVE])
def test_an_unsolved_board_shows_letters_bridges_and_empty_cells(text, depth):
    rows = [line[::2] for line in plain(drawn(text, depth, ())).splitlines()]
    assert rows == text.replace(".", "·").replace("+", "╋").split()


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, 24),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, 24),
        ({"TERM": "xterm-256color"}, 8),
        ({"TERM": "xterm"}, 4),
        ({"TERM": "xterm-direct"}, 24),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 8),
        ({}, 4),
    ],
)
def test_terminals_say_how_many_colours_they_have(environ, depth):
    assert depth_of(environ, True) == depth
    assert depth_of(environ, False) == 0
