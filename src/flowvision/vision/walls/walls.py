"""Which cells of the lattice belong to the board, and which of their sides are walls."""

from __future__ import annotations

from functools import singledispatch

import cv2
import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Cell
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.grid.side_coverage import Mask, SideCoverage
from flowvision.vision.pixels.line_weight import (
    ALONG,
    REACH,
    above_ground,
    clarity,
    steps_across,
    strength_of,
    usual_strength,
)
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.sampling import is_inside, sample
from flowvision.vision.pixels.view import Floats, View, brightest_channel
from flowvision.vision.settings import LineWeightSettings, Settings
from flowvision.vision.special.fits import CellFit, CircleFit, Fit, HexagonFit
from flowvision.vision.special.hexagon_geometry import HEIGHT, SIDES, centre, neighbour
from flowvision.vision.walls.result import SideReading

HEXAGON_SQUARE = 0.8
"""Of a hexagon's width: the side of a square of its area."""
WHITE = 255
"""The brightness of white: lines darker than their cells stand out from it as bright ones do from black."""
BORDER = 0.01
"""Of the board: how far beyond it its border reaches; text begins at 0.016."""


@singledispatch
def read_sides(fit: Fit, settings: Settings) -> SideReading:
    """The board cut out of a fit.

    Of a lattice: places without a frame are holes, strong sides are walls. Of cells of any shape:
    the sides they share.
    """
    raise TypeError(type(fit))


@read_sides.register
def _(fit: GridFit, settings: Settings) -> SideReading:
    upright, level = (side_strength(fit.view, fit, axis, settings.line_weight) for axis in AXES)
    # The axis with the stronger lines is the measure: old screenshots have lines of 1 to 3 px on one board.
    usual = max(
        usual_strength(part, settings.walls.strength, settings.line_weight)
        for part in (upright[:, 1:-1], level[1:-1])
    )
    upright, level = upright / usual, level / usual
    strong = (upright > settings.walls.strength, level > settings.walls.strength)
    holes = hole_places(_without_faint_rim(fit.cover, (upright, level), settings), strong, settings)
    walls = [((r, c), (r, c + 1)) for r, c in np.argwhere(strong[0][:, 1:-1]).tolist()]
    walls += [((r, c), (r + 1, c)) for r, c in np.argwhere(strong[1][1:-1]).tolist()]
    empty = {(r, c) for r, c in np.argwhere(holes).tolist()}
    walls = [pair for pair in walls if empty.isdisjoint(pair)]
    board = boards.square(fit.rows, fit.cols, empty, walls)
    sides = [((c + 0.0, r + 0.5), float(s), not strong[0][r, c]) for (r, c), s in np.ndenumerate(upright)]
    sides += [((c + 0.5, r + 0.0), float(s), not strong[1][r, c]) for (r, c), s in np.ndenumerate(level)]
    shapes = np.tile(np.eye(2), (len(board.layout.cells), 1, 1))
    between = ~(holes[:, 1:] | holes[:, :-1]), ~(holes[1:] | holes[:-1])
    inner = np.concatenate((upright[:, 1:-1][between[0]], level[1:-1][between[1]]))
    clear = clarity(inner, settings.walls.strength, settings.line_weight)
    return SideReading(board, fit, shapes, tuple(sides), clear)


@read_sides.register
def _(fit: HexagonFit, settings: Settings) -> SideReading:
    rows, cols = fit.cells.shape
    holes = [(r, c) for r, c in np.argwhere(~fit.cells).tolist()]
    walls, between, sides = [], [], []
    # Walls are drawn as the outline is: where that stands out more than usual, so do they.
    least = max(settings.hexagons.wall, settings.hexagons.outline * fit.outline)
    for r, c in np.argwhere(fit.cells).tolist():
        for side in (1, 2, 3):
            place = neighbour(r, c, side)
            if not (0 <= place[0] < rows and 0 <= place[1] < cols and fit.cells[place]):
                continue
            strength = float(fit.strength[r, c, side])
            between.append(strength)
            is_open = strength <= least
            walls += [] if is_open else [((r, c), place)]
            x, y = (centre(r, c) + HEIGHT / 2 * SIDES[side]).tolist()
            sides.append(((x, y), strength, is_open))
    board = boards.hexagonal(rows, cols, holes, walls)
    shapes = np.tile(HEXAGON_SQUARE * np.eye(2), (len(board.layout.cells), 1, 1))
    clear = clarity(np.array(between), least, settings.line_weight)
    return SideReading(board, fit, shapes, tuple(sides), clear)


@read_sides.register
def _(fit: CellFit, settings: Settings) -> SideReading:
    from flowvision.vision.special.free_lattice import lattice_of

    lattice, order = lattice_of(fit, settings.free_cells) or (None, tuple(range(fit.cells)))
    number = {cell: n for n, cell in enumerate(order)}
    cells = [Cell(fit.centres[cell], fit.outlines[cell]) for cell in order]
    open_sides = [boards.OpenSide(number[c.a], number[c.b], c.middle, c.middle) for c in fit.contacts]
    usual = float(np.median([c.strength for c in fit.contacts]))
    sides = tuple((c.middle, c.strength / usual, True) for c in fit.contacts)
    board = boards.build(cells, open_sides, (), lattice)
    return SideReading(board, fit, fit.shapes[list(order)], sides)


@read_sides.register
def _(fit: CircleFit, settings: Settings) -> SideReading:
    board = boards.square(fit.rows, fit.cols)
    shapes = np.tile(np.eye(2), (len(board.layout.cells), 1, 1))
    return SideReading(board, fit, shapes, ())


def side_strength(view: View, grid: GridFit, axis: Axis, weight: LineWeightSettings) -> Floats:
    """How bright and thick every side is.

    (rows, cols + 1) for the upright sides (axis 0), (rows + 1, cols) for the level ones.
    """
    shape = (grid.rows, grid.cols + 1) if axis == 0 else (grid.rows + 1, grid.cols)
    r, c = (index.ravel() for index in np.indices(shape))
    centres = np.column_stack((c, r + 0.5) if axis == 0 else (c + 0.5, r)).astype(np.float64)
    reach = steps_across(grid.pitch_px / view.scale)
    along, across = (grid_.ravel() for grid_ in np.meshgrid(ALONG, reach, indexing="ij"))
    offsets = np.column_stack((across, along) if axis == 0 else (along, across))
    values = brightest_channel(sample(view, grid.frame, centres, offsets)).astype(np.float64)
    if view.channel == "negative":
        values = WHITE - values
    bands = values.reshape(len(centres), len(ALONG), len(reach))
    above = above_ground(bands)
    # Beyond the border may be text, glow, the end of a tint, or the picture's rim.
    line, last = (c, grid.cols) if axis == 0 else (r, grid.rows)
    middle = len(reach) // 2
    near = round(min(REACH, BORDER * max(grid.rows, grid.cols)) / REACH * middle)
    for border, inner, outer in ((line == 0, -1, middle - near), (line == last, 0, middle + near)):
        seen = is_inside(view, grid.frame, centres[border], offsets).reshape(-1, len(ALONG), len(reach))
        seen[:, :, slice(None, outer) if inner else slice(outer + 1, None)] = False
        band = np.where(seen, bands[border], 0.0)
        bands[border] = band
        above[border] = band - np.maximum(band[:, :, inner], band[:, :, outer])[:, :, None]
    return strength_of(bands, above, weight).reshape(shape)


def _without_faint_rim(
    cover: SideCoverage, strength: tuple[Floats, Floats], settings: Settings
) -> SideCoverage:
    """The cover without outer sides far weaker than a line: a glow ends like one at the picture's rim."""
    upright, level = cover.upright.copy(), cover.level.copy()
    for sides, strong in ((upright, strength[0]), (level.T, strength[1].T)):
        for rim in (0, -1):
            faint = (strong[:, rim] < settings.crossings.border_missing) & ~np.isnan(sides[:, rim])
            sides[faint, rim] = 0.0
    return SideCoverage(upright, level)


def hole_places(cover: SideCoverage, strong: tuple[Mask, Mask], settings: Settings) -> Mask:
    """(rows, cols): the places that hold no cell.

    Places that no seen side parts belong together; together they are a hole when most of the sides
    round them are strong: an outline. A place with its own four sides is one only when all are strong.
    """
    rows, cols = cover.level.shape[0] - 1, cover.upright.shape[1] - 1
    seen = [~(side < settings.grid.side_cover) for side in (cover.upright, cover.level)]
    open_ground = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    open_ground[1::2, 1::2] = 1
    open_ground[1::2, 2:-1:2] = ~seen[0][:, 1:-1]
    open_ground[2:-1:2, 1::2] = ~seen[1][1:-1]
    count, labels = cv2.connectedComponents(open_ground, connectivity=4)
    group = np.asarray(labels[1::2, 1::2], dtype=np.intp)
    round_it, strong_round_it = np.zeros(count), np.zeros(count)
    missing = np.zeros(count, bool)
    for sides, strong_sides, before, after in (
        (seen[0], strong[0], np.s_[:, :-1], np.s_[:, 1:]),
        (seen[1], strong[1], np.s_[:-1], np.s_[1:]),
    ):
        for part in (before, after):
            np.add.at(round_it, group[sides[part]], 1)
            np.add.at(strong_round_it, group[sides[part] & strong_sides[part]], 1)
            missing[group[~sides[part]]] = True
    share = strong_round_it / np.maximum(round_it, 1)
    is_hole = np.where(missing, share > settings.walls.outline_share, (share == 1) & (round_it == 4))
    return np.asarray(is_hole[group])
