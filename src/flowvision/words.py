"""Words of messages: counts, sizes and lists; advice as data, for the command line or for Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral

from msgspec import Struct

MAX_DIGITS = 9
"""Maximum digits of a number that is read; Python raises an error above 4,300."""
RESEMBLANCE = 0.75
"""Lowest share of common letters, by difflib: ``sovle`` has 0.8 of ``solve``, unrelated words up to 0.7."""
MAX_QUOTED = 40
"""Maximum characters of a quoted word."""


def count_of(number: int, noun: str) -> str:
    """Return a number of things; ``noun``: the singular of a plural in ``s``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """Return ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def listed(parts: Sequence[str], max_parts: int | None = None, between: str = "; ", last: str = "and") -> str:
    """Join parts that may contain commas; those beyond ``max_parts`` are counted."""
    shown_parts = list(parts[:max_parts])
    if left_count := len(parts) - len(shown_parts):
        shown_parts.append(f"{left_count:,} more")
    *before, end = shown_parts
    return f"{between.join(before)} {last} {end}" if before else end


def whole_number(word: str, digits: int = MAX_DIGITS) -> int | None:
    """Return the number of a word of 1 to ``digits`` ASCII digits, else ``None``."""
    is_number = word.isascii() and word.isdecimal() and len(word) <= digits
    return int(word) if is_number else None


def quoted(word: str) -> str:
    """Return a typed word in quotation marks, truncated if it is long."""
    return repr(word if len(word) <= MAX_QUOTED else f"{word[:MAX_QUOTED]}…")


def nearest(word: str, known_words: Iterable[str]) -> str | None:
    """Return the known word that was probably meant, if any resembles it."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known_words), n=1, cutoff=RESEMBLANCE)), None)


def size_of(size: object) -> tuple[int, int]:
    """Return columns and rows of a size such as ``"8x10"``, columns first as in the game's titles.

    A pair is columns and rows as well; one number, ``8`` or ``"8"``, is a square. Raises ``TypeError`` for
    anything else, ``ValueError`` for text of another form.
    """
    if isinstance(size, tuple | list) and len(size) == 2:
        size = "x".join(map(str, size))
    if not isinstance(size, str | Integral) or isinstance(size, bool):
        raise TypeError(f'{size!r} is not a size: give text, columns first, such as "8x10", or 8 for 8x8.')
    parts = str(size).lower().replace("×", "x").split("x")
    sides = [side for part in parts if (side := whole_number(part.strip(), digits=4))]
    if not len(sides) == len(parts) <= 2:
        raise ValueError(
            f"{quoted(str(size))} is not COLSxROWS, such as 8x10 for 8 columns and 10 rows, or 8 for 8x8."
        )
    return sides[0], sides[-1]


def printable(text: str) -> str:
    """Escape characters that would move a terminal's cursor or cannot be encoded."""
    escaped = (sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)
    return "".join(escaped)


Cell = int | tuple[int, int]
"""A cell: its row and column, or its number on a board without them; from 0."""


class Option(Struct, frozen=True):
    """An option of the command, or argument of ``Options``; the user fills in a missing ``value``.

    ``value``: as typed, such as ``5x5``, or left, top, width and height with commas.
    """

    name: str
    value: str = ""


class Without(Struct, frozen=True):
    """An option to leave out."""

    name: str


class Change(Struct, frozen=True):
    """Another mark in a cell; the user fills in ``None`` and an empty mark."""

    cell: Cell | None = None
    mark: str = ""


class Call(Struct, frozen=True):
    """A command, as ``typed`` in a shell and as ``called`` in Python."""

    typed: str
    called: str


Advice = Option | Without | Change | Call


def is_whole(item: Advice) -> bool:
    """Return true if nothing is left to fill in."""
    if isinstance(item, Change):
        return item.cell is not None and bool(item.mark)
    return not isinstance(item, Option) or bool(item.value)


OPTIONS = {
    "grid": ('grid="{}"', "COLSxROWS"),
    "crop": ("crop=({})", "X,Y,WIDTH,HEIGHT"),
    "colours": ("colours={}", "N"),
    "rotate": ("rotate={}", "DEGREES"),
    "limit": ("seconds={}", "SECONDS"),
    "trust": ("trust=True", ""),
    "force": ("force=True", ""),
    "repair": ("repair=True", ""),
}
"""For each option, its argument in Python and the placeholder of a missing value."""


class Command:
    """Advice as it is typed: cells are counted from 1."""

    between = "; "
    """What separates cells, whose words contain commas."""

    def advice(self, items: Sequence[Advice]) -> str:
        """Return options, typed one after the other."""
        return " ".join(self._typed(item) for item in items)

    def place(self, cell: Cell) -> str:
        """Return a cell in words."""
        if isinstance(cell, int):
            return f"cell {cell + 1}"
        row, column = cell
        return f"row {row + 1}, column {column + 1}"

    def _typed(self, item: Advice) -> str:
        """Return the advice as typed on the command line."""
        if isinstance(item, Change):
            numbers = (item.cell,) if isinstance(item.cell, int) else item.cell
            place = ",".join(str(number + 1) for number in numbers) if numbers else "CELL"
            return f"--set {place}={item.mark or 'LETTER'}"
        if isinstance(item, Call):
            return item.typed
        value = "" if isinstance(item, Without) else item.value or OPTIONS[item.name][1]
        return f"--{item.name} {value}".strip()


class Python:
    """Advice as arguments of a call: cells are counted from 0."""

    between = "; "

    def advice(self, items: Sequence[Advice]) -> str:
        """Return arguments, one after the other."""
        arguments = [self._argument(item) for item in items if not isinstance(item, Change)]
        changes = ", ".join(self._change(item) for item in items if isinstance(item, Change))
        if changes:
            arguments.append(f"corrections=[{changes}]")
        return ", ".join(arguments)

    def place(self, cell: Cell) -> str:
        """Return a cell in words."""
        return f"cell {cell}"

    def _argument(self, item: Option | Without | Call) -> str:
        """Return the advice as an argument in Python."""
        if isinstance(item, Call):
            return item.called
        if isinstance(item, Without):
            return item.name.replace("-", "_")
        argument, blank = OPTIONS[item.name]
        return argument.format((item.value or blank).replace(",", ", "))

    def _change(self, item: Change) -> str:
        cell, mark = "cell" if item.cell is None else item.cell, item.mark or "letter"
        return f'SetCell({cell}, "{mark}")'


COMMAND, PYTHON = Command(), Python()
Form = Command | Python


class Part(Struct, frozen=True):
    """A part of a board in words, with its cells: ``Part("the dot in {}", (cell,))``; empty for none."""

    template: str = ""
    cells: tuple[Cell, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.template)

    def __str__(self) -> str:
        return self.written(COMMAND)

    def written(self, form: Form) -> str:
        """Return the part in a form."""
        return self.template.format(*map(form.place, self.cells))


class Hint:
    """A sentence with advice and cells in it: ``Hint("Crop to it: {}.", Option("crop"))``."""

    __slots__ = ("advice", "template")

    def __init__(self, template: str, *advice: Advice | Cell) -> None:
        self.template = template
        self.advice = advice

    def __str__(self) -> str:
        return self.written(COMMAND)

    def written(self, form: Form) -> str:
        """Return the sentence in a form."""
        parts = []
        for item in self.advice:
            if isinstance(item, int | tuple):
                parts.append(form.place(item))
            else:
                parts.append(f"`{form.advice((item,))}`")
        return self.template.format(*parts)
