"""The debug folder: numbered pictures, ``timings.json``, and ``index.html`` to look at them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import flowvision.debug.late_stages  # noqa: F401  (registers the pictures of the later stages)
from flowvision.debug.early_stages import panels_of
from flowvision.debug.page import page_of
from flowvision.debug.scene import Panel, Scene
from flowvision.errors import FlowvisionError
from flowvision.events import Event, StageDone, StageFailed, Trail
from flowvision.files import make_folder, write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.reading.options import Options
from flowvision.reading.result import CheckedReading

Final = CheckedReading | FlowvisionError
NAMES = (
    "01-board",
    "02-sobel",
    "03-grid",
    "03b-sides",
    "04-marks",
    "05-pairs",
    "05b-crossings",
    "06-solution",
)
"""Every picture there can be."""


def write_debug_folder(folder: Path, events: Sequence[Event], options: Options, final: Final) -> None:
    """Write what the stages found on the way to ``final``, the answer or the error.

    Pictures of an earlier run are removed. Raises ``OutputError``.
    """
    make_folder(folder)
    for name in NAMES:
        with suppress(OSError):
            (folder / f"{name}.png").unlink()
    panels = panels_on(trail_of(events, final), getattr(final, "evidence", None), options)
    for panel in panels:
        write_bytes(folder / panel.name, encode(panel.bgr))
    write_text(folder / "timings.json", json.dumps(timings(events, final), indent=1, ensure_ascii=False))
    write_text(folder / "index.html", page_of(panels, events, options, final))


def trail_of(events: Sequence[Event], final: Final) -> Trail:
    """The results that lead to the answer, or to the error."""
    if isinstance(final, FlowvisionError):
        failed = [event for event in events if isinstance(event, StageFailed) and event.error is final]
        return failed[-1].trail if failed else Trail()
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and final.reading is event.trail.reading:
            return event.trail.with_(outcome=event.result)
    return Trail()


def panels_on(trail: Trail, evidence: object, options: Options) -> list[Panel]:
    """The pictures of every result on the way, and of the evidence at its end, in the order of their names.

    The reading itself is drawn only where there is no outcome after it.
    """
    if trail.shot is None:
        return []
    scene = Scene(trail.shot, trail, options.settings)
    results = list(trail)
    if evidence is not None and not any(result is evidence for result in results):
        results.append(evidence)
    panels = {panel.name: panel for result in results for panel in panels_of(result, scene)}
    return [panels[name] for name in sorted(panels)]


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
            **({"message": event.error.message} if isinstance(event, StageFailed) else {}),
        }
        for event in events
    ]
    return {"ok": not isinstance(final, FlowvisionError), "seconds": total, "attempts": attempts}
