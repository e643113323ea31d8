"""Advice as data, rendered for the command line or for Python."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

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
    by_number: bool = False


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
}
"""The argument of Python for each option, and the blank for a missing value."""


class Command:
    """Advice as it is typed: cells are counted from 1."""

    def advice(self, items: Sequence[Advice]) -> str:
        """Return options, typed one after the other."""
        return " ".join(self._typed(item) for item in items)

    def place(self, cell: Cell) -> str:
        """Return a cell in words."""
        return f"cell {cell + 1}" if isinstance(cell, int) else f"row {cell[0] + 1}, column {cell[1] + 1}"

    def _typed(self, item: Advice) -> str:
        if isinstance(item, Change):
            blank = "CELL" if item.by_number else "ROW,COLUMN"
            numbers = (item.cell,) if isinstance(item.cell, int) else item.cell
            place = ",".join(str(number + 1) for number in numbers) if numbers else blank
            return f"--set {place}={item.mark or 'LETTER'}"
        if isinstance(item, Call):
            return item.typed
        value = "" if isinstance(item, Without) else item.value or OPTIONS[item.name][1]
        return f"--{item.name} {value}".strip()


class Python:
    """Advice as arguments of a call: cells are counted from 0."""

    def advice(self, items: Sequence[Advice]) -> str:
        """Return arguments, one after the other."""
        arguments = [self._argument(item) for item in items if not isinstance(item, Change)]
        changes = [self._change(item) for item in items if isinstance(item, Change)]
        return ", ".join([*arguments, *([f"corrections=[{', '.join(changes)}]"] if changes else [])])

    def place(self, cell: Cell) -> str:
        """Return a cell in words."""
        return f"cell {cell}"

    def _argument(self, item: Option | Without | Call) -> str:
        if isinstance(item, Call):
            return item.called
        if isinstance(item, Without):
            return item.name.replace("-", "_")
        argument, blank = OPTIONS[item.name]
        return argument.format((item.value or blank).replace(",", ", "))

    def _change(self, item: Change) -> str:
        blank = "number" if item.by_number else "(row, column)"
        return f'SetCell({blank if item.cell is None else item.cell}, "{item.mark or "letter"}")'


COMMAND, PYTHON = Command(), Python()
Form = Command | Python


class Hint:
    """A sentence with advice and cells in it: ``Hint("Crop to it: {}.", Option("crop"))``."""

    __slots__ = ("advice", "template")

    def __init__(self, template: str, *advice: Advice | Cell) -> None:
        self.template = template
        self.advice = advice

    def __str__(self) -> str:
        """Return the sentence for the command line."""
        return self.written(COMMAND)

    def written(self, form: Form) -> str:
        """Return the sentence in a form."""
        parts = (
            form.place(item) if isinstance(item, int | tuple) else f"`{form.advice((item,))}`"
            for item in self.advice
        )
        return self.template.format(*parts)
