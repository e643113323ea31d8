"""Doubts about a board's extent: cut off, another size than given, two boards."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.dots import SOME, lone_facts, lone_marks, near_misses
from flowvision.image.pixels import CropBox, are_apart, lies_in
from flowvision.reading.beyond import lines_go_on
from flowvision.reading.cut_off import LIKELY, NEAR, OVER, SIDES, cut_line, distances_to_edges
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.reading.refused import FEWEST_DOTS, dots_on
from flowvision.reading.strategies import RegionCache
from flowvision.vision.board import BoardRegion, box_round
from flowvision.vision.kinds.fit import Fit
from flowvision.words import Option

CROP_MARGIN = 0.05
"""Margin around a board in the advice to crop, in pitches."""
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


def are_two_boards(case: Diagnosis) -> Doubt | None:
    """Detect two separate lattices with dots."""
    fits = [
        fit
        for fit, dots in dots_on(case.steps).items()
        if fit.size is not None and len(dots.dots) >= FEWEST_DOTS and not fit.is_given
    ]
    for one, other in combinations(fits, 2):
        is_apart = are_apart(_box(case, one), _box(case, other))
        if is_apart and not _runs_over(case, one, other) and not _runs_over(case, other, one):
            return _two(case, one, other)
    return None


def _runs_over(case: Diagnosis, one: Fit, other: Fit) -> bool:
    away = other.outline_px().mean(axis=0) - one.outline_px().mean(axis=0)
    axis = int(np.abs(away).argmax())
    return lines_go_on(one, case.shot, axis if away[axis] < 0 else axis + 2, 1.0)


def _two(case: Diagnosis, *fits: Fit) -> Doubt:
    away = np.abs(fits[0].outline_px().mean(axis=0) - fits[1].outline_px().mean(axis=0))
    axis = int(away[1] >= away[0])
    first, second = sorted(fits, key=lambda fit: _box(case, fit)[axis])
    marks, facts = list[Mark](), dict[str, Any]()
    for order, name, fit in zip(
        ("first", "second"), (("left", "right"), ("upper", "lower"))[axis], (first, second), strict=True
    ):
        facts[order] = " × ".join(map(str, reversed(fit.size or ())))
        facts[f"{order}_name"] = name
        facts[f"{order}_crop"] = (Option("crop", ",".join(map(str, _box(case, fit)))),)
        marks.append(Mark.of("box", fit.outline_px(), f"{name} board"))
    return Doubt("two-boards", "board", facts, tuple(marks))


def _box(case: Diagnosis, fit: Fit) -> CropBox:
    return box_round(fit.outline_px(), CROP_MARGIN * fit.pitch_px, case.shot)


def is_cut(case: Diagnosis) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    fit, dots = case.lattice, case.dots
    if fit is None or dots is None or len(dots.dots) < SOME:
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
