"""Bounds of a written puzzle: of its numbers, places, lines and depth, whatever the bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from flowvision.advice import Hint
from flowvision.errors import PuzzleInvalidError
from flowvision.words import MOST_DIGITS, quoted, whole_number

LARGEST = 250_000
"""Places of a board: far beyond what any solver manages; a larger number is a slip."""
LONGEST_LINE = 16_000_000
"""Characters: a record that names every place of the largest board several times."""
LONGEST_NAME = 200
"""Characters of a puzzle's own name that are kept."""
MOST_FAULTS = 8
"""Faults said one by one; what has more is no puzzle at all."""
SHOWN = 8
"""Faults of one kind that are shown; how many more there are is said."""


def whole(value: Any) -> int:
    """A whole number of at most nine digits, also when it is written as text. Raises ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{shortened(value)} is not a number")
    if isinstance(value, str):
        text = value.strip()
        number = whole_number(text[1:] if text[:1] in ("-", "+") else text)
        if number is None:
            raise ValueError(f"{shortened(value)} is not a number of at most {MOST_DIGITS} digits")
        return -number if text[0] == "-" else number
    if value != value or abs(value) >= 10**MOST_DIGITS or value != int(value):  # noqa: PLR0124
        raise ValueError(f"{shortened(value)} is not a whole number of at most {MOST_DIGITS} digits")
    return int(value)


def no_puzzle(text: str) -> PuzzleInvalidError:
    """The error about a text that is something else."""
    return PuzzleInvalidError(
        f"This text holds no puzzle{f': {quoted(text)} is no row of cells' if text else ''}.",
        "A puzzle is its rows one below the other, such as `R.G.Y`: two letters for each flow, `.` "
        "elsewhere. All forms: docs/puzzle-text.md.",
    )


def check_size(rows: int, cols: int) -> None:
    """Raise ``PuzzleInvalidError`` unless boards of this size are built."""
    if min(rows, cols) < 1 or rows * cols > LARGEST:
        raise PuzzleInvalidError(f"A board of {rows} × {cols}; from 1 to {LARGEST:,} places are read.")


def load_json(line: str) -> Any:
    """The value of a line of JSON. Raises ``PuzzleInvalidError``, however deep or long it is."""
    try:
        return json.loads(line[: LONGEST_LINE + 1], parse_constant=_refuse)
    except RecursionError:
        raise PuzzleInvalidError("Not a JSON record: its lists are nested too deeply.") from None
    except ValueError as error:  # also numbers of thousands of digits
        raise PuzzleInvalidError(f"Not a JSON record: {shortened(str(error), 120)}.") from None


def check_line(line: str) -> None:
    """Raise ``PuzzleInvalidError`` for a line that is longer than any puzzle."""
    if len(line) > LONGEST_LINE:
        raise PuzzleInvalidError(
            f"The line has {len(line):,} characters; puzzles have at most {LONGEST_LINE:,}."
        )


def shown(faults: Iterable[Any]) -> str:
    """The first of many, joined by commas, and how many more there are."""
    every = [str(fault) for fault in faults]
    more = [f"and {len(every) - SHOWN:,} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *more])


def invalid_puzzle(faults: Sequence[str], hint: str | Hint | None = None) -> PuzzleInvalidError:
    """The error that says the first of these faults, how many there are besides, and what to do."""
    more = [f"And {len(faults) - MOST_FAULTS} more."] if len(faults) > MOST_FAULTS else []
    return PuzzleInvalidError(" ".join([*faults[:MOST_FAULTS], *more]), hint)


def shortened(value: Any, most: int = 40) -> str:
    """A value in words of bounded length: what is no text or number by its type alone."""
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}…"
    if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
        return "a number of many digits"
    if isinstance(value, int | float):
        return str(value)
    return f"a {type(value).__name__}"


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a number")
