import numpy as np
import pytest

from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.curves import curves_of, is_bent, lines_of, middles_passed, sides_passed
from tests.boards import BOARDS, LATTICES


@pytest.mark.parametrize("name", LATTICES)
def test_on_lattices_curves_are_the_lines(name):
    board = LATTICES[name]
    _, solution = random_puzzle(board, 1)
    assert not is_bent(board)
    for path in solution.paths:
        for curve, line in zip(curves_of(board, path, is_bent(board)), lines_of(board, path), strict=True):
            assert curve == line


@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_elsewhere_curves_have_no_corner(name):
    board = BOARDS[name]
    assert is_bent(board)
    for seed in range(5):
        _, solution = random_puzzle(board, seed)
        for path in solution.paths:
            curve = np.array(curves_of(board, path, is_bent(board))[0])
            ends = [board.layout.cells[strand].centre for strand in (path.vertices[0], path.vertices[-1])]
            assert np.allclose(curve[[0, -1]], ends)
            for edge in path.edges:
                middle = np.array(board.layout.strokes[edge][0][1])
                assert np.linalg.norm(curve - middle, axis=1).min() < 0.16
            starts, sides = np.array(lines_of(board, path)[0][:-1]), np.diff(lines_of(board, path)[0], axis=0)
            ways = curve[:, None] - starts
            shares = np.clip((ways * sides).sum(axis=2) / (sides**2).sum(axis=1), 0, 1)
            assert np.linalg.norm(ways - shares[..., None] * sides, axis=2).min(axis=1).max() < 0.16
            steps = np.diff(curve, axis=0)
            turns = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(steps[:, 1], steps[:, 0])))))
            assert turns.max() < 0.7


@pytest.mark.parametrize("name", BOARDS)
def test_sides_and_middles_lie_on_the_curve(name):
    board = BOARDS[name]
    _, solution = random_puzzle(board, 3)
    crossed = set(board.layout.cell_of[len(board.layout.cells) :])
    for path in solution.paths:
        points = np.concatenate(curves_of(board, path, is_bent(board)))
        passed = np.reshape(sides_passed(board, path), (-1, 2, 2))
        sides, beyond = passed[:, 0], passed[:, 1]
        middles = middles_passed(board, path)
        assert len(sides) == sum(len(board.layout.strokes[edge]) == 1 for edge in path.edges)
        inner = [board.layout.cell_of[strand] for strand in path.vertices[1:-1]]
        assert len(middles) == sum(cell not in crossed for cell in inner)
        for point in (*sides, *middles):
            assert np.linalg.norm(points - point, axis=1).min() < 1e-9
        assert (np.linalg.norm(beyond - sides, axis=1) > 0).all()
