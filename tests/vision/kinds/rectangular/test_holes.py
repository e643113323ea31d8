"""Which places of a lattice hold no cell: those that an outline surrounds."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.kinds.rectangular.fit import hole_places, without_faint_rim
from tests.seeing import SETTINGS


def lattice(rows: int, cols: int) -> tuple[SideCoverage, tuple[np.ndarray, np.ndarray]]:
    """A lattice of which every side is seen, and none is strong."""
    shapes = (rows, cols + 1), (rows + 1, cols)
    cover = SideCoverage(*(np.ones(shape) for shape in shapes))
    return cover, (np.zeros(shapes[0], bool), np.zeros(shapes[1], bool))


def holes_in(cover: SideCoverage, strong: tuple[np.ndarray, np.ndarray]) -> set[tuple[int, int]]:
    """The places that hold no cell."""
    found = hole_places(cover, strong, SETTINGS.walls, SETTINGS.grid)
    return {(row, col) for row, col in np.argwhere(found).tolist()}


@pytest.mark.parametrize("seed", range(20))
def test_a_rectangle_within_an_outline_is_a_hole(seed):
    """Of any size and anywhere, at the border of the lattice too; all other places are cells."""
    rng = np.random.default_rng(seed)
    cover, strong = lattice(6, 7)
    (r0, r1), (c0, c1) = (sorted(rng.choice(size + 1, 2, replace=False).tolist()) for size in (6, 7))
    cover.upright[r0:r1, c0 + 1 : c1] = cover.level[r0 + 1 : r1, c0:c1] = 0
    strong[0][r0:r1, [c0, c1]] = strong[1][[r0, r1], c0:c1] = True
    assert holes_in(cover, strong) == {(row, col) for row in range(r0, r1) for col in range(c0, c1)}


def test_cells_between_which_lines_were_lost_are_no_hole():
    """A finger or glow hides lines; those round them are plain."""
    cover, strong = lattice(5, 5)
    cover.upright[1:3, 2] = cover.level[2, 1:3] = 0
    assert holes_in(cover, strong) == set()
    strong[0][1, 1] = True
    assert holes_in(cover, strong) == set()


@pytest.mark.parametrize("walls", range(5))
def test_a_cell_among_walls_is_a_hole_only_when_it_is_closed(walls):
    """All four sides must be strong: a path leaves by the fourth."""
    cover, strong = lattice(5, 5)
    for array, place in (
        (strong[0], (2, 2)), (strong[0], (2, 3)), (strong[1], (2, 2)), (strong[1], (3, 2))
    )[:walls]:  # fmt: skip
        array[place] = True
    assert holes_in(cover, strong) == ({(2, 2)} if walls == 4 else set())


def test_outer_sides_far_weaker_than_a_line_are_not_seen():
    """As of a glow that ends at the rim; inner sides and those outside the view stay as they are."""
    cover, _ = lattice(4, 5)
    cover.upright[0, 0] = np.nan
    strength = np.full((4, 6), 1.0), np.full((5, 5), 1.0)
    strength[0][0, 0] = strength[0][2, 0] = strength[0][1, 3] = strength[1][4, 2] = 0.1
    kept = without_faint_rim(cover, strength, SETTINGS.crossings)
    faint = {(2, 0)}, {(4, 2)}
    for side, gone in zip((kept.upright, kept.level), faint, strict=True):
        assert {(row, col) for row, col in np.argwhere(side == 0).tolist()} == gone
    assert np.isnan(kept.upright[0, 0])
    assert cover.upright[2, 0] == 1


@pytest.mark.parametrize("lines", [0, 1])
def test_a_board_is_never_all_hole(lines):
    """An outline without lines in it is that of a board; lines as strong as an outline are its lines."""
    cover, strong = lattice(4, 5)
    cover.upright[:, 1:-1] = cover.level[1:-1] = lines
    strong[0][:, [0, -1]] = strong[1][[0, -1]] = True
    if lines:
        strong[0][:], strong[1][:] = True, True
    assert holes_in(cover, strong) == set()
