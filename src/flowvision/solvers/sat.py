"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

The extension of PySAT is called directly: loading ``pysat.solvers`` takes 12 ms, longer than a board, and a
Python call for each clause makes a solve a quarter longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter

import pysolvers

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers import CnfEvidence, LazySearch, Rules, TimeIsUpError, touches_of
from flowvision.solvers.encoding import clauses_of, cycle_clauses, short_cycles

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
        self._minisat = pysolvers.minisat22_new()
        try:
            for at in range(0, len(clauses), CHUNK):
                self.check_clock()
                self._add_all(clauses[at : at + CHUNK])
        except TimeIsUpError:
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        pysolvers.minisat22_del(self._minisat)

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        pysolvers.minisat22_add_cl(self._minisat, list(clause))

    def _add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        deque(map(partial(pysolvers.minisat22_add_cl, self._minisat), clauses), maxlen=0)

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of a model.

        Under free rules every short cycle keeps its own rule, which guides the search, until a contradiction
        needs that rule dropped. A contradiction without any rule is a proof.
        """
        strict = self.strict if rules == "strict" else -self.strict
        kept = self._cycle_rules() if rules == "free" else set[int]()
        while not self._is_satisfiable([strict, *sorted(kept)]):
            needed = kept.intersection(pysolvers.minisat22_core(self._minisat) or ())
            if not needed:
                return None
            kept -= needed
        edge_count = len(self.puzzle.graph.edges)
        model = pysolvers.minisat22_model(self._minisat) or []
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
                self._add_all(cycle_clauses(switch, cycle))
        return self._kept

    def _is_satisfiable(self, assumptions: Sequence[int]) -> bool:
        """Solve in slices of conflicts, with a look at the clock after each."""
        while True:
            began = perf_counter()
            pysolvers.minisat22_cbudget(self._minisat, self._slice)
            # 0 keeps Python's handler of Ctrl-C; PySAT's raises another error and leaves the signal blocked.
            answer = pysolvers.minisat22_solve_lim(self._minisat, assumptions, 0, 0)
            left = self.check_clock()
            if answer is not None:
                return bool(answer)
            pace = self._slice / max(perf_counter() - began, 1e-3)
            self._slice = max(100, int(pace * min(0.2, left)))

    def cuts(self, found: Solution, loops: Sequence[Path], rules: Rules) -> list[list[int]]:
        """Cut loops, and under the strict rules the piece of a path between two strands that touch."""
        cuts = super().cuts(found, loops, rules)
        if not cuts and rules == "strict":
            touches = touches_of(self.puzzle, found.paths)
            cuts = [[-self.strict, *(~edge for edge in between)] for between in touches]
            self.touches_cut += len(cuts)
        return cuts

    def evidence(self) -> CnfEvidence:
        """Return the size of the formula, and the effort so far."""
        stats = pysolvers.minisat22_acc_stats(self._minisat)
        return CnfEvidence(
            variables=self._bits[-1][-1],
            clauses=self._clause_count,
            loops_cut=self.loops_cut,
            touches_cut=self.touches_cut,
            conflicts=stats.get("conflicts", 0),
            decisions=stats.get("decisions", 0),
        )

    def other_colours(self, flow_of: Mapping[int, int]) -> list[int]:
        """Return the clause that requires another flow on one of these strands."""
        clause: list[int] = []
        for strand, flow in flow_of.items():
            bits = enumerate(self._bits[strand])
            clause += [-bit if flow >> place & 1 else bit for place, bit in bits]
        return clause
