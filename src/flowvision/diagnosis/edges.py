"""Doubts about a board's extent: cut off, covered, another size than given, two boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from msgspec.structs import replace

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.cells import covered_cells
from flowvision.diagnosis.dots import SOME, lone_colours, lone_facts, lone_marks, near_misses
from flowvision.image.pixels import CropBox, are_apart, lies_in
from flowvision.reading.beyond import lattice_of, lines_go_on, squares_in
from flowvision.reading.cut_off import NEAR, OVER, PERHAPS, SIDES, crossed_edges, cut_line, distances_to_edges
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.reading.doubts import hidden_rows_doubt
from flowvision.reading.refused import FEWEST_DOTS, dots_on
from flowvision.reading.strategies import RegionCache
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import box_round
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.settings import DOTS
from flowvision.words import Change, Option

CROP_MARGIN = 0.05
"""Margin around a board in the advice to crop, in pitches."""
STRIP = 0.1
"""Fewest pitches between a cut board and the edge to which its lines lead."""
TOUCHING = 0.05
"""Pitches from an edge within which whole cells touch it."""
STUB_PX = 5.0
"""Pixels beyond the border seen, over which lines lead under a banner."""


def is_outside(case: Diagnosis) -> Doubt | None:
    """Detect a given part that exceeds the picture."""
    if case.options.crop is None or lies_in(case.shot, case.options.crop):
        return None
    height, width = case.shot.bgr.shape[:2]
    return Doubt("wrong-option", "decode", {"option": "crop", "width": width, "height": height})


def is_of_another_size(case: Diagnosis) -> Doubt | None:
    """Detect a given size that differs from the lines of a whole board."""
    given = case.options.rows_and_cols
    if given is None or case.options.crop or case.region is None or (case.fit and not case.fit.is_given):
        return None
    lattice = RegionCache(case.region).best_upright
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
    names = (("left", "right"), ("upper", "lower"))[axis]
    placed = sorted(fits, key=lambda fit: _box(case, fit)[axis])
    first, second = (" × ".join(map(str, reversed(fit.size or ()))) for fit in placed)
    crops = [(Option("crop", ",".join(map(str, _box(case, fit)))),) for fit in placed]
    facts = {"first": first, "second": second, "first_name": names[0], "second_name": names[1]}
    marks = (
        Mark.of("box", fit.outline_px(), f"{name} board") for fit, name in zip(placed, names, strict=True)
    )
    return Doubt("two-boards", "board", {**facts, "first_crop": crops[0]}, tuple(marks), crops[1])


def _box(case: Diagnosis, fit: Fit) -> CropBox:
    return box_round(fit.outline_px(), CROP_MARGIN * fit.pitch_px, case.shot)


def is_cut(case: Diagnosis) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    if case.dots is None or len(case.dots.dots) < SOME:
        return None
    if case.lattice is not None:
        return _cut_at_edges(case, case.lattice)
    # Lines of other things lead to the edges as well.
    if case.geometry.board.lattice is None and case.reading is None:
        return None
    (left, right), (top, bottom) = case.geometry.fit.view.rims
    is_edge = dict(zip(SIDES, (left, top, right, bottom), strict=True))
    sides = [side for side in crossed_edges(case.geometry) if is_edge[side]]
    gaps = distances_to_edges(case.geometry.fit, case.shot)
    sides = [side for side in sides if gaps[side] > TOUCHING] or sides
    return _cut(case, sides, {}) if sides else None


def is_cut_at_line(case: Diagnosis) -> Doubt | None:
    """Detect a picture that ends at a line of a board, with a row or column beyond it."""
    cut, dots = cut_line(case.fit, case.shot), case.dots
    if cut is None or cut.facts["likely"] == PERHAPS:
        return None
    if dots is None or not dots.dots or near_misses(dots):
        return None
    return _cut(case, cut.facts["sides"], cut.facts)


def _cut_at_edges(case: Diagnosis, fit: Fit) -> Doubt | None:
    assert fit.size is not None
    gaps = distances_to_edges(fit, case.shot)
    sides = [
        side
        for number, (side, gap) in enumerate(gaps.items())
        if gap < -OVER or (STRIP < gap < NEAR and lines_go_on(fit, case.shot, number, gap))
    ]
    left, top, right, bottom = (gap < -OVER for gap in gaps.values())
    rows, cols = fit.size
    return _cut(case, sides, {"rows": rows - top - bottom, "cols": cols - left - right}) if sides else None


def _cut(case: Diagnosis, sides: Sequence[str], facts: Mapping[str, Any]) -> Doubt:
    height, width = case.shot.bgr.shape[:2]
    corners, numbers = corners_of((0, 0), (width, height)), [SIDES.index(side) for side in sides]
    marks = tuple(Mark.of("line", corners[[number - 1, number]], "cut here") for number in numbers)
    return Doubt("cut-off", "board", {**facts, "sides": sides, **lone_facts(case)}, marks + lone_marks(case))


def is_covered_beside(case: Diagnosis) -> Doubt | None:
    """Detect a window between rows, or a banner over the first or last ones."""
    fit, read = case.lattice, case.find(Interpretation)
    if not (lone_colours(case) or case.is_refuted or case.error.doubt):
        return None
    on = lattice_of(read, case.shot) if read else squares_in(fit, case.shot) if fit else None
    if on is not None and (doubt := hidden_rows_doubt(on)):
        return replace(doubt, facts={**doubt.facts, **lone_facts(case)}, marks=doubt.marks + lone_marks(case))
    if fit is None or fit.size is None:
        return None
    rows, cols = fit.size
    # Lines lead under a banner.
    reach = STUB_PX / fit.pitch_px
    side = next((n for n in (1, 3) if rows < cols and lines_go_on(fit, case.shot, n, reach)), None)
    if side is None:
        return None
    first, last = (rows - cols, 0) if side == 1 else (rows, cols)
    marks = Mark.of("area", fit.frame.to_px(corners_of((0, first), (cols, last)))), *lone_marks(case)
    facts = {"where": f"at the {SIDES[side]}", "hidden": cols - rows, **lone_facts(case)}
    return Doubt("covered", "board", facts, marks)


def is_covered(case: Diagnosis) -> Doubt | None:
    """Detect covered cells, with dots that lack partners or no solution for the rest."""
    geometry, dots = case.find(BoardGeometry), case.dots
    if geometry is None or dots is None:
        return None
    lone, is_seen = lone_colours(case), len(dots.dots) >= DOTS.count_min
    if is_seen and not (lone or case.is_refuted):
        return None
    covered = covered_cells(geometry, dots)
    count = len(covered.outlines_px)
    if not count or (covered.cells and not is_seen):  # other games fill cells with colours
        return None
    facts: dict[str, Any] = {"count": count, "several": count > 1, **lone_facts(case)}
    advice: tuple[Change, ...] = ()
    if count == 1:
        facts["place"] = geometry.board.key_of(covered.cells[0]) if covered.cells else covered.block[0]
        if lone:
            advice = (Change(facts["place"], case.letter_of(lone[0].dots[0])),)
    else:
        facts["block"] = covered.block
    marks = (*(Mark.of("area", outline) for outline in covered.outlines_px), *lone_marks(case))
    return Doubt("covered", "dots", facts, marks, advice)
