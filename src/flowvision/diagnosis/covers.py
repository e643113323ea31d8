"""Lattices that a board may have which was not seen whole: of the size that is known, or of the title."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.reading.beyond import Lattice
from flowvision.reading.covers import with_more_rows
from flowvision.vision.board import BoardRegion
from flowvision.vision.header import Header, read_header
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.rectangular.lattice import even_fit

if TYPE_CHECKING:
    from flowvision.diagnosis import Diagnosis

REGIONS = 3
"""Largest regions above which a title is read: above text each takes half a second."""
OBLONG = 1.05
"""Largest ratio of the sides of a cell of a board that fills a region."""


def whole_lattices(case: Diagnosis, size: tuple[int, int] | None) -> Iterator[Lattice]:
    """Yield the lattices that the whole board may have; ``size``: its rows and columns, if they are known."""
    fit = case.lattice
    if fit is None or fit.size is None:
        yield from _spread(case, *size) if size else ()
        return
    rows, cols = size or (max(fit.size), fit.size[1])
    if cols == fit.size[1]:
        yield from with_more_rows(_lattice(case, fit), rows)


def _spread(case: Diagnosis, rows: int, cols: int) -> Iterator[Lattice]:
    """Yield lattices of square cells that fill a region."""
    for region in regions_of(case):
        with suppress(GridNotFoundError):
            whole = even_fit(region, rows, cols)
            width, height = (np.ptp(whole.outline_px(), axis=0) / (cols, rows)).tolist()
            if max(width, height) <= OBLONG * min(width, height):
                yield _lattice(case, whole)


def _lattice(case: Diagnosis, fit: Fit) -> Lattice:
    assert fit.size is not None
    return Lattice(case.shot, *fit.size, (), fit.frame, fit.pitch_px, fit.view.channel)


def regions_of(case: Diagnosis) -> list[BoardRegion]:
    """Return the regions that were searched."""
    found = (step.find(BoardRegion) for step in case.steps)
    return list({id(region): region for region in found if region is not None}.values())


def size_of_title(case: Diagnosis) -> tuple[int, int] | None:
    """Return the rows and columns that the text above the board names, or ``None``."""
    seen = (step.result for step in case.steps if isinstance(step.result, Header))
    boxes = [region.corners_px for region in regions_of(case)]
    largest = sorted(boxes, key=lambda box: -float(np.ptp(box, axis=0).prod()))[:REGIONS]
    outlines = [case.lattice.outline_px()] if case.lattice else largest
    above = (read_header(case.shot.bgr, outline) for outline in outlines)
    headers = (header for found in (seen, above) for header in found)
    # Menus name sizes of boards too, but count no flows.
    return next((header.size for header in headers if header.size and (case.lattice or header.flows)), None)
