"""The board cut out of a fit: which of its cells exist, and which of their sides are walls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Cell
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.line_weight import clarity, third_strongest, usual_strength
from flowvision.vision.pixels.lines import AXES
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import Settings, WallSettings
from flowvision.vision.special.fits import CellFit, CircleFit, Fit, HexagonFit
from flowvision.vision.special.hexagon_geometry import HEIGHT, SIDES, centre, neighbours
from flowvision.vision.walls.holes import hole_places, without_faint_rim
from flowvision.vision.walls.result import Side, SideReading
from flowvision.vision.walls.side_strength import SidePlaces, side_places

HEXAGON_SQUARE = 0.8
"""Of a hexagon's width: the side of a square of its area."""
HALF_OF_SIDES = (1, 2, 3)
"""Of a hexagon's six: each side that two cells share is one of these of just one of them."""


@singledispatch
def read_sides(fit: Fit, settings: Settings) -> SideReading:
    """The board cut out of a fit.

    On a lattice of squares or hexagons strong sides are walls; of squares, places that most of an outline
    surrounds are holes. Cells of any shape are open to those that they share a side with. A board without
    lines has neither walls nor holes.
    """
    raise TypeError(type(fit))


@read_sides.register
def _(fit: GridFit, settings: Settings) -> SideReading:
    asked, weight = settings.walls, settings.line_weight
    places = [side_places(fit.view, fit, axis, asked, weight) for axis in AXES]
    upright, level = (third_strongest(part.strength) for part in places)
    # The axis with the stronger lines is the measure: old screenshots have lines of 1 to 3 px on one board.
    usual = max(usual_strength(part, asked.strength, weight) for part in (upright[:, 1:-1], level[1:-1]))
    upright, level = upright / usual, level / usual
    strong = (upright > asked.strength, level > asked.strength)
    cover = without_faint_rim(fit.cover, (upright, level), settings.crossings)
    holes = hole_places(cover, strong, asked, settings.grid)
    walls = [((r, c), (r, c + 1)) for r, c in np.argwhere(strong[0][:, 1:-1]).tolist()]
    walls += [((r, c), (r + 1, c)) for r, c in np.argwhere(strong[1][1:-1]).tolist()]
    empty = {(r, c) for r, c in np.argwhere(holes).tolist()}
    walls = [pair for pair in walls if empty.isdisjoint(pair)]
    board = boards.square(fit.rows, fit.cols, empty, walls)
    shares = _completeness(places, usual, asked)
    sides = [
        Side((c + x, r + y), float(s), not is_wall[r, c], float(share[r, c]))
        for x, y, measured, is_wall, share in (
            (0.0, 0.5, upright, strong[0], shares[0]),
            (0.5, 0.0, level, strong[1], shares[1]),
        )
        for (r, c), s in np.ndenumerate(measured)
    ]
    shapes = np.tile(np.eye(2), (len(board.layout.cells), 1, 1))
    between = ~(holes[:, 1:] | holes[:, :-1]), ~(holes[1:] | holes[:-1])
    inner = np.concatenate((upright[:, 1:-1][between[0]], level[1:-1][between[1]]))
    return SideReading(board, fit, shapes, tuple(sides), clarity(inner, asked.strength, weight))


def _completeness(places: Sequence[SidePlaces], usual: float, asked: WallSettings) -> tuple[Floats, Floats]:
    """For upright and level sides, the share of the places along each that is as strong as a wall, 0 to 1.

    Where something lights the ground, a plain line is strong as well; but it hardly rises above that ground.
    """
    strengths, rises = (
        np.concatenate([part[n].reshape(-1, part[n].shape[2]) for part in places]) for n in (0, 1)
    )
    strength, least = third_strongest(strengths) / usual, 0.0
    # Most boards have no wall to ask about.
    if (strength > asked.strength).any():
        plain = third_strongest(rises)[(strength <= asked.strength) & (strength > 1 / asked.strength)]
        least = asked.rise * float(np.median(plain)) if plain.size else 0.0
    upright, level = (
        ((part.strength > asked.strength * usual) & (part.rise >= least)).mean(axis=2) for part in places
    )
    return upright, level


@read_sides.register
def _(fit: HexagonFit, settings: Settings) -> SideReading:
    rows, cols = fit.cells.shape
    holes = [(r, c) for r, c in np.argwhere(~fit.cells).tolist()]
    walls, sides = [], []
    # Walls are drawn as the outline is: where that stands out more than usual, so do they.
    wall_strength = max(settings.hexagons.wall, settings.hexagons.outline * fit.outline)
    for r, c in np.argwhere(fit.cells).tolist():
        beyond = neighbours(r, c)
        middles = (centre(r, c) + HEIGHT / 2 * SIDES).tolist()
        for side in HALF_OF_SIDES:
            place = beyond[side]
            if not (0 <= place[0] < rows and 0 <= place[1] < cols and fit.cells[place]):
                continue
            strength = float(fit.strength[r, c, side])
            is_open = strength <= wall_strength
            walls += [] if is_open else [((r, c), place)]
            x, y = middles[side]
            sides.append(Side((x, y), strength, is_open))
    board = boards.hexagonal(rows, cols, holes, walls)
    shapes = np.tile(HEXAGON_SQUARE * np.eye(2), (len(board.layout.cells), 1, 1))
    strengths = np.array([side.strength for side in sides])
    clear = clarity(strengths, wall_strength, settings.line_weight)
    return SideReading(board, fit, shapes, tuple(sides), clear)


@read_sides.register
def _(fit: CellFit, settings: Settings) -> SideReading:
    from flowvision.vision.special.free_lattice import lattice_of

    lattice, order = lattice_of(fit, settings.free_cells) or (None, tuple(range(fit.cells)))
    number = {cell: n for n, cell in enumerate(order)}
    cells = [Cell(fit.centres[cell], fit.outlines[cell]) for cell in order]
    open_sides = [boards.OpenSide(number[c.a], number[c.b], c.middle, c.middle) for c in fit.contacts]
    usual = float(np.median([c.strength for c in fit.contacts]))
    sides = tuple(Side(c.middle, c.strength / usual, True) for c in fit.contacts)
    board = boards.build(cells, open_sides, (), lattice)
    return SideReading(board, fit, fit.shapes[list(order)], sides)


@read_sides.register
def _(fit: CircleFit, settings: Settings) -> SideReading:
    board = boards.square(fit.rows, fit.cols)
    shapes = np.tile(np.eye(2), (len(board.layout.cells), 1, 1))
    return SideReading(board, fit, shapes, ())
