"""The debug folder: ``index.html`` that needs nothing beside it, numbered pictures, and all numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from flowvision.debug.canvas import Panel
from flowvision.debug.numbers import debug_object
from flowvision.debug.page import page_of
from flowvision.debug.story import Story
from flowvision.files import make_folder, refuse_replacing, write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.image.mark import is_marked

PAGE = "index.html"
NAMES = (
    "00-input",
    "00b-cause",
    "01-board",
    "02-sobel-x",
    "02b-sobel-y",
    "03-grid",
    "03b-sides",
    "04-dots",
    "05-clusters",
    "05-dots",
    "05b-crossings",
    "06-cnf",
    "07-solution",
    "08-overlay",
)
"""Every picture there can be."""
HANDS = 2
"""Threads that encode pictures."""


def write_story(folder: Path, story: Story) -> Path:
    """Write the page, the pictures and the numbers of a story; the path of the page.

    Pictures of an earlier run are removed. Raises ``OutputError``.
    """
    make_folder(folder)
    refuse_replacing(folder / PAGE, is_marked, "Choose another folder with `--debug`.")
    for name in NAMES:
        with suppress(OSError):
            (folder / f"{name}.png").unlink()
    _write_pictures(folder, story.panels)
    write_text(folder / "debug.json", json.dumps(debug_object(story), indent=1, ensure_ascii=False))
    write_text(folder / PAGE, page_of(story))
    return folder / PAGE


def _write_pictures(folder: Path, panels: Sequence[Panel]) -> None:
    with ThreadPoolExecutor(HANDS) as hands:
        encoded = hands.map(encode, [panel.bgr for panel in panels])
        for panel, data in zip(panels, encoded, strict=True):
            write_bytes(folder / panel.name, data)
