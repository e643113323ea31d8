"""What dots look like on copies of the game: discs of any size, which may reach the sides of their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flowvision.value import value_type
from flowvision.vision.dots.rims import walls_of, without_walls
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings, Settings

if TYPE_CHECKING:  # few boards are those of copies, and finding circles needs modules of its own
    from flowvision.vision.pixels.discs import Discs


@value_type(eq=False)
class DiscBoard:
    """A board whose dots are discs of one size, found as circles.

    ``sides``: the board, with the cells that looked like holes because they hold such a disc. ``radius``: of
    the discs, in widths of a narrow cell. ``filled``: the cells with a disc that differs from the background.
    ``rimmed``: these, and the cells with a disc of the background's colour within a rim.
    """

    sides: BoardGeometry
    radius: float
    filled: frozenset[int]
    rimmed: frozenset[int]


def disc_board(sides: BoardGeometry, discs: Discs, settings: Settings) -> DiscBoard | None:
    """The board with the discs of the commonest size in its cells; ``None`` where too few are alike."""
    if not sides.fit.is_lattice or not len(discs.filled):
        return None
    asked = settings.dots
    sides = _without_false_holes(sides, discs.filled, settings)
    circles = np.concatenate((discs.filled, discs.rimmed))
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    x, y = centres.mean(axis=0).tolist()
    radii = circles[:, 2] / sides.fit.frame.narrow_px((x, y))
    away = np.abs(sides.fit.frame.to_cells(circles[:, :2])[:, None] - centres).max(axis=2)
    in_cells = (away.min(axis=1) <= asked.off_lattice) & (radii < asked.radius_max)
    is_filled = np.arange(len(circles)) < len(discs.filled)
    is_alike = np.abs(radii[:, None] / radii - 1) <= asked.alike_size
    count = (is_alike & in_cells & is_filled).sum(axis=1) * in_cells * is_filled
    if count.max() < asked.count_min:
        return None
    chosen = in_cells & is_alike[int(count.argmax())]
    radius = float(np.median(radii[chosen & is_filled]))
    filled, rimmed = (
        frozenset(away[these].argmin(axis=1).tolist()) for these in (chosen & is_filled, chosen)
    )
    return DiscBoard(sides, radius, filled, rimmed)


def filled_discs(discs: DiscBoard, asked: DotSettings) -> DotModel:
    """Dots are the filled discs alone."""
    return DotModel("filled disc", asked.circle_ring * discs.radius, "corners", discs.filled, True)


def wide_ring(discs: DiscBoard, asked: DotSettings) -> DotModel:
    """Dots are the filled discs, and whatever fills an annulus as large as theirs."""
    return DotModel("wide ring", asked.copy_ring * discs.radius, "corners", discs.filled)


def rimmed_discs(discs: DiscBoard, asked: DotSettings) -> DotModel | None:
    """Dots are the filled discs and those of the background's colour within a rim; ``None`` without these."""
    if discs.rimmed == discs.filled:
        return None
    return DotModel("rimmed disc", asked.circle_ring * discs.radius, "corners", discs.rimmed, True)


def _without_false_holes(sides: BoardGeometry, discs: Floats, settings: Settings) -> BoardGeometry:
    """The board with the cells that looked like holes because the rim of a large disc touches their sides.

    What looked like walls there are such rims too, so that the board has no walls. It is returned as it is
    where no hole holds a disc, or where a wall stands between two cells without one.
    """
    lattice = sides.board.lattice
    if lattice is None or lattice.tiling != "square":
        return sides
    steps = sides.fit.frame.to_cells(discs[:, :2]) - 0.5
    near = steps[(np.abs(steps - np.round(steps)) <= settings.dots.off_lattice).all(axis=1)]
    dots = {(round(row), round(col)) for col, row in near.tolist()}
    cells = set(lattice.places)
    more = {(row, col) for row, col in dots - cells if 0 <= row < lattice.rows and 0 <= col < lattice.cols}
    walls = [{lattice.places[a], lattice.places[b]} for a, b in walls_of(sides.board)]
    if not more or any(dots.isdisjoint(wall) for wall in walls):
        return sides
    return without_walls(sides, cells | more, dots, settings.walls, settings.line_weight)


def small_dots(fit: Fit, asked: DotSettings) -> DotModel | None:
    """Smaller dots than the usual ones, with thinner pipes; ``None`` where the usual ones are as small."""
    small = DotModel("small", asked.small_ring)
    return small if fit.usual_dots(asked).ring > small.ring else None
