import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.check import faults_in_solution
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle

WALLS = [((0, 1), (0, 2)), ((2, 2), (3, 2)), ((3, 0), (3, 1))]
MADE = {
    "plain": boards.square(4, 5, walls=WALLS),
    "holes": boards.square(4, 5, holes=[(0, 0), (1, 3)], walls=WALLS),
    "bridge": boards.square(4, 5, walls=WALLS, bridges=[(1, 3)]),
    "warp": boards.square(4, 5, walls=WALLS, warps=[((1, 0), (1, 4))]),
}


@pytest.mark.parametrize("opened", [[], WALLS[:1], WALLS[1:], WALLS])
@pytest.mark.parametrize("kind", MADE)
def test_an_opened_board_has_fewer_walls_and_the_same_solutions(kind: str, opened):
    board = MADE[kind]
    number = {place: cell for cell, place in enumerate(board.lattice.places)}
    made = boards.opened(board, [(number[a], number[b]) for a, b in opened])
    walls, warps = boards.walls_and_warps(made, made.lattice)
    assert set(walls) == set(WALLS) - set(opened)
    assert warps == ((((1, 0), (1, 4)),) if kind == "warp" else ())
    assert made.layout.cells == board.layout.cells
    assert made.graph.edges[: len(board.graph.edges)] == board.graph.edges
    puzzle, solution = random_puzzle(board, seed=3)
    assert faults_in_solution(Puzzle(made.graph, puzzle.terminals), solution) == []
