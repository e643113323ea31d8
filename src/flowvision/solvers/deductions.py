"""Deductions of a person who solves a puzzle, from the easiest to the hardest; no search, no solver.

Every step of the first four rungs is forced in all solutions under the given rules. A way is refuted by a
fault: a dead end, something cut off, or a pipe beside itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum
from time import perf_counter
from typing import Literal

from msgspec import Struct

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers import SECONDS, Rules, TimeIsUpError, touches_of

CHAIN = 12
"""Forced steps followed after a trial step: a person does not look further ahead."""


class Rung(IntEnum):
    """Distance that a person has to look ahead to see a step."""

    WAY_OUT = 1
    """A dot, or the end of a pipe, has one way out."""
    WAY_THROUGH = 2
    """A cell has one way through."""
    ONE_AHEAD = 3
    """Every other step is wrong at once."""
    FURTHER_AHEAD = 4
    """Every other step is wrong after some that it forces."""
    SEARCH = 5
    """No deduction finds a step: only trial and error."""

    @property
    def code(self) -> str:
        """The rung for programs, such as ``way-out``."""
        return self.name.lower().replace("_", "-")


class Fault(Struct, frozen=True):
    """Fault after a step, and the strand at which it shows."""

    kind: Literal["dead-end", "cut-off", "stranded", "beside-itself"]
    strand: int


class Deduction(Struct, frozen=True):
    """Edges that follow from the drawn ones.

    ``strand``: where there is no other way. ``refuted``: the open edges there, each with its fault. Both are
    empty where only trial and error finds the step.
    """

    rung: Rung
    edges: tuple[int, ...]
    strand: int | None = None
    refuted: tuple[tuple[int, Fault], ...] = ()


class Position:
    """A partly drawn board: pieces of pipes, the number of edges that strands still need, known flows."""

    def __init__(self, puzzle: Puzzle, strict: bool) -> None:
        graph = puzzle.graph
        self.puzzle, self.strict = puzzle, strict
        self.edges, self.incident = graph.edges, graph.incident
        self.near = graph.neighbours()
        self.need = [2] * graph.size
        self.piece = list(range(graph.size))
        """Per strand, the number of its piece."""
        self.members: list[tuple[int, ...]] = [(strand,) for strand in range(graph.size)]
        self.flow = [-1] * graph.size
        """Per piece, its flow; -1 while that is not known."""
        for dot, flow in puzzle.dots.items():
            self.need[dot], self.flow[dot] = 1, flow
        self.used: set[int] = set()

    def copy(self) -> Position:
        """Copy the position for a trial step."""
        other = object.__new__(Position)
        other.__dict__ = self.__dict__ | {
            "need": self.need.copy(),
            "piece": self.piece.copy(),
            "members": self.members.copy(),
            "flow": self.flow.copy(),
            "used": self.used.copy(),
        }
        return other

    def is_open(self, edge: int) -> bool:
        """Return true if degrees and flows allow a pipe over an edge, and it closes no loop."""
        u, v = self.edges[edge]
        if not self.need[u] or not self.need[v] or self.piece[u] == self.piece[v]:
            return False
        a, b = self.flow[self.piece[u]], self.flow[self.piece[v]]
        return a < 0 or b < 0 or a == b

    def ways(self, strand: int) -> list[int]:
        """Return the open edges at a strand, none if it is complete."""
        return [edge for edge in self.incident[strand] if self.is_open(edge)] if self.need[strand] else []

    def draw(self, edge: int) -> set[int]:
        """Draw a pipe over an open edge; return the strands whose ways may have changed."""
        u, v = self.edges[edge]
        a, b = self.piece[u], self.piece[v]
        if len(self.members[a]) < len(self.members[b]):
            a, b = b, a
        self.used.add(edge)
        self.need[u] -= 1
        self.need[v] -= 1
        for strand in self.members[b]:
            self.piece[strand] = a
        self.members[a] += self.members[b]
        self.flow[a] = max(self.flow[a], self.flow[b])
        changed = {u, v, *(strand for strand in self.members[a] if self.need[strand])}
        return changed.union(*(self.near[strand] for strand in changed))

    def fault_after(self, edge: int, chain: int = 0) -> Fault | None:
        """Return the fault after drawing an open edge and up to ``chain`` edges that it forces.

        One step ahead, only an edge that extends a known flow is checked for what it cuts off.
        """
        tried = self.copy()
        todo = [edge]
        for _ in range(chain + 1):
            step = next((candidate for candidate in todo if tried.is_open(candidate)), None)
            if step is None:
                break
            touch = tried.touch_by(step)
            if touch is not None:
                return Fault("beside-itself", touch)
            changed = tried.draw(step)
            todo = [candidate for candidate in todo if candidate != step]
            for strand in sorted(changed):
                ways = tried.ways(strand)
                if len(ways) < tried.need[strand]:
                    return Fault("dead-end", strand)
                if chain and ways and len(ways) == tried.need[strand]:
                    todo += ways
        u, v = self.edges[edge]
        extends_flow = self.flow[self.piece[u]] >= 0 or self.flow[self.piece[v]] >= 0
        return tried.cut_off() if chain or extends_flow else None

    def touch_by(self, edge: int) -> int | None:
        """Return a strand at which a pipe over this edge would break the strict rules, if they hold."""
        if not self.strict:
            return None
        u, v = self.edges[edge]
        a, b = self.piece[u], self.piece[v]
        small, large, ends = (a, b, (u, v)) if len(self.members[a]) < len(self.members[b]) else (b, a, (v, u))
        found = [
            other
            for strand in self.members[small]
            for other in self.near[strand]
            if self.piece[other] == large and (strand, other) != ends
        ]
        if found:
            return min(found)
        flow = max(self.flow[a], self.flow[b])
        if flow < 0 or self.flow[a] == self.flow[b]:
            return None
        # One piece has a colour now: its strands must not lie beside the rest of that flow.
        bare = a if self.flow[a] < 0 else b
        for strand in self.members[bare]:
            full = not self.need[strand] or (strand in (u, v) and self.need[strand] == 1)
            for other in self.near[strand]:
                piece = self.piece[other]
                if piece not in (a, b) and self.flow[piece] == flow and (full or not self.need[other]):
                    found.append(other)
        return min(found, default=None)

    def cut_off(self) -> Fault | None:
        """Find a flow whose two pieces cannot be joined, or cells that no flow can reach."""
        unfinished = {flow: ends for flow, ends in self.heads().items() if len(ends) == 2}
        # Heads side by side need no region between them.
        joinable = {
            flow
            for flow, (head, goal) in unfinished.items()
            if any(goal in self.edges[edge] for edge in self.ways(head))
        }
        region_of = [-1] * len(self.need)
        stranded: list[int] = []
        for start in range(len(self.need)):
            if region_of[start] >= 0 or self.flow[self.piece[start]] >= 0:
                continue
            region, region_of[start] = [start], start
            heads_beside: dict[int, set[int]] = {}
            for strand in region:
                for edge in self.incident[strand]:
                    if edge not in self.used and not self.is_open(edge):
                        continue
                    u, v = self.edges[edge]
                    other = v if u == strand else u
                    flow = self.flow[self.piece[other]]
                    if flow >= 0:
                        heads_beside.setdefault(flow, set()).add(other)
                    elif region_of[other] < 0:
                        region_of[other] = start
                        region.append(other)
            through = {flow for flow, heads in heads_beside.items() if len(heads) == 2}
            joinable |= through
            if not through:
                stranded.append(start)
        apart = sorted(unfinished.keys() - joinable)
        if apart:
            return Fault("cut-off", unfinished[apart[0]][0])
        return Fault("stranded", stranded[0]) if stranded else None

    def heads(self) -> dict[int, list[int]]:
        """Return the ends of the pipes of every unfinished flow."""
        found: dict[int, list[int]] = {}
        for strand, need in enumerate(self.need):
            if need and self.flow[self.piece[strand]] >= 0:
                found.setdefault(self.flow[self.piece[strand]], []).append(strand)
        return found


def deductions(
    puzzle: Puzzle, solution: Solution, known: Collection[int] = (), seconds: float = SECONDS
) -> Iterator[Deduction]:
    """Yield steps until all is drawn, each the easiest that can be seen then. Raises ``TimeIsUpError``.

    ``known``: the edges of the solution that are drawn already. The solution gives the rules, and the next
    step where only trial and error finds one.
    """
    deadline = perf_counter() + seconds
    rules: Rules = "free" if touches_of(puzzle, solution.paths) else "strict"
    position = Position(puzzle, rules == "strict")
    target = solution.edges
    for edge in sorted(target.intersection(known)):
        position.draw(edge)
    while position.used != target:
        deduction = _next_deduction(position, deadline)
        if deduction is None:
            missing = sorted(target - position.used)
            ends = {strand for pair in position.heads().values() for strand in pair}
            beside = (edge for edge in missing if not ends.isdisjoint(position.edges[edge]))
            deduction = Deduction(Rung.SEARCH, (next(beside, missing[0]),))
        for edge in deduction.edges:
            position.draw(edge)
        yield deduction


def _next_deduction(position: Position, deadline: float) -> Deduction | None:
    ends = sorted(strand for pair in position.heads().values() for strand in pair)
    others = [s for s, need in enumerate(position.need) if need and s not in set(ends)]
    for rung, strands in ((Rung.WAY_OUT, ends), (Rung.WAY_THROUGH, others)):
        for strand in strands:
            ways = position.ways(strand)
            if ways and len(ways) == position.need[strand]:
                return Deduction(rung, tuple(ways), strand)
    refuted: dict[int, tuple[Rung, Fault]] = {}
    for rung, chain in ((Rung.ONE_AHEAD, 0), (Rung.FURTHER_AHEAD, CHAIN)):
        for strand in (*ends, *others):
            if perf_counter() > deadline:
                raise TimeIsUpError
            ways = position.ways(strand)
            left = [edge for edge in ways if edge not in refuted]
            if len(left) > position.need[strand] + 1:
                continue
            for edge in left:
                fault = position.fault_after(edge, chain)
                if fault:
                    refuted[edge] = rung, fault
            left = [edge for edge in left if edge not in refuted]
            if left and len(left) == position.need[strand]:
                against = {edge: refuted[edge] for edge in ways if edge in refuted}
                hardest = max(rung for rung, _ in against.values())
                faults = tuple((edge, fault) for edge, (_, fault) in against.items())
                return Deduction(hardest, tuple(left), strand, faults)
    return None


GRADES = ("easy", "medium", "hard", "expert")
"""Grades by the hardest step: without looking ahead, one step ahead, further ahead, by trial and error."""
WEIGHTS = {Rung.WAY_OUT: 0, Rung.WAY_THROUGH: 0, Rung.ONE_AHEAD: 1, Rung.FURTHER_AHEAD: 4, Rung.SEARCH: 16}
"""Score of a step of each rung."""


class Difficulty(Struct, frozen=True):
    """Difficulty for a person: one of ``GRADES``, a score from 0, and the number of steps of each rung."""

    grade: str
    score: int
    steps: tuple[int, ...]


def difficulty(puzzle: Puzzle, solution: Solution, seconds: float = SECONDS) -> Difficulty:
    """Grade the way from the empty board to the solution. Raises ``TimeIsUpError``."""
    rungs = [step.rung for step in deductions(puzzle, solution, (), seconds)]
    grade = GRADES[max(0, max(rungs, default=Rung.WAY_OUT) - Rung.WAY_THROUGH)]
    return Difficulty(grade, sum(WEIGHTS[rung] for rung in rungs), tuple(rungs.count(rung) for rung in Rung))
