"""What a line of the journal may say: it was written by an earlier run, or by anybody since."""

from __future__ import annotations

import os
from typing import Any

from flowvision.batch.cards import card_of
from flowvision.batch.jobs import files_of
from flowvision.batch.summary import row_of


def is_inside(name: str) -> bool:
    """Whether a name with ``/`` between folders stays inside the folder it is a name in."""
    parts = name.split("/")
    if os.name == "nt" and any(sign in name for sign in '\\:*?"<>|'):
        return False
    return "\0" not in name and not any(part in ("", ".", "..") for part in parts)


def is_entry(entry: dict[str, Any]) -> bool:
    """Whether a line names a job inside the output folder, and no files but those of that job."""
    name, files = entry.get("name"), entry.get("files")
    if not isinstance(name, str) or not is_inside(name) or not isinstance(files, list):
        return False
    if not all(isinstance(entry.get(field), str) for field in ("content", "settings")):
        return False
    ours = files_of(name)
    return isinstance(entry.get("answer"), dict) and all(_is_file(file, ours) for file in files)


def is_answer(answer: dict[str, Any]) -> bool:
    """Whether an object is of the contract, as far as the published files make use of it."""
    error, warnings = answer.get("error"), answer.get("warnings", [])
    if answer.get("ok") is True:
        right = isinstance(answer.get("board"), dict) and isinstance(answer.get("flows"), list)
        right = right and isinstance(warnings, list) and all(isinstance(one, str) for one in warnings)
    else:
        right = answer.get("ok") is False and isinstance(error, dict) and _is_error(error)
    if not right:
        return False
    try:
        shown = answer | {"file": "", "output": ""}
        row_of(shown)
        card = card_of(shown, [])
        for number in (card.confidence, card.seconds):
            format(0.0 if number is None else number, ".3g")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        return False
    return True


def _is_error(error: dict[str, Any]) -> bool:
    words = all(isinstance(error.get(word), str) for word in ("code", "message", "hint"))
    return words and isinstance(error.get("stage", ""), str | None)


def _is_file(file: object, ours: frozenset[str]) -> bool:
    return (
        isinstance(file, list)
        and len(file) == 2
        and isinstance(file[0], str)
        and file[0] in ours
        and isinstance(file[1], int)
    )
