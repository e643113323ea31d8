"""OR-Tools CP-SAT: a colour for every strand, degrees for the edges; an engine to compare with.

``cpsat``: colours and degrees, loops cut as they appear. ``cpsat-mtz``: every used edge has a direction, and
every strand a distance from its flow's first dot that grows by one along it, as Miller, Tucker and Zemlin do
for tours; no loop can arise. Ten to a hundred times slower than ``sat``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flowvision.errors import missing_extra
from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import Rules, TimeIsUpError
from flowvision.solvers.encoding import sides_between
from flowvision.solvers.loop_cutting import LazySearch


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
        self._used = [self._model.new_bool_var(f"edge{n}") for n in range(len(puzzle.graph.edges))]
        self._strict = self._model.new_bool_var("strict")
        self._add_degrees()
        self._add_colours()
        if distances:
            self._add_distances()

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        self._model.add_bool_or([self._used[x - 1] if x > 0 else ~self._used[-x - 1] for x in clause])

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
        graph, dots = self.puzzle.graph, self.puzzle.dots
        for strand in self.watched(range(graph.size)):
            count = sum(self._used[edge] for edge in graph.incident[strand])
            self._model.add(count == (1 if strand in dots else 2))

    def _add_colours(self) -> None:
        graph, flows = self.puzzle.graph, range(len(self.puzzle.terminals))
        colour = [
            [self._model.new_bool_var(f"{s} is {k}") for k in flows] for s in self.watched(range(graph.size))
        ]
        for kinds in self.watched(colour):
            self._model.add_exactly_one(kinds)
        for dot, flow in self.puzzle.dots.items():
            self._model.add(colour[dot][flow] == 1)
        for (u, v), edges in self.watched(sides_between(graph).items()):
            for k in flows:
                for edge in edges:
                    self._model.add_bool_or([~self._used[edge], colour[u][k], ~colour[v][k]])
                    self._model.add_bool_or([~self._used[edge], ~colour[u][k], colour[v][k]])
                joined = [self._used[edge] for edge in edges]
                self._model.add_bool_or([~self._strict, ~colour[u][k], ~colour[v][k], *joined])

    def _add_distances(self) -> None:
        """Direct every used edge, into and out of each strand once, with a distance that grows along it."""
        graph = self.puzzle.graph
        arcs_in: list[list[Any]] = [[] for _ in range(graph.size)]
        arcs_out: list[list[Any]] = [[] for _ in range(graph.size)]
        distance = [
            self._model.new_int_var(0, graph.size - 1, f"distance{s}")
            for s in self.watched(range(graph.size))
        ]
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
        for strand in self.watched(range(graph.size)):
            if strand in starts:
                self._model.add(sum(arcs_in[strand]) == 0)
                self._model.add(distance[strand] == 0)
            elif strand in goals:
                self._model.add(sum(arcs_out[strand]) == 0)
            else:
                self._model.add(sum(arcs_in[strand]) == sum(arcs_out[strand]))
