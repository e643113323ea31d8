"""Doubts about a board's extent: cut off, or another size or part than given."""

from __future__ import annotations

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.dots import lone_facts, lone_marks, near_misses
from flowvision.image.pixels import lies_in
from flowvision.reading.beyond import lines_go_on
from flowvision.reading.cut_off import LIKELY, NEAR, OVER, SIDES, cut_line, distances_to_edges
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.reading.strategies import RegionCache
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.settings import DOTS

STRIP = 0.1
"""Fewest pitches between a cut board and the edge to which its lines lead."""


def is_outside(case: Diagnosis) -> Doubt | None:
    """Detect a given part that exceeds the picture."""
    if case.options.crop is None or lies_in(case.shot, case.options.crop):
        return None
    height, width = case.shot.bgr.shape[:2]
    return Doubt("wrong-option", "decode", {"option": "crop", "width": width, "height": height})


def is_of_another_size(case: Diagnosis) -> Doubt | None:
    """Detect a given size that differs from the lines of a whole board."""
    given, region = case.options.rows_and_cols, case.find(BoardRegion)
    if given is None or case.options.crop or region is None or (case.fit and not case.fit.is_given):
        return None
    lattice = RegionCache(region).best_upright
    seen = (fit for step in case.steps if (fit := step.find(Fit)) is not None and not fit.is_given)
    if lattice is None or cut_line(lattice, case.shot) or any(fit.size == given for fit in (lattice, *seen)):
        return None
    facts = {"option": "grid", "cols": given[1], "rows": given[0]}
    facts |= {"lines_cols": lattice.cols, "lines_rows": lattice.rows}
    mark = Mark.of("box", lattice.outline_px(), f"{lattice.cols} columns, {lattice.rows} rows")
    return Doubt("wrong-option", "grid", facts, (mark,))


def is_cut(case: Diagnosis) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    fit, dots = case.lattice, case.dots
    if fit is None or dots is None or len(dots.dots) < DOTS.count_min:
        return None
    gaps = distances_to_edges(fit, case.shot)
    sides = [
        side
        for number, (side, gap) in enumerate(gaps.items())
        if gap < -OVER or (STRIP < gap < NEAR and lines_go_on(fit, case.shot, number, gap))
    ]
    at_line, facts = cut_line(fit, case.shot), lone_facts(case)
    if not sides and at_line and at_line.facts["likely"] == LIKELY and not near_misses(dots):
        sides, facts["likely"] = at_line.facts["sides"], LIKELY
    height, width = case.shot.bgr.shape[:2]
    corners, numbers = corners_of((0, 0), (width, height)), [SIDES.index(side) for side in sides]
    marks = tuple(Mark.of("line", corners[[number - 1, number]], "cut here") for number in numbers)
    return Doubt("cut-off", "board", {**facts, "sides": sides}, marks + lone_marks(case)) if sides else None
