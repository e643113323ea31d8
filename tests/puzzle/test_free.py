from itertools import combinations
from math import dist

import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.free import APART, CLEAR, LAID_OUT, RADIUS, lay_out
from flowvision.puzzle.layout import Point

PLANAR = {
    "square": boards.square(5, 4),
    "row": boards.square(1, 7),
    "ring": boards.square(3, 3, holes=[(1, 1)]),
    "hex": boards.hexagonal(4, 4),
    "large": boards.square(16, 16),
}


def away_from_line(point: Point, start: Point, end: Point) -> float:
    """Return how far a point is from the line between two others."""
    a, b, p = map(np.array, (start, end, point))
    share = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return float(np.linalg.norm(p - a - share * (b - a)))


@pytest.mark.parametrize("kind", PLANAR)
def test_lines_run_clear_of_cells_and_a_board_looks_like_itself(kind: str) -> None:
    board = PLANAR[kind]
    cells, middles = lay_out(len(board.layout.cells), board.graph.edges)
    places = [cell.centre for cell in cells]
    assert min(dist(a, b) for a, b in combinations(places, 2)) >= APART - 0.01
    for (a, b), middle in zip(board.graph.edges, middles, strict=True):
        assert away_from_line(middle, places[a], places[b]) < 1e-6
        others = (place for cell, place in enumerate(places) if cell not in (a, b))
        assert min(away_from_line(place, places[a], places[b]) for place in others) >= CLEAR - 0.01
    real = [dist(a.centre, b.centre) for a, b in combinations(board.layout.cells, 2)]
    laid_out = [dist(a, b) for a, b in combinations(places, 2)]
    assert np.corrcoef(real, laid_out)[0, 1] > 0.9


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
        (LAID_OUT + 1, [(n, n + 1) for n in range(LAID_OUT)]),
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
        between = np.add(cells[a].centre, cells[b].centre) / 2
        if (a - b) % count in (1, count - 1):  # on a circle these are neighbours
            assert np.allclose(middle, between)
        else:
            assert np.linalg.norm(middle) <= np.linalg.norm(between) + 1e-9
