"""An integer programme for scipy's HiGHS: a variable per edge and colour; an engine to compare with.

Slow: a second at 10 × 10, minutes beyond.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, vstack

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import Limits, Outcome, Rules, TimeIsUpError
from flowvision.solvers.cycles import sides_between
from flowvision.solvers.loop_cutting import LazySearch, solve_lazily

INFEASIBLE = 2
"""The status of ``scipy.optimize.milp`` where there is no solution."""

Terms = list[tuple[int, float]]
"""A linear expression: variables and their factors."""


class _Rows:
    """Linear constraints, collected row by row."""

    def __init__(self) -> None:
        self.terms: list[Terms] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add(self, terms: Terms, low: float, high: float) -> None:
        """``low <= terms <= high``."""
        self.terms.append(terms)
        self.low.append(low)
        self.high.append(high)

    def matrix(self, width: int) -> coo_array:
        """All rows as a sparse matrix."""
        rows = [row for row, terms in enumerate(self.terms) for _ in terms]
        columns = [column for terms in self.terms for column, _ in terms]
        factors = [factor for terms in self.terms for _, factor in terms]
        return coo_array((factors, (rows, columns)), shape=(len(self.terms), width))


class MilpSearch(LazySearch):
    """The integer programme of a puzzle, solved anew for every further clause.

    Variables: for each edge and colour whether it is used so, then for each strand and colour whether
    that flow covers it.
    """

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        self.flows = len(puzzle.terminals)
        self._width = self.flows * (len(puzzle.graph.edges) + puzzle.graph.size)
        self._low, self._high = np.zeros(self._width), np.ones(self._width)
        self._rows, self._strict_rows, self._cuts = _Rows(), _Rows(), _Rows()
        self._add_strands()
        for (u, v), edges in self.watched(sides_between(puzzle.graph).items()):
            for k in range(self.flows):
                joined = [(self._edge(edge, k), -1.0) for edge in edges]
                self._strict_rows.add([(self._strand(u, k), 1), (self._strand(v, k), 1), *joined], -np.inf, 1)
        self._matrices = [rows.matrix(self._width) for rows in (self._rows, self._strict_rows)]

    def add(self, clause: Iterable[int]) -> None:
        """One more clause, as a sum that is at least one."""
        literals = list(clause)
        terms = [
            (self._edge(abs(x) - 1, k), 1.0 if x > 0 else -1.0) for x in literals for k in range(self.flows)
        ]
        self._cuts.add(terms, 1 - sum(x < 0 for x in literals), np.inf)

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """The edges of a feasible point."""
        kinds = [self._rows, *([self._strict_rows] if rules == "strict" else []), self._cuts]
        matrices = [*self._matrices[: len(kinds) - 1], self._cuts.matrix(self._width)]
        result = milp(
            np.zeros(self._width),
            integrality=np.ones(self._width),
            bounds=Bounds(self._low, self._high),
            constraints=LinearConstraint(
                vstack(matrices).tocsr(),
                np.concatenate([rows.low for rows in kinds]),
                np.concatenate([rows.high for rows in kinds]),
            ),
            options={"time_limit": self.check_clock()},
        )
        if result.status == INFEASIBLE:
            return None
        if result.x is None:
            raise TimeIsUpError
        by_edge = result.x[: self.flows * len(self.puzzle.graph.edges)].reshape(-1, self.flows).sum(axis=1)
        return [int(edge) for edge in np.flatnonzero(by_edge > 0.5)]

    def _edge(self, edge: int, flow: int) -> int:
        return edge * self.flows + flow

    def _strand(self, strand: int, flow: int) -> int:
        return (len(self.puzzle.graph.edges) + strand) * self.flows + flow

    def _add_strands(self) -> None:
        """A flow enters and leaves every strand that it covers; one flow covers each."""
        graph = self.puzzle.graph
        flow_of = self.puzzle.dots
        for strand in self.watched(range(graph.size)):
            low = 0 if strand in self.puzzle.optional else 1
            self._rows.add([(self._strand(strand, k), 1) for k in range(self.flows)], low, 1)
            ends = 1.0 if strand in flow_of else 2.0
            for k in range(self.flows):
                if flow_of.get(strand, k) != k:
                    self._high[self._strand(strand, k)] = 0
                edges = [(self._edge(edge, k), 1.0) for edge in graph.incident[strand]]
                self._rows.add([*edges, (self._strand(strand, k), -ends)], 0, 0)


def solve_milp(puzzle: Puzzle, limits: Limits, prove_unique: bool = True) -> Outcome:
    """Solve by integer programming."""
    return solve_lazily(MilpSearch, puzzle, limits, prove_unique)
