import pytest
from msgspec.structs import replace

from flowvision.puzzle.check import crosses_itself_at, faults_in_puzzle, faults_in_solution, wall_name
from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from tests.boards import SMALL_BOARDS
from tests.drawing import CROSSED, LOOPED

BOARD = SMALL_BOARDS["square"]
PUZZLE, SOLUTION = random_puzzle(BOARD, 1, 3)


def faults_with(paths):
    return " ".join(faults_in_solution(PUZZLE, Solution(tuple(paths))))


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
def test_a_right_solution_has_no_faults(board):
    puzzle, solution = random_puzzle(board, 5)
    assert faults_in_puzzle(puzzle, board) == []
    assert faults_in_solution(puzzle, solution) == []


def test_a_path_that_stops_short_is_named():
    first = SOLUTION.paths[0]
    short = Path(first.vertices[:-1], first.edges[:-1])
    faults = faults_with([short, *SOLUTION.paths[1:]])
    assert "does not join strands" in faults


def test_a_cell_used_twice_is_named():
    faults = faults_with([SOLUTION.paths[0], SOLUTION.paths[0], *SOLUTION.paths[2:]])
    assert "is used 2 times" in faults


def test_a_jump_is_named():
    first = SOLUTION.paths[0]
    wrong = replace(first, edges=(10_000, *first.edges[1:]))
    assert "does not exist" in faults_with([wrong, *SOLUTION.paths[1:]])
    swapped = replace(first, edges=(first.edges[-1], *first.edges[1:-1], first.edges[0]))
    assert "does not join" in faults_with([swapped, *SOLUTION.paths[1:]])


@pytest.mark.parametrize(
    ("puzzle", "fault"),
    [
        (Puzzle(Graph(2, ((0, 1),)), ()), "no dots"),
        (Puzzle(Graph(2, ((0, 1),)), ((0, 0),)), "2 dots"),
        (Puzzle(Graph(2, ((0, 1),)), ((0, 7),)), "strand 7"),
    ],
)
def test_a_puzzle_that_is_none_is_told_so(puzzle, fault):
    assert fault in " ".join(faults_in_puzzle(puzzle))


@pytest.mark.parametrize(("text", "at"), [(CROSSED, []), (LOOPED, [(1, 1)])])
def test_a_loop_crosses_itself_at_its_bridge(text, at):
    named = parse(text)
    outcome = solve(named.puzzle)
    assert [key for path in outcome.solution.paths for key in crosses_itself_at(named.board, path)] == at


def test_a_wall_is_named_by_its_cells():
    assert wall_name([(0, 1), (0, 2)]) == "row 1, columns 2 and 3"
    assert wall_name([(1, 0), (2, 0)]) == "rows 2 and 3, column 1"
