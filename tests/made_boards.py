"""Small boards of every kind with exactly one solution, made once and kept here as text."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import has_one_strict_solution, solve

MADE = {
    "holes and walls": "#..D..\nD.E#.B\n.C.E.F\n.A.A..\n.C#B.F\n"
    "wall 2,2/3,2\nwall 2,5/2,6\nwall 3,2/4,2\nwall 4,5/4,6\n",
    "bridge": "....C\n.AC+.\n..BDA\n...B.\nD....\n",
    "warp": ".C...\n...A.\n...B.\nB..CA\nwarp 1,1/1,5\n",
    "hexagons": "hex\n.D.A\n.CAB\n..B.\nD..C\n",
}
"""By kind."""


def rhombi(arms: int, parts: int) -> Board:
    """A star whose arms are rhombi that meet in its middle, each cut into ``parts`` by ``parts`` cells."""
    tips = [np.array((np.cos(2 * np.pi * n / arms), np.sin(2 * np.pi * n / arms))) for n in range(arms)]
    cells = []
    for one, other in zip(tips, tips[1:] + tips[:1], strict=True):
        for a, b in np.ndindex(parts, parts):
            around = [(a + i) * one + (b + j) * other for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            corners = np.round(around, 6)
            cells.append(Cell(tuple(corners.mean(axis=0).tolist()), tuple(map(tuple, corners.tolist()))))
    return boards.build(cells, boards.shared_sides(cells))


def cubes():
    """Three faces of a cube, each of two by two rhombs."""
    ways = [(0.0, -1.0), (cos(pi / 6), 0.5), (-cos(pi / 6), 0.5)]
    cells = []
    for (ax, ay), (bx, by) in zip(ways, ways[1:] + ways[:1], strict=True):
        for i in range(2):
            for j in range(2):
                corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                outline = tuple((3 + a * ax + b * bx, 3 + a * ay + b * by) for a, b in corners)
                middle = tuple(np.mean(outline, axis=0).tolist())
                cells.append(Cell(middle, outline))
    return boards.build(cells, boards.shared_sides(cells))


def rings():
    """Two rings of ten cells each."""
    cells = []
    for ring in range(2):
        for step in range(10):
            turns = [(step, ring), (step + 1, ring), (step + 1, ring + 1), (step, ring + 1)]
            outline = tuple(
                ((1.7 + r) * cos(t * pi / 5) + 4, (1.7 + r) * sin(t * pi / 5) + 4) for t, r in turns
            )
            turn = (step + 0.5) * pi / 5
            cells.append(Cell(((2.2 + ring) * cos(turn) + 4, (2.2 + ring) * sin(turn) + 4), outline))
    return boards.build(cells, boards.shared_sides(cells))


LATTICES = {
    "square": boards.square(6, 6),
    "holes": boards.square(6, 6, holes=[(0, 0), (5, 5)], walls=[((2, 2), (2, 3))]),
    "warp": boards.square(5, 5, warps=[((2, 0), (2, 4))]),
    "bridge": boards.square(7, 7, holes=[(0, 0), (0, 6), (6, 0), (6, 6)], bridges=[(3, 3)]),
    "hex": boards.hexagonal(5, 5),
}


BOARDS = LATTICES | {"cubes": cubes(), "rings": rings()}


def ends(size, rows, cols):
    """Warps over both ends of these rows and columns."""
    last = size - 1
    return {((r, 0), (r, last)) for r in rows} | {((0, c), (last, c)) for c in cols}


def walls_round(places):
    """The walls of a cross in the middle of four cells."""
    (r, c) = places
    return [
        ((r, c), (r, c + 1)),
        ((r + 1, c), (r + 1, c + 1)),
        ((r, c), (r + 1, c)),
        ((r, c + 1), (r + 1, c + 1)),
    ]


WARPED = {
    "mouths": boards.square(
        9, 9, [(r, c) for r in range(9) for c in range(9) if abs(r - 4) + abs(c - 4) > 5], (), (),
        ends(9, (3, 4, 5), (3, 4, 5)),
    ),
    "corners": boards.square(
        6, 6, [(0, 0), (0, 5), (5, 0), (5, 5)], walls_round((2, 2)), (), ends(6, (1, 2, 3, 4), (1, 2, 3, 4))
    ),
    "frame": boards.square(5, 5, (), (), (), ends(5, (1, 2, 3), (1, 3))),
    "sides": boards.square(5, 5, (), (), (), ends(5, (1, 2, 3), ())),
    "all": boards.square(7, 7, (), [((2, 2), (2, 3))], (), ends(7, range(7), range(7))),
    "bar": boards.square(3, 6, [(0, 0), (0, 4), (0, 5), (2, 0), (2, 4), (2, 5)], (), (), [((1, 0), (1, 5))]),
}  # fmt: skip


def puzzle_on(board, seed):
    """A puzzle with one solution that needs the openings."""
    while True:
        puzzle, solution = random_puzzle(board, seed, 3 if len(board.layout.cells) < 20 else None)
        outcome = solve(puzzle)
        over = any(len(board.layout.strokes[edge]) > 1 for path in solution.paths for edge in path.edges)
        if has_one_strict_solution(outcome) and over:
            return puzzle, solution
        seed += 1
