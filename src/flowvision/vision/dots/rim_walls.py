"""Walls that are none: lines look as thick as walls where the rim of a large dot touches them."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Lattice, Place
from flowvision.vision.dots.detection import CORNERS, Dots, radial_profile, stretched
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.line_weight import clarity
from flowvision.vision.pixels.view import Floats, colour_distance, lab_of, sample
from flowvision.vision.settings import LineWeightSettings, RimSettings, Settings, WallSettings

RADII = np.arange(0.25, 0.455, 0.01)
"""Cell widths, where the edge of a dot is looked for: from inside the smallest dot of the game
to just inside the lines."""
MIN_CONTRAST = 1.0  # Lab: a divisor is at least this, where a dot has the colour of the background


def without_rim_walls(dots: Dots, settings: Settings) -> Dots | None:
    """Return the dots, without walls that are rims of large dots; ``None`` where that is unclear.

    A wall may be a rim where it stands beside a dot and is not seen from end to end, and the dots are larger
    than those of the game. Where only some walls may be rims, no board is certain.
    """
    geometry = dots.geometry
    lattice = geometry.board.squares
    if lattice is None:
        return dots
    walls, _ = boards.walls_and_warps(geometry.board, lattice)
    held = {lattice.places[dot.cell] for dot in dots.dots}
    # A rim touches the middle of a side alone.
    whole = {side.places for side in geometry.sides if (side.completeness or 0.0) >= settings.walls.whole}
    beside = [pair for pair in walls if not held.isdisjoint(pair) and pair not in whole]
    is_certain = not beside if walls else geometry.clarity >= settings.rims.clarity
    if is_certain or not _are_large(geometry, dots, settings.rims):
        return dots
    if len(beside) < len(walls) or not geometry.fit.is_lattice:
        return None
    places = set(lattice.places)
    return dots.on(without_walls(geometry, lattice, places, held, settings.walls, settings.line_weight))


def without_walls(
    geometry: BoardGeometry,
    lattice: Lattice,
    cells: set[Place],
    dots: set[Place],
    settings: WallSettings,
    weight: LineWeightSettings,
) -> BoardGeometry:
    """Return the board with these cells of its lattice, and no walls.

    Its clarity is that of the sides between cells without ``dots``, whose rims reach other sides.
    """
    strengths = [
        side.strength
        for side in geometry.sides
        if cells.issuperset(side.places) and dots.isdisjoint(side.places)
    ]
    places = {(row, col) for row in range(lattice.rows) for col in range(lattice.cols)}
    board = boards.square(lattice.rows, lattice.cols, places - cells)
    return replace(
        geometry,
        board=board,
        shapes=np.tile(np.eye(2), (len(cells), 1, 1)),
        clarity=clarity(np.array(strengths), settings.strength, weight),
    )


def _are_large(geometry: BoardGeometry, dots: Dots, rims: RimSettings) -> bool:
    if geometry.fit.pitch_px / geometry.fit.view.scale < rims.cell_min_px:
        return False
    return float(np.median(radii_of(geometry, dots))) > rims.radius


def radii_of(geometry: BoardGeometry, dots: Dots) -> Floats:
    """Return (dots,): radius of each dot in cell widths, to a fraction of a pixel.

    Along each ray it is the sum of how much each step differs from the background, so that a blurred edge
    counts by its share. The mean of the middle half of the rays leaves out a pipe.
    """
    cells = [dot.cell for dot in dots.dots]
    centres = np.array(geometry.board.layout.centres)[cells]
    around = stretched(CORNERS, geometry.shapes[cells])
    corners = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, around))
    seen = lab_of(radial_profile(geometry, RADII, cells).reshape(len(cells), -1, 3))
    away = colour_distance(seen[:, :, None], corners[:, None]).min(axis=2)
    away = away.reshape(len(cells), len(RADII), -1)
    contrast = np.maximum(np.median(away[:, 0], axis=1)[:, None, None], MIN_CONTRAST)
    step = RADII[1] - RADII[0]
    rays = np.sort(RADII[0] - step / 2 + step * np.minimum(away / contrast, 1.0).sum(axis=1), axis=1)
    quarter = rays.shape[1] // 4
    return np.asarray(rays[:, quarter:-quarter].mean(axis=1))
