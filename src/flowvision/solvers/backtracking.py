"""Backtracking as a generator of steps, so that it can be watched; an engine to compare with.

The most constrained flow grows next, from one end. Three checks follow each step: a dead end (a free strand
with fewer than two ways), a stranded region (without both ends of some flow, or a flow without a region), and
a bottleneck (a strand that two flows would have to pass). Far slower than ``sat`` beyond 10 × 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from msgspec import Struct

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers import LazySearch, Rules


class Step(Struct, frozen=True):
    """A flow grows onto a strand, is drawn back from it, or completes a solution."""

    kind: Literal["grow", "back", "solved"]
    flow: int
    strand: int
    solution: Solution | None = None


def steps(puzzle: Puzzle, rules: Rules) -> Iterator[Step]:
    """Yield every step of an exhaustive search, which continues after each solution."""
    state = Growth(puzzle, rules == "strict")
    if not state.sound():
        return
    stack = [state.branch()]
    while stack:
        flow, moves = stack[-1]
        if not moves:
            stack.pop()
            if stack:
                yield Step("back", *state.back())
            continue
        edge, strand = moves.pop()
        state.grow(flow, edge, strand)
        yield Step("grow", flow, strand)
        if state.is_solved():
            yield Step("solved", flow, strand, state.solution())
            yield Step("back", *state.back())
        elif state.may_be_solved(flow):
            stack.append(state.branch())
        else:
            yield Step("back", *state.back())


class StepSearch(LazySearch):
    """Search from solution to solution; none is found twice, so clauses are not needed."""

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        self._steps: dict[Rules, Iterator[Step]] = {rules: steps(puzzle, rules) for rules in get_args(Rules)}

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges of the next solution."""
        for step in self._steps[rules]:
            self.check_clock()
            if step.solution:
                return step.solution.edges
        return None

    def add(self, clause: Iterable[int]) -> None:
        """Ignore the clause: the search has passed the solution that it would exclude."""


Move = tuple[int, int]
"""An edge, and the strand it leads to."""


class Growth:
    """Paths so far, grown and drawn back in place."""

    def __init__(self, puzzle: Puzzle, strict: bool) -> None:
        graph = puzzle.graph
        self.puzzle, self.strict = puzzle, strict
        self.near = graph.neighbours()
        self.paths = [[a] for a, _ in puzzle.terminals]
        self.edges: list[list[int]] = [[] for _ in puzzle.terminals]
        self.owner = [-1] * graph.size
        self.is_end = bytearray(graph.size)
        """Heads and goals of unfinished flows."""
        for dot, flow in puzzle.dots.items():
            self.owner[dot], self.is_end[dot] = flow, 1
        self.trail: list[int] = []

    def _goal(self, flow: int) -> int:
        return self.puzzle.terminals[flow][1]

    def _live(self) -> list[int]:
        return [flow for flow, path in enumerate(self.paths) if path[-1] != self._goal(flow)]

    def grow(self, flow: int, edge: int, strand: int) -> None:
        """Add a strand to a path."""
        head = self.paths[flow][-1]
        self.paths[flow].append(strand)
        self.edges[flow].append(edge)
        self.owner[strand] = flow
        self.is_end[head], self.is_end[strand] = 0, strand != self._goal(flow)
        self.trail.append(flow)

    def back(self) -> tuple[int, int]:
        """Remove the last strand; return its flow and the strand."""
        flow = self.trail.pop()
        strand = self.paths[flow].pop()
        self.edges[flow].pop()
        at_goal = strand == self._goal(flow)
        self.owner[strand] = flow if at_goal else -1
        self.is_end[strand], self.is_end[self.paths[flow][-1]] = at_goal, 1
        return flow, strand

    def is_solved(self) -> bool:
        """Return whether every pair is joined and every strand covered."""
        return not self._live() and min(self.owner) >= 0

    def solution(self) -> Solution:
        """Return the paths as a solution."""
        pairs = zip(self.paths, self.edges, strict=True)
        return Solution(tuple(Path(tuple(path), tuple(edges)) for path, edges in pairs))

    def branch(self) -> tuple[int, list[Move]]:
        """Return the most constrained flow and its moves, the best last."""
        best: tuple[int, list[Move]] = (0, [])
        fewest = len(self.puzzle.graph.edges) + 1
        for flow in self._live():
            moves = self._moves(flow)
            if len(moves) < fewest:
                best, fewest = (flow, moves), len(moves)
                if fewest <= 1:
                    break
        best[1].sort(key=lambda move: -self._ways(move[1]))
        return best

    def _moves(self, flow: int) -> list[Move]:
        """Return the moves of a flow; the only one if a strand beside it has no other way."""
        graph, head, goal = self.puzzle.graph, self.paths[flow][-1], self._goal(flow)
        moves = [(edge, graph.other_end(edge, head)) for edge in graph.incident[head]]
        if self.strict and goal in self.near[head]:
            return [move for move in moves if move[1] == goal]
        must = {strand for _, strand in moves if self.owner[strand] < 0 and self._ways(strand) == 2}
        return [
            (edge, strand)
            for edge, strand in moves
            if (strand == goal or self.owner[strand] < 0)
            and must <= {strand}
            and not (self.strict and self._touches(strand, flow, head))
        ]

    def _touches(self, strand: int, flow: int, head: int) -> bool:
        goal = self._goal(flow)
        return any(
            self.owner[other] == flow and other not in (head, goal, strand) for other in self.near[strand]
        )

    def _ways(self, strand: int) -> int:
        return sum(1 for other in self.near[strand] if self.owner[other] < 0 or self.is_end[other])

    def sound(self) -> bool:
        """Return whether the puzzle passes every check before the first step."""
        return self._no_dead_ends(range(self.puzzle.graph.size)) and not self._stranded()

    def may_be_solved(self, flow: int) -> bool:
        """Return whether the board passes the checks after the last step of a flow."""
        path = self.paths[flow]
        passed = [path[-2]] if path[-1] != self._goal(flow) else path[-2:]
        beside = {other for strand in passed for other in self.near[strand]}
        return (
            self._no_dead_ends(beside)
            and not self._stranded()
            and not any(
                self.owner[strand] < 0 and len(set(self._live()) - self._regions(strand)[0]) > 1
                for strand in self.near[path[-1]]
            )
        )

    def _no_dead_ends(self, strands: range | set[int]) -> bool:
        return all(self.owner[strand] >= 0 or self._ways(strand) >= 2 for strand in strands)

    def _stranded(self) -> bool:
        served, regions = self._regions(-1)
        return not all(regions) or not set(self._live()) <= served

    def _regions(self, excluded: int) -> tuple[set[int], list[set[int]]]:
        """Return the flows that can be joined while one strand is excluded, and those of each free region."""
        heads = {self.paths[flow][-1]: flow for flow in self._live()}
        goals = {self._goal(flow): flow for flow in heads.values()}
        joined = {flow for head, flow in heads.items() if self._goal(flow) in self.near[head]}
        visited = bytearray(self.puzzle.graph.size)
        regions = []
        for start in range(self.puzzle.graph.size):
            if visited[start] or self.owner[start] >= 0 or start == excluded:
                continue
            region, visited[start] = [start], 1
            from_heads, from_goals = set(), set()
            for strand in region:
                for other in self.near[strand]:
                    if self.owner[other] >= 0:
                        if other in heads:
                            from_heads.add(heads[other])
                        elif other in goals:
                            from_goals.add(goals[other])
                    elif not visited[other] and other != excluded:
                        visited[other] = 1
                        region.append(other)
            through = from_heads & from_goals
            joined |= through
            regions.append(through)
        return joined, regions
