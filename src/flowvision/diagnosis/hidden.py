"""Doubts about things over the board: a banner, a window, a finger."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flowvision.advice import Change
from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.cells import covered_cells
from flowvision.diagnosis.dots import lone_colours, lone_facts, lone_marks
from flowvision.reading.beyond import lattice_of, lines_go_on, squares_in
from flowvision.reading.cut_off import SIDES
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.reading.doubts import hidden_rows_doubt
from flowvision.vision.assembly import Interpretation
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.settings import SETTINGS

STUB_PX = 5.0
"""Pixels over the border of what was seen, in which lines lead under a banner."""


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
    lone, is_seen = lone_colours(case), len(dots.dots) >= SETTINGS.dots.count_min
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
