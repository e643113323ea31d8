"""Which cells of the lattice belong to the board, and which of their sides are walls."""

from __future__ import annotations

import numpy as np

from flowvision.puzzle import boards
from flowvision.vision.cover import Mask
from flowvision.vision.results import BoardRegion, Floats, GridFit, SideReading
from flowvision.vision.sample import sample
from flowvision.vision.settings import Settings
from flowvision.vision.view import View

ALONG = np.linspace(-0.3, 0.3, 9)
ACROSS = np.linspace(-0.11, 0.11, 11)


def read_sides(region: BoardRegion, grid: GridFit, settings: Settings) -> SideReading:
    """The board cut out of the lattice: places without a frame are holes, strong sides are walls."""
    upright, level = (side_strength(grid.evidence.view, grid, axis) for axis in (0, 1))
    usual = float(np.median(np.concatenate((upright[:, 1:-1].ravel(), level[1:-1].ravel()))))
    usual = max(usual, 1.0)
    holes = [(int(r), int(c)) for r, c in np.argwhere(~_cells(grid, upright, level, usual, settings))]
    walls = [
        (((int(r), int(c)), (int(r), int(c) + 1)))
        for r, c in np.argwhere(upright[:, 1:-1] > settings.wall_strength * usual)
    ] + [
        (((int(r), int(c)), (int(r) + 1, int(c))))
        for r, c in np.argwhere(level[1:-1] > settings.wall_strength * usual)
    ]
    board = boards.square(grid.rows, grid.cols, holes, walls)
    return SideReading(board, upright / usual, level / usual)


def side_strength(view: View, grid: GridFit, axis: int) -> Floats:
    """How bright and thick every side is: brightness summed across it, above its surroundings.

    (rows, cols + 1) for the upright sides (axis 0), (rows + 1, cols) for the level ones. The median
    along the side leaves out a pipe that crosses it.
    """
    shape = (grid.rows, grid.cols + 1) if axis == 0 else (grid.rows + 1, grid.cols)
    r, c = (index.ravel() for index in np.indices(shape))
    centres = np.column_stack((c, r + 0.5) if axis == 0 else (c + 0.5, r)).astype(np.float64)
    along, across = (grid_.ravel() for grid_ in np.meshgrid(ALONG, ACROSS, indexing="ij"))
    offsets = np.column_stack((across, along) if axis == 0 else (along, across))
    values = sample(view, grid.frame, centres, offsets).max(axis=2).astype(np.float64)
    bands = values.reshape(len(centres), len(ALONG), len(ACROSS))
    ground = np.minimum(bands[:, :, :1], bands[:, :, -1:])
    sums = np.clip(bands - ground, 0, None).mean(axis=2)
    return np.asarray(np.median(sums, axis=1).reshape(shape))


def _cells(grid: GridFit, upright: Floats, level: Floats, usual: float, settings: Settings) -> Mask:
    """(rows, cols): the places that hold a cell.

    A cell is framed by four seen sides. Its side on the board's border may be missing (cropped off,
    or lost in a bright glow) as long as the other three are plain grid lines, not an outline.
    """
    seen = np.stack(
        [
            (cover >= settings.side_cover) | np.isnan(cover)
            for cover in (
                grid.cover.upright[:, :-1],
                grid.cover.upright[:, 1:],
                grid.cover.level[:-1],
                grid.cover.level[1:],
            )
        ]
    )
    strength = np.stack((upright[:, :-1], upright[:, 1:], level[:-1], level[1:]))
    strong = strength > settings.wall_strength * usual
    border = np.zeros_like(seen)
    border[0, :, 0] = border[1, :, -1] = border[2, 0, :] = border[3, -1, :] = True
    plain = ~(strong & ~border).any(axis=0)
    framed = seen.all(axis=0) & ~strong.all(axis=0)
    return np.asarray(framed | ((seen | border).all(axis=0) & plain))
