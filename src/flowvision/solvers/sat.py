"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

Strict rules first (no path touches itself, as in every published level), then free ones. The
Boolean model knows degrees and colours, not connection: a detached loop, or under the strict rules a
path that touches itself further away, is cut off by one clause, and the solver goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from pysat.solvers import Solver

from flowvision.puzzle.check import touches_itself
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers.base import GaveUp, Limits, Outcome, Rules, Solved, Unsolvable
from flowvision.solvers.encoding import clauses_of
from flowvision.solvers.trace import Trace, trace

ENGINE = "minisat22"
FIRST_SLICE, SLICE_GROWTH, LONGEST_SLICE = 2_000, 2, 50_000
"""Conflicts between two looks at the clock: well under a second on any board that can be solved."""


class _TimeIsUpError(Exception):
    """The limit passed in the middle of a search."""


@dataclass(slots=True)
class _Search:
    """One incremental solver and the clock it runs against."""

    puzzle: Puzzle
    solver: Any
    strict: int
    deadline: float
    conflicts: int = field(default=FIRST_SLICE)

    def next_solution(self, rules: Rules) -> Trace | None:
        """A solution that obeys ``rules`` and every clause added so far."""
        while (used := self._model(rules)) is not None:
            found = trace(self.puzzle, used)
            cuts = [self._loop_cut(loop) for loop in found.loops]
            if not cuts and rules == "strict":
                cuts = [self._touch_cut(path) for path in found.paths if touches_itself(self.puzzle, path)]
            if not cuts:
                return found
            for cut in cuts:
                self.solver.add_clause(cut)
        return None

    def forbid(self, found: Trace) -> None:
        """Rule one solution out."""
        self.solver.add_clause([-edge - 1 for path in found.paths for edge in path.edges])

    def _model(self, rules: Rules) -> list[int] | None:
        assumptions = [self.strict if rules == "strict" else -self.strict]
        while True:
            self.solver.conf_budget(self.conflicts)
            answer = self.solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                break
            if perf_counter() > self.deadline:
                raise _TimeIsUpError
            self.conflicts = min(SLICE_GROWTH * self.conflicts, LONGEST_SLICE)
        if perf_counter() > self.deadline:
            raise _TimeIsUpError
        if not answer:
            return None
        edge_count = len(self.puzzle.graph.edges)
        return [literal - 1 for literal in self.solver.get_model()[:edge_count] if literal > 0]

    def _loop_cut(self, loop: Path) -> list[int]:
        """Some edge leaves the loop's strands; where they are optional, the loop is not used whole."""
        inside = set(loop.vertices)
        if inside & self.puzzle.optional:
            return [-edge - 1 for edge in loop.edges]
        graph = self.puzzle.graph
        return [
            edge + 1
            for strand in inside
            for edge in graph.incident[strand]
            if graph.other_end(edge, strand) not in inside
        ]

    def _touch_cut(self, path: Path) -> list[int]:
        """Two strands of one path are neighbours: joined directly, or not by this piece of path."""
        graph, at = self.puzzle.graph, {strand: place for place, strand in enumerate(path.vertices)}
        for strand, place in at.items():
            for edge in graph.incident[strand]:
                other = at.get(graph.other_end(edge, strand))
                if other is not None and other > place + 1:
                    between = path.edges[place:other]
                    return [-self.strict, edge + 1, *(-e - 1 for e in between)]
        raise AssertionError("the path does not touch itself")


def solve_sat(puzzle: Puzzle, limits: Limits, prove_unique: bool = True, engine: str = ENGINE) -> Outcome:
    """Solve by SAT; the uniqueness proof is about the rules that the solution obeys."""
    began = perf_counter()
    template, clauses = clauses_of(puzzle)
    with Solver(name=engine) as solver:
        solver.append_formula(clauses, no_return=True)
        search = _Search(puzzle, solver, template.strict, began + limits.seconds)
        first: Trace | None = None
        rules: Rules = "strict"
        try:
            first = search.next_solution("strict")
            if first is None:
                rules = "free"
                first = search.next_solution("free")
            if first is None:
                return Unsolvable(perf_counter() - began)
            second = None
            if prove_unique:
                search.forbid(first)
                second = search.next_solution(rules)
        except _TimeIsUpError:
            seconds = perf_counter() - began
            if first is None:
                return GaveUp(seconds, f"gave up after {seconds:.1f} s, rules: {rules}")
            return Solved(first.solution, seconds, None, rules)
    return Solved(
        first.solution,
        perf_counter() - began,
        second is None if prove_unique else None,
        rules,
        _solution(second),
    )


def _solution(found: Trace | None) -> Solution | None:
    return None if found is None else found.solution
