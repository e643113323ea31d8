"""Follow a result back to the results it was made of."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TypeVar

T = TypeVar("T")


def made_of(field_name: str) -> property:
    """Return the ``source`` of a result: the field that holds the result it was made of."""
    return property(attrgetter(field_name))


def ancestors(result: object) -> Iterator[object]:
    """Yield a result, the one it was made of, and so on."""
    while result is not None:
        yield result
        result = getattr(result, "source", None)


def find_ancestor(result: object, kind: type[T]) -> T | None:
    """Return the latest result of a type among those that led to one."""
    return next((item for item in ancestors(result) if isinstance(item, kind)), None)
