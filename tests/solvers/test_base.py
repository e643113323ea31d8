"""What the outcomes of solvers say."""

from __future__ import annotations

import pytest

from flowvision.puzzle.text import parse
from flowvision.solvers import GaveUp, Unsolvable, has_one_strict_solution, solve
from tests.drawing import CURLED, FIVE, SEVERAL


@pytest.mark.parametrize(("text", "one"), [(FIVE, True), (SEVERAL, False), (CURLED, False)])
def test_one_strict_solution(text: str, one: bool) -> None:
    """Not one of several, nor one that touches itself, nor one that may not be the only one."""
    puzzle = parse(text).puzzle
    assert has_one_strict_solution(solve(puzzle)) is one
    assert not has_one_strict_solution(solve(puzzle, prove_unique=False))


@pytest.mark.parametrize("outcome", [Unsolvable(0.0), GaveUp(0.0, "limit")])
def test_no_solution_is_not_one(outcome: Unsolvable | GaveUp) -> None:
    """Neither proven nor for lack of time."""
    assert not has_one_strict_solution(outcome)
