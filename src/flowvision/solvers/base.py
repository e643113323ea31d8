"""Contract of the engines: a puzzle in, one of three outcomes out, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeGuard, TypeVar

from msgspec import Struct

from flowvision.puzzle.model import Puzzle, Solution

Rules = Literal["strict", "free"]
"""``strict``: no path touches itself (neighbouring cells of one path follow each other on it), as in every
published level. ``free``: all paths that join their dots and fill the board."""


SECONDS = 30.0
"""Usual limit of a solver, in wall time."""


class CnfEvidence(Struct, frozen=True):
    """Size of a formula in conjunctive normal form, and the effort of its search.

    ``variables``, ``clauses``: their numbers at the beginning. ``loops_cut``, ``touches_cut``: clauses added
    against loops without a dot, and against paths that touch themselves.
    """

    variables: int
    clauses: int
    loops_cut: int
    touches_cut: int
    conflicts: int
    decisions: int


class Solved(Struct, frozen=True):
    """A solution, and whether it is the only one under ``rules`` (``None``: not known)."""

    solution: Solution
    seconds: float
    unique: bool | None = None
    rules: Rules = "free"
    second: Solution | None = None
    """Another solution, where ``unique`` is false."""
    evidence: CnfEvidence | None = None


class Unsolvable(Struct, frozen=True):
    """Proof that there is no solution; ``reason`` where one is cheap to find."""

    seconds: float
    reason: str = ""
    evidence: CnfEvidence | None = None


class GaveUp(Struct, frozen=True):
    """The limit passed first; with the rules ``free``, there is no strict solution."""

    seconds: float
    rules: Rules = "strict"
    evidence: CnfEvidence | None = None

    @property
    def reason(self) -> str:
        """The limit, in words."""
        touching = ", also with paths that may touch themselves" if self.rules == "free" else ""
        return f"gave up after {self.seconds:.{1 if self.seconds >= 1 else 3}f} s{touching}"


Outcome = Solved | Unsolvable | GaveUp


def has_one_strict_solution(outcome: Outcome) -> TypeGuard[Solved]:
    """Return whether there is exactly one solution and it is strict, as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


Solver = Callable[[Puzzle, float, bool], Outcome]
"""Solves one valid puzzle; the last argument asks for the proof of uniqueness as well."""

Item = TypeVar("Item")
Clock = Callable[[], object]
"""Raises ``TimeIsUpError`` once the deadline has passed."""


class TimeIsUpError(Exception):
    """The limit passed in the middle of a search; engines turn it into ``GaveUp``."""


def no_clock() -> None:
    """Run without a deadline: the ``Clock`` that never raises."""


def watched(items: Iterable[Item], check_clock: Clock) -> Iterator[Item]:
    """Yield the items of a long loop and check the clock now and then."""
    for number, item in enumerate(items):
        if number % 64 == 0:  # under a millisecond
            check_clock()
        yield item
