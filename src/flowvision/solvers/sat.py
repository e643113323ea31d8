"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

The model knows degrees and colours, not connection: one clause rules out a detached loop, or under the strict
rules a path that touches itself further away.

``Minisat`` calls the extension of PySAT directly, as PySAT's class ``Minisat22`` does: loading
``pysat.solvers`` takes 12 ms, longer than a board. The functions are private; if a release lacks some, that
class is used.
"""

from __future__ import annotations

# ruff: noqa: D102  (the methods of Minisat are PySAT's)
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import pysolvers

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers import CnfEvidence, LazySearch, Rules, TimeIsUpError, touches_of
from flowvision.solvers.encoding import clauses_of, cycle_clauses, short_cycles

FUNCTIONS = tuple(
    f"minisat22_{name}"
    for name in ("new", "del", "add_cl", "cbudget", "solve_lim", "model", "core", "acc_stats")
)
"""The functions of the extension that ``Minisat`` calls."""


Clauses = Iterable[Sequence[int]]


class Minisat:
    """Minisat 2.2, with the methods of PySAT's solvers."""

    def __init__(self) -> None:
        self._handle = pysolvers.minisat22_new()
        self._answer: bool | None = None

    def add_clause(self, clause: Sequence[int]) -> None:
        pysolvers.minisat22_add_cl(self._handle, clause)

    def append_formula(self, formula: Clauses) -> None:
        # The loop runs in C: with a Python call for each clause a solve takes a quarter longer.
        deque(map(partial(pysolvers.minisat22_add_cl, self._handle), formula), maxlen=0)

    def conf_budget(self, budget: int) -> None:
        pysolvers.minisat22_cbudget(self._handle, budget)

    def solve_limited(self, assumptions: Sequence[int]) -> bool | None:
        # 0 keeps Python's handler of Ctrl-C; PySAT's raises another error and leaves the signal blocked.
        self._answer = pysolvers.minisat22_solve_lim(self._handle, assumptions, 0, 0)
        return self._answer

    def get_model(self) -> list[int] | None:
        return pysolvers.minisat22_model(self._handle) or [] if self._answer is True else None

    def get_core(self) -> list[int] | None:
        core: list[int] | None = pysolvers.minisat22_core(self._handle) if self._answer is False else None
        return core

    def accum_stats(self) -> dict[str, int]:
        counted: dict[str, int] = pysolvers.minisat22_acc_stats(self._handle)
        return counted

    def delete(self) -> None:
        if self._handle is not None:
            pysolvers.minisat22_del(self._handle)
            self._handle = None

    def __del__(self) -> None:
        self.delete()


def minisat() -> Any:
    """Return a new incremental solver."""
    if all(hasattr(pysolvers, function) for function in FUNCTIONS):
        return Minisat()
    from pysat.solvers import Minisat22

    return Minisat22()


CHUNK = 100_000
"""Clauses added between two checks of the clock."""


class SatSearch(LazySearch):
    """One incremental solver over the clauses of a puzzle."""

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        self._slice = 1_000
        template, clauses = clauses_of(puzzle, self.watched)
        self.strict, self._bits = template.strict, template.bits
        self._kept: set[int] | None = None
        self._free_variable = template.bits[-1][-1] + 1
        self.touches_cut = 0
        self._clause_count = len(clauses)
        self._solver = minisat()
        try:
            for at in range(0, len(clauses), CHUNK):
                self.check_clock()
                self._solver.append_formula(clauses[at : at + CHUNK])
        except TimeIsUpError:
            self._solver.delete()
            raise

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def add(self, clause: Iterable[int]) -> None:
        self._solver.add_clause(list(clause))

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of a model.

        Under free rules every short cycle keeps its own rule, which guides the search, until a contradiction
        needs that rule dropped. A contradiction without any rule is a proof.
        """
        strict = self.strict if rules == "strict" else -self.strict
        kept = self._cycle_rules() if rules == "free" else set[int]()
        while not self._is_satisfiable([strict, *sorted(kept)]):
            needed = kept.intersection(self._solver.get_core() or ())
            if not needed:
                return None
            kept -= needed
        edge_count = len(self.puzzle.graph.edges)
        model = self._solver.get_model() or []
        return [literal - 1 for literal in model[:edge_count] if literal > 0]

    def _cycle_rules(self) -> set[int]:
        """Return the variables that switch on the rules of short cycles, without dropped ones.

        Their clauses are added late: with them strict searches would learn longer clauses.
        """
        if self._kept is None:
            cycles = list(self.watched(short_cycles(self.puzzle.graph)))
            switches = range(self._free_variable, self._free_variable + len(cycles))
            self._kept = set(switches)
            for switch, cycle in zip(switches, self.watched(cycles), strict=True):
                self._solver.append_formula(cycle_clauses(switch, cycle))
        return self._kept

    def _is_satisfiable(self, assumptions: Sequence[int]) -> bool:
        while True:
            began = perf_counter()
            self._solver.conf_budget(self._slice)
            answer = self._solver.solve_limited(assumptions=assumptions)
            left = self.check_clock()
            if answer is not None:
                return bool(answer)
            pace = self._slice / max(perf_counter() - began, 1e-3)
            self._slice = max(100, int(pace * min(0.2, left)))

    def cuts(self, found: Solution, loops: Sequence[Path], rules: Rules) -> list[list[int]]:
        """Cut loops, and under the strict rules the piece of a path between two strands that touch."""
        cuts = super().cuts(found, loops, rules)
        if not cuts and rules == "strict":
            cuts = [
                [-self.strict, *(-edge - 1 for edge in between)]
                for between in touches_of(self.puzzle, found.paths)
            ]
            self.touches_cut += len(cuts)
        return cuts

    def evidence(self) -> CnfEvidence:
        stats = self._solver.accum_stats() or {}
        return CnfEvidence(
            self._bits[-1][-1],
            self._clause_count,
            self.loops_cut,
            self.touches_cut,
            *(stats.get(name, 0) for name in ("conflicts", "decisions")),
        )

    def other_colours(self, flow_of: Mapping[int, int]) -> list[int]:
        """Return the clause that requires another flow on one of these strands."""
        return [
            -bit if flow >> place & 1 else bit
            for strand, flow in flow_of.items()
            for place, bit in enumerate(self._bits[strand])
        ]
