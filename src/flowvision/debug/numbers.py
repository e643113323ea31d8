"""Every number of the page, for programs: thresholds with what was seen, times, attempts, clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from msgspec import Struct, to_builtins

from flowvision.advice import COMMAND
from flowvision.debug.story import Region, Story
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.log import Step
from flowvision.reading.candidates import Candidate
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.wording import cause_object
from flowvision.value import find_ancestor
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.settings import SETTINGS, thresholds


class Bound(Struct, frozen=True):
    """A threshold with the value that was ``seen`` where it applied, and whether it ``decided``."""

    stage: str
    name: str
    value: str
    unit: str
    reason: str
    seen: float | None = None
    decided: bool = False


def bounds_of(options: Options, latest: object, cause: Doubt | None) -> list[Bound]:
    """Every threshold of the reader, and the pipeline's own bounds, in the order of the stages."""
    seen = measured(latest)
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
    for name, value in asdict(options).items():
        shown = f"{value:g}" if isinstance(value, int | float) else str(value or "–")
        made.append(Bound("options", name, shown, "", "", seen.get(name)))
    return made


def measured(latest: object) -> dict[str, float]:
    """The measured values that thresholds bound, by the names of the thresholds."""
    seen: dict[str, float] = {}
    shot, region = find_ancestor(latest, Screenshot), find_ancestor(latest, BoardRegion)
    if region is not None and shot is not None:
        low, high = region.corners_px.min(axis=0), region.corners_px.max(axis=0)
        seen["board.size"] = float((high - low).min() / min(shot.bgr.shape[:2]))
    fit = find_ancestor(latest, GridFit)  # the thresholds of the grid bound these alone
    if fit is not None:
        seen["grid.score"] = fit.score
        seen["grid.cells_min"] = float(min(fit.rows, fit.cols))
        seen["grid.pitch_min_px"] = fit.pitch_px / fit.view.scale
        seen["grid.spacing"] = fit.residual_px / fit.pitch_px
    if (geometry := find_ancestor(latest, BoardGeometry)) is not None:
        opened = [side.strength for side in geometry.sides if side.is_open]
        seen["walls.strength"] = float(max(opened, default=0.0))
    if (hypothesis := find_ancestor(latest, DotHypothesis)) is not None:
        seen["dots.ring"] = hypothesis.model.ring
    if (dots := find_ancestor(latest, Dots)) is not None:
        held = [dot.cell for dot in dots.dots]
        seen["dots.count_min"] = float(len(held))
        if held:
            seen["dots.cover"] = float(np.min(dots.evidence.cover[held]))
            seen["dots.contrast"] = float(np.min(dots.evidence.contrast[held]))
    if (pairing := find_ancestor(latest, Pairing)) is not None:
        seen["pairing.margin"] = pairing.margin
    if (interpretation := find_ancestor(latest, Interpretation)) is not None:
        confidence = interpretation.reading.confidence
        for name in ("min_reading_confidence", "min_confidence_if_not_unique"):
            seen[f"reading.{name}"] = confidence
    if (candidate := find_ancestor(latest, Candidate)) is not None:
        seen["seconds"] = candidate.outcome.seconds
    return seen


def times_of(steps: Sequence[Step]) -> list[tuple[str, int, float]]:
    """Return the number of runs of every stage, and its seconds in total."""
    total: dict[str, tuple[int, float]] = {}
    for step in steps:
        count, seconds = total.get(step.stage, (0, 0.0))
        total[step.stage] = count + 1, seconds + step.seconds
    return [(stage, count, seconds) for stage, (count, seconds) in total.items()]


def _timings(story: Story) -> dict[str, object]:
    """Seconds per stage in total, and every attempt in order."""
    attempts = [
        {
            "stage": step.stage,
            "ok": step.result is not None,
            "seconds": round(step.seconds, 6),
            **({"message": step.error.stage_message} if step.error else {}),
        }
        for step in story.steps
    ]
    total = {stage: round(seconds, 6) for stage, _, seconds in times_of(story.steps)}
    return {"ok": story.error is None, "seconds": total, "attempts": attempts}


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
        "cnf": None if evidence is None else to_builtins(evidence),
        "solve_seconds": outcome.seconds if outcome else None,
        "thresholds": [to_builtins(bound) for bound in bounds_of(story.options, story.latest, story.cause)],
        "timings": _timings(story),
    }


def _tried(region: Region) -> dict[str, Any]:
    return {
        "region": region.number,
        "where": region.words,
        "attempts": [
            {
                "strategy": one.strategy,
                "fit": one.size,
                "score": round(one.fit.score, 4) if one.fit else None,
                "dots": one.dots,
                "outcomes": one.outcomes,
            }
            for one in region.attempts
        ],
    }


def _error(error: FlowvisionError) -> dict[str, Any]:
    message, hint = error.words(COMMAND)
    return {
        "code": error.code,
        "stage": error.stage,
        "message": message,
        "hint": hint,
        "raised": error.stage_message,
        "check": dict(error.doubt.facts) if error.doubt else None,
    }
