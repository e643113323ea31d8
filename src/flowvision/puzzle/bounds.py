"""Bounds of a written puzzle, so that no text takes too long or too much memory, and errors stay short."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from flowvision.advice import Hint
from flowvision.errors import PuzzleInvalidError
from flowvision.words import MAX_DIGITS, quoted, whole_number

LARGEST = 250_000
"""Places of the largest board, far beyond any solver."""
LONGEST_LINE = 16_000_000
"""Characters of a record that names every place of the largest board several times."""
LONGEST_NAME = 200
"""Characters of a puzzle's name; the rest is cut off."""
SHOWN = 8
"""Faults in one message."""


def whole(value: Any) -> int:
    """Return a whole number of at most nine digits, or text as one. Raises ``ValueError``."""
    text = value.strip() if isinstance(value, str) else ""
    if text:
        number = whole_number(text.removeprefix("-"))
        value = number if number is None or not text.startswith("-") else -number
    # The second comparison is false for "not a number".
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 10**MAX_DIGITS:
        raise ValueError(f"{shortened(text or value)} is not a whole number of at most {MAX_DIGITS} digits")
    if value != int(value):
        raise ValueError(f"{shortened(value)} is not a whole number")
    return int(value)


def no_puzzle(text: str) -> PuzzleInvalidError:
    """Return the error for a text that is something else."""
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
    """Parse a line of JSON. Raises ``PuzzleInvalidError``, however deep it is."""
    try:
        return json.loads(line, parse_constant=_refuse)
    except RecursionError:
        raise PuzzleInvalidError("Not a JSON record: its lists are nested too deeply.") from None
    except ValueError as error:  # also numbers of thousands of digits
        raise PuzzleInvalidError(f"Not a JSON record: {shortened(str(error), 120)}.") from None


def shown(faults: Iterable[Any]) -> str:
    """Join the first of many by commas, and count the rest."""
    every = [str(fault) for fault in faults]
    more = [f"and {len(every) - SHOWN:,} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *more])


def invalid_puzzle(faults: Sequence[str], hint: str | Hint | None = None) -> PuzzleInvalidError:
    """Return the error with the first of these faults, the number of others, and a hint."""
    more = [f"And {len(faults) - SHOWN} more."] if len(faults) > SHOWN else []
    return PuzzleInvalidError(" ".join([*faults[:SHOWN], *more]), hint)


def shortened(value: Any, most: int = 40) -> str:
    """Say a value in few characters: only the type of a value that is neither text nor a number."""
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}…"
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        return "a number of many digits"
    if isinstance(value, int | float):
        return str(value)
    return f"a {type(value).__name__}"


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a number")
