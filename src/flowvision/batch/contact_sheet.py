"""``summary.csv``, and ``index.html``: a contact sheet of pictures before and after."""

from __future__ import annotations

import csv
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from io import StringIO
from itertools import chain
from typing import Any
from urllib.parse import quote

from flowvision.batch.jobs import reason_of
from flowvision.contract import Object
from flowvision.debug.page import render
from flowvision.words import count_of, printable

MAX_CARDS = 10_000
"""Cards on the sheet, failures first; more would slow the browser down."""
FORMULA_SIGNS = frozenset("=+-@\t\r\n")
"""Characters that begin a formula in a spreadsheet (OWASP, CSV injection)."""
COLUMNS = (
    *("file", "outcome", "size", "tiling", "cells", "flows", "unique", "confidence", "warnings", "seconds"),
    *("puzzle", "output", "stage", "message", "hint", "cause"),
)


def card_of(answer: Object, files: Iterable[str], original: str | None = None) -> Object:
    """Return the card of a JSON answer, with links to its files. Raises like ``row_of``.

    ``original``: path of the screenshot, relative to the output folder.
    """
    row = row_of(answer)
    name = printable(row["file"])
    error = {} if answer["ok"] else answer["error"]
    already = " Already solved." if answer.get("state") == "solved" else ""
    says = error.get("cause", {}).get("says") or row["message"]
    size = None if error else row["size"]
    numbers = [size] if size else []
    if row["confidence"] is not None:
        numbers.append(f"confidence {row['confidence']:.3g}")
    if row["seconds"] is not None:
        numbers.append(f"{row['seconds']:.2f} s")
    return {
        "file": name,
        "command": f"flowvision {shlex.quote(name)}",
        "outcome": reason_of(error) if error else "solved",
        "size": size or "no board",
        "puzzle": row["puzzle"],
        "about": str(says) if error else f"{count_of(row['flows'], 'flow')}.{already}",
        "hint": row["hint"],
        "warnings": [str(warning) for warning in answer.get("warnings", ())],
        "numbers": numbers,
        "links": {name.rsplit(".", 2)[1]: quote(os.fsencode(name)) for name in files},
        "original": quote(os.fsencode(original)) if original else None,
    }


def grouped(cards: Iterable[Object], limit: int) -> list[list[Object]]:
    """Group at most ``limit`` cards in order: each failure alone, then the screenshots of each puzzle."""
    failed: list[Object] = []
    solved: list[Object] = []
    for card in cards:
        kind = solved if card["puzzle"] else failed
        if len(kind) < limit:
            kind.append(card)
    puzzles: dict[str, list[Object]] = {}
    for card in solved[: limit - len(failed)]:
        puzzles.setdefault(card["puzzle"], []).append(card)
    return [*([card] for card in failed), *puzzles.values()]


def sheet_of(groups: Sequence[Sequence[Object]], total: int) -> str:
    """Return the page, a card for each group; ``total`` is the number of all screenshots."""
    cards = list(chain.from_iterable(groups))
    outcomes = Counter(card["outcome"] for card in cards)
    sizes = sorted(Counter(card["size"] for card in cards).items(), key=_numbers_in)
    return render(
        "batch/sheet.html", groups=groups, total=total, shown=len(cards), outcomes=outcomes, sizes=sizes
    )


def _numbers_in(counted: tuple[str, int]) -> list[int]:
    """Return the numbers in a size."""
    return list(map(int, re.findall(r"\d+", counted[0])))


def line_of(cells: Iterable[object]) -> bytes:
    """Return a line of the table, with an apostrophe before what would be a formula."""
    text = StringIO()
    # Quotes every kind of line end.
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, cells))
    # File names may contain bytes that are not text; these become \udcxx.
    return text.getvalue().removesuffix("\r\n").encode("utf-8", "backslashreplace") + b"\n"


def _harmless(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell[:1] in FORMULA_SIGNS
    return f"'{cell}" if is_formula else cell


def row_of(answer: Object) -> Object:
    """Return the table row of a JSON answer, by column.

    Raises ``LookupError``, ``TypeError``, ``ValueError``, ``AttributeError`` or ``ArithmeticError`` if it is
    malformed.
    """
    is_solved, board = answer["ok"], answer.get("board") or {}
    error = {} if is_solved else answer["error"]
    confidence, seconds = answer.get("confidence"), answer.get("seconds")
    cells = f"{board['cells']} cells" if board else None
    return {
        "file": answer["file"],
        "outcome": "solved" if is_solved else str(error["code"]),
        "size": f"{board['cols']}x{board['rows']}" if "rows" in board else cells,
        "tiling": board.get("tiling"),
        "cells": board.get("cells"),
        "flows": len(answer["flows"]) if "flows" in answer else None,
        "unique": answer.get("unique"),
        "confidence": None if confidence is None else float(confidence),
        "warnings": "; ".join(answer.get("warnings", ())),
        "seconds": round(float(sum(seconds.values())), 4) if seconds else None,
        "puzzle": puzzle_of(answer) if is_solved else None,
        "output": answer.get("output"),
        "stage": error.get("stage"),
        "message": None if is_solved else str(error["message"]),
        "hint": None if is_solved else str(error["hint"]),
        "cause": error.get("cause", {}).get("code"),
    }


def puzzle_of(answer: Object) -> str:
    """Return a hash of the puzzle on a solved screenshot, independent of its colours."""
    board = answer["board"]
    ends = sorted(sorted(map(_hashable, flow["ends"])) for flow in answer["flows"])
    shape = [board["tiling"], board["cells"], board.get("rows"), board.get("cols")]
    special = (board.get(kind, ()) for kind in ("holes", "walls", "bridges", "warps"))
    joined = [sorted(map(_hashable, places)) for places in special]
    return blake2b(repr((shape, joined, ends)).encode(), digest_size=6).hexdigest()


def _hashable(value: object) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
