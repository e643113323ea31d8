"""Doubts in a whole puzzle that was read and refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from flowvision.advice import Change, Option
from flowvision.diagnosis.dots import RING_GROWN
from flowvision.diagnosis.seen import Seen
from flowvision.log import Stage
from flowvision.reading.doubt import Doubt, Mark
from flowvision.reading.search import repairs_of
from flowvision.reading.walls import incomplete_walls, walls_seen
from flowvision.reading.wording import explain
from flowvision.solvers import GaveUp
from flowvision.solvers.repairs import Repair, omissions
from flowvision.vision.assembly import Interpretation, Reading, Wall

CLEAR = 0.9
"""Confidence below which a part is named first."""
SECONDS = 0.3
"""Seconds for each search for repairs; one board of the game takes milliseconds."""


def is_refuted(seen: Seen) -> Doubt | None:
    """Detect a whole puzzle that was read and refused."""
    reading = seen.reading
    doubt: Doubt | None = seen.error.doubt
    if reading is None:
        return None
    if seen.is_refuted:
        return _without_solution(seen, reading)
    marks, advice = _all_dots(reading), _for_colours(reading)
    facts: dict[str, Any] = {"size": reading.size, "weakest": _weakest(reading)}
    if isinstance(seen.outcome, GaveUp):
        return Doubt("late", "solve", facts, advice=(Option("limit"),))
    if doubt is None:
        return None
    others = seen.error.details.get("doubts", ())
    facts |= {**doubt.facts, "warnings": " ".join(explain(one).message for one in others)}
    facts["trust"] = (Option("trust"),)
    stage = (reading.weakest_stage or "solve") if doubt.code == "unsure" else doubt.stage
    return replace(doubt, stage=stage, facts=facts, marks=doubt.marks or marks, advice=doubt.advice or advice)


def _for_colours(reading: Reading) -> tuple[Option | Change, ...]:
    if reading.weakest_stage == "pairs":
        return (Option("colours", f"{len(reading.palette)}"),)
    return (Change(),)


def _without_solution(seen: Seen, reading: Reading) -> Doubt:
    facts: dict[str, Any] = {
        "size": reading.size,
        "weakest": _weakest(reading),
        "walls": [wall.places for wall in _in_part(seen)],
    }
    marks, advice = _all_dots(reading), (Change(),)
    if seen.cut_line is not None and seen.cut_line.is_likely:
        return Doubt("no-solution", "board", facts, marks, advice)
    offered = seen.error.details.get("repairs") or repairs_of(reading, SECONDS)
    flows: Sequence[int] = ()
    if offered.found:
        facts["change"] = offered.found[0].text
        facts["others"] = len(offered.found) - 1
        marks = _changed(reading, offered.found[0])
    elif flows := omissions(reading.puzzle, SECONDS):
        facts["names"] = [f"the {reading.colour_names[flow]} dots" for flow in flows]
        facts["places"] = [
            reading.board.key_of(dot) for flow in flows for dot in reading.puzzle.terminals[flow]
        ]
        marks = tuple(mark for flow in flows for mark in _dots_of(reading, flow))
    stage: Stage = (facts["weakest"] and reading.weakest_stage) or "solve"
    return Doubt("no-solution", stage, facts, marks, advice)


def _weakest(reading: Reading) -> str:
    return "" if reading.confidence >= CLEAR else reading.weakest or "some of it"


def _in_part(seen: Seen) -> Sequence[Wall]:
    read = seen.find(Interpretation)
    return incomplete_walls(walls_seen(read), seen.settings.walls) if read else ()


def _dots_of(reading: Reading, flow: int) -> list[Mark]:
    width_px = reading.frame.cell_width_px(reading.board.layout.cells[0].centre)
    name = reading.colour_names[flow]
    return [Mark("ring", (end,), name, RING_GROWN * 0.35 * width_px) for end in reading.ends_px[flow]]


def _all_dots(reading: Reading) -> tuple[Mark, ...]:
    return tuple(mark for flow in range(len(reading.ends_px)) for mark in _dots_of(reading, flow))


def _changed(reading: Reading, repair: Repair) -> tuple[Mark, ...]:
    layout, marks = reading.board.layout, list[Mark]()
    width_px = reading.frame.cell_width_px(layout.cells[0].centre)
    for change in repair.changes:
        name = reading.colour_names[change.flow]
        for strand, label in ((change.read, name), (change.meant, f"{name}?")):
            x, y = reading.frame.to_px(layout.cell_at(strand).centre)[0].tolist()
            marks.append(Mark("ring", ((x, y),), label, 0.45 * width_px))
    return tuple(marks)
