"""Sentences with their facts, and how these are written.

In a sentence ``{name}`` is a fact of the cause. After a colon stands how it is written: ``place`` and
``places`` name cells by row and column from 1, ``list`` puts words in a row, ``# dot|# dots`` counts, ``if``
writes nothing, and the rest is Python's. A part between brackets is left out where it lacks a fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

from flowvision.puzzle.check import key_name, wall_name
from flowvision.words import listed

MOST_PLACES = 6
"""Places and names that a sentence lists; of more it says how many."""


def filled(template: str, facts: Mapping[str, Any]) -> str:
    """A sentence with its facts; parts between brackets are left out where they lack one."""

    def part(found: re.Match[str]) -> str:
        names = [name for _, name, _, _ in Formatter().parse(found[1]) if name]
        return found[1] if all(facts.get(name) not in _MISSING for name in names) else ""

    return _WRITER.vformat(re.sub(r"\[([^\[\]]*)\]", part, template), (), facts).strip()


_MISSING: tuple[object, ...] = (None, "", 0, (), [])


class _Writer(Formatter):
    """Writes facts as the templates say."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """A fact in words."""
        if format_spec in _SPECS:
            return _SPECS[format_spec](value)
        if "|" in format_spec:
            one, more = format_spec.split("|")
            return (one if value == 1 else more).replace("#", f"{value:,}")
        return str(format(value, format_spec))


_WRITER = _Writer()


def block_name(places: Sequence[Sequence[int]]) -> str:
    """The rows and columns that cells lie in."""
    rows, cols = ([place[axis] + 1 for place in places] for axis in (0, 1))
    return f"{_span('row', rows)} and {_span('column', cols)}"


def _span(word: str, numbers: Sequence[int]) -> str:
    first, last = min(numbers), max(numbers)
    return f"{word} {first}" if first == last else f"{word}s {first} to {last}"


_SPECS: dict[str, Callable[[Any], str]] = {
    "if": lambda _: "",
    "block": block_name,
    "place": key_name,
    "places": lambda places: listed([key_name(one) for one in places], MOST_PLACES),
    "walls": lambda walls: listed([wall_name(one) for one in walls], MOST_PLACES),
    "list": lambda parts: listed([str(one) for one in parts], MOST_PLACES, ", "),
}
"""How facts are written that are no numbers."""
