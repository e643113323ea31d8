import re
from typing import NamedTuple

import pytest

from flowvision.colours import Rgb, palette_for
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.text import depth_of, painted, solved_text
from flowvision.solvers import solve
from tests.boards import BOARDS
from tests.drawing import LEVEL_5X5

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def plain(text):
    return ESCAPES.sub("", text)


def drawn(text, depth=24, *edges):
    """Return the text of a solved board in colours of this many bits, or with these edges alone."""
    named = parse(text)
    solution, palette = solve(named.puzzle).solution, palette_for(named.letters)
    return solved_text(named.board, named.puzzle, solution, named.letters, palette, depth, *edges)


class Solved(NamedTuple):
    """What ``solved_text`` takes of a puzzle."""

    board: Board
    puzzle: Puzzle
    solution: Solution
    letters: tuple[str, ...]
    palette: tuple[Rgb, ...]


def random_board(name):
    puzzle, solution = random_puzzle(BOARDS[name], seed=2)
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(puzzle.terminals)])
    return Solved(BOARDS[name], puzzle, solution, letters, palette_for(letters))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AB\n..\nAB\nwall 1,1/1,2\nwall 2,1/2,2\n", "●│●\n┃│┃\n● ●"),
        ("A.A\nB.B\nwall 1,2/2,2\n", "●━━━●\n  ─  \n●━━━●"),
    ],
)
def test_walls_are_marked_where_they_are(text, expected):
    assert plain(drawn(text)) == expected


def test_warps_are_marked_at_both_ends_in_the_colour_of_the_flow():
    shown = drawn("BAB\nCAC\nwarp 1,1/1,3\nwarp 2,1/2,3\nwarp 1,2/2,2\n")
    assert plain(shown).splitlines() == ["   ▴", "◂● ● ●▸", "◂● ● ●▸", "   ▾"]
    colour_on_black = r"\x1b\[38;2;([0-9;]*);48;2;0;0;0m"
    left, right = (re.findall(colour_on_black + marked, shown) for marked in ("◂●", "●▸"))
    assert left == right
    assert len(set(left)) == 2  # B and C


def test_hexagons_stand_staggered():
    solved = random_board("hex")
    text, dots = plain(solved_text(*solved, depth=4)), solved.puzzle.dots
    lines = text.splitlines()
    for cell, (r, c) in enumerate(solved.board.lattice.places):
        expected = solved.letters[dots[cell]] if cell in dots else "•"
        assert lines[2 * r + 1 - c % 2][4 * c + 1] == expected
    assert sum(mark in "┃╱╲" for mark in text) == len(solved.solution.edges)


@pytest.mark.parametrize("name", ["cubes", "rings"])
@pytest.mark.parametrize("depth", [0, 8])
def test_cells_of_other_shapes_are_listed_by_flows(name, depth):
    solved = random_board(name)
    assert [line[0] for line in solved_text(*solved, depth).splitlines()] == list(solved.letters)


@pytest.mark.parametrize("name", ["square", "holes", "bridge", "hex"])
def test_every_dot_is_there(name):
    solved = random_board(name)
    in_full_colour, in_16_colours = (plain(solved_text(*solved, depth)) for depth in (24, 4))
    assert in_full_colour.count("●") == 2 * len(solved.letters)
    assert all(in_16_colours.count(letter) == 2 for letter in solved.letters)


@pytest.mark.parametrize(
    ("depth", "is_coloured", "is_full"), [(24, True, True), (4, True, False), (0, False, False)]
)
def test_only_colours_of_the_terminal_are_used(depth, is_coloured, is_full):
    text = solved_text(*random_board("square"), depth)
    assert bool(ESCAPES.search(text)) == is_coloured
    assert bool(re.search("38;[25]", text)) == is_full


@pytest.mark.parametrize(
    ("colour", "code_of_16", "code_of_256"),
    [((255, 0, 0), 31, 196), ((250, 250, 20), 33, 226), ((96, 140, 170), 36, 67), ((255, 255, 255), 37, 231)],
)
def test_terminals_with_few_colours_show_a_similar_one(colour, code_of_16, code_of_256):
    on_black_of_16, on_black_of_256 = "40", "48;5;16"
    assert painted("x", Rgb(*colour), depth=4) == f"\x1b[{code_of_16};{on_black_of_16}mx\x1b[0m"
    assert painted("x", Rgb(*colour), depth=8) == f"\x1b[38;5;{code_of_256};{on_black_of_256}mx\x1b[0m"


@pytest.mark.parametrize("depth", [4, 8, 24])
@pytest.mark.parametrize("text", ["..O..\n.....\nG.+.G\n.....\n..O..\n", LEVEL_5X5])
def test_an_unsolved_board_shows_letters_bridges_and_empty_cells(text, depth):
    rows = [line[::2] for line in plain(drawn(text, depth, ())).splitlines()]
    assert rows == text.replace(".", "·").replace("+", "╋").split()


@pytest.mark.parametrize(
    ("environment", "depth"),
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
def test_terminals_say_how_many_colours_they_have(environment, depth):
    assert depth_of(environment, is_terminal=True) == depth
    assert depth_of(environment, is_terminal=False) == 0
