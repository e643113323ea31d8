"""Pipes that are drawn stay, or are named when none can go on from them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import Limits, Solved, Unsolvable, solve
from flowvision.solvers.counting import continued
from tests.boards import begun
from tests.drawing import FIVE, SEVERAL


@pytest.mark.parametrize("seed", range(8))
def test_pipes_of_a_solution_stay(seed):
    """Whatever else the solver would have answered, the pipes drawn are part of the answer."""
    board = boards.square(5, 5)
    puzzle, solution = random_puzzle(board, seed, 4)
    drawn = begun(solution, Random(seed))
    known = solve(puzzle)
    assert isinstance(known, Solved)
    found = continued(puzzle, drawn, known)
    assert isinstance(found.outcome, Solved)
    assert faults_in_solution(puzzle, found.outcome.solution) == []
    answers = [found.outcome.solution] + ([found.outcome.second] if found.outcome.second else [])
    for answer in answers:
        for path, edges in zip(answer.paths, drawn, strict=True):
            assert edges <= set(path.edges)
    assert found.wrong == ()


def edge_between(given, first, second):
    """The number of the edge between two places."""
    number = {place: n for n, place in enumerate(given.board.lattice.places)}
    pair = {number[first], number[second]}
    return next(n for n, edge in enumerate(given.board.graph.edges) if set(edge) == pair)


def drawn_over(given, letter, *places):
    """Per flow, the edges between these places, which are drawn in one colour."""
    edges = frozenset(edge_between(given, a, b) for a, b in pairwise(places))
    return [edges if other == letter else frozenset() for other in given.letters]


def test_a_pipe_off_the_only_solution_is_named():
    """Red should go down: to the right it is wrong, and only it."""
    given = parse(FIVE)
    drawn = drawn_over(given, "R", (0, 0), (0, 1))
    found = continued(given.puzzle, drawn, solve(given.puzzle))
    assert isinstance(found.outcome, Unsolvable)
    assert [given.letters[flow] for flow in found.wrong] == ["R"]


def test_with_several_solutions_another_one_is_found():
    """The pipes choose among the solutions, and are wrong only if none has them."""
    given = parse(SEVERAL)
    known = solve(given.puzzle)
    assert isinstance(known, Solved)
    assert known.second is not None
    for flow, path in enumerate(known.second.paths):
        drawn = [frozenset(path.edges if n == flow else ()) for n in range(len(given.letters))]
        found = continued(given.puzzle, drawn, known)
        assert isinstance(found.outcome, Solved)
        assert set(path.edges) == set(found.outcome.solution.paths[flow].edges)
    boxed_in = drawn_over(given, "Y", (4, 0), (3, 0), (3, 1), (4, 1))
    found = continued(given.puzzle, boxed_in, known, Limits(600))
    assert isinstance(found.outcome, Unsolvable)
    assert [given.letters[flow] for flow in found.wrong] == ["Y"]
