"""What every solver promises: a puzzle in, one of three outcomes out."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, Protocol, TypeGuard

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.value import value_type

Rules = Literal["strict", "free"]
"""``strict``: no path touches itself, as in every published level. ``free``: it may."""


@value_type
class Limits:
    """How much a solver may spend: ``seconds`` of wall time."""

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
    """What the search took, where it was one by clauses."""


@value_type
class Unsolvable:
    """Proof that there is no solution; ``reason`` where one is cheap to give."""

    seconds: float
    reason: str = ""
    evidence: CnfEvidence | None = field(default=None, compare=False, repr=False)


@value_type
class GaveUp:
    """The limit passed first."""

    seconds: float
    reason: str
    rules: Rules = "strict"
    """Where the search was: ``free`` says that there is no strict solution."""
    evidence: CnfEvidence | None = field(default=None, compare=False, repr=False)


def gave_up(seconds: float, rules: Rules, evidence: CnfEvidence | None = None) -> GaveUp:
    """The outcome of a search that the limit ended under these rules."""
    reason = f"gave up after {seconds:.{1 if seconds >= 1 else 3}f} s, rules: {rules}"
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
