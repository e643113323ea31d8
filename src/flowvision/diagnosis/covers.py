"""Lattices that a board may have which was not seen whole: of the size that is known, or of the title."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from flowvision.doubts import Covered
from flowvision.errors import GridNotFoundError
from flowvision.log import Step
from flowvision.reading.beyond import Lattice
from flowvision.reading.covers import covered_doubt, lattices_through, with_more_rows
from flowvision.vision.board import BoardRegion
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.header import Header, read_header
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import even_fit

if TYPE_CHECKING:
    from flowvision.diagnosis import Diagnosis

REGIONS = 3
"""Largest regions above which a title is read: above text each takes half a second."""
OBLONG = 1.05
"""Largest ratio of the sides of a cell of a board that fills a region."""


def cover_of(case: Diagnosis) -> Covered | None:
    """Return the doubt that something covers the board, on the lattices that it may have."""
    seen = (_evidence(step) for step in case.steps)
    known = {id(item): item for item in seen if item is not None}
    through = lattices_through(known.values(), case.shot)
    return covered_doubt(_of_known_size(case)) or covered_doubt(through, is_beyond=True)


def _of_known_size(case: Diagnosis) -> Iterator[Lattice]:
    """Yield lattices of the size that was given, that the title names, or as high as wide."""
    size, fit = case.options.rows_and_cols or case.titled_size, case.lattice
    if fit is None or fit.size is None:
        yield from _spread(case, *size) if size else ()
        return
    rows, cols = size or (max(fit.size), fit.size[1])
    if cols == fit.size[1]:
        yield from with_more_rows(_lattice(case, fit), rows)


def _evidence(step: Step) -> GridEvidence | None:
    own = step.own
    own = own.evidence if isinstance(own, GridFit) else own
    return own if isinstance(own, GridEvidence) else None


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
