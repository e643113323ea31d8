from cmath import phase
from itertools import pairwise

import numpy as np
import pytest

from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.curves import curves_of, is_bent, lines_of, middles_passed, sides_passed
from tests.boards import BOARDS, LATTICES


@pytest.mark.parametrize("name", LATTICES)
def test_on_lattices_curves_are_the_lines(name):
    board = LATTICES[name]
    _, solution = random_puzzle(board, seed=1)
    assert not is_bent(board)
    for path in solution.paths:
        for curve, line in zip(curves_of(board, path), lines_of(board, path), strict=True):
            assert curve == line


def away_from_lines(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return how far each point is from the lines between these corners."""
    starts, sides = corners[:-1], np.diff(corners, axis=0)
    ways = points[:, None] - starts
    shares = np.clip((ways * sides).sum(axis=2) / (sides**2).sum(axis=1), 0, 1)
    return np.linalg.norm(ways - shares[..., None] * sides, axis=2).min(axis=1)


def bent_paths(name):
    """Yield random paths on a board, each with its curve."""
    board = BOARDS[name]
    assert is_bent(board)
    for seed in range(5):
        for path in random_puzzle(board, seed)[1].paths:
            yield path, np.array(curves_of(board, path)[0])


@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_elsewhere_curves_have_no_corner(name):
    for _, curve in bent_paths(name):
        steps = [complex(x, y) for x, y in np.diff(curve, axis=0)]
        turns = [abs(phase(after / before)) for before, after in pairwise(steps)]
        assert max(turns) < 0.7  # 40 degrees


@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_elsewhere_curves_stay_near_the_lines(name):
    board = BOARDS[name]
    for path, curve in bent_paths(name):
        ends = [board.layout.cells[strand].centre for strand in (path.vertices[0], path.vertices[-1])]
        assert np.allclose(curve[[0, -1]], ends)
        for edge in path.edges:
            middle = np.array(board.layout.strokes[edge][0][1])
            assert np.linalg.norm(curve - middle, axis=1).min() < 0.16
        assert away_from_lines(curve, np.array(lines_of(board, path)[0])).max() < 0.16


@pytest.mark.parametrize("name", BOARDS)
def test_sides_and_middles_lie_on_the_curve(name):
    board = BOARDS[name]
    _, solution = random_puzzle(board, seed=3)
    for path in solution.paths:
        points = np.concatenate(curves_of(board, path))
        sides, beyond = np.moveaxis(np.reshape(sides_passed(board, path), (-1, 2, 2)), 1, 0)
        middles = middles_passed(board, path)
        assert len(sides) == sum(len(board.layout.strokes[edge]) == 1 for edge in path.edges)
        inner = [board.layout.cell_of[strand] for strand in path.vertices[1:-1]]
        assert len(middles) == sum(cell not in board.layout.bridges for cell in inner)
        for point in (*sides, *middles):
            assert np.linalg.norm(points - point, axis=1).min() < 1e-9
        assert (np.linalg.norm(beyond - sides, axis=1) > 0).all()
