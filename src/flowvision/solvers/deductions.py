"""Deductions of a person who solves a puzzle, from the easiest to the hardest; no search, no solver.

Every step of the first four rungs is forced in all solutions under the given rules. A way is refuted by a
fault: a dead end, something cut off, or a pipe beside itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from time import perf_counter
from typing import Literal, TypeVar

from msgspec import Struct

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers import SECONDS, Rules, TimeIsUpError, touches_of

Heads = TypeVar("Heads", list[int], set[int])

CHAIN = 12
"""Forced steps followed after a trial step: a person does not look further ahead."""
GRADES = ("easy", "medium", "hard", "expert")
"""Grades by the hardest step: without looking ahead, one step ahead, further ahead, by trial and error."""


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


WEIGHTS = {Rung.WAY_OUT: 0, Rung.WAY_THROUGH: 0, Rung.ONE_AHEAD: 1, Rung.FURTHER_AHEAD: 4, Rung.SEARCH: 16}
"""Score of a step of each rung."""


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
    """A partly drawn board.

    A piece is a part of a pipe, at first each strand alone. A head is the end of an unfinished pipe from a
    dot. ``near``: per strand, its neighbours; ``need``: the number of edges that it still lacks. ``members``:
    per piece, its strands. ``used``: the drawn edges.
    """

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
        other.__dict__ = self.__dict__.copy()
        other.need = self.need.copy()
        other.piece = self.piece.copy()
        other.members = self.members.copy()
        other.flow = self.flow.copy()
        other.used = self.used.copy()
        return other

    def flow_at(self, strand: int) -> int:
        """Return the flow of a strand, -1 while that is not known."""
        return self.flow[self.piece[strand]]

    def is_open(self, edge: int) -> bool:
        """Return true if degrees and flows allow a pipe over an edge, and it closes no loop."""
        u, v = self.edges[edge]
        if not (self.need[u] and self.need[v]):
            return False
        piece_u, piece_v = self.piece[u], self.piece[v]
        flow_u, flow_v = self.flow[piece_u], self.flow[piece_v]
        return piece_u != piece_v and (flow_u < 0 or flow_v < 0 or flow_u == flow_v)

    def ways(self, strand: int) -> list[int]:
        """Return the open edges at a strand, none if it is complete."""
        if not self.need[strand]:
            return []
        return [edge for edge in self.incident[strand] if self.is_open(edge)]

    def draw(self, edge: int) -> set[int]:
        """Draw a pipe over an open edge; return the strands whose ways may have changed."""
        u, v = self.edges[edge]
        large, small = self.piece[u], self.piece[v]
        if len(self.members[large]) < len(self.members[small]):
            large, small = small, large
        self.used.add(edge)
        self.need[u] -= 1
        self.need[v] -= 1
        for strand in self.members[small]:
            self.piece[strand] = large
        self.members[large] += self.members[small]
        self.flow[large] = max(self.flow[large], self.flow[small])  # the known one: -1 is less
        changed = {u, v, *(strand for strand in self.members[large] if self.need[strand])}
        return changed.union(*(self.near[strand] for strand in changed))

    def fault_after(self, edge: int, further: int = 0) -> Fault | None:
        """Return the fault after drawing an open edge and up to ``further`` edges that it forces.

        One step ahead, only an edge that extends a known flow is checked for what it cuts off: that is as far
        as a person sees.
        """
        tried, forced = self.copy(), [edge]
        for _ in range(further + 1):
            step = next((candidate for candidate in forced if tried.is_open(candidate)), None)
            if step is None:
                break
            touch = tried.touch_by(step)
            if touch is not None:
                return Fault("beside-itself", touch)
            changed = tried.draw(step)
            forced = [candidate for candidate in forced if candidate != step]
            for strand in sorted(changed):
                ways = tried.ways(strand)
                if len(ways) < tried.need[strand]:
                    return Fault("dead-end", strand)
                if further and ways and len(ways) == tried.need[strand]:
                    forced += ways
        u, v = self.edges[edge]
        extends_flow = self.flow_at(u) >= 0 or self.flow_at(v) >= 0
        return tried.cut_off() if further or extends_flow else None

    def touch_by(self, edge: int) -> int | None:
        """Return a strand at which a pipe over this edge would break the strict rules, if they hold."""
        if not self.strict:
            return None
        u, v = self.edges[edge]
        if len(self.members[self.piece[u]]) >= len(self.members[self.piece[v]]):
            u, v = v, u
        small, large = self.piece[u], self.piece[v]
        touched = []
        for strand in self.members[small]:
            beside = [other for other in self.near[strand] if self.piece[other] == large]
            touched += [other for other in beside if (strand, other) != (u, v)]  # these are joined
        return min(touched) if touched else self._touch_of_new_flow(u, v)

    def _touch_of_new_flow(self, u: int, v: int) -> int | None:
        """Return a strand of its new flow that a piece lies beside, once an edge gives it a flow."""
        flow = max(self.flow_at(u), self.flow_at(v))
        if flow < 0 or self.flow_at(u) == self.flow_at(v):
            return None
        joined_pieces = self.piece[u], self.piece[v]
        without_flow = self.piece[u if self.flow_at(u) < 0 else v]
        touched = []
        for strand in self.members[without_flow]:
            need = self.need[strand] - (1 if strand in (u, v) else 0)  # once the edge is drawn
            for other in self.near[strand]:
                is_elsewhere = self.piece[other] not in joined_pieces
                may_be_joined = need > 0 and self.need[other]  # two that need an edge more
                if is_elsewhere and self.flow_at(other) == flow and not may_be_joined:
                    touched.append(other)
        return min(touched, default=None)

    def cut_off(self) -> Fault | None:
        """Find a flow whose two pipes cannot be joined, or strands that no flow can reach."""
        unfinished = _pairs_in(self.heads())
        # Heads side by side need no region between them.
        joinable = {flow for flow, pair in unfinished.items() if self._can_join(*pair)}
        visited: set[int] = set()
        stranded: list[int] = []
        for start in range(len(self.need)):
            if start in visited or self.flow_at(start) >= 0:
                continue
            region, heads_beside = self._region_of(start)
            visited |= region
            joined_through = _pairs_in(heads_beside).keys()
            joinable |= joined_through
            if not joined_through:
                stranded.append(start)
        separated = unfinished.keys() - joinable
        if separated:
            head, _ = unfinished[min(separated)]
            return Fault("cut-off", head)
        return Fault("stranded", stranded[0]) if stranded else None

    def _can_join(self, head: int, goal: int) -> bool:
        """Return whether one open edge joins two strands."""
        return any(goal in self.edges[edge] for edge in self.ways(head))

    def _region_of(self, start: int) -> tuple[set[int], dict[int, set[int]]]:
        """Return the strands without a flow reached from ``start``, and per flow its heads beside them."""
        region, todo = {start}, [start]
        heads_beside: dict[int, set[int]] = {}
        for strand in todo:  # it grows meanwhile
            for edge in self.incident[strand]:
                if edge not in self.used and not self.is_open(edge):
                    continue
                u, v = self.edges[edge]
                other = v if u == strand else u
                flow = self.flow_at(other)
                if flow >= 0:
                    heads_beside.setdefault(flow, set()).add(other)
                elif other not in region:
                    region.add(other)
                    todo.append(other)
        return region, heads_beside

    def heads(self) -> dict[int, list[int]]:
        """Return, per unfinished flow, the strands at the ends of its two pipes, rising."""
        heads: dict[int, list[int]] = {}
        for strand, need in enumerate(self.need):
            if need and (flow := self.flow_at(strand)) >= 0:
                heads.setdefault(flow, []).append(strand)
        return heads


def _pairs_in(heads: Mapping[int, Heads]) -> dict[int, Heads]:
    """Return the flows with two heads."""
    return {flow: ends for flow, ends in heads.items() if len(ends) == 2}


def deductions(
    puzzle: Puzzle, solution: Solution, drawn: Collection[int] = (), seconds: float = SECONDS
) -> Iterator[Deduction]:
    """Yield steps until all is drawn, each the easiest that can be seen then. Raises ``TimeIsUpError``.

    ``drawn``: the edges of the solution that are drawn already. The solution gives the rules, and the next
    step where only trial and error finds one.
    """
    deadline = perf_counter() + seconds
    rules: Rules = "free" if touches_of(puzzle, solution.paths) else "strict"
    position = Position(puzzle, strict=rules == "strict")
    target = solution.edges
    for edge in sorted(target.intersection(drawn)):
        position.draw(edge)
    while position.used != target:
        deduction = _next_deduction(position, deadline)
        if deduction is None:
            missing = sorted(target - position.used)
            heads = set(chain.from_iterable(position.heads().values()))
            at_heads = (edge for edge in missing if not heads.isdisjoint(position.edges[edge]))
            deduction = Deduction(Rung.SEARCH, (next(at_heads, missing[0]),))
        for edge in deduction.edges:
            position.draw(edge)
        yield deduction


def _next_deduction(position: Position, deadline: float) -> Deduction | None:
    """Return the easiest deduction; ``None`` if only trial and error finds a step."""
    heads = sorted(chain.from_iterable(position.heads().values()))
    others = sorted({strand for strand, need in enumerate(position.need) if need}.difference(heads))
    for strand in heads + others:
        ways = position.ways(strand)
        if ways and len(ways) == position.need[strand]:
            rung = Rung.WAY_OUT if strand in heads else Rung.WAY_THROUGH
            return Deduction(rung, tuple(ways), strand)
    return _look_ahead(position, heads + others, deadline)


def _look_ahead(position: Position, strands: Sequence[int], deadline: float) -> Deduction | None:
    """Refute ways at each strand until just as many are left as it needs, at first only by one step ahead.

    Return ``None`` if that never happens. Raises ``TimeIsUpError``.
    """
    rung_of, fault_of = dict[int, Rung](), dict[int, Fault]()  # of each refuted edge
    # With the number of forced steps that are followed.
    for rung, further in ((Rung.ONE_AHEAD, 0), (Rung.FURTHER_AHEAD, CHAIN)):
        for strand in strands:
            if perf_counter() > deadline:
                raise TimeIsUpError
            ways, need = position.ways(strand), position.need[strand]
            possible = [edge for edge in ways if edge not in fault_of]
            if len(possible) > need + 1:  # one more refuted way would not be enough
                continue
            for edge in possible:
                if fault := position.fault_after(edge, further):
                    rung_of[edge], fault_of[edge] = rung, fault
            possible = [edge for edge in possible if edge not in fault_of]
            if possible and len(possible) == need:
                refuted = [edge for edge in ways if edge in fault_of]
                hardest = max(rung_of[edge] for edge in refuted)
                faults = tuple((edge, fault_of[edge]) for edge in refuted)
                return Deduction(hardest, tuple(possible), strand, faults)
    return None


class Difficulty(Struct, frozen=True):
    """Difficulty for a person: one of ``GRADES``, a score from 0, and the number of steps of each rung."""

    grade: str
    score: int
    steps: tuple[int, ...]


def difficulty(puzzle: Puzzle, solution: Solution, seconds: float = SECONDS) -> Difficulty:
    """Grade the way from the empty board to the solution. Raises ``TimeIsUpError``."""
    rungs = [step.rung for step in deductions(puzzle, solution, drawn=(), seconds=seconds)]
    hardest = max(rungs, default=Rung.WAY_OUT)
    grade = GRADES[max(0, hardest - Rung.WAY_THROUGH)]  # neither of the first two rungs looks ahead
    score = sum(WEIGHTS[rung] for rung in rungs)
    return Difficulty(grade, score, tuple(map(rungs.count, Rung)))
