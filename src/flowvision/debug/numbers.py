"""Every number of the page, for programs: thresholds with what was seen, times, attempts, clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from flowvision.debug.story import Final, Story
from flowvision.diagnosis.cause import Cause
from flowvision.diagnosis.wording import cause_object
from flowvision.errors import FlowvisionError
from flowvision.events import Event, StageDone, StageFailed, Trail
from flowvision.reading.history import RegionRecord
from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.settings import SETTINGS, thresholds


@value_type
class Bound:
    """A threshold with the value that was ``seen`` where it applied, and whether it ``decided``."""

    stage: str
    name: str
    value: str
    unit: str
    reason: str
    seen: float | None = None
    decided: bool = False


def bounds_of(options: Options, trail: Trail, cause: Cause | None) -> list[Bound]:
    """Every threshold of the reader, and the pipeline's own bounds, in the order of the stages."""
    seen = measured(trail)
    decided = cause.threshold if cause else ""
    if cause and decided and cause.saw is not None:
        seen[decided] = cause.saw
    made = [
        Bound(
            one.name.partition(".")[0],
            one.name,
            f"{one.value:g}",
            one.unit,
            one.reason,
            seen.get(one.name),
            one.name == decided,
        )
        for one in thresholds(SETTINGS)
    ]
    for field in fields(options):
        value = getattr(options, field.name)
        shown = f"{value:g}" if isinstance(value, int | float) else str(value or "–")
        unit, reason = field.metadata.get("unit", ""), field.metadata.get("reason", "")
        made.append(Bound("options", field.name, shown, unit, reason, seen.get(field.name)))
    return made


def measured(trail: Trail) -> dict[str, float]:
    """The measured values that thresholds bound, by the names of the thresholds."""
    seen: dict[str, float] = {}
    if trail.region is not None and trail.shot is not None:
        low, high = trail.region.corners_px.min(axis=0), trail.region.corners_px.max(axis=0)
        seen["board.size"] = float((high - low).min() / min(trail.shot.bgr.shape[:2]))
    if isinstance(trail.fit, GridFit):  # the thresholds of the grid bound these alone
        fit = trail.fit
        seen["grid.score"] = fit.score
        seen["grid.cells_min"] = float(min(fit.rows, fit.cols))
        seen["grid.pitch_min_px"] = fit.pitch_px / fit.view.scale
        seen["grid.spacing"] = fit.residual_px / fit.pitch_px
    if trail.geometry is not None:
        opened = [side.strength for side in trail.geometry.sides if side.is_open]
        seen["walls.strength"] = float(max(opened, default=0.0))
    if trail.model is not None:
        seen["dots.ring"] = trail.model.ring
    if trail.dots is not None:
        held = [dot.cell for dot in trail.dots.dots]
        seen["dots.count_min"] = float(len(held))
        if held:
            seen["dots.cover"] = float(np.min(trail.dots.evidence.cover[held]))
            seen["dots.contrast"] = float(np.min(trail.dots.evidence.contrast[held]))
    if trail.pairing is not None:
        seen["pairing.margin"] = trail.pairing.margin
    if trail.reading is not None:
        for name in ("min_reading_confidence", "min_confidence_if_not_unique"):
            seen[f"reading.{name}"] = trail.reading.confidence
    if trail.outcome is not None:
        seen["seconds"] = trail.outcome.seconds
    return seen


def timings(events: Sequence[Event], final: Final) -> dict[str, object]:
    """Seconds per stage in total, and every attempt in order."""
    total: dict[str, float] = {}
    for event in events:
        total[event.stage] = round(total.get(event.stage, 0.0) + event.seconds, 6)
    attempts = [
        {
            "stage": event.stage,
            "ok": isinstance(event, StageDone),
            "seconds": round(event.seconds, 6),
            **({"message": event.error.stage_message} if isinstance(event, StageFailed) else {}),
        }
        for event in events
    ]
    return {"ok": not isinstance(final, FlowvisionError), "seconds": total, "attempts": attempts}


def debug_object(story: Story) -> dict[str, Any]:
    """Everything that the page says, as an object for programs."""
    error, outcome, shot = story.error, story.outcome, story.shot
    evidence = outcome.evidence if outcome else None
    return {
        "name": shot.name if shot else None,
        "size_px": [shot.bgr.shape[1], shot.bgr.shape[0]] if shot else None,
        "ok": error is None,
        "confidence": getattr(story.final, "confidence", None),
        "warnings": list(getattr(story.final, "warnings", ())),
        "error": None if error is None else _error(error),
        "cause": None if story.cause is None else cause_object(story.cause),
        "pictures": [
            {"name": panel.name, "title": panel.title, "caption": panel.caption} for panel in story.panels
        ],
        "tried": [_tried(region) for region in story.regions],
        "board": story.board_text,
        "command": story.command,
        "cnf": None if evidence is None else asdict(evidence),
        "solve_seconds": outcome.seconds if outcome else None,
        "thresholds": [asdict(bound) for bound in bounds_of(story.options, story.trail, story.cause)],
        "timings": timings(story.events, story.final),
    }


def _tried(region: RegionRecord) -> dict[str, Any]:
    return {
        "region": region.number,
        "where": region.words,
        "attempts": [
            {
                "strategy": one.strategy,
                "fit": one.size,
                "score": round(one.fit.score, 4) if one.fit else None,
                "dots": one.dots,
                "skipped": one.is_skipped,
                "outcomes": one.outcomes,
            }
            for one in region.attempts
        ],
    }


def _error(error: FlowvisionError) -> dict[str, Any]:
    words = error.command_words
    return {
        "code": error.code,
        "stage": error.stage,
        "message": words.message,
        "hint": words.hint,
        "raised": error.stage_message,
        "check": None if error.refusal is None else asdict(error.refusal),
    }
