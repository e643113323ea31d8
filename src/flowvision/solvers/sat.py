"""The default engine: clauses solved by Minisat through PySAT, loops cut as they appear.

Strict rules first (no path touches itself, as in every published level), then free ones. The
Boolean model knows degrees and colours, not connection: a detached loop, or under the strict rules a
path that touches itself further away, is cut off by one clause, and the solver goes on from there.

Minisat is called by the functions of PySAT's extension, without the modules that PySAT loads beside it:
``pysat.solvers`` takes 12 ms to load, longer than solving a board (formulas, their files, their compression).
They are those that its class ``Minisat22`` calls, but not public: where a release lacks some, ``sat_solver``
gives that class.
"""

from __future__ import annotations

# ruff: noqa: D102  (the methods of Minisat are described by SatSolver)
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

import pysolvers

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import CnfEvidence, Limits, Outcome, Rules, TimeIsUpError
from flowvision.solvers.cycles import short_cycles
from flowvision.solvers.encoding import clause_counts, clauses_of, cycle_clauses
from flowvision.solvers.loop_cutting import LazySearch, Trace, solve_lazily, touches_of

MINISAT = "minisat22"
FUNCTIONS = tuple(
    f"{MINISAT}_{name}"
    for name in ("new", "del", "add_cl", "cbudget", "solve_lim", "model", "core", "acc_stats")
)
"""The functions of the extension that ``Minisat`` calls."""

KEEP_SIGNALS = 0
"""Python keeps its own handler of Ctrl-C, which is served when the budget is used up. PySAT's would jump out
of the search with an error that is no ``KeyboardInterrupt``, and would leave the signal blocked."""

Clauses = Iterable[Sequence[int]]


class SatSolver(Protocol):
    """An incremental solver, with PySAT's names. Literals are numbers other than 0; -x is not x."""

    def add_clause(self, clause: Sequence[int]) -> object:
        """Add a clause."""

    def append_formula(self, formula: Clauses) -> object:
        """Add clauses."""

    def conf_budget(self, budget: int) -> None:
        """Set how many conflicts the next ``solve_limited`` may meet."""

    def solve_limited(self, assumptions: Sequence[int]) -> bool | None:
        """Whether the clauses and these literals can be satisfied; ``None`` if the budget was used up."""

    def get_model(self) -> list[int] | None:
        """Every variable as a literal, after the answer ``True``."""

    def get_core(self) -> list[int] | None:
        """Assumptions that contradict the clauses, after the answer ``False``; ``None``: none is needed."""

    def accum_stats(self) -> dict[str, int] | None:
        """How many conflicts, decisions, propagations and restarts there were so far."""

    def delete(self) -> None:
        """Free its memory."""


class Minisat(SatSolver):
    """Minisat 2.2."""

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
        self._answer = pysolvers.minisat22_solve_lim(self._handle, assumptions, KEEP_SIGNALS, 0)
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


def sat_solver(name: str) -> SatSolver:
    """A new solver of that name, one of PySAT's."""
    if name == MINISAT and all(hasattr(pysolvers, function) for function in FUNCTIONS):
        return Minisat()
    from pysat.solvers import Solver

    solver: SatSolver = Solver(name=name)
    return solver


SAT_SOLVERS = (
    MINISAT, "minicard", "glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4", "maplesat",
    "maplechrono", "maplecm", "mergesat3", "cadical153", "cadical195",
)  # fmt: skip
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

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """The edges of a model.

        Without the strict rules the search has little to go by. So every short cycle keeps a rule of its own
        until a contradiction needs it: then it is dropped. A contradiction without any is a proof.
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
        """The variables that switch on the rules of the short cycles, except those that were dropped.

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
