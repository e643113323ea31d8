"""Where an answer lies in the picture: its frame, its cells and its paths in pixels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flowvision.puzzle.model import Solution
from flowvision.render.curves import lines_of
from flowvision.vision.reading import Reading


def geometry_object(reading: Reading, solution: Solution | None = None) -> dict[str, Any]:
    """What ``--geometry`` adds to the JSON object of an answer, and to its flows under ``flows``.

    ``frame``: the 3×3 homography from cell units to pixels, row by row. ``cells_px``: the outline of every
    cell, by its number, as ``[x, y]`` corners. ``path_px``, of every flow: its polylines, one, and another
    one after every warp. Pixels are those of the picture that is written; (0, 0) is the middle of the first.
    """
    frame, layout = reading.frame, reading.board.layout
    made: dict[str, Any] = {
        "frame": [float(f"{number:.9g}") for number in frame.matrix],
        "cells_px": [_points(frame.to_px(cell.outline)) for cell in layout.cells],
    }
    if solution is not None:
        made["flows"] = [
            {"path_px": [_points(frame.to_px(line)) for line in lines_of(reading.board, path)]}
            for path in solution.paths
        ]
    return made


def _points(points_px: Iterable[Any]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in np.asarray(points_px)]
