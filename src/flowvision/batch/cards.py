"""What the contact sheet shows of each screenshot, and which of them show the same puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from flowvision.batch.summary import outcome_of, puzzle_of, size_of
from flowvision.value import value_type
from flowvision.words import count_of


@value_type
class Card:
    """One screenshot on the sheet; pictures by their names in the output folder, where there are any."""

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
        about = error["message"]
    else:
        already = ("Already solved.",) if answer.get("state") == "solved" else ()
        flows = count_of(len(answer["flows"]), "flow")
        about = " ".join((f"{flows}.", *already))
    seconds = answer.get("seconds")
    return Card(
        answer["file"],
        outcome_of(answer),
        size_of(answer) or "no board",
        puzzle_of(answer),
        about,
        error["hint"] if error else "",
        pictures.get("before"),
        pictures.get("after"),
        pictures.get("stage"),
        pictures.get("solved"),
        pictures.get("page"),
        original,
        answer.get("confidence"),
        sum(seconds.values()) if seconds else None,
        tuple(answer.get("warnings", ())),
    )


def grouped(cards: Iterable[Card], most: int) -> list[list[Card]]:
    """At most so many cards, in groups: each failure alone, then the screenshots of each puzzle together.

    Groups are in the order of their first members. ``cards`` is gone through twice.
    """
    failed = list(islice((card for card in cards if card.puzzle is None), most))
    solved: dict[str, list[Card]] = {}
    for card in islice((card for card in cards if card.puzzle is not None), most - len(failed)):
        solved.setdefault(card.puzzle or "", []).append(card)
    return [*([card] for card in failed), *solved.values()]


def tally(groups: Sequence[Sequence[Card]], field: str) -> dict[str, int]:
    """How many cards have each value of a field, in the order of first appearance."""
    counts: dict[str, int] = {}
    for group in groups:
        for card in group:
            value = getattr(card, field)
            counts[value] = counts.get(value, 0) + 1
    return counts
