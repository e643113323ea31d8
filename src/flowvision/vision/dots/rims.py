"""Walls that are but the rims of large dots beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Place
from flowvision.vision.dots.detection import CORNERS, round_in, stretched
from flowvision.vision.dots.result import Dots
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.line_weight import clarity
from flowvision.vision.pixels.sampling import lab_of, sample
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import Settings
from flowvision.vision.walls.result import SideReading

MIN_LARGE_RADIUS = 0.368
"""Of a narrow cell's width: the radius of larger dots than the game has. Its own measure 0.34 to 0.361, those
of copies that make lines beside them look thick 0.375 and more."""
RADII = np.arange(0.25, 0.455, 0.01)
"""Of the same: from within the dots of the game to just inside the lines."""
MIN_PITCH_PX = 24.0
"""Pixels of the view: in smaller cells a pixel is more than lies between the two."""
MIN_CLARITY = 0.9
"""0 to 1: from here on all sides are clearly no walls."""


def without_rim_walls(sides: SideReading, marks: Dots, settings: Settings) -> SideReading | None:
    """The board without walls that are but the sides beside large dots, whose rims make lines look thick.

    ``None`` where large dots stand beside some of the walls alone: the others may be walls indeed.
    """
    lattice, walls = sides.board.lattice, walls_of(sides.board)
    held = {dot.cell for dot in marks.dots}
    beside = [pair for pair in walls if not held.isdisjoint(pair)]
    are_clear = not beside if walls else sides.clarity >= MIN_CLARITY
    if lattice is None or lattice.tiling != "square" or are_clear or not _reach_far(sides, marks):
        return sides
    if len(beside) < len(walls) or not isinstance(sides.fit, GridFit):
        return None
    return without_walls(sides, set(lattice.places), {lattice.places[cell] for cell in held}, settings)


def without_walls(sides: SideReading, cells: set[Place], dots: set[Place], settings: Settings) -> SideReading:
    """The lattice with these cells and no walls; as clear as the sides that are not beside dots."""
    lattice = sides.board.lattice
    assert lattice is not None
    told = []
    for (x, y), strength, _ in sides.sides:
        row, col = int(y), int(x)
        pair = {(row, col), (row, col - 1) if x == col else (row - 1, col)}
        if pair <= cells and pair.isdisjoint(dots):
            told.append(strength)
    places = {(row, col) for row in range(lattice.rows) for col in range(lattice.cols)}
    board = boards.square(lattice.rows, lattice.cols, places - cells)
    return replace(
        sides,
        board=board,
        shapes=np.tile(np.eye(2), (len(cells), 1, 1)),
        clarity=clarity(np.array(told), settings.walls.strength, settings.line_weight),
    )


def walls_of(board: Board) -> list[tuple[int, int]]:
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


def _reach_far(sides: SideReading, marks: Dots) -> bool:
    """Whether most dots are larger than those of the game; small cells do not tell."""
    if sides.fit.pitch_px / sides.fit.view.scale < MIN_PITCH_PX:
        return False
    return float(np.median(radii_of(sides, marks))) > MIN_LARGE_RADIUS


def radii_of(sides: SideReading, marks: Dots) -> Floats:
    """(dots,): how far each dot reaches, in widths of a narrow cell, to a fraction of a pixel.

    Along rays from its middle a dot ends where what differs from the ground adds up to, a blurred edge by its
    share. Ground is any colour that the corners of the cell have: glow may end within it. The middle half of
    the rays counts: one of the others may follow a pipe.
    """
    cells, frame = [dot.cell for dot in marks.dots], sides.fit.frame
    centres = np.array([cell.centre for cell in sides.board.layout.cells])[cells]
    shapes = sides.shapes[cells]
    rings = np.concatenate([round_in(frame, centres, radius, shapes) for radius in RADII], axis=1)
    seen, corners = (
        lab_of(sample(sides.fit.view, frame, centres, offsets))
        for offsets in (rings, stretched(CORNERS, shapes))
    )
    away = np.linalg.norm(seen[:, :, None] - corners[:, None], axis=3).min(axis=2)
    away = away.reshape(len(cells), len(RADII), -1)
    own = np.median(away[:, 0], axis=1)[:, None, None]
    step = RADII[1] - RADII[0]
    rays = np.sort(
        RADII[0] - step / 2 + step * np.minimum(away / np.maximum(own, 1.0), 1.0).sum(axis=1), axis=1
    )
    quarter = rays.shape[1] // 4
    return np.asarray(rays[:, quarter:-quarter].mean(axis=1))
