"""How far a board is played: what pipes are on it, and whether they solve it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from flowvision.puzzle.drawn_pipes import drawn_solution, drawn_starts
from flowvision.puzzle.model import Puzzle, Solution

State: TypeAlias = Literal["empty", "started", "solved"]
"""``empty``: no pipe is on the board. ``started``: some are, right or wrong. ``solved``: they solve it."""


def state_of(puzzle: Puzzle, drawn: Sequence[Collection[int]]) -> tuple[State, Solution | None]:
    """The state of a board, and the solution that is on it where it is solved.

    ``drawn``: per flow, the edges that its pipes lie on. A solution joins every pair of dots and covers every
    strand that is not optional; whether its paths touch themselves does not matter.
    """
    if not any(drawn):
        return "empty", None
    solution = drawn_solution(puzzle, drawn_starts(puzzle, drawn))
    return ("solved", solution) if solution else ("started", None)
