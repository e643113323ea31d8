"""The debug page: one HTML file with every picture, and the folder with the pictures beside it."""

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

import numpy as np

from flowvision.debug.canvas import Panel, board_box, box_round, inside
from flowvision.debug.cause_picture import CAUSE
from flowvision.debug.numbers import Bound, bounds_of, debug_object, times_of
from flowvision.debug.story import Region, Story
from flowvision.errors import OutputError
from flowvision.files import PRIVATE, StrPath, make_folder, refuse_replacing, write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.image.mark import is_marked, marked
from flowvision.image.picture import Bgr
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.refused import Attempt, appeal_of
from flowvision.templates import render
from flowvision.vision.dots.detection import Dots

PICTURES = {
    "00-input": "Input",
    "00b-cause": "The cause, marked",
    "01-board": "Contours and crop",
    "02-sobel-x": "Sobel-X",
    "02b-sobel-y": "Sobel-Y",
    "03-grid": "Hough lines and lattice",
    "03b-sides": "Cells and walls",
    "04-dots": "Dots",
    "05-clusters": "k-means clusters",
    "05-dots": "k-means clusters",
    "05b-crossings": "Bridges and warps",
    "06-cnf": "CNF",
    "07-solution": "Solution and proof",
    "08-overlay": "Overlay",
}
"""Every picture there can be, and its stage; those of one stage begin with the same number."""
RARE = ("00b", "05b")
"""Stages that most pictures do not have."""
INPUT, OVERLAY = "00-input.png", "08-overlay.png"
WEBP_QUALITY, THREADS = 80, 2
"""Quality of the page's pictures; threads that compress them, for which Pillow and OpenCV leave the lock."""
MAX_DRAWN = 24
"""Attempts that are drawn: those that look most like a board."""
MAX_LINES = 1_500
"""Cells that are drawn one by one; a board has fewer, a photograph more."""
UNIQUE = {True: "exactly one solution", False: "more than one solution", None: "perhaps several solutions"}


class DebugPage(str):
    """A page as text, one HTML file with everything in it; a notebook shows it as it is."""

    __slots__ = ()

    def save(self, path: StrPath, force: bool = False) -> None:
        """Write the page, whole or not at all; with ``force`` also over what Flowvision did not write.

        Raises ``OutputError``.
        """
        if not force:
            refuse_replacing(path, is_marked, "Save elsewhere, or replace it with force=True.")
        write_text(path, self)

    def _repr_html_(self) -> str:
        return f"<iframe srcdoc='{escape(self)}' style='width:100%;height:80vh;border:0'></iframe>"


def page_of(story: Story) -> DebugPage:
    """Return the whole page; it needs nothing beside it."""
    with ThreadPoolExecutor(THREADS) as threads:
        addresses = threads.map(_address, [panel.bgr for panel in story.panels])
        sources = dict(zip((panel.name for panel in story.panels), addresses, strict=True))
    in_order = (panel for panel in story.panels if panel.name != CAUSE)
    reached = [_number(panel.name) for panel in story.panels]
    left = (title for name, title in PICTURES.items() if _number(name) not in (*reached, *RARE))
    return DebugPage(
        render(
            "debug/page.html",
            story=story,
            shot=_shot(story),
            sources=sources,
            input=INPUT,
            overlay=OVERLAY,
            unique=UNIQUE,
            stages=[list(panels) for _, panels in groupby(in_order, lambda panel: _number(panel.name))],
            left=list(dict.fromkeys(left)),
            clauses=_clauses(story),
            regions=_regions(story),
            times=times_of(story.steps),
            settings=_settings(story),
        )
    )


def _number(name: str) -> str:
    """Return the number of a picture's stage."""
    return name.split("-", maxsplit=1)[0]


def _shot(story: Story) -> dict[str, Any]:
    """Name and size of the picture, and the box of the board in it."""
    if story.shot is None:
        return {"name": "A file", "width": 0, "height": 0}
    height, width = story.shot.bgr.shape[:2]
    shot: dict[str, Any] = {"name": story.shot.name, "width": width, "height": height}
    if isinstance(story.final, CheckedReading):
        reading = story.final.reading
        shot["board"] = inside(board_box(reading.board, reading.frame), width, height)
    return shot


def _clauses(story: Story) -> list[tuple[int, str]]:
    """Numbers of variables and clauses by kind."""
    evidence = story.outcome.evidence if story.outcome else None
    if evidence is None:
        return []
    rows = [(count, f"variables: {name}") for name, count in evidence.variables]
    return rows + [(count, f"clauses: {name}") for name, count in evidence.clauses]


def _regions(story: Story) -> list[tuple[Region, list[tuple[Attempt, dict[str, Any] | None]]]]:
    """Every region, the one that the pictures show first, with its attempts and their drawings."""
    fitted = [item for region in story.regions for item in region.attempts if item.fit is not None]
    clearest = sorted(fitted, key=appeal_of, reverse=True)[:MAX_DRAWN]
    drawn = {id(attempt) for attempt in clearest}
    return [
        (region, [(one, drawing_of(one) if id(one) in drawn else None) for one in region.attempts])
        for region in sorted(story.regions, key=lambda region: not story.shows(region))
    ]


def drawing_of(attempt: Attempt) -> dict[str, Any]:
    """Return what SVG draws of a fit: its lines, its dots, and the box round them, in picture pixels."""
    fit, found = attempt.fit, attempt.find(Dots)
    assert fit is not None
    if lines := fit.debug_shape().seen:
        points = np.concatenate(lines)
    else:
        points = (fit.view.to_picture @ [[0, fit.view.size[0]], [0, fit.view.size[1]], [1, 1]])[:2].T
    x0, y0, x1, y1 = box_round(points)
    path = ("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in line.tolist()) for line in lines[:MAX_LINES])
    circles = [(*dot.centre_px, found.usual_radius_px) for dot in found.dots] if found else []
    return {
        "box": f"{x0:.0f} {y0:.0f} {x1 - x0:.0f} {y1 - y0:.0f}",
        "path": "".join(path),
        "circles": [[f"{number:.0f}" for number in circle] for circle in circles],
    }


def _settings(story: Story) -> list[tuple[str, list[Bound]]]:
    """Settings by stage, with the values that were seen."""
    bounds = bounds_of(story.options, story.latest, story.cause)
    return [(stage, list(group)) for stage, group in groupby(bounds, key=lambda bound: bound.stage)]


def _address(bgr: Bgr) -> str:
    """Return a picture as a data URL: WebP, a tenth of PNG; PNG where Pillow was built without."""
    from PIL import Image, features

    if not features.check("webp"):
        return f"data:image/png;base64,{b64encode(encode(bgr)).decode()}"
    file = BytesIO()
    Image.fromarray(bgr[:, :, ::-1]).save(file, "WEBP", quality=WEBP_QUALITY, method=0)
    return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"


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
    _write_pictures(folder, story.panels)
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


def _write_pictures(folder: Path, panels: list[Panel]) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        encoded = threads.map(encode, [panel.bgr for panel in panels])
        for panel, data in zip(panels, encoded, strict=True):
            write_bytes(folder / panel.name, marked(data))
