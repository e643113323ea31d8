"""``index.html``: a contact sheet of before and after that needs no network; and ``summary.csv``."""

from __future__ import annotations

import csv
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from html import escape
from importlib import resources
from io import StringIO
from itertools import islice
from typing import Any
from urllib.parse import quote

from flowvision.batch.jobs import reason_of
from flowvision.files import theme_css
from flowvision.image.mark import HTML_MARK
from flowvision.value import value_type
from flowvision.version import VERSION
from flowvision.words import count_of, printable


@value_type
class Card:
    """One screenshot on the sheet; pictures by their names in the output folder, where there are any.

    ``outcome``: ``solved``, or the code of the cause.
    """

    file: str
    outcome: str
    size: str
    puzzle: str | None
    about: str
    hint: str = ""
    before: str | None = None
    after: str | None = None
    stage: str | None = None
    solved: str | None = None
    page: str | None = None
    original: str | None = None
    confidence: float | None = None
    seconds: float | None = None
    warnings: tuple[str, ...] = ()


def card_of(answer: dict[str, Any], files: Iterable[tuple[str, int]], original: str | None = None) -> Card:
    """The card of an object of the contract and the files that were written for it.

    ``original``: where the screenshot is, as seen from the output folder.
    """
    pictures = {name.rsplit(".", 2)[1]: name for name, _ in files}
    error = answer.get("error")
    if error:
        about = error.get("cause", {}).get("says") or error["message"]
    else:
        already = ("Already solved.",) if answer.get("state") == "solved" else ()
        flows = count_of(len(answer["flows"]), "flow")
        about = " ".join((f"{flows}.", *already))
    seconds = answer.get("seconds")
    return Card(
        answer["file"],
        reason_of(error) if error else "solved",
        (not error and size_of(answer)) or NO_BOARD,
        puzzle_of(answer),
        about,
        error["hint"] if error else "",
        pictures.get("before"),
        pictures.get("after"),
        pictures.get("stage"),
        pictures.get("solved") or pictures.get("hint"),
        pictures.get("page"),
        original,
        answer.get("confidence"),
        sum(seconds.values()) if seconds else None,
        tuple(answer.get("warnings", ())),
    )


def grouped(cards: Iterable[Card], most: int) -> list[list[Card]]:
    """At most ``most`` cards, in groups: each failure alone, then the screenshots of each puzzle together.

    Groups are in the order of their first members. ``cards`` is gone through twice.
    """
    failed = list(islice((card for card in cards if card.puzzle is None), most))
    solved: dict[str, list[Card]] = {}
    for card in islice((card for card in cards if card.puzzle is not None), most - len(failed)):
        solved.setdefault(card.puzzle or "", []).append(card)
    return [*([card] for card in failed), *solved.values()]


def tally(groups: Sequence[Sequence[Card]], field: str) -> dict[str, int]:
    """How many cards have each value of a field, in the order of first appearance."""
    return Counter(getattr(card, field) for group in groups for card in group)


MOST_CARDS = 10_000
"""More would keep a browser busy for long; the failures among them come first."""

NO_BOARD = "no board"
ABOUT_HINTS = "Options that hints name are those of `flowvision SHOT`, for one screenshot by itself."

STYLE, SCRIPT = (
    (resources.files("flowvision.batch") / name).read_text("utf-8") for name in ("sheet.css", "sheet.js")
)


def sheet_of(groups: Sequence[Sequence[Card]], total: int) -> Iterator[str]:
    """The page, piece by piece: a card a group; ``total`` is the number of all screenshots."""
    outcomes, sizes = tally(groups, "outcome"), tally(groups, "size")
    shown = sum(outcomes.values())
    yield (
        f"<!doctype html><html lang='en'><meta charset='utf-8'>{HTML_MARK}"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<title>Flowvision: screenshots</title>"
        f"<style>{theme_css()}\n{STYLE}</style><main><h1>{_heading(outcomes)}</h1>"
    )
    if outcomes.keys() - {"solved"}:
        yield f"<p class='dim'>{_words(ABOUT_HINTS)}</p>"
    if shown < total:
        yield f"<p>{shown:,} of {total:,} are shown; results.ndjson and summary.csv have all.</p>"
    yield (
        f"<form><label>Outcome {_select('outcome', outcomes)}</label>"
        f"<label>Size {_select('size', dict(sorted(sizes.items(), key=_natural)))}</label>"
        "<label>Name <input name='name' type='search' autocomplete='off'></label>"
        "<output></output></form>\n<div class='cards'>\n"
    )
    yield from map(_group, groups)
    yield f"</div><p class='dim'>flowvision {VERSION}</p></main><script>\n{SCRIPT}</script></html>\n"


def _heading(outcomes: dict[str, int]) -> str:
    solved = outcomes.get("solved", 0)
    return f"{solved:,} solved, {sum(outcomes.values()) - solved:,} failed"


def _select(name: str, counts: dict[str, int]) -> str:
    options = "".join(
        f"<option value='{escape(value)}'>{escape(value)} ({count:,})</option>"
        for value, count in counts.items()
    )
    return f"<select name='{name}'><option value=''>all</option>{options}</select>"


def _natural(item: tuple[str, int]) -> list[int]:
    """Sizes in the order of their numbers; ``no board`` first."""
    return [int(number) for number in re.findall(r"\d+", item[0])]


def _group(group: Sequence[Card]) -> str:
    """The first card of a group, and the others folded up within it."""
    first, others = group[0], group[1:]
    folded = ""
    if others:
        number = count_of(len(others), "more screenshot")
        cards = "".join(f"<article {_name(card)}>{_inside(card)}</article>" for card in others)
        folded = f"<details><summary>{number} of this puzzle</summary>{cards}</details>"
    kind = "failed" if first.puzzle is None else "solved"
    data = f"data-outcome='{escape(first.outcome)}' data-size='{escape(first.size)}' {_name(first)}"
    return f"<article class='{kind}' {data}>{_inside(first)}{folded}</article>\n"


def _name(card: Card) -> str:
    """The attribute by which a card is searched."""
    return f"data-name='{escape(printable(card.file))}'"


def _inside(card: Card) -> str:
    before = _picture(card.before, "before", card.original or card.before)
    after = _picture(card.after, "after", card.solved)
    stage = _picture(card.stage, "what is wrong, marked", card.stage)
    hint = f"<span class='hint'>{_words(card.hint)}</span>" if card.hint else ""
    name = printable(card.file)
    numbers = [card.size] if card.size != NO_BOARD else []
    if card.confidence is not None:
        numbers.append(f"confidence {card.confidence:.3g}")
    if card.seconds is not None:
        numbers.append(f"{card.seconds:.2f} s")
    warnings = "".join(f"<span class='warning'>{_words(warning)}</span>" for warning in card.warnings)
    command = _copy(f"flowvision {shlex.quote(name)}", "copy command")
    page = f"<a href='{_link(card.page)}'>Why: every stage</a> " if card.page else ""
    if card.stage and card.original:
        page += f"<a href='{_link(card.original)}'>The screenshot</a> "
    return (
        f"<div class='pictures'>{before}{after}{stage}</div>"
        f"<div class='words'><b>{escape(name)}</b>"
        f"<span class='about'>{_words(card.about)}</span>{warnings}{hint}"
        f"<span class='dim'>{escape(' · '.join(numbers))}</span>"
        f"<span class='more'>{page}{_copy(name, 'copy name')} {command}</span></div>"
    )


def _copy(text: str, label: str) -> str:
    """A button that copies a text."""
    return f"<button type='button' data-copy='{escape(text)}'>{label}</button>"


def _words(text: str) -> str:
    """The words of an error as HTML; parts to be typed stand between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(printable(text)))


def _picture(name: str | None, title: str, whole: str | None) -> str:
    """A small picture, where there is one, that leads to the ``whole`` one."""
    if not name:
        return ""
    picture = f"<img loading='lazy' src='{_link(name)}' alt='{title}' title='{title}'>"
    return f"<a href='{_link(whole)}'>{picture}</a>" if whole else picture


def _link(name: str) -> str:
    """The address of a file of the output folder, whatever its name."""
    return escape(quote(os.fsencode(name)))


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
