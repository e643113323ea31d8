from random import Random
from time import process_time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.reasons import shading_of
from flowvision.solvers.repairs import repairs
from tests.boards import pairs_of, unique_puzzle

BOARD = boards.square(7, 7)
AMPLE = 600.0


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 300))
def test_a_dot_one_cell_off_breaks_parity(seed):
    puzzle, _ = random_puzzle(BOARD, seed)
    dots = {dot for pair in puzzle.terminals for dot in pair}
    (a, b), *rest = puzzle.terminals
    near = [n for n in BOARD.graph.neighbours()[b] if n not in dots]
    assume(near)
    moved = Puzzle(BOARD.graph, ((a, near[0]), *rest))
    assert "chessboard" in shading_of(moved.graph).fault(moved)


@pytest.mark.parametrize("seed", range(4))
def test_a_moved_dot_is_moved_back(seed):
    (puzzle, _), random = unique_puzzle(BOARD, seed, colours=6), Random(seed)
    moves = [
        (dot, near)
        for dot in puzzle.dots
        for near in BOARD.graph.neighbours()[dot]
        if near not in puzzle.dots
    ]
    dot, moved = random.choice(moves)
    pairs = (tuple(moved if end == dot else end for end in pair) for pair in puzzle.terminals)
    result = repairs(BOARD, Puzzle(BOARD.graph, tuple(pairs)), doubts={moved: 1.0}, seconds=AMPLE)
    assert result.complete
    assert any(pairs_of(repair.puzzle) == pairs_of(puzzle) for repair in result.found)
    assert [change.read for change in result.found[0].changes] == [moved]
    assert "row" in result.found[0].text


@pytest.mark.parametrize("seed", range(4))
def test_two_swapped_dots_are_swapped_back(seed):
    puzzle, _ = unique_puzzle(BOARD, seed + 100, colours=6)
    (a, b), (c, d), *others = puzzle.terminals
    misread = Puzzle(BOARD.graph, ((a, d), (c, b), *others))
    found = repairs(BOARD, misread, seconds=AMPLE).found
    assert any(pairs_of(repair.puzzle) == pairs_of(puzzle) for repair in found)
    for repair in found:
        outcome = solve(repair.puzzle)
        assert outcome.unique
        assert repair.outcome.unique
        assert (outcome.solution, outcome.rules) == (repair.outcome.solution, repair.outcome.rules)
        is_moved_dot = "may lie" in repair.text
        assert len(repair.changes) == (1 if is_moved_dot else 2)


def test_the_limit_is_kept_and_reported():
    named = parse("A.....\n......\n..A...\n...B..\n......\nB.....\n")
    assert not repairs(named.board, named.puzzle, seconds=1e-9).complete
    large = boards.square(60, 60)
    puzzle = Puzzle(large.graph, tuple((n, n + 2) for n in range(0, 3600, 3)))
    began = process_time()
    assert not repairs(large, puzzle, seconds=0.1).complete
    assert process_time() - began < 30
