"""The debug page: one HTML file with every picture, and the folder with pictures and numbers beside it."""

from __future__ import annotations

import json
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import escape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from flowvision.advice import COMMAND
from flowvision.debug.canvas import board_box, inside
from flowvision.debug.cause_picture import CAUSE
from flowvision.debug.stages import channel_name
from flowvision.debug.story import Story
from flowvision.errors import OutputError
from flowvision.files import PRIVATE, StrPath, make_folder, refuse_replacing, write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.image.mark import is_marked, marked
from flowvision.image.picture import Bgr
from flowvision.log import Step
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.wording import cause_object
from flowvision.solvers import GaveUp, Solved, Unsolvable
from flowvision.templates import render
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.settings import SETTINGS

PICTURES = (
    "00-input", "00b-cause", "01-board", "02-sobel-x", "02b-sobel-y", "03-grid", "03b-sides", "04-dots",
    "05-clusters", "05b-crossings", "06-cnf", "07-solution",
)  # fmt: skip
"""Every picture there can be; those of one stage begin with the same number."""
INPUT, SOLUTION = "00-input.png", "07-solution.png"
WEBP_QUALITY, THREADS = 80, 2
"""Quality of the page's pictures; threads that compress them, for which Pillow and OpenCV leave the lock."""
UNIQUE = {True: "exactly one solution", False: "more than one solution", None: "perhaps several solutions"}


class DebugPage(str):
    """A page, one HTML file with everything in it; notebooks show it."""

    __slots__ = ()

    def save(self, path: StrPath, force: bool = False) -> None:
        """Write the page; with ``force``, also over files of other programs. Raises ``OutputError``."""
        if not force:
            refuse_replacing(path, is_marked, "Save elsewhere, or replace it with force=True.")
        write_text(path, self)

    def _repr_html_(self) -> str:
        return f"<iframe srcdoc='{escape(self)}' style='width:100%;height:80vh;border:0'></iframe>"


def page_of(story: Story) -> DebugPage:
    """Return the whole page."""
    with ThreadPoolExecutor(THREADS) as threads:
        addresses = threads.map(_address, [panel.bgr for panel in story.panels])
        sources = dict(zip((panel.name for panel in story.panels), addresses, strict=True))
    in_order = (panel for panel in story.panels if panel.name != CAUSE)
    return DebugPage(
        render(
            "debug/page.html",
            story=story,
            shot=_shot(story),
            sources=sources,
            input=INPUT,
            solution=SOLUTION,
            unique=UNIQUE,
            stages=[list(panels) for _, panels in groupby(in_order, lambda panel: _number(panel.name))],
            steps=[(step, end_of(step)) for step in story.steps],
        )
    )


def _number(name: str) -> str:
    return name.split("-", maxsplit=1)[0]


def _shot(story: Story) -> dict[str, Any]:
    """Return name and size of the picture, and the box of the board in it."""
    if story.shot is None:
        return {"name": "A file", "width": 0, "height": 0}
    height, width = story.shot.bgr.shape[:2]
    shot: dict[str, Any] = {"name": story.shot.name, "width": width, "height": height}
    if isinstance(story.final, CheckedReading):
        reading = story.final.reading
        shot["board"] = inside(board_box(reading.board, reading.frame), width, height)
    return shot


def _address(bgr: Bgr) -> str:
    """Return a picture as a data URL: WebP, a tenth of PNG."""
    from PIL import Image

    file = BytesIO()
    Image.fromarray(bgr[:, :, ::-1]).save(file, "WEBP", quality=WEBP_QUALITY, method=0)
    return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"


def end_of(step: Step) -> str:  # noqa: PLR0911
    """Return the end of a step in words; empty for plain success."""
    if step.error is not None:
        doubt = f"refused, {step.error.doubt.code}: " if step.error.doubt else ""
        return doubt + step.error.stage_message
    match step.result:
        case None:
            return "found nothing"
        case BoardRegion() as region:
            low, high = region.corners_px.min(axis=0).round(), region.corners_px.max(axis=0).round()
            (x, y), (width, height) = low.astype(int), (high - low + 1).astype(int)
            return f"{channel_name(region.view.channel)}, {width} × {height} px at {x}, {y}"
        case Fit() as fit:
            return fit.size_text()
        case Dots() as dots:
            return f"{len(dots.dots)} dots"
        case Unsolvable():
            return "no solution"
        case GaveUp():
            return "no answer in time"
        case Solved(rules="free"):
            return "a solution, but a path touches itself"
        case Solved() as solved:
            return "exactly one solution" if solved.unique else "several solutions"
    return ""


def debug_object(story: Story) -> dict[str, Any]:
    """Return everything that the page shows as an object for programs."""
    error, outcome, shot, seconds = story.error, story.outcome, story.shot, dict[str, float]()
    for step in story.steps:
        seconds[step.stage] = seconds.get(step.stage, 0.0) + step.seconds
    message, hint = error.words(COMMAND) if error else ("", "")
    return {
        "name": shot.name if shot else None,
        "size_px": [shot.bgr.shape[1], shot.bgr.shape[0]] if shot else None,
        "ok": error is None,
        "confidence": getattr(story.final, "confidence", None),
        "warnings": list(getattr(story.final, "warnings", ())),
        "error": error and {
            "code": error.code,
            "stage": error.stage,
            "message": message,
            "hint": hint,
            "raised": error.stage_message,
            "doubt": error.doubt.code if error.doubt else None,
        },
        "cause": story.cause and cause_object(story.cause),
        "pictures": [{"name": one.name, "title": one.title, "caption": one.caption} for one in story.panels],
        "board": story.board_text,
        "command": story.command,
        "cnf": to_builtins(outcome.evidence) if outcome else None,
        "solve_seconds": outcome.seconds if outcome else None,
        "thresholds": to_builtins(SETTINGS),
        "timings": {
            "ok": error is None,
            "seconds": {stage: round(total, 6) for stage, total in seconds.items()},
            "attempts": [
                {
                    "stage": step.stage,
                    "strategy": step.name,
                    "ok": step.result is not None,
                    "seconds": round(step.seconds, 6),
                    "message": end_of(step),
                }
                for step in story.steps
            ],
        },
    }  # fmt: skip


PAGE, NUMBERS = "index.html", "debug.json"


def write_story(folder: Path, story: Story) -> Path:
    """Write the page, the pictures and the numbers of a story; return the path of the page.

    Pictures of an earlier run are removed. Raises ``OutputError``.
    """
    make_folder(folder)
    _refuse_foreign_files(folder)
    for name in PICTURES:
        with suppress(OSError):
            (folder / f"{name}.png").unlink()
    with ThreadPoolExecutor(THREADS) as threads:
        encoded = threads.map(encode, [panel.bgr for panel in story.panels])
        for panel, data in zip(story.panels, encoded, strict=True):
            write_bytes(folder / panel.name, marked(data))
    write_text(folder / NUMBERS, json.dumps(debug_object(story), indent=1, ensure_ascii=False))
    write_text(folder / PAGE, page_of(story))
    return folder / PAGE


def _refuse_foreign_files(folder: Path) -> None:
    """Raise ``OutputError`` for files of these names that belong to no debug page."""
    elsewhere = "Choose another folder with `--debug`."
    if (folder / PRIVATE).exists():
        raise OutputError(f"{folder} holds the solutions of a batch, and its page.", elsewhere)
    is_there = (folder / PAGE).exists()
    for name in (PAGE,) if is_there else (NUMBERS, *(f"{name}.png" for name in PICTURES)):
        refuse_replacing(folder / name, is_marked, elsewhere)
