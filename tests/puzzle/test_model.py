import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_solution
from flowvision.puzzle.model import drawn_starts, state_of
from flowvision.puzzle.random_cover import random_puzzle

BOARDS = (
    boards.square(5, 6),
    boards.square(5, 5, bridges={(2, 2)}),
    boards.square(4, 5, warps={((0, 0), (0, 4)), ((0, 2), (3, 2))}),
    boards.hexagonal(4, 4),
)


def test_what_hangs_on_no_dot_is_left_out():
    puzzle, solution = random_puzzle(BOARDS[0], seed=1)
    longest = max(solution.paths, key=lambda path: len(path.edges))
    loose = frozenset(longest.edges[2:3])
    drawn = [loose if path == longest else frozenset() for path in solution.paths]
    assert all(start.edges == () for starts in drawn_starts(puzzle, drawn) for start in starts)


@pytest.mark.parametrize("board", BOARDS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_only_a_whole_solution_counts_as_one(board, seed):
    puzzle, solution = random_puzzle(board, seed)
    whole = [frozenset(path.edges) for path in solution.paths]
    state, drawn = state_of(puzzle, whole)
    assert state == "solved"
    assert faults_in_solution(puzzle, drawn) == []
    assert state_of(puzzle, [frozenset() for _ in whole]) == ("empty", None)
    for flow, edges in enumerate(whole):
        for edge in edges:
            one_edge_less = [*whole[:flow], edges - {edge}, *whole[flow + 1 :]]
            assert state_of(puzzle, one_edge_less)[1] is None
