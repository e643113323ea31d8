"""``summary.csv``, and ``index.html``: a contact sheet of pictures before and after.

An answer is the JSON object of a screenshot; its row in the table, and its card on the sheet, are made of it.
"""

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

    ``files``: of the job, by ``file_of``. ``original``: the screenshot. Both relative to the output folder.
    """
    row = row_of(answer)
    name, numbers = printable(row["file"]), list[str]()
    card: Object = {"file": name, "command": f"flowvision {shlex.quote(name)}"}
    card |= {"size": row["size"] or "no board", "puzzle": row["puzzle"], "hint": row["hint"]}
    card["warnings"] = [str(warning) for warning in answer.get("warnings", ())]
    # By kind, the last part but one: ``a.solved.png``.
    card["links"] = {file.rsplit(".", 2)[1]: quote(os.fsencode(file)) for file in files}
    card["original"] = quote(os.fsencode(original)) if original else None
    if answer["ok"]:
        already = " Already solved." if answer.get("state") == "solved" else ""
        card |= {"outcome": "solved", "about": f"{count_of(row['flows'], 'flow')}.{already}"}
        numbers.append(row["size"])
    else:
        error = answer["error"]
        says = error.get("cause", {}).get("says") or row["message"]
        card |= {"outcome": reason_of(error), "about": str(says)}
    if row["confidence"] is not None:
        numbers.append(f"confidence {row['confidence']:.3g}")
    if row["seconds"] is not None:
        numbers.append(f"{row['seconds']:.2f} s")
    return card | {"numbers": numbers}


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
    """Return the page, on which the first card of each group holds its others.

    ``total``: the number of all screenshots, with those that have no card.
    """
    cards = list(chain.from_iterable(groups))
    outcomes = Counter(card["outcome"] for card in cards)
    counts = Counter(card["size"] for card in cards)
    sizes = [(size, counts[size]) for size in sorted(counts, key=_numbers_in)]
    return render(
        "batch/sheet.html", groups=groups, total=total, shown=len(cards), outcomes=outcomes, sizes=sizes
    )


def _numbers_in(size: str) -> list[int]:
    """Return the numbers in a size, such as 5 and 7 in ``5x7``."""
    return list(map(int, re.findall(r"\d+", size)))


def line_of(cells: Iterable[object]) -> bytes:
    """Return a line of the table, with an apostrophe before what would be a formula."""
    text = StringIO()
    # csv quotes cells with a character of its terminator: so every kind of line end.
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, cells))
    # File names may contain bytes that are not text; these become \udcxx.
    return text.getvalue().removesuffix("\r\n").encode("utf-8", "backslashreplace") + b"\n"


def _harmless(cell: object) -> object:
    """Return the content of a table's cell, with an apostrophe before a formula."""
    is_formula = isinstance(cell, str) and cell[:1] in FORMULA_SIGNS
    return f"'{cell}" if is_formula else cell


def row_of(answer: Object) -> Object:
    """Return the table row of a JSON answer, by column.

    Raises ``LookupError``, ``TypeError``, ``ValueError``, ``AttributeError`` or ``ArithmeticError`` if it is
    malformed.
    """
    row: Object = dict.fromkeys(COLUMNS)
    row |= {"file": answer["file"], "warnings": "; ".join(answer.get("warnings", ()))}
    row |= {"unique": answer.get("unique"), "output": answer.get("output")}
    if board := answer.get("board"):
        is_lattice = "rows" in board
        size = f"{board['cols']}x{board['rows']}" if is_lattice else f"{board['cells']} cells"
        row |= {"size": size, "tiling": board["tiling"], "cells": board["cells"]}
    if "flows" in answer:
        row["flows"] = len(answer["flows"])
    if answer.get("confidence") is not None:
        row["confidence"] = float(answer["confidence"])
    if seconds := answer.get("seconds"):
        row["seconds"] = round(float(sum(seconds.values())), 4)
    if answer["ok"]:
        return row | {"outcome": "solved", "puzzle": puzzle_of(answer)}
    error = answer["error"]
    row |= {name: str(error[name]) for name in ("message", "hint")}
    cause = error.get("cause", {}).get("code")
    return row | {"outcome": str(error["code"]), "stage": error.get("stage"), "cause": cause}


def puzzle_of(answer: Object) -> str:
    """Return a hash of the puzzle on a solved screenshot, independent of its colours."""
    board = answer["board"]
    ends = sorted(sorted(map(_hashable, flow["ends"])) for flow in answer["flows"])
    shape = [board["tiling"], board["cells"], board.get("rows"), board.get("cols")]
    special = (board.get(kind, ()) for kind in ("holes", "walls", "bridges", "warps"))
    joined = [sorted(map(_hashable, places)) for places in special]
    return blake2b(repr((shape, joined, ends)).encode(), digest_size=6).hexdigest()


def _hashable(value: object) -> Any:
    """Return a value of JSON with tuples in place of lists."""
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
