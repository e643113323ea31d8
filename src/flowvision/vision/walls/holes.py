"""Which places of a lattice hold no cell."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.grid.side_coverage import Mask, SideCoverage
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import CrossingSettings, GridSettings, WallSettings


def hole_places(
    cover: SideCoverage, strong: tuple[Mask, Mask], walls: WallSettings, grid: GridSettings
) -> Mask:
    """(rows, cols): the places that hold no cell.

    ``strong``: which upright and which level sides are as strong as a wall. Places with no side seen between
    them form a connected component. It is a hole when most of the sides round it are strong, for then they
    are an outline. A single place that shows all of its four sides is one only when all are strong.
    """
    rows, cols = cover.level.shape[0] - 1, cover.upright.shape[1] - 1
    seen = [~(side < grid.side_cover) for side in (cover.upright, cover.level)]
    # Places and the sides between them are the pixels of a mask: 1 where the ground is open.
    open_ground = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    open_ground[1::2, 1::2] = 1
    open_ground[1::2, 2:-1:2] = ~seen[0][:, 1:-1]
    open_ground[2:-1:2, 1::2] = ~seen[1][1:-1]
    count, labels = cv2.connectedComponents(open_ground, connectivity=4)
    component = np.asarray(labels[1::2, 1::2], dtype=np.intp)
    sides_round, strong_round = np.zeros(count), np.zeros(count)
    has_gaps = np.zeros(count, bool)
    for sides, strong_sides, before, after in (
        (seen[0], strong[0], np.s_[:, :-1], np.s_[:, 1:]),
        (seen[1], strong[1], np.s_[:-1], np.s_[1:]),
    ):
        for part in (before, after):
            np.add.at(sides_round, component[sides[part]], 1)
            np.add.at(strong_round, component[sides[part] & strong_sides[part]], 1)
            has_gaps[component[~sides[part]]] = True
    share = strong_round / np.maximum(sides_round, 1)
    is_hole = np.where(has_gaps, share > walls.outline_share, (share == 1) & (sides_round == 4))
    return np.asarray(is_hole[component])


def without_faint_rim(
    cover: SideCoverage, strength: tuple[Floats, Floats], crossings: CrossingSettings
) -> SideCoverage:
    """The coverage without the outermost sides that are far weaker than a line.

    A glow ends like a line at the picture's rim. ``strength``: of upright and of level sides, 1.0 for a plain
    grid line.
    """
    upright, level = cover.upright.copy(), cover.level.copy()
    for sides, strengths in ((upright, strength[0]), (level.T, strength[1].T)):
        for rim in (0, -1):
            faint = (strengths[:, rim] < crossings.border_missing) & ~np.isnan(sides[:, rim])
            sides[faint, rim] = 0.0
    return SideCoverage(upright, level)
