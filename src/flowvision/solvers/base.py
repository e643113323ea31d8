"""What every solver promises: a puzzle in, one of three outcomes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from flowvision.puzzle.model import Puzzle, Solution

Rules = Literal["strict", "free"]
"""``strict``: no path touches itself, as in every published level. ``free``: it may."""

EVERY = 64
"""Items of a long loop between two looks at the clock."""
Item = TypeVar("Item")
Clock = Callable[[], object]
"""Raises ``TimeIsUpError`` when the time is over."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a solver may spend: ``seconds`` of wall time."""

    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Solved:
    """A solution; whether it is the only one under ``rules`` (``None``: not known)."""

    solution: Solution
    seconds: float
    unique: bool | None = None
    rules: Rules = "free"
    second: Solution | None = None
    """Another solution, where ``unique`` is false."""


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """Proof that there is no solution; ``reason`` where one is cheap to give."""

    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The limit passed first."""

    seconds: float
    reason: str


class TimeIsUpError(Exception):
    """The limit passed in the middle of a search; engines turn it into ``GaveUp``."""


def gave_up(seconds: float, rules: Rules) -> GaveUp:
    """The outcome of a search that the limit ended under these rules."""
    return GaveUp(seconds, f"gave up after {seconds:.{1 if seconds >= 1 else 3}f} s, rules: {rules}")


def no_clock() -> None:
    """A look at no clock: there is no limit."""


def watched(items: Iterable[Item], check_clock: Clock) -> Iterator[Item]:
    """The items, with a look at the clock before every ``EVERY``-th: for loops that may be long."""
    for number, item in enumerate(items):
        if number % EVERY == 0:
            check_clock()
        yield item


Outcome = Solved | Unsolvable | GaveUp


class Solver(Protocol):
    """A way of solving; ``prove_unique`` asks for the uniqueness proof as well."""

    def __call__(self, puzzle: Puzzle, limits: Limits, prove_unique: bool) -> Outcome:
        """Solve one sound puzzle within the limits."""
        ...
