from itertools import combinations
from math import dist

import numpy as np
import pytest

from flowvision.puzzle.free import APART, RADIUS, ROUND_CELLS, lay_out


@pytest.mark.parametrize(
    ("count", "sides"),
    [
        (1, []),
        (2, []),
        (2, [(0, 1), (0, 1)]),
        (5, []),
        (6, [(0, 1), (1, 2), (3, 4)]),
        (9, [(0, n) for n in range(1, 9)]),
        (8, list(combinations(range(8), 2))),
        (14, [(a, b) for a, b in combinations(range(14), 2) if (b - a) % 5 in (1, 2)]),
        (ROUND_CELLS + 1, [(n, n + 1) for n in range(ROUND_CELLS)]),
    ],
)
def test_any_board_has_places(count: int, sides: list[tuple[int, int]]) -> None:
    cells, middles = lay_out(count, sides)
    assert lay_out(count, sides) == (cells, middles)
    assert (len(cells), len(middles)) == (count, len(sides))
    some_cells = cells[:60]
    for a, b in combinations(some_cells, 2):
        assert dist(a.centre, b.centre) >= APART - 0.01
    for cell in some_cells:
        assert {round(dist(cell.centre, corner), 6) for corner in cell.outline} == {RADIUS}
    for (a, b), middle in zip(sides, middles, strict=True):
        straight = np.add(cells[a].centre, cells[b].centre) / 2
        are_neighbours_on_a_circle = (a - b) % count in (1, count - 1)
        if are_neighbours_on_a_circle:
            assert np.allclose(middle, straight)
        else:  # bent towards the middle of the circle, (0, 0)
            assert np.linalg.norm(middle) <= np.linalg.norm(straight) + 1e-9
