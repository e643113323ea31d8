"""What is drawn and what is left make up the whole."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_puzzle, faults_in_solution
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.partly_played import drawn_solution, drawn_starts, rest_of, whole_solution
from flowvision.puzzle.random_cover import random_puzzle
from tests.boards import begun

BOARDS = (
    boards.square(5, 6),
    boards.square(5, 5, bridges={(2, 2)}),
    boards.square(4, 5, warps={((0, 0), (0, 4)), ((0, 2), (3, 2))}),
    boards.hexagonal(4, 4),
)


@pytest.mark.parametrize("board", BOARDS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_the_paths_between_the_heads_complete_the_pipes(board, seed):
    """For any pipes of a solution, the rest is a sound puzzle that the rest of the solution solves."""
    puzzle, solution = random_puzzle(board, seed)
    stumps = drawn_starts(puzzle, begun(solution, Random(seed)))
    rest = rest_of(puzzle, stumps)
    assert not rest.flows or faults_in_puzzle(rest.puzzle) == []
    number = {strand: n for n, strand in enumerate(rest.strands)}
    edge = {strand: n for n, strand in enumerate(rest.edges)}
    between = []
    for flow in rest.flows:
        path = solution.paths[flow]
        first, second = stumps[flow]
        low, high = len(first.edges), len(path.edges) - len(second.edges)
        if path.vertices[0] != puzzle.terminals[flow][0]:
            low, high = len(second.edges), len(path.edges) - len(first.edges)
        between.append(
            Path(
                tuple(number[strand] for strand in path.vertices[low : high + 1]),
                tuple(edge[e] for e in path.edges[low:high]),
            )
        )
    found = Solution(tuple(between))
    assert not rest.flows or faults_in_solution(rest.puzzle, found) == []
    assert faults_in_solution(puzzle, whole_solution(stumps, rest, found)) == []


def test_what_hangs_on_no_dot_is_left_out():
    """A stray edge in the middle of nowhere, and a fork, end the pipe where they begin."""
    puzzle, solution = random_puzzle(BOARDS[0], 1)
    longest = max(solution.paths, key=lambda path: len(path.edges))
    flow = solution.paths.index(longest)
    drawn = [frozenset(longest.edges[2:3]) if n == flow else frozenset() for n in range(len(solution.paths))]
    assert all(path.edges == () for pair in drawn_starts(puzzle, drawn) for path in pair)


@pytest.mark.parametrize("board", BOARDS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_only_a_whole_solution_counts_as_one(board, seed):
    """All its pipes are; without any of its edges they are not."""
    puzzle, solution = random_puzzle(board, seed)
    whole = [frozenset(path.edges) for path in solution.paths]
    drawn = drawn_solution(puzzle, drawn_starts(puzzle, whole))
    assert drawn is not None
    assert faults_in_solution(puzzle, drawn) == []
    for flow, edges in enumerate(whole):
        for edge in edges:
            short = [*whole[:flow], edges - {edge}, *whole[flow + 1 :]]
            assert drawn_solution(puzzle, drawn_starts(puzzle, short)) is None
    assert drawn_solution(puzzle, drawn_starts(puzzle, [frozenset() for _ in whole])) is None
