"""Counts, sizes and lists in sentences, and as users type them."""

from __future__ import annotations

from collections.abc import Sequence

MAX_DIGITS = 9
"""Maximum digits of a number that is read; Python raises an error above 4,300."""
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
    more = [f"{len(parts) - max_parts:,} more"] if max_parts and len(parts) > max_parts else []
    shown = [*parts[:max_parts], *more]
    return shown[0] if len(shown) == 1 else f"{between.join(shown[:-1])} {last} {shown[-1]}"


def whole_number(word: str, digits: int = MAX_DIGITS) -> int | None:
    """Return the number of a word of 1 to ``digits`` ASCII digits, else ``None``."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= digits else None


def quoted(word: str) -> str:
    """Return a typed word in quotation marks, truncated if it is long."""
    return repr(word if len(word) <= MAX_QUOTED else f"{word[:MAX_QUOTED]}…")


def size_of(size: object) -> tuple[int, int]:
    """Return columns and rows of a size such as ``"8x10"``, columns first as in the game's titles.

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
    """Escape characters that would move a terminal's cursor or cannot be encoded."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
