import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_puzzle, faults_in_solution
from flowvision.puzzle.random_cover import SHORTEST, random_puzzle
from tests.boards import SMALL_BOARDS, touches_itself


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=20)
@given(seed=st.integers(0, 500))
def test_the_solution_it_was_made_from_solves_it(board, seed):
    puzzle, solution = random_puzzle(board, seed)
    assert faults_in_puzzle(puzzle) == []
    assert faults_in_solution(puzzle, solution) == []
    assert not any(touches_itself(puzzle, path.vertices) for path in solution.paths)
    assert random_puzzle(board, seed) == (puzzle, solution)


@pytest.mark.parametrize(
    ("rows", "cols", "colours"), [(1, 7, 2), (5, 5, 4), (9, 9, 7), (15, 15, 15), (18, 15, 16), (40, 40, 160)]
)
def test_the_number_of_colours_and_the_shortest_path_are_kept(rows, cols, colours):
    seeds = range(3, 4) if rows > 1 else range(3, 19)  # a row alone is quick
    for seed in seeds:
        puzzle, solution = random_puzzle(boards.square(rows, cols), seed, colours)
        assert len(puzzle.terminals) == colours
        assert min(len(path.vertices) for path in solution.paths) >= SHORTEST
