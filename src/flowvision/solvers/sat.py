"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

Strict rules first (no path touches itself, as in every published level), then free ones. The
Boolean model knows degrees and colours, not connection: a detached loop, or under the strict rules a
path that touches itself further away, is cut off by one clause, and the solver goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import CnfEvidence, Limits, Outcome, Rules, TimeIsUpError
from flowvision.solvers.cycles import short_cycles
from flowvision.solvers.encoding import clause_counts, clauses_of, cycle_clauses
from flowvision.solvers.lazy import LazySearch, Trace, solve_lazily, touches_of
from flowvision.solvers.minisat import MINISAT, sat_solver

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


class SatSearch(LazySearch):
    """One incremental solver over the clauses of a puzzle."""

    def __init__(self, puzzle: Puzzle, deadline: float, name: str = MINISAT) -> None:
        super().__init__(puzzle, deadline)
        self._slice = FIRST_SLICE
        formula = clauses_of(puzzle, self.check_clock)
        template = formula.template
        self.strict = template.strict
        self._kept: set[int] | None = None
        self._bits = template.bits
        self._free_variable = template.bits[-1][-1] + 1
        self.touches_cut = 0
        self._name = name
        self._counts = partial(clause_counts, puzzle, template, len(formula.clauses), formula.implied)
        self._solver = sat_solver(name)
        try:
            for at in range(0, len(formula.clauses), CHUNK):
                self.check_clock()
                self._solver.append_formula(formula.clauses[at : at + CHUNK])
        except TimeIsUpError:
            self._solver.delete()
            raise

    def __exit__(self, *error: object) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def add(self, clause: Iterable[int]) -> None:
        """One more clause."""
        self._solver.add_clause(list(clause))

    def used_edges(self, rules: Rules, assumed: Sequence[int]) -> Iterable[int] | None:
        """The edges of a model.

        Without the strict rules the search has little to go by. So every short cycle keeps a rule of its own
        until a contradiction needs it: then it is dropped. A contradiction without any is a proof.
        """
        given = [self.strict if rules == "strict" else -self.strict, *assumed]
        kept = self._cycle_rules() if rules == "free" else set[int]()
        while not self._is_satisfiable([*given, *sorted(kept)]):
            needed = kept.intersection(self._solver.get_core() or ())
            if not needed:
                return None
            kept -= needed
        edge_count = len(self.puzzle.graph.edges)
        model = self._solver.get_model() or []
        return [literal - 1 for literal in model[:edge_count] if literal > 0]

    def _cycle_rules(self) -> set[int]:
        """The variables that switch on the rules of the short cycles, save those that were dropped.

        Their clauses are added when first needed: with them strict searches would learn longer clauses.
        """
        if self._kept is None:
            cycles = list(self.watched(short_cycles(self.puzzle.graph)))
            switches = range(self._free_variable, self._free_variable + len(cycles))
            self._kept = set(switches)
            for switch, cycle in zip(switches, self.watched(cycles), strict=True):
                self._solver.append_formula(cycle_clauses(switch, cycle))
        return self._kept

    def _is_satisfiable(self, given: Sequence[int]) -> bool:
        """Search in slices of conflicts that end within the time."""
        while True:
            began = perf_counter()
            self._solver.conf_budget(self._slice)
            answer = self._solver.solve_limited(assumptions=given)
            left = self.check_clock()
            if answer is not None:
                return bool(answer)
            pace = self._slice / max(perf_counter() - began, 1e-3)
            self._slice = max(100, int(pace * min(SLICE_SECONDS, left)))

    def cuts(self, found: Trace, rules: Rules) -> list[list[int]]:
        """Loops; under the strict rules also paths that touch themselves further away than a 2 × 2 square.

        The piece of path between the two strands is not used whole.
        """
        cuts = super().cuts(found, rules)
        if not cuts and rules == "strict":
            cuts = [
                [-self.strict, *(-edge - 1 for edge in between)]
                for between in touches_of(self.puzzle, found.paths)
            ]
            self.touches_cut += len(cuts)
        return cuts

    def evidence(self) -> CnfEvidence:
        """The clauses and what the search took so far; microseconds."""
        took: dict[str, int] = self._solver.accum_stats() or {}
        return CnfEvidence(
            self._name,
            *self._counts(),
            self.loops_cut,
            self.touches_cut,
            *(took.get(name, 0) for name in ("conflicts", "decisions", "propagations")),
        )

    def other_colours(self, flow_of: Mapping[int, int]) -> list[int]:
        """The clause that some of these strands is not of the flow given for it."""
        return [
            -bit if flow >> place & 1 else bit
            for strand, flow in flow_of.items()
            for place, bit in enumerate(self._bits[strand])
        ]

    def effort(self) -> dict[str, int]:
        """How many decisions, conflicts, propagations and restarts the search has taken so far."""
        return {name: int(count) for name, count in (self._solver.accum_stats() or {}).items()}


def solve_sat(puzzle: Puzzle, limits: Limits, prove_unique: bool = True, name: str = MINISAT) -> Outcome:
    """Solve by SAT, with the PySAT solver of that name."""
    return solve_lazily(partial(SatSearch, name=name), puzzle, limits, prove_unique)
