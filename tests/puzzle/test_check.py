import pytest
from msgspec.structs import replace

from flowvision.puzzle.check import crosses_itself_at, faults_in_puzzle, faults_in_solution, position_name
from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from tests.boards import SMALL_BOARDS
from tests.drawing import CROSSING, CROSSING_ITSELF

BOARD = SMALL_BOARDS["square"]
PUZZLE, SOLUTION = random_puzzle(BOARD, seed=1, colours=3)
FIRST, SECOND, THIRD = SOLUTION.paths


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
def test_a_right_solution_has_no_faults(board):
    puzzle, solution = random_puzzle(board, seed=5)
    assert faults_in_puzzle(puzzle, board) == []
    assert faults_in_solution(puzzle, solution) == []


@pytest.mark.parametrize(
    ("paths", "fault"),
    [
        ((Path(FIRST.vertices[:-1], FIRST.edges[:-1]), SECOND, THIRD), "does not join strands"),
        ((FIRST, FIRST, THIRD), "is used 2 times"),
        ((FIRST, FIRST, THIRD), f"Strand {SECOND.vertices[0]} is not covered"),
        ((FIRST, SECOND), "2 paths for 3 pairs"),
        ((replace(FIRST, edges=(*FIRST.edges, 0)), SECOND, THIRD), "edges for"),
        ((replace(FIRST, edges=(len(BOARD.graph.edges), *FIRST.edges[1:])), SECOND, THIRD), "does not exist"),
        ((replace(FIRST, edges=(SECOND.edges[0], *FIRST.edges[1:])), SECOND, THIRD), "does not join"),
    ],
)
def test_faults_in_solution(paths, fault):
    assert fault in " ".join(faults_in_solution(PUZZLE, Solution(paths)))


@pytest.mark.parametrize(
    ("terminals", "fault"),
    [((), "no dots"), (((0, 0),), "2 dots"), (((0, 2),), "strand 2, but"), (((0, -1),), "strand -1, but")],
)
def test_faults_in_puzzle(terminals, fault):
    assert fault in " ".join(faults_in_puzzle(Puzzle(Graph(2, ((0, 1),)), terminals)))


@pytest.mark.parametrize(("text", "expected"), [(CROSSING, []), (CROSSING_ITSELF, [(1, 1)])])
def test_a_loop_crosses_itself_at_its_bridge(text, expected):
    named = parse(text)
    paths = solve(named.puzzle).solution.paths
    assert [place for path in paths for place in crosses_itself_at(named.board, path)] == expected


@pytest.mark.parametrize(
    ("strand", "name"),
    [(0, "row 1, column 1"), (15, "row 4, column 4"), pytest.param(16, "strand 16", id="beyond the board")],
)
def test_cells_are_named_from_1(strand, name):
    assert position_name(strand, BOARD) == name
