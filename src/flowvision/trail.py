"""Every result holds the one it was made of, as its ``source``: from any of them there is a way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def led_to(result: object) -> Iterator[object]:
    """A result, what it was made of, what that was made of, and so on."""
    while result is not None:
        yield result
        result = getattr(result, "source", None)


def found_on_the_way(result: object, kind: type[T]) -> T | None:
    """The latest result of a type among those that led to one; ``None`` where there is none."""
    return next((one for one in led_to(result) if isinstance(one, kind)), None)
