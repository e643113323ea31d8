"""What every solver promises: a puzzle in, one of three outcomes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeGuard

from flowvision.puzzle.model import Puzzle, Solution

Rules = Literal["strict", "free"]
"""``strict``: no path touches itself, as in every published level. ``free``: it may."""


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
    rules: Rules = "strict"
    """Where the search was: ``free`` says that there is no strict solution."""


def gave_up(seconds: float, rules: Rules) -> GaveUp:
    """The outcome of a search that the limit ended under these rules."""
    return GaveUp(seconds, f"gave up after {seconds:.{1 if seconds >= 1 else 3}f} s, rules: {rules}", rules)


Outcome = Solved | Unsolvable | GaveUp


def has_one_strict_solution(outcome: Outcome) -> TypeGuard[Solved]:
    """Whether the only solution was found, and no path of it touches itself: as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


class Solver(Protocol):
    """A way of solving; ``prove_unique`` asks for the uniqueness proof as well."""

    def __call__(self, puzzle: Puzzle, limits: Limits, prove_unique: bool) -> Outcome:
        """Solve one sound puzzle within the limits."""
        ...
