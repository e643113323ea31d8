import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.vision.kinds.hexagonal.fit import HEIGHT, SIDES, centre, neighbours

BOARD = boards.hexagonal(4, 5)


def test_sides_lie_between_neighbours():
    for row, col in BOARD.lattice.places:
        for side, way in enumerate(SIDES):
            other = neighbours(row, col)[side]
            assert np.allclose(centre(*other) - centre(row, col), HEIGHT * way)
            assert np.hypot(*way) == pytest.approx(1)


def test_neighbours_are_mutual():
    number = {place: n for n, place in enumerate(BOARD.lattice.places)}
    joined = {frozenset(edge) for edge in BOARD.graph.edges}
    for place, cell in number.items():
        for side in range(6):
            other = neighbours(*place)[side]
            assert neighbours(*other)[(side + 3) % 6] == place
            if other in number:
                assert frozenset((cell, number[other])) in joined
