"""Minisat by the functions of PySAT's extension, without the modules that PySAT loads beside it.

Loading ``pysat.solvers`` takes 12 ms, longer than solving a board: it brings formulas, their files and their
compression. The functions are those that its class ``Minisat22`` calls, but they are not public: where a
release of PySAT lacks some, ``sat_solver`` gives that class.
"""

# ruff: noqa: D102  (the methods of Minisat are described by SatSolver)

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Protocol

import pysolvers

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
