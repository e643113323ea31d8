"""Backtracking as a generator of steps, so that it can be watched; an engine to compare with.

The most constrained end of a pipe grows next. A step whose forced continuation has a fault is left out. Far
slower than ``sat`` beyond 10 × 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

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
    empty = Position(puzzle, strict=rules == "strict")
    if _has_dead_end(empty, range(puzzle.graph.size)) or empty.cut_off():
        return
    # Of every position on the way: the step to it (but of the empty one), and the choices left there.
    grown, choices, has_just_grown = list[Step](), [_choices(empty)], False
    while choices:
        if choice := next(choices[-1], None):
            step, position = choice
            yield step
            if not any(position.need):
                solution, _ = trace(puzzle, position.used)
                yield replace(step, kind="solved", solution=solution)
            grown.append(step)
            choices.append(_choices(position))
            has_just_grown = True
        else:
            choices.pop()
            if grown:
                why = "no way on" if has_just_grown else "every way on failed"
                yield replace(grown.pop(), kind="back", why=why)
            has_just_grown = False


def _choices(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the steps from the most constrained end of a pipe, each with the position after it."""
    head = _most_constrained(position)
    if head is None:
        return
    ways, why = head.ways, "the only way"
    if len(ways) > 1:
        all_edges = len(position.edges)
        ways = [edge for edge in ways if not position.fault_after(edge, further=all_edges)]
        why = "every other way fails" if len(ways) == 1 else ""
    other_end = position.puzzle.graph.other_end
    for edge in sorted(ways, key=lambda edge: len(position.ways(other_end(edge, head.strand)))):
        after = position.copy()
        changed = after.draw(edge)
        if not _has_dead_end(after, changed):
            yield Step("grow", head.flow, head.strand, other_end(edge, head.strand), why), after


class _Head(NamedTuple):
    """The end of an unfinished pipe: its flow, its strand, and the edges over which it may grow."""

    flow: int
    strand: int
    ways: list[int]


def _most_constrained(position: Position) -> _Head | None:
    """Return the end of a pipe with the fewest ways; ``None`` where every pipe is complete."""
    heads = []
    for flow, strands in position.heads().items():
        for strand in strands:
            ways = [edge for edge in position.ways(strand) if position.touch_by(edge) is None]
            heads.append(_Head(flow, strand, ways))
            if len(ways) <= 1:
                return heads[-1]
    return min(heads, key=lambda head: len(head.ways), default=None)


def _has_dead_end(position: Position, strands: Iterable[int]) -> bool:
    """Return whether one of the strands has fewer ways than it needs."""
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
