"""Put together what was seen: a puzzle and where it lies in the picture."""

from __future__ import annotations

import numpy as np

from flowvision.puzzle.model import Puzzle
from flowvision.vision.results import GridFit, Marks, Pairing, Reading, SideReading


def assemble(grid: GridFit, sides: SideReading, marks: Marks, pairing: Pairing) -> Reading:
    """The reading of one lattice, its sides, dots and pairs."""
    dots = marks.dots
    terminals = tuple((dots[a].cell, dots[b].cell) for a, b in pairing.pairs)
    ends_px = tuple((dots[a].centre_px, dots[b].centre_px) for a, b in pairing.pairs)
    return Reading(
        sides.board,
        Puzzle(sides.board.graph, terminals),
        grid.frame,
        pairing.palette,
        confidence(grid, marks, pairing),
        ends_px,
    )


def confidence(grid: GridFit, marks: Marks, pairing: Pairing) -> float:
    """0 to 1: the weakest of the evidence for lines, dots and pairs."""
    cover = np.concatenate((grid.cover.upright.ravel(), grid.cover.level.ravel()))
    lines = float(np.nanmean(cover))
    residual = max(0.0, 1 - 8 * grid.residual_px / grid.pitch_px)
    at = [dot.cell for dot in dots] if (dots := marks.dots) else [0]
    discs = float(marks.evidence.cover[at].min())
    colours = 1 - float(np.exp(-max(pairing.margin, 0.0) / 4))
    return round(min(lines, residual, discs, colours), 3)
