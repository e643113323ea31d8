"""Small boards of every kind with exactly one solution, made once and kept here as text."""

from __future__ import annotations

import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell

MADE = {
    "holes and walls": "#..D..\nD.E#.B\n.C.E.F\n.A.A..\n.C#B.F\n"
    "wall 1,1 2,1\nwall 1,4 1,5\nwall 2,1 3,1\nwall 3,4 3,5\n",
    "bridge": "....C\n.AC+.\n..BDA\n...B.\nD....\n",
    "warp": ".C...\n...A.\n...B.\nB..CA\nwarp 0,0 0,4\n",
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
