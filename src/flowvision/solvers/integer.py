"""Integer programmes, for OR-Tools CP-SAT and for scipy's HiGHS; engines to compare with.

``cpsat``: colours and degrees, loops cut as they appear. ``cpsat-mtz``: every used edge has a direction, and
every strand a distance from its flow's first dot that grows by one along it, as Miller, Tucker and Zemlin do
for tours; no loop can arise. Ten to a hundred times slower than ``sat``.

``milp``: a variable per edge and colour. A second at 10 × 10, minutes beyond.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from flowvision.errors import missing_extra
from flowvision.puzzle.model import Puzzle
from flowvision.solvers import LazySearch, Rules, TimeIsUpError
from flowvision.solvers.encoding import sides_between

Row = tuple[list[tuple[int, float]], float, float]
"""A linear constraint: variables with their factors, the lower and the upper bound of their sum."""


class CpSearch(LazySearch):
    """CP-SAT model of a puzzle, solved again for every further clause."""

    def __init__(self, puzzle: Puzzle, deadline: float, distances: bool) -> None:
        super().__init__(puzzle, deadline)
        try:
            from ortools.sat.python import cp_model
        except ImportError:
            raise missing_extra("The solvers cpsat and cpsat-mtz need OR-Tools", "cpsat") from None
        self._cp: Any = cp_model
        self._model: Any = cp_model.CpModel()
        edges = range(len(puzzle.graph.edges))
        self._used = [self._model.new_bool_var(f"edge{edge}") for edge in edges]
        self._strict = self._model.new_bool_var("strict")
        self._add_degrees()
        self._add_colours()
        if distances:
            self._add_distances()

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        literals = []
        for literal in clause:
            used = self._used[abs(literal) - 1]
            literals.append(used if literal > 0 else ~used)
        self._model.add_bool_or(literals)

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of a model, found by one thread so that engines compare."""
        model = self._model.clone()
        model.add(self._strict == (rules == "strict"))
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = self.check_clock()
        status = solver.solve(model)
        if status == self._cp.INFEASIBLE:
            return None
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            raise TimeIsUpError
        return [edge for edge, var in enumerate(self._used) if solver.boolean_value(var)]

    def _add_degrees(self) -> None:
        """Require one used edge at a dot, and two at any other strand."""
        graph, dots = self.puzzle.graph, self.puzzle.dots
        for strand in self.watched(range(graph.size)):
            count = sum(self._used[edge] for edge in graph.incident[strand])
            self._model.add(count == (1 if strand in dots else 2))

    def _add_colours(self) -> None:
        """Give every strand one flow, and both ends of a used edge the same."""
        model, graph = self._model, self.puzzle.graph
        flows = range(len(self.puzzle.terminals))
        strands = self.watched(range(graph.size))
        colours = [[model.new_bool_var(f"{strand} is {flow}") for flow in flows] for strand in strands]
        for kinds in self.watched(colours):
            model.add_exactly_one(kinds)
        for dot, flow in self.puzzle.dots.items():
            model.add(colours[dot][flow] == 1)
        for (u, v), edges in self.watched(sides_between(graph).items()):
            joined = [self._used[edge] for edge in edges]
            for at_u, at_v in zip(colours[u], colours[v], strict=True):
                for used in joined:
                    model.add_bool_or([~used, at_u, ~at_v])
                    model.add_bool_or([~used, ~at_u, at_v])
                model.add_bool_or([~self._strict, ~at_u, ~at_v, *joined])

    def _add_distances(self) -> None:
        """Direct every used edge, into and out of each strand once, with a distance that grows along it."""
        graph = self.puzzle.graph
        strands, longest = range(graph.size), graph.size - 1
        arcs_in: dict[int, list[Any]] = {strand: [] for strand in strands}
        arcs_out: dict[int, list[Any]] = {strand: [] for strand in strands}
        names = (f"distance{strand}" for strand in self.watched(strands))
        distance = [self._model.new_int_var(0, longest, name) for name in names]
        for edge, ends in self.watched(enumerate(graph.edges)):
            both = []
            for start, end in (ends, ends[::-1]):
                arc = self._model.new_bool_var(f"{start} to {end} by {edge}")
                self._model.add(distance[end] == distance[start] + 1).only_enforce_if(arc)
                arcs_out[start].append(arc)
                arcs_in[end].append(arc)
                both.append(arc)
            self._model.add(sum(both) == self._used[edge])
        starts, goals = (set(dots) for dots in zip(*self.puzzle.terminals, strict=True))
        for strand in self.watched(strands):
            if strand in starts:
                self._model.add(sum(arcs_in[strand]) == 0)
                self._model.add(distance[strand] == 0)
            elif strand in goals:
                self._model.add(sum(arcs_out[strand]) == 0)
            else:
                self._model.add(sum(arcs_in[strand]) == sum(arcs_out[strand]))


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
                ends = [(self._strand(u, k), 1.0), (self._strand(v, k), 1.0)]
                self._strict_rows.append((ends + joined, -np.inf, 1))

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause, as a sum that is at least one."""
        terms, lower = list[tuple[int, float]](), 1
        for literal in clause:
            factor = 1.0
            if literal < 0:  # 1 - x, whose 1 moves to the bound
                factor, lower = -1.0, lower - 1
            edge = abs(literal) - 1
            terms += [(self._edge(edge, flow), factor) for flow in range(self.flows)]
        self._rows.append((terms, lower, np.inf))

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of a feasible point."""
        rows = self._rows + (self._strict_rows if rules == "strict" else [])
        sums, lower, upper = zip(*rows, strict=True)
        at_rows = np.repeat(np.arange(len(rows)), list(map(len, sums)))
        columns, factors = zip(*chain.from_iterable(sums), strict=True)
        matrix = coo_array((factors, (at_rows, columns)), shape=(len(rows), self._width)).tocsr()
        result = milp(
            np.zeros(self._width),
            integrality=np.ones(self._width),
            bounds=Bounds(0, self._upper),
            constraints=LinearConstraint(matrix, lower, upper),
            options={"time_limit": self.check_clock()},
        )
        if result.status == 2:  # infeasible
            return None
        if result.x is None:
            raise TimeIsUpError
        of_edges = result.x[: self._strand(0, 0)]
        by_edge = of_edges.reshape(-1, self.flows).sum(axis=1)
        return [int(edge) for edge in np.flatnonzero(by_edge > 0.5)]

    def _edge(self, edge: int, flow: int) -> int:
        return edge * self.flows + flow

    def _strand(self, strand: int, flow: int) -> int:
        return (len(self.puzzle.graph.edges) + strand) * self.flows + flow

    def _add_strands(self) -> None:
        """Add the constraints of each strand: one flow, and as many used edges as it needs."""
        graph, flow_of = self.puzzle.graph, self.puzzle.dots
        for strand in self.watched(range(graph.size)):
            covers = [self._strand(strand, flow) for flow in range(self.flows)]
            self._rows.append(([(variable, 1.0) for variable in covers], 1, 1))
            ends = 1.0 if strand in flow_of else 2.0
            for flow, variable in enumerate(covers):
                if flow_of.get(strand, flow) != flow:
                    self._upper[variable] = 0
                edges = [(self._edge(edge, flow), 1.0) for edge in graph.incident[strand]]
                self._rows.append(([*edges, (variable, -ends)], 0, 0))
