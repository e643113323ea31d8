"""Backtracking as a generator of steps, so that it can be watched; an engine to look at and to compare with.

One end of every flow grows, always that of the most constrained flow. After each step three checks look
for what can no longer be covered: a dead end (a free strand with fewer than two ways out), a stranded
region (one without both ends of some flow, or a flow without a region), and a bottleneck (a strand that two
flows would have to pass). Quick up to about 10 × 10, far slower than ``sat`` beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Literal

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers.base import Limits, Outcome, Rules, Solved, Unsolvable, gave_up
from flowvision.solvers.deadline import TimeIsUpError
from flowvision.solvers.growth import Growth
from flowvision.solvers.reasons import reasons
from flowvision.value import value_type


@value_type
class Step:
    """A flow grows onto a strand, draws back from it, or all is solved."""

    kind: Literal["grow", "back", "solved"]
    flow: int
    strand: int
    solution: Solution | None = None


def steps(puzzle: Puzzle, rules: Rules) -> Iterator[Step]:
    """Every step of an exhaustive search; it goes on after each solution."""
    state = Growth(puzzle, rules == "strict")
    if not state.sound():
        return
    stack = [state.branch()]
    while stack:
        flow, moves = stack[-1]
        if not moves:
            stack.pop()
            if stack:
                yield Step("back", *state.back())
            continue
        edge, strand = moves.pop()
        state.grow(flow, edge, strand)
        yield Step("grow", flow, strand)
        if state.is_solved():
            yield Step("solved", flow, strand, state.solution())
            yield Step("back", *state.back())
        elif state.may_be_solved(flow):
            stack.append(state.branch())
        else:
            yield Step("back", *state.back())


def solve_search(puzzle: Puzzle, limits: Limits, prove_unique: bool = True) -> Outcome:
    """Solve by backtracking: strict rules first, then free ones."""
    began = perf_counter()
    found: list[Solution] = []
    rules: Rules = "strict"
    wanted = 2 if prove_unique else 1
    try:
        _find(puzzle, rules, wanted, began + limits.seconds, found)
        if not found and not reasons(puzzle):
            rules = "free"
            _find(puzzle, rules, wanted, began + limits.seconds, found)
    except TimeIsUpError:
        seconds = perf_counter() - began
        if not found:
            return gave_up(seconds, rules)
        return Solved(found[0], seconds, None, rules)
    seconds = perf_counter() - began
    if not found:
        return Unsolvable(seconds)
    second = found[1] if len(found) > 1 else None
    return Solved(found[0], seconds, second is None if prove_unique else None, rules, second)


def _find(puzzle: Puzzle, rules: Rules, wanted: int, deadline: float, found: list[Solution]) -> None:
    """Append solutions until there are as many as wanted. Raises ``TimeIsUpError``."""
    for step in steps(puzzle, rules):
        if perf_counter() > deadline:
            raise TimeIsUpError
        if step.solution:
            found.append(step.solution)
            if len(found) == wanted:
                return
