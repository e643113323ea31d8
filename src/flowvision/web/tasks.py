"""Tasks of the page by name, and the facts that it starts with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from flowvision.colours import COLOURS
from flowvision.contract import Object
from flowvision.files import FORMS
from flowvision.puzzle.model import LETTERS
from flowvision.version import VERSION

Query = Mapping[str, str]
Task = Callable[[bytes, Query, float], Any]
"""From body, query and seconds to the object to answer, or a file and its media type."""
TASKS = {
    "solve": "work:read_picture",
    "stages": "work:stage_pictures",
    "picture": "work:solved_picture",
    "preview": "work:preview",
    "sample": "work:sample",
    "puzzle": "puzzles:solve_puzzle",
    "solutions": "puzzles:solutions_of",
    "hint": "puzzles:hint_for",
    "search": "puzzles:search_steps",
    "generate": "puzzles:generate",
}
"""Module and function of each; those of ``puzzles`` need neither NumPy nor OpenCV."""
PICTURES = frozenset({"solve", "stages", "picture", "preview"})
"""Tasks whose body is a picture."""
JSON = "application/json"
FORMATS = {name: form for name, form in FORMS.items() if form.on_page}


def task_named(name: str) -> Task:
    """Return a task; its module is loaded now."""
    module, function = TASKS[name].split(":")
    task: Task = getattr(import_module(f"flowvision.web.{module}"), function)
    return task


def reply_of(name: str, result: Any) -> tuple[int, str, bytes]:
    """Return the status, media type and body of the answer to a task, from what it returned."""
    if isinstance(result, tuple):
        return 200, result[1], result[0]
    status = 422 if name in PICTURES and not result.get("ok", True) else 200
    return status, JSON, json.dumps(result).encode()


def about_object(picture_bytes: int, text_bytes: int, reads: bool, keeps: bool) -> Object:
    """Return version, limits, forms of output, colours and letters of the game, and what the page can do.

    ``reads``: it reads pictures. ``keeps``: it keeps the last boards for the next visit. ``colours``: lists
    of hex, letter, name, and the hex of the colour's other shades.
    """
    colours = []
    for letter, colour in COLOURS.items():
        usual, *others = (rgb.hex for rgb in colour.shades)
        colours.append([usual, letter, colour.name, *others])
    forms = [form for form in FORMATS.values() if form.suffixes]
    return {
        "version": VERSION,
        "picture_bytes": picture_bytes,
        "text_bytes": text_bytes,
        "formats": [[form.name, form.words, form.suffixes[0]] for form in forms],
        "colours": colours,
        "letters": LETTERS,
        "reads": reads,
        "keeps": keeps,
    }
