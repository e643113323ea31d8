"""Dots of copies of the game: discs of any size, up to the sides of their cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flowvision.vision.dots.result import ALIKE_SIZE, ON_LATTICE, DotModel
from flowvision.vision.dots.rims import walls_of, without_walls
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings, Settings
from flowvision.vision.walls.result import SideReading

if TYPE_CHECKING:  # most boards are none of copies, and circles need modules of their own
    from flowvision.vision.pixels.circles import Discs

MAX_RADIUS = 0.55
"""Of the pitch: the radius of a dot; the lines round a large one are seen as its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class DiscBoard:
    """A board whose dots are discs of one size, found as circles.

    ``sides``: the board, with the cells that such discs made look like holes. ``radius``: of the discs, in
    widths of a narrow cell. ``filled``: the cells with a disc of a colour of its own; ``rimmed``: those and
    the cells with a disc of the ground's colour within a rim.
    """

    sides: SideReading
    radius: float
    filled: frozenset[int]
    rimmed: frozenset[int]


def disc_board(sides: SideReading, discs: Discs, settings: Settings) -> DiscBoard | None:
    """The board with the commonest size of disc in its cells; ``None`` where too few are alike."""
    if not isinstance(sides.fit, GridFit) or not len(discs.filled):
        return None
    sides = _without_false_holes(sides, discs.filled, settings)
    circles = np.concatenate((discs.filled, discs.rimmed))
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    x, y = centres.mean(axis=0).tolist()
    radii = circles[:, 2] / sides.fit.frame.narrow_px((x, y))
    away = np.abs(sides.fit.frame.to_cells(circles[:, :2])[:, None] - centres).max(axis=2)
    on_cells = (away.min(axis=1) <= ON_LATTICE) & (radii < MAX_RADIUS)
    is_filled = np.arange(len(circles)) < len(discs.filled)
    alike = np.abs(radii[:, None] / radii - 1) <= ALIKE_SIZE
    count = (alike & on_cells & is_filled).sum(axis=1) * on_cells * is_filled
    if count.max() < settings.dots.count_min:
        return None
    chosen = on_cells & alike[int(count.argmax())]
    radius = float(np.median(radii[chosen & is_filled]))
    filled, rimmed = (
        frozenset(away[these].argmin(axis=1).tolist()) for these in (chosen & is_filled, chosen)
    )
    return DiscBoard(sides, radius, filled, rimmed)


def filled_discs(discs: DiscBoard, settings: DotSettings) -> DotModel:
    """Dots are the filled discs alone."""
    return DotModel("filled disc", settings.circle_ring * discs.radius, "corners", discs.filled, True)


def wide_ring(discs: DiscBoard, settings: DotSettings) -> DotModel:
    """Dots are the filled discs, and whatever fills an annulus as large as theirs."""
    return DotModel("wide ring", settings.copy_ring * discs.radius, "corners", discs.filled)


def rimmed_discs(discs: DiscBoard, settings: DotSettings) -> DotModel | None:
    """Dots are the filled discs, and those of the ground's colour within a rim; ``None`` without these."""
    if discs.rimmed == discs.filled:
        return None
    return DotModel("rimmed disc", settings.circle_ring * discs.radius, "corners", discs.rimmed, True)


def _without_false_holes(sides: SideReading, discs: Floats, settings: Settings) -> SideReading:
    """The board with the places that seem to be holes for the rim of the large disc they hold.

    Without walls: there are none where but sides beside discs seem to be. The same board where others do.
    """
    lattice = sides.board.lattice
    if lattice is None or lattice.tiling != "square":
        return sides
    steps = sides.fit.frame.to_cells(discs[:, :2]) - 0.5
    near = steps[(np.abs(steps - np.round(steps)) <= ON_LATTICE).all(axis=1)]
    dots = {(round(row), round(col)) for col, row in near.tolist()}
    cells = set(lattice.places)
    more = {(row, col) for row, col in dots - cells if 0 <= row < lattice.rows and 0 <= col < lattice.cols}
    walls = [{lattice.places[a], lattice.places[b]} for a, b in walls_of(sides.board)]
    if not more or any(dots.isdisjoint(wall) for wall in walls):
        return sides
    return without_walls(sides, cells | more, dots, settings)
