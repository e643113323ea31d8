"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

Strict rules first (no path touches itself, as in every published level), then free ones. The
Boolean model knows degrees and colours, not connection: a detached loop, or under the strict rules a
path that touches itself further away, is cut off by one clause, and the solver goes on from there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from time import perf_counter
from types import TracebackType
from typing import Any, Self

import pysolvers
from pysat.solvers import Solver

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers.base import GaveUp, Limits, Outcome, Rules, Solved, TimeIsUpError, Unsolvable
from flowvision.solvers.encoding import Clause, clauses_of
from flowvision.solvers.trace import Touch, Trace, touches_of, trace

MINISAT = "minisat22"
SAT_SOLVERS = (
    MINISAT,
    "minicard",
    "glucose3",
    "glucose4",
    "glucose42",
    "gluecard3",
    "gluecard4",
    "maplesat",
    "maplechrono",
    "maplecm",
    "mergesat3",
    "cadical153",
    "cadical195",
)
"""The PySAT solvers that take clauses between two solves and stop at a budget of conflicts. Left out:
kissat404 and minisatep crash when a clause is added after a solve, lingeling knows no budget."""

FIRST_SLICE = 1_000
SLICE_SECONDS = 0.2
"""How often to look at the clock: the number of conflicts in a slice follows from their pace."""
CHUNK = 100_000
"""Clauses fed between two looks at the clock."""


class SatSearch:
    """One incremental solver over the clauses of a puzzle, and the clock it runs against.

    Every method that searches raises ``TimeIsUpError`` when the time is over.
    """

    def __init__(self, puzzle: Puzzle, deadline: float, name: str = MINISAT) -> None:
        self.puzzle = puzzle
        self.deadline = deadline
        self._slice = FIRST_SLICE
        template, clauses = clauses_of(puzzle)
        self.strict = template.strict
        self._solver: Any = Solver(name=name)
        try:
            for at in range(0, len(clauses), CHUNK):
                self._check_clock()
                feed(self._solver, clauses[at : at + CHUNK] if len(clauses) > CHUNK else clauses)
        except TimeIsUpError:
            self._solver.delete()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._solver.delete()

    def next_solution(self, rules: Rules, assumptions: Sequence[int] = ()) -> Trace | None:
        """A solution that obeys ``rules``, the assumed literals, and every clause added so far."""
        given = [self.strict if rules == "strict" else -self.strict, *assumptions]
        while (used := self._model(given)) is not None:
            found = trace(self.puzzle, used)
            cuts = [self._loop_cut(loop) for loop in found.loops]
            if not cuts and rules == "strict":
                cuts = [self._touch_cut(touch) for touch in touches_of(self.puzzle, found.paths)]
            if not cuts:
                return found
            for cut in cuts:
                self._solver.add_clause(cut)
        return None

    def forbid(self, found: Trace) -> None:
        """Rule one solution out."""
        self.add([-edge - 1 for path in found.paths for edge in path.edges])

    def add(self, clause: Iterable[int]) -> None:
        """One more clause; edge ``e`` is the variable ``e + 1``."""
        self._solver.add_clause(list(clause))

    def _model(self, assumptions: list[int]) -> list[int] | None:
        """The edges used in some model of the clauses."""
        while True:
            began = perf_counter()
            self._solver.conf_budget(self._slice)
            answer = self._solver.solve_limited(assumptions=assumptions)
            self._check_clock()
            if answer is not None:
                break
            pace = self._slice / max(perf_counter() - began, 1e-3)
            self._slice = max(100, int(pace * min(SLICE_SECONDS, self.deadline - perf_counter())))
        if not answer:
            return None
        edge_count = len(self.puzzle.graph.edges)
        return [literal - 1 for literal in self._solver.get_model()[:edge_count] if literal > 0]

    def _check_clock(self) -> None:
        if perf_counter() > self.deadline:
            raise TimeIsUpError

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

    def _touch_cut(self, touch: Touch) -> list[int]:
        """Two strands of one path are neighbours: joined directly, or not by this piece of path."""
        return [-self.strict, touch.edge + 1, *(-edge - 1 for edge in touch.between)]


def solve_sat(puzzle: Puzzle, limits: Limits, prove_unique: bool = True, name: str = MINISAT) -> Outcome:
    """Solve by SAT; the uniqueness proof is about the rules that the solution obeys."""
    began = perf_counter()
    first: Trace | None = None
    rules: Rules = "strict"
    try:
        with SatSearch(puzzle, began + limits.seconds, name) as search:
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
    except TimeIsUpError:
        seconds = perf_counter() - began
        if first is None:
            return GaveUp(seconds, f"gave up after {seconds:.1f} s, rules: {rules}")
        return Solved(first.solution, seconds, None, rules)
    unique = second is None if prove_unique else None
    return Solved(first.solution, perf_counter() - began, unique, rules, _solution(second))


def feed(solver: Any, clauses: Sequence[Clause]) -> None:
    """Give clauses to a PySAT solver.

    Minisat's own function in PySAT's extension is called without the two Python calls a clause that
    PySAT spends on it, which saves a quarter of the time of a solve; it is not public, so a PySAT without
    it is fed the public way.
    """
    handle = getattr(solver.solver, "minisat", None)
    add = getattr(pysolvers, "minisat22_add_cl", None)
    if type(solver.solver).__name__ == "Minisat22" and handle is not None and add is not None:
        deque(map(partial(add, handle), clauses), maxlen=0)
    else:
        solver.append_formula(clauses, no_return=True)


def _solution(found: Trace | None) -> Solution | None:
    return None if found is None else found.solution
