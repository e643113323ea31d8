"""The dots: discs that fill the ring where letters and pipes do not reach."""

from __future__ import annotations

import numpy as np

from flowvision.errors import DotsError, OddDotsError
from flowvision.picture import Rgb
from flowvision.vision.results import BoardRegion, Dot, GridFit, MarkEvidence, Marks, SideReading
from flowvision.vision.sample import lab_of, ring, sample
from flowvision.vision.settings import Settings

RING_POINTS = 24
SHOULDERS = np.array(
    [(x, y) for far in (-0.44, 0.44) for near in (-0.2, 0.2) for x, y in ((far, near), (near, far))]
)
"""Outside any dot and beside any pipe; a glow bar, which is wider than a pipe, covers some of them."""
CORNERS = np.array([(x, y) for x in (-0.4, 0.4) for y in (-0.4, 0.4)])


def find_marks(region: BoardRegion, grid: GridFit, sides: SideReading, settings: Settings) -> Marks:
    """The dots of a board.

    A cell holds a dot when a ring round its middle has one colour that its corners have not. Raises
    ``DotsError`` when no cell does, ``OddDotsError`` when they cannot all have a partner.
    """
    layout = sides.board.layout
    centres = np.array([cell.centre for cell in layout.cells])
    view = grid.evidence.view
    rim = sample(view, grid.frame, centres, ring(settings.ring, RING_POINTS))
    ground = np.median(sample(view, grid.frame, centres, CORNERS), axis=1)
    colour = np.median(rim, axis=1)
    ground_lab, colour_lab = lab_of(ground.astype(np.uint8)), lab_of(colour.astype(np.uint8))
    contrast = np.linalg.norm(colour_lab - ground_lab, axis=1)
    away = np.linalg.norm(lab_of(rim) - colour_lab[:, None, :], axis=2)
    cover = (away < 0.5 * contrast[:, None]).mean(axis=1)
    evidence = MarkEvidence(contrast, cover)
    shoulders = lab_of(sample(view, grid.frame, centres, SHOULDERS))
    clear = np.linalg.norm(shoulders - colour_lab[:, None, :], axis=2) > 0.5 * contrast[:, None]
    is_dot = (contrast >= settings.dot_contrast) & (cover >= settings.dot_cover)
    is_dot &= clear.sum(axis=1) >= settings.dot_shoulders
    value = colour.max(axis=1)
    is_dot &= value >= settings.dot_value * value[is_dot].max(initial=0.0)
    px = grid.frame.to_px(centres)
    dots = tuple(
        Dot(
            int(cell),
            (float(px[cell, 0]), float(px[cell, 1])),
            0.345 * grid.pitch_px,
            (float(colour_lab[cell, 0]), float(colour_lab[cell, 1]), float(colour_lab[cell, 2])),
            Rgb(*(round(channel) for channel in colour[cell, ::-1].tolist())),
        )
        for cell in np.flatnonzero(is_dot)
    )
    marks = Marks(dots, (), evidence)
    if not dots:
        raise DotsError(f"Looked for dots in {grid.rows} × {grid.cols} cells: found none.", None, marks)
    if len(dots) % 2:
        raise OddDotsError(f"Found {len(dots)} dots; dots come in pairs.", None, marks)
    return marks
