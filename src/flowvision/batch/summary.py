"""``summary.csv``: one line a screenshot, for spreadsheets."""

from __future__ import annotations

import csv
from hashlib import blake2b
from io import StringIO
from typing import Any

Object = dict[str, Any]

COLUMNS = (
    "file", "outcome", "size", "tiling", "cells", "flows", "unique", "confidence", "warnings", "seconds",
    "puzzle", "output", "stage", "message", "hint", "cause",
)  # fmt: skip

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that is calculated when the file is opened."""


def _line(cells: list[object]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)  # signs that end lines anywhere are quoted
    # Names of files need not be text in any encoding; what is not becomes \udcxx.
    return text.getvalue().removesuffix("\r\n").encode("utf-8", "backslashreplace") + b"\n"


HEADER = _line(list(COLUMNS))


def row_of(answer: Object) -> bytes:
    """The line of one object of the contract; no text in it is a formula to a spreadsheet."""
    error, board = answer.get("error") or {}, answer.get("board") or {}
    seconds = answer.get("seconds")
    cells = {
        "file": answer["file"],
        "outcome": outcome_of(answer),
        "size": size_of(answer),
        "tiling": board.get("tiling"),
        "cells": board.get("cells"),
        "flows": len(answer["flows"]) if "flows" in answer else None,
        "unique": answer.get("unique"),
        "confidence": answer.get("confidence"),
        "warnings": "; ".join(answer.get("warnings", ())),
        "seconds": round(sum(seconds.values()), 4) if seconds else None,
        "puzzle": puzzle_of(answer),
        "output": answer.get("output"),
        "stage": error.get("stage"),
        "message": error.get("message"),
        "hint": error.get("hint"),
        "cause": error.get("cause", {}).get("code"),
    }
    return _line([_harmless(cells[column]) for column in COLUMNS])


def _harmless(cell: object) -> object:
    """A cell that a spreadsheet would take for a formula, behind an apostrophe (OWASP, CSV injection)."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def outcome_of(answer: Object) -> str:
    """``solved``, or the code of the error."""
    return "solved" if answer["ok"] else str(answer["error"]["code"])


def size_of(answer: Object) -> str | None:
    """Columns × rows of the board that was read, or its number of cells; ``None`` when there is none."""
    board = answer.get("board")
    if not board:
        return None
    return f"{board['cols']}x{board['rows']}" if "rows" in board else f"{board['cells']} cells"


def puzzle_of(answer: Object) -> str | None:
    """A short name that two solved screenshots share exactly when they show the same puzzle.

    Colours do not matter: letters are given anew in the order in which they are met.
    """
    if not answer["ok"]:
        return None
    board = answer["board"]
    ends = sorted(sorted(_hashable(end) for end in flow["ends"]) for flow in answer["flows"])
    shape = [board["tiling"], board["cells"], board.get("rows"), board.get("cols")]
    joined = [sorted(map(_hashable, board.get(kind, ()))) for kind in ("holes", "walls", "bridges", "warps")]
    return blake2b(repr((shape, joined, ends)).encode(), digest_size=6).hexdigest()


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
