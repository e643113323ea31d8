"""Numbers in sentences (``1 dot``; ``once``, ``3 times``), and what somebody wrote: numbers and sizes."""

from __future__ import annotations

from collections.abc import Sequence

MOST_DIGITS = 9
"""Most digits of a number that is read; Python raises an error above 4,300."""
MOST_QUOTED = 40
"""Characters of a word that are quoted."""


def count_of(number: int, noun: str) -> str:
    """A number of things; ``noun`` in the singular, with a plural in ``s``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """A number of times: ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def listed(parts: Sequence[str], most: int | None = None, between: str = "; ", last: str = "and") -> str:
    """Places and the like in a row, those that have commas of their own; beyond ``most`` they are counted."""
    more = [f"{len(parts) - most:,} more"] if most and len(parts) > most else []
    shown = [*parts[:most], *more]
    return shown[0] if len(shown) == 1 else f"{between.join(shown[:-1])} {last} {shown[-1]}"


def whole_number(word: str, digits: int = MOST_DIGITS) -> int | None:
    """The number that a word of 1 to ``digits`` ASCII digits says; ``None`` for any other word."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= digits else None


def quoted(word: str) -> str:
    """A word that somebody wrote, in quotation marks, its end left out where it is long."""
    return repr(word if len(word) <= MOST_QUOTED else f"{word[:MOST_QUOTED]}…")


def size_of(size: object) -> tuple[int, int]:
    """The columns and rows of a size such as ``"8x10"``, as the game's titles have it: columns first.

    One number, ``8`` or ``"8"``, is a square. Raises ``TypeError`` for anything but text and numbers,
    ``ValueError`` for text of another form.
    """
    if not isinstance(size, str | int) or isinstance(size, bool):
        raise TypeError(f'{size!r} is not a size: give text, columns first, such as "8x10", or 8 for 8x8.')
    parts = str(size).lower().replace("×", "x").split("x")
    sides = [side for part in parts if (side := whole_number(part.strip(), 4))]
    if not len(sides) == len(parts) <= 2:
        raise ValueError(
            f"{quoted(str(size))} is not COLSxROWS, such as 8x10 for 8 columns and 10 rows, or 8 for 8x8."
        )
    return sides[0], sides[-1]


def printable(text: str) -> str:
    """Text without what would move a terminal's cursor or cannot be encoded: such signs are spelt out."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
