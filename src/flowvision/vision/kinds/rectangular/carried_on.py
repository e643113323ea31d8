"""A lattice carried on over the cells beyond it that were played: tints may hide the lines between them."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.grid.axis_lines import line_evidence
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import closed_fits
from flowvision.vision.kinds.rectangular.tints import tints_at
from flowvision.vision.pixels.view import Floats, View, view_of
from flowvision.vision.settings import Settings

MAX_SLANT = 1e-6
"""Of a frame's matrix: what lies beside its diagonal, where rows and columns are level and upright."""


def carried_on(fit: GridFit, shot: Screenshot, settings: Settings) -> GridFit | None:
    """The larger lattice in the whole picture of which a fit is a part; ``None`` where no tints go on.

    Only upright lattices are asked: of a picture that is tilted the tints are not sampled exactly enough.
    """
    matrix = np.reshape(fit.frame.matrix, (3, 3)) / fit.frame.matrix[8]
    if np.abs(matrix[[0, 1, 2, 2], [1, 0, 0, 1]]).max() > MAX_SLANT or not _are_played_beyond(
        fit, matrix, shot, settings
    ):
        return None
    view = view_of(shot, None, settings.lines.view_px, fit.view.channel)
    across, down, evidence = line_evidence(fit.region, view, settings.lines, settings.grid)
    start_and_pitch = np.linalg.inv(view.to_picture) @ matrix
    cols, rows = (
        Spacing(start_and_pitch[n, 2], start_and_pitch[n, n], count, 1.0, fit.residual_px / view.scale)
        for n, count in enumerate((fit.cols, fit.rows))
    )
    found = closed_fits(evidence, (across, down), (cols, rows), settings.grid, False, settings.tints)
    larger = [one for one in found if one.closed and _holds(one, fit)]
    return max(larger, key=lambda one: one.score, default=None)


def _holds(larger: GridFit, fit: GridFit) -> bool:
    """Whether one lattice has all cells of the other, and more."""
    corner = larger.frame.to_cells(fit.frame.to_px([(0, 0), (fit.cols, fit.rows)]))
    (left, top), (right, bottom) = np.round(corner).tolist()
    is_within = left >= 0 and top >= 0 and right <= larger.cols and bottom <= larger.rows
    return is_within and larger.rows * larger.cols > fit.rows * fit.cols


def _are_played_beyond(fit: GridFit, matrix: Floats, shot: Screenshot, settings: Settings) -> bool:
    """Whether beyond a side of the fit most cells beside it are tinted round a pipe. A look at few pixels."""
    whole = View(shot.bgr, shot.bgr[:, :, 1], np.eye(3))
    along_x, along_y = (np.arange(count) + 0.5 for count in (fit.cols, fit.rows))
    beside = [
        *(np.column_stack((along_x, np.full(fit.cols, y))) for y in (-0.5, fit.rows + 0.5)),
        *(np.column_stack((np.full(fit.rows, x), along_y)) for x in (-0.5, fit.cols + 0.5)),
    ]
    frame = Frame(tuple(matrix.ravel().tolist()))
    _, is_tinted = tints_at(whole, frame, np.concatenate(beside), settings.tints)
    ends = np.cumsum([len(cells) for cells in beside])[:-1]
    return any(2 * np.count_nonzero(side) > side.size for side in np.split(is_tinted, ends))
