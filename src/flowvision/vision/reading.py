"""Put together what was seen: a puzzle and where it lies in the picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.puzzle.model import Puzzle
from flowvision.vision.cells import fit_cells
from flowvision.vision.grid import fit_grids
from flowvision.vision.results import (
    BoardRegion,
    CellFit,
    Crossings,
    GridFit,
    Marks,
    Pairing,
    Reading,
    SideReading,
)
from flowvision.vision.settings import Settings


def fits_of(region: BoardRegion, settings: Settings) -> Iterator[GridFit | CellFit]:
    """What may explain a region, best first: lattices, then cells of any shape.

    Raises ``GridNotFoundError`` when there is neither.
    """
    failure = None
    try:
        yield from fit_grids(region, settings)
    except GridNotFoundError as error:
        failure = error
    try:
        yield fit_cells(region, settings)
    except GridNotFoundError:
        if failure is not None:
            raise failure from None


def assemble(
    sides: SideReading, marks: Marks, pairing: Pairing, crossings: Crossings | None = None
) -> Reading:
    """The reading of one board, its dots and pairs; with its bridges and warps where they were looked for."""
    board = crossings.board if crossings else sides.board
    dots = marks.dots
    terminals = tuple((dots[a].cell, dots[b].cell) for a, b in pairing.pairs)
    ends_px = tuple((dots[a].centre_px, dots[b].centre_px) for a, b in pairing.pairs)
    return Reading(
        board,
        Puzzle(board.graph, terminals),
        sides.fit.frame,
        pairing.palette,
        confidence(sides.fit, marks, pairing),
        ends_px,
    )


def confidence(fit: GridFit | CellFit, marks: Marks, pairing: Pairing) -> float:
    """0 to 1: the weakest of the evidence for lines, dots and pairs."""
    discs = float(marks.evidence.cover[[dot.cell for dot in marks.dots]].min())
    colours = 1 - float(np.exp(-max(pairing.margin, 0.0) / 4))
    return round(min(fit.quality, discs, colours), 3)
