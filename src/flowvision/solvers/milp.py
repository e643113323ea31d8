"""An integer programme for scipy's HiGHS: a variable per edge and colour; an engine to compare with.

Slow: a second at 10 × 10, minutes beyond.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import Rules, TimeIsUpError
from flowvision.solvers.encoding import sides_between
from flowvision.solvers.loop_cutting import LazySearch

INFEASIBLE = 2
"""Status of ``scipy.optimize.milp`` without a solution."""

Terms = list[tuple[int, float]]
"""A linear expression: variables and their factors."""
Row = tuple[Terms, float, float]
"""A linear constraint: an expression, its lower and its upper bound."""


class MilpSearch(LazySearch):
    """Integer programme of a puzzle, solved again for every further clause.

    Variables: per edge and colour, whether it is used so; then per strand and colour, whether that flow
    covers it.
    """

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        self.flows = len(puzzle.terminals)
        self._width = self.flows * (len(puzzle.graph.edges) + puzzle.graph.size)
        self._upper = np.ones(self._width)
        self._rows, self._strict_rows = list[Row](), list[Row]()
        self._add_strands()
        for (u, v), edges in self.watched(sides_between(puzzle.graph).items()):
            for k in range(self.flows):
                joined = [(self._edge(edge, k), -1.0) for edge in edges]
                terms = [(self._strand(u, k), 1.0), (self._strand(v, k), 1.0), *joined]
                self._strict_rows.append((terms, -np.inf, 1))

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause, as a sum that is at least one."""
        literals = list(clause)
        terms = [
            (self._edge(abs(x) - 1, k), 1.0 if x > 0 else -1.0) for x in literals for k in range(self.flows)
        ]
        self._rows.append((terms, 1 - sum(x < 0 for x in literals), np.inf))

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of a feasible point."""
        rows = self._rows + (self._strict_rows if rules == "strict" else [])
        result = milp(
            np.zeros(self._width),
            integrality=np.ones(self._width),
            bounds=Bounds(0, self._upper),
            constraints=self._constraints(rows),
            options={"time_limit": self.check_clock()},
        )
        if result.status == INFEASIBLE:
            return None
        if result.x is None:
            raise TimeIsUpError
        by_edge = result.x[: self.flows * len(self.puzzle.graph.edges)].reshape(-1, self.flows).sum(axis=1)
        return [int(edge) for edge in np.flatnonzero(by_edge > 0.5)]

    def _constraints(self, rows: list[Row]) -> LinearConstraint:
        entries = [(factor, row, column) for row, (terms, *_) in enumerate(rows) for column, factor in terms]
        factors, at_rows, columns = zip(*entries, strict=True)
        matrix = coo_array((factors, (at_rows, columns)), shape=(len(rows), self._width))
        _, lower, upper = zip(*rows, strict=True)
        return LinearConstraint(matrix.tocsr(), lower, upper)

    def _edge(self, edge: int, flow: int) -> int:
        return edge * self.flows + flow

    def _strand(self, strand: int, flow: int) -> int:
        return (len(self.puzzle.graph.edges) + strand) * self.flows + flow

    def _add_strands(self) -> None:
        graph, flow_of = self.puzzle.graph, self.puzzle.dots
        for strand in self.watched(range(graph.size)):
            self._rows.append(([(self._strand(strand, k), 1.0) for k in range(self.flows)], 1, 1))
            ends = 1.0 if strand in flow_of else 2.0
            for k in range(self.flows):
                if flow_of.get(strand, k) != k:
                    self._upper[self._strand(strand, k)] = 0
                edges = [(self._edge(edge, k), 1.0) for edge in graph.incident[strand]]
                self._rows.append(([*edges, (self._strand(strand, k), -ends)], 0, 0))
