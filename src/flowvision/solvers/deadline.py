"""Looks at the clock, so that a limit holds wherever the time goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

EVERY = 64
"""Items of a long loop between two looks at the clock."""
Item = TypeVar("Item")
Clock = Callable[[], object]
"""Raises ``TimeIsUpError`` when the time is over."""


class TimeIsUpError(Exception):
    """The limit passed in the middle of a search; engines turn it into ``GaveUp``."""


def no_clock() -> None:
    """A look at no clock: there is no limit."""


def watched(items: Iterable[Item], check_clock: Clock) -> Iterator[Item]:
    """The items, with a look at the clock before every ``EVERY``-th: for loops that may be long."""
    for number, item in enumerate(items):
        if number % EVERY == 0:
            check_clock()
        yield item
