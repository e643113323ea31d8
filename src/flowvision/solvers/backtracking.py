"""Backtracking as a generator of steps, so that it can be watched; an engine to compare with.

The most constrained end of a pipe grows next. A step whose forced continuation has a fault is left out. Far
slower than ``sat`` beyond 10 × 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers import LazySearch, Rules, trace
from flowvision.solvers.deductions import Position


class Step(Struct, frozen=True):
    """A flow grows from ``start`` onto ``strand``, is drawn back from there, or completes a solution.

    ``why``: the reason in a few words, empty for a guess.
    """

    kind: Literal["grow", "back", "solved"]
    flow: int
    start: int
    strand: int
    why: str = ""
    solution: Solution | None = None


def steps(puzzle: Puzzle, rules: Rules) -> Iterator[Step]:
    """Yield every step of an exhaustive search, which continues after each solution."""
    empty = Position(puzzle, rules == "strict")
    if _has_dead_end(empty, range(puzzle.graph.size)) or empty.cut_off():
        return
    grown, choices, has_grown = list[Step](), [_choices(empty)], False
    while choices:
        if choice := next(choices[-1], None):
            step, position = choice
            yield step
            if not any(position.need):
                yield replace(step, kind="solved", solution=trace(puzzle, position.used)[0])
            grown.append(step)
            choices.append(_choices(position))
            has_grown = True
        else:
            choices.pop()
            if grown:
                why = "no way on" if has_grown else "every way on failed"
                yield replace(grown.pop(), kind="back", why=why)
            has_grown = False


def _choices(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the steps from the most constrained end of a pipe, each with the position after it."""
    constrained = _most_constrained(position)
    if constrained is None:
        return
    flow, end, ways = constrained
    left, why = ways, "the only way"
    if len(ways) > 1:
        left = [edge for edge in ways if not position.fault_after(edge, len(position.edges))]
        why = "every other way fails" if len(left) == 1 else ""
    moves = [(edge, position.puzzle.graph.other_end(edge, end)) for edge in left]
    for edge, strand in sorted(moves, key=lambda move: len(position.ways(move[1]))):
        after = position.copy()
        changed = after.draw(edge)
        if not _has_dead_end(after, changed):
            yield Step("grow", flow, end, strand, why), after


def _most_constrained(position: Position) -> tuple[int, int, list[int]] | None:
    """Return the end of a pipe with the fewest ways: its flow, the end, and the ways."""
    candidates = []
    for flow, pair in position.heads().items():
        for end in pair:
            ways = [edge for edge in position.ways(end) if position.touch_by(edge) is None]
            if len(ways) <= 1:
                return flow, end, ways
            candidates.append((flow, end, ways))
    return min(candidates, key=lambda candidate: len(candidate[2]), default=None)


def _has_dead_end(position: Position, strands: Iterable[int]) -> bool:
    return any(len(position.ways(strand)) < position.need[strand] for strand in strands)


class StepSearch(LazySearch):
    """Search from solution to solution; none is found twice, so clauses are not needed."""

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        by_rules = {rules: steps(puzzle, rules) for rules in get_args(Rules)}
        self._steps: dict[Rules, Iterator[Step]] = by_rules

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of the next solution."""
        for step in self._steps[rules]:
            self.check_clock()
            if step.solution:
                return step.solution.edges
        return None

    def add(self, clause: Iterable[int]) -> None:
        """Ignore the clause: the search has passed the solution that it would exclude."""
