"""Numbers in sentences: ``1 dot``, ``3 dots``; ``once``, ``3 times``."""

from __future__ import annotations

from collections.abc import Sequence


def count_of(number: int, noun: str) -> str:
    """So many of something; ``noun`` in the singular, with a plural in ``s``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """How often."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def listed(parts: Sequence[str]) -> str:
    """Places and the like in a row, those that have commas of their own."""
    return parts[0] if len(parts) == 1 else f"{'; '.join(parts[:-1])} and {parts[-1]}"
