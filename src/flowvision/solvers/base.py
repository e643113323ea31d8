"""The contract of every solver: a puzzle in, one of three outcomes out, within a limit of time."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Literal, Protocol, Self, TypeGuard, TypeVar

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.value import value_type

Rules = Literal["strict", "free"]
"""The rules of a solution. ``strict``: neighbouring cells of one path follow each other on it (it does not
touch itself), as in every published level. ``free``: all paths that join their dots and fill the board."""


@value_type
class Limits:
    """The limits of a solver: ``seconds`` of wall time."""

    seconds: float = 30.0


@value_type
class CnfEvidence:
    """The clauses (conjunctive normal form) of a search and what it took.

    ``variables`` and ``clauses``: how many of each kind there were at the beginning, in words for people.
    ``loops_cut``, ``touches_cut``: clauses added on the way, against loops without a dot and paths that touch
    themselves. ``conflicts``, ``decisions``, ``propagations``: as the SAT solver counts them.
    """

    solver: str
    variables: tuple[tuple[str, int], ...]
    clauses: tuple[tuple[str, int], ...]
    loops_cut: int
    touches_cut: int
    conflicts: int
    decisions: int
    propagations: int


@value_type
class Solved:
    """A solution; whether it is the only one under ``rules`` (``None``: not known)."""

    solution: Solution
    seconds: float
    unique: bool | None = None
    rules: Rules = "free"
    second: Solution | None = None
    """Another solution, where ``unique`` is false."""
    evidence: CnfEvidence | None = field(default=None, compare=False, repr=False)
    """The effort of the search, where it was one by clauses."""


@value_type
class Unsolvable:
    """Proof that there is no solution; ``reason`` where one is cheap to give."""

    seconds: float
    reason: str = ""
    evidence: CnfEvidence | None = field(default=None, compare=False, repr=False)


@value_type
class GaveUp:
    """The limit passed before there was an answer."""

    seconds: float
    reason: str
    rules: Rules = "strict"
    """Where the search was: ``free`` says that there is no strict solution."""
    evidence: CnfEvidence | None = field(default=None, compare=False, repr=False)


def gave_up(seconds: float, rules: Rules, evidence: CnfEvidence | None = None) -> GaveUp:
    """The outcome of a search that the limit ended under these rules."""
    touching = ", also with paths that may touch themselves" if rules == "free" else ""
    reason = f"gave up after {seconds:.{1 if seconds >= 1 else 3}f} s{touching}"
    return GaveUp(seconds, reason, rules, evidence)


Outcome = Solved | Unsolvable | GaveUp


def has_one_strict_solution(outcome: Outcome) -> TypeGuard[Solved]:
    """Whether the only solution was found, and no path of it touches itself: as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


class Solver(Protocol):
    """A way of solving; ``prove_unique`` asks for the uniqueness proof as well."""

    def __call__(self, puzzle: Puzzle, limits: Limits, prove_unique: bool) -> Outcome:
        """Solve one sound puzzle within the limits."""
        ...


ITEMS_PER_CHECK = 64
"""Items of a long loop between two looks at the clock; 64 take under a millisecond."""
Item = TypeVar("Item")
Clock = Callable[[], object]
"""Raises ``TimeIsUpError`` once the deadline has passed."""


class TimeIsUpError(Exception):
    """The limit passed in the middle of a search; engines turn it into ``GaveUp``."""


def no_clock() -> None:
    """A ``Clock`` without a deadline."""


def watched(items: Iterable[Item], check_clock: Clock) -> Iterator[Item]:
    """The items, with a look at the clock before every ``ITEMS_PER_CHECK``-th: for loops that may be long."""
    for number, item in enumerate(items):
        if number % ITEMS_PER_CHECK == 0:
            check_clock()
        yield item


class CollectorPaused:
    """A context in which Python's garbage collector does not run.

    Clauses are thousands of new tuples, none in a cycle. They would start the collector again and again, and
    one full collection takes ten times as long as the puzzle.
    """

    def __enter__(self) -> Self:
        self._was_on = gc.isenabled()
        gc.disable()
        return self

    def __exit__(self, *error: object) -> None:
        if self._was_on:
            gc.enable()
