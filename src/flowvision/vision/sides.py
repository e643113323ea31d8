"""Which cells of the lattice belong to the board, and which of their sides are walls."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.puzzle import boards
from flowvision.vision.cover import Mask, SideCover
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
    strong = (upright > settings.wall_strength * usual, level > settings.wall_strength * usual)
    holes = [(int(r), int(c)) for r, c in np.argwhere(hole_places(grid.cover, strong, settings))]
    walls = [(((int(r), int(c)), (int(r), int(c) + 1))) for r, c in np.argwhere(strong[0][:, 1:-1])] + [
        (((int(r), int(c)), (int(r) + 1, int(c)))) for r, c in np.argwhere(strong[1][1:-1])
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


def hole_places(cover: SideCover, strong: tuple[Mask, Mask], settings: Settings) -> Mask:
    """(rows, cols): the places that hold no cell.

    Places that no seen side parts belong together; together they are a hole when most of the sides
    round them are strong: an outline. A place with its own four sides is one only when all are strong.
    """
    rows, cols = cover.level.shape[0] - 1, cover.upright.shape[1] - 1
    seen = [~(side < settings.side_cover) for side in (cover.upright, cover.level)]
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
    is_hole = np.where(missing, share > settings.outline_share, (share == 1) & (round_it == 4))
    return np.asarray(is_hole[group])
