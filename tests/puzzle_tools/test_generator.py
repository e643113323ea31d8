from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.colours import COLOURS
from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.formats import puzzles_in, written
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle_tools import generator
from flowvision.puzzle_tools.generator import make_board, new_puzzle, shape_of
from flowvision.solvers import solve
from flowvision.solvers.deductions import GRADES, difficulty
from tests.boards import touches_itself

KINDS = (
    {},
    {"tiling": "hex", "holes": 3},
    {"holes": 2, "walls": 3},
    {"bridges": 2},
    {"warps": 3, "walls": 2},
)


def generated(shape, colours, seed, form="text"):
    """Return a new puzzle, written in this form."""
    item, solution = new_puzzle(shape, seed, colours)
    return written(item, form, solution) + "\n"


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 500), rows=st.integers(5, 9), cols=st.integers(5, 9))
def test_a_puzzle_has_one_solution_and_what_was_chosen(kind, seed, rows, cols):
    shape = shape_of(f"{cols}x{rows}", **kind)
    text = generated(shape, None, seed)
    assert generated(shape, None, seed) == text
    (named,) = puzzles_in(text)
    outcome = solve(named.puzzle)
    assert outcome.unique
    assert not any(touches_itself(named.puzzle, path.vertices) for path in outcome.solution.paths)
    numbers = {"holes": "#", "bridges": "+", "walls": "wall", "warps": "warp"}
    assert {name: text.count(sign) for name, sign in numbers.items()} == {
        name: getattr(shape, name) for name in numbers
    }


@pytest.mark.parametrize(
    ("size", "kind", "message"),
    [
        ("2x9", {}, "not COLSxROWS"),
        ("99x99", {}, "not COLSxROWS"),
        ("9x", {}, "not COLSxROWS"),
        ("5x5", {"tiling": "hex", "warps": 1}, "no bridges and no warps"),
        ("5x5", {"holes": 25}, "no room for 25 holes"),
        ("5x5", {"walls": 60}, "no room"),
        ("5x5", {"bridges": 10}, "no room"),
        ("5x5", {"warps": 11}, "no room"),
    ],
)
def test_an_impossible_board_is_refused(size, kind, message):
    with pytest.raises(PuzzleInvalidError, match=message) as caught:
        make_board(shape_of(size, **kind), Random(1))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("size", "colours", "error", "words"),
    [
        ("5x5", 9, PuzzleInvalidError, "9 paths of 3 cells or more do not fit on 25 cells"),
        ("3x4", 1, GaveUpError, "with 1 path in"),
        ("24x24", 70, PuzzleInvalidError, "only 62 letters"),
    ],
)
def test_too_many_and_too_few_colours(size, colours, error, words, monkeypatch):
    monkeypatch.setattr(generator, "random_puzzle", partial(random_puzzle, attempts=1))
    with pytest.raises(error, match=words):
        generated(shape_of(size), colours, seed=0)


@pytest.mark.parametrize("grade", GRADES)
def test_a_puzzle_has_the_grade_that_was_chosen(grade):
    item, solution = new_puzzle(shape_of("7x7"), seed=1, grade=grade)
    outcome = solve(item.puzzle)
    assert outcome.unique
    assert outcome.solution == solution
    assert difficulty(item.puzzle, solution).grade == grade


@pytest.mark.parametrize(
    ("size", "lower", "upper", "seeds"), [("7x7", 4, 7, 30), ("9x9", 6, 10, 30), ("15x15", 12, 16, 3)]
)
def test_as_many_pairs_as_a_published_level(size, lower, upper, seeds):
    items = [new_puzzle(shape_of(size), seed)[0] for seed in range(seeds)]
    counts = {len(item.puzzle.terminals) for item in items}
    assert counts <= set(range(lower, upper + 1))
    assert len(counts) > 1
    assert all(item.letters == tuple(COLOURS)[: len(item.letters)] for item in items)
