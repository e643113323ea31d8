"""Boards of every kind, for tests of what works on all of them."""

from flowvision.puzzle import boards

BOARDS = {
    "square": boards.square(4, 4),
    "tall": boards.square(5, 3),
    "holes": boards.square(4, 4, holes=[(0, 0), (2, 2)]),
    "walls": boards.square(4, 4, walls=[((1, 1), (1, 2)), ((2, 0), (3, 0))]),
    "bridge": boards.square(4, 4, bridges=[(1, 2)]),
    "warp": boards.square(3, 4, warps=[((1, 0), (1, 3))]),
    "two wide": boards.square(4, 2, warps=[((0, 0), (0, 1)), ((2, 0), (2, 1))]),
    "mixed": boards.square(
        4,
        4,
        holes=[(3, 0)],
        walls=[((0, 0), (0, 1))],
        bridges=[(1, 2)],
        warps=[((1, 0), (1, 3)), ((0, 2), (3, 2))],
    ),
    "hex": boards.hexagonal(3, 4),
    "hex walls": boards.hexagonal(4, 4, holes=[(0, 0), (3, 3)], walls=[((1, 1), (1, 2)), ((2, 0), (3, 0))]),
}
"""By kind; small enough to count every solution. On ``two wide`` some cells are joined by two edges."""
