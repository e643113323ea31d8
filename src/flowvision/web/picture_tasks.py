"""What workers do with pictures: every function here runs in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flowvision.contract import answer_object, board_object, error_object, reading_object
from flowvision.debug.canvas import Panel
from flowvision.debug.folder import NAMES
from flowvision.debug.story import panels_on, trail_of
from flowvision.errors import FlowvisionError
from flowvision.events import STAGES, Event, StageDone, StageFailed
from flowvision.export.geometry import geometry_object
from flowvision.image.codec import decode, encode
from flowvision.image.crop import turned
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image, solve_image
from flowvision.reading.options import Options
from flowvision.reading.result import CheckedReading
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.dots.result import Dots
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.reading import Reading
from flowvision.web.written import free_object

Tell = Callable[[Any], None]
STAGE_NAMES = NAMES
"""What can be asked for by name."""


def read_picture(
    data: bytes, options: Options, name: str, solving: bool, tell: Tell | None = None
) -> dict[str, Any]:
    """The object of ``--json`` with the geometry of the board; a failure with all that was seen.

    ``tell`` is told the name, success and seconds of every stage as it happens.
    """
    watch = _Seen(tell)
    try:
        if solving:
            answer = solve_image(data, options, watch, in_place=True)
            made = answer_object(name, answer, None)
            for flow, drawn in zip(
                made["flows"], geometry_object(answer.reading, answer.outcome.solution)["flows"], strict=True
            ):
                flow.update(drawn)
        else:
            read = read_image(data, options, watch)
            made = reading_object(name, read)
    except FlowvisionError as error:
        made = error_object(name, error)
        if isinstance(error.evidence, Reading):
            made |= _flows_seen(error.evidence)
        return made | {"seen": watch.described()}
    reading = (answer if solving else read).reading
    made["board"] |= geometry(reading)
    for flow, doubts in zip(made["flows"], reading.dot_doubts, strict=False):
        flow["doubts"] = [round(doubt, 3) for doubt in doubts]
    return made | {"seen": {"picture": watch.picture}}


def geometry(reading: Reading) -> dict[str, Any]:
    """Where the board lies: ``frame``, the map from cell units to pixels, and every cell's outline."""
    made = geometry_object(reading)
    if reading.lattice is None:
        made["free"] = free_object(reading.board, reading.puzzle)
    return made


def _flows_seen(reading: Reading) -> dict[str, Any]:
    """The flows and the geometry of a reading that was not believed, as an answer has them."""
    read = CheckedReading("", reading, _NO_OUTCOME, {}, (), reading.confidence)
    made = reading_object("", read)
    flows = [
        flow | {"doubts": [round(doubt, 3) for doubt in doubts]}
        for flow, doubts in zip(
            made["flows"], reading.dot_doubts or [(0.0, 0.0)] * len(made["flows"]), strict=False
        )
    ]
    return {"board": board_object(reading) | geometry(reading), "flows": flows}


_NO_OUTCOME: Any = None


class _Seen:
    """Listens to the stages: passes on what they did, keeps what was found on the way that led furthest."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.picture: list[int] = []
        self._furthest = -1
        self._found: list[object] = []

    def __call__(self, event: Event) -> None:
        """Take note of a stage."""
        result = event.result if isinstance(event, StageDone) else event.error.evidence
        if isinstance(result, Screenshot):
            self.picture = [result.bgr.shape[1], result.bgr.shape[0]]
        if STAGES.index(event.stage) > self._furthest and event.stage != "draw":
            self._furthest = STAGES.index(event.stage)
            self._found = [*event.trail, result]
        if self.tell:
            told: dict[str, Any] = {
                "stage": event.stage,
                "ok": isinstance(event, StageDone),
                "seconds": round(event.seconds, 6),
            }
            if isinstance(event, StageFailed):
                told["message"] = event.error.raised
            self.tell(told)

    def described(self) -> dict[str, Any]:
        """Corners of the board, its lattice and where that lies, and dots, as far as they were seen."""
        made: dict[str, Any] = {"picture": self.picture}
        for result in self._found:
            if isinstance(result, BoardRegion):
                made["corners_px"] = np.round(result.corners_px, 1).tolist()
            elif isinstance(result, Fit) and result.size is not None:
                frame = [float(number) for number in result.frame.matrix]
                rows, cols = result.size
                made["grid"] = {"rows": rows, "cols": cols, "frame": frame}
            elif isinstance(result, Dots):
                made["dots"] = [
                    {"px": [round(float(v), 1) for v in dot.centre_px], "rgb": dot.rgb.hex}
                    for dot in result.dots
                ]
        return made


def preview(data: bytes, rotate: float, longest: int) -> bytes:
    """A picture as a browser shows it, turned, its longer side at most so many pixels: PNG."""
    import cv2

    shot = decode(data)
    if rotate:
        shot = turned(shot, rotate)
    bgr = shot.bgr
    scale = longest / max(bgr.shape[:2])
    if scale < 1:
        size = max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr)


def stage_list(data: bytes, options: Options) -> list[dict[str, str]]:
    """The pictures of stages that there are: name, title and caption of each, in order."""
    return [
        {"name": panel.name.removesuffix(".png"), "title": panel.title, "caption": panel.caption}
        for panel in _panels(data, options)
    ]


def stage_picture(data: bytes, options: Options, name: str) -> tuple[bytes, str, str]:
    """The picture of one stage (JPEG), its title and its caption. Raises ``LookupError`` without it."""
    for panel in _panels(data, options):
        if panel.name == f"{name}.png":
            return encode(panel.bgr, ".jpg"), panel.title, panel.caption
    raise LookupError(name)


def _panels(data: bytes, options: Options) -> list[Panel]:
    """The pictures of the stages on the way to the answer or the refusal."""
    events: list[Event] = []
    try:
        final: Any = solve_image(data, options, events.append)
    except FlowvisionError as error:
        final = error
    return panels_on(trail_of(events, final), getattr(final, "evidence", None), options)
