"""Doubts in a whole puzzle that was read and refused."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.dots import RING_GROWN
from flowvision.log import Stage
from flowvision.puzzle.layout import DOT_RADIUS
from flowvision.reading.candidates import Candidate
from flowvision.reading.doubt import Doubt, Mark
from flowvision.reading.search import repairs_of
from flowvision.reading.wording import explain
from flowvision.solvers import GaveUp
from flowvision.solvers.repairs import Repair
from flowvision.vision.assembly import Reading
from flowvision.words import Change, Option

CLEAR = 0.9
"""Confidence below which a part is named first."""
SECONDS = 0.3
"""Seconds for each search for repairs; one board of the game takes milliseconds."""


def is_refuted(case: Diagnosis) -> Doubt | None:
    """Detect a whole puzzle that was read and refused."""
    reading, candidate = case.reading, case.find(Candidate)
    doubt: Doubt | None = case.error.doubt
    if reading is None:
        return None
    weakest = "" if reading.confidence >= CLEAR else reading.weakest or "some of it"
    facts: dict[str, Any] = {"size": reading.size, "weakest": weakest}
    if case.is_refuted:
        return _without_solution(case, reading, facts)
    if candidate is not None and isinstance(candidate.outcome, GaveUp):
        return Doubt("late", "solve", facts, advice=(Option("limit"),))
    if doubt is None:
        return None
    others = case.error.details.get("doubts", ())
    facts |= {**doubt.facts, "warnings": " ".join(explain(one).message for one in others)}
    facts["trust"] = (Option("trust"),)
    is_paired_badly = reading.weakest_stage == "pairs"
    advice = (Option("colours", f"{len(reading.palette)}"),) if is_paired_badly else (Change(),)
    return replace(doubt, facts=facts, marks=doubt.marks or _all_dots(reading), advice=doubt.advice or advice)


def _without_solution(case: Diagnosis, reading: Reading, facts: dict[str, Any]) -> Doubt:
    marks, reads = _all_dots(reading), ""
    advice: tuple[Change, ...] = (Change(),)
    stage: Stage = (facts["weakest"] and reading.weakest_stage) or "solve"
    offered = case.error.details.get("repairs") or repairs_of(reading, SECONDS)
    if offered.found:
        first, *others = offered.found
        facts |= {"change": first.text, "others": len(others)}
        marks = tuple(mark for change in first.changes for mark in _dots_of(reading, change.flow))
        if not others:
            advice, reads = _advice_of(reading, first), reading.size
    return Doubt("no-solution", stage, facts, marks, advice, reads)


def _advice_of(reading: Reading, repair: Repair) -> tuple[Change, ...]:
    meant = {change.meant: reading.letters[change.flow] for change in repair.changes}
    marks = {change.read: "." for change in repair.changes} | meant
    return tuple(Change(reading.board.key_of(dot), mark) for dot, mark in marks.items())


def _dots_of(reading: Reading, flow: int) -> list[Mark]:
    radius_px = RING_GROWN * DOT_RADIUS * reading.frame.cell_width_px(reading.board.layout.cells[0].centre)
    return [Mark("ring", (end,), reading.colour_names[flow], radius_px) for end in reading.ends_px[flow]]


def _all_dots(reading: Reading) -> tuple[Mark, ...]:
    return tuple(mark for flow in range(len(reading.ends_px)) for mark in _dots_of(reading, flow))
