"""Boards of copies of the game: dots of any size, up to the sides of their cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.vision.beside import ALIKE_SIZE, ON_LATTICE
from flowvision.vision.fits import GridFit
from flowvision.vision.marks import CORNERS, round_in, stretched
from flowvision.vision.results import Marks, SideReading
from flowvision.vision.sample import lab_of, sample
from flowvision.vision.settings import Settings
from flowvision.vision.strength import clarity
from flowvision.vision.view import Floats

LARGE = 0.375
"""Of the pitch: outside the dots of the game (0.35) and their edges, inside those that reach the lines."""
TOLD_PX = 24.0
"""Of view pixels: in smaller cells that is less than a pixel."""
MOST = 0.55
"""Of the pitch: the radius of a dot; the lines round a large one are seen as its rim."""


def as_copies(sides: SideReading, discs: Floats, settings: Settings) -> list[SideReading]:
    """The board with the discs in its cells as its dots, then with those that a ring as large finds as well.

    Neither where there are too few of one size.

    ``discs`` (N, 3): middles and radii of filled circles, in picture pixels.
    """
    if not isinstance(sides.fit, GridFit) or not len(discs):
        return []
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    x, y = centres.mean(axis=0).tolist()
    radii = discs[:, 2] / sides.fit.frame.narrow_px((x, y))
    away = np.abs(sides.fit.frame.to_cells(discs[:, :2])[:, None] - centres).max(axis=2)
    on_cells = (away.min(axis=1) <= ON_LATTICE) & (radii < MOST)
    alike = np.abs(radii[:, None] / radii - 1) <= ALIKE_SIZE
    count = (alike & on_cells).sum(axis=1) * on_cells
    if count.max() < settings.dots_min:
        return []
    chosen = on_cells & alike[int(count.argmax())]
    radius = float(np.median(radii[chosen]))
    held = frozenset(away[chosen].argmin(axis=1).tolist())
    return [
        replace(sides, dot_ring=settings.circle_ring * radius, held=held),
        replace(sides, dot_ring=settings.copy_ring * radius, held=held, others=True),
    ]


def without_rims(sides: SideReading, marks: Marks, settings: Settings) -> SideReading | None:
    """The board without walls that are but the sides beside large dots, whose rims make lines look thick.

    ``None`` where large dots stand beside some of the walls alone: the others may be walls indeed.
    """
    walls = _walls_of(sides.board)
    held = {dot.cell for dot in marks.dots}
    beside = [pair for pair in walls if not held.isdisjoint(pair)]
    if not beside or not _reach_far(sides, marks, settings):
        return sides
    lattice = sides.board.lattice
    if lattice is None or len(beside) < len(walls) or not isinstance(sides.fit, GridFit):
        return None
    number = {place: cell for cell, place in enumerate(lattice.places)}
    told = []
    for (x, y), strength, _ in sides.sides:
        row, col = int(y), int(x)
        pair = {number.get(place) for place in ((row, col), (row, col - 1) if x == col else (row - 1, col))}
        if None not in pair and held.isdisjoint(pair):
            told.append(strength)
    places = {(row, col) for row in range(lattice.rows) for col in range(lattice.cols)}
    board = boards.square(lattice.rows, lattice.cols, places - set(lattice.places))
    return replace(sides, board=board, clarity=clarity(np.array(told), settings.wall_strength))


def _walls_of(board: Board) -> list[tuple[int, int]]:
    """The pairs of cells side by side on a lattice of squares between which no path goes."""
    if board.lattice is None or board.lattice.tiling != "square":
        return []
    number = {place: cell for cell, place in enumerate(board.lattice.places)}
    joined = {frozenset(edge) for edge in board.graph.edges}
    pairs = [
        (cell, number[place])
        for (row, col), cell in number.items()
        for place in ((row, col + 1), (row + 1, col))
        if place in number
    ]
    return [pair for pair in pairs if frozenset(pair) not in joined]


def _reach_far(sides: SideReading, marks: Marks, settings: Settings) -> bool:
    """Whether most dots are larger than those of the game; small cells do not tell."""
    if sides.fit.pitch_px / sides.fit.view.scale < TOLD_PX:
        return False
    cells, frame = [dot.cell for dot in marks.dots], sides.fit.frame
    centres = np.array([cell.centre for cell in sides.board.layout.cells])[cells]
    shapes = sides.shapes[cells]
    rim, corners = (
        lab_of(sample(sides.fit.view, frame, centres, offsets))
        for offsets in (round_in(frame, centres, LARGE, shapes), stretched(CORNERS, shapes))
    )
    away = np.linalg.norm(rim - np.median(corners, axis=1)[:, None], axis=2)
    return float(np.median((away >= settings.dot_contrast).mean(axis=1))) > 0.5
