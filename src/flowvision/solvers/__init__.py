"""Puzzle in, outcome out: engines by name, the search that they share, and a referee for every answer.

Edges become paths. Degrees and colours do not ensure connection: besides the paths, a model may contain loops
without a dot. One clause rules out each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from time import perf_counter
from typing import Literal, Self, TypeGuard, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.check import faults_in_puzzle, faults_in_solution
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Path, Puzzle, Solution

Rules = Literal["strict", "free"]
"""``strict``: no path touches itself (neighbouring cells of one path follow each other on it), as in every
published level. ``free``: all paths that join their dots and fill the board."""


SECONDS = 30.0
"""Usual limit of a solver, in wall time."""
ENGINES = {"sat": ("sat", "SatSearch"), "search": ("backtracking", "StepSearch")}
"""Module and class of each engine; loaded when first used."""


class CnfEvidence(Struct, frozen=True):
    """Size of a formula in conjunctive normal form, and the effort of its search.

    ``variables``, ``clauses``: their numbers at the beginning. ``loops_cut``, ``touches_cut``: clauses added
    against loops without a dot, and against paths that touch themselves.
    """

    variables: int
    clauses: int
    loops_cut: int
    touches_cut: int
    conflicts: int
    decisions: int


class Solved(Struct, frozen=True):
    """A solution, and whether it is the only one under ``rules`` (``None``: not known)."""

    solution: Solution
    seconds: float
    unique: bool | None = None
    rules: Rules = "free"
    second: Solution | None = None
    """Another solution, where ``unique`` is false."""
    evidence: CnfEvidence | None = None


class Unsolvable(Struct, frozen=True):
    """Proof that there is no solution; ``reason`` where one is cheap to find."""

    seconds: float
    reason: str = ""
    evidence: CnfEvidence | None = None


class GaveUp(Struct, frozen=True):
    """No answer within the limit; with ``rules`` free, strict solutions are ruled out."""

    seconds: float
    rules: Rules = "strict"
    evidence: CnfEvidence | None = None

    @property
    def reason(self) -> str:
        """The limit, in words."""
        touching = ", also with paths that may touch themselves" if self.rules == "free" else ""
        decimals = 1 if self.seconds >= 1 else 3
        return f"gave up after {self.seconds:.{decimals}f} s{touching}"


Outcome = Solved | Unsolvable | GaveUp


def has_one_strict_solution(outcome: Outcome) -> TypeGuard[Solved]:
    """Return whether there is exactly one solution and it is strict, as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


Item = TypeVar("Item")


class TimeIsUpError(Exception):
    """The limit passed in the middle of a search; engines turn it into ``GaveUp``."""


def trace(puzzle: Puzzle, used_edges: Iterable[int]) -> tuple[Solution, list[Path]]:
    """Join used edges, one at every dot and two at other strands, into paths and loops without a dot.

    A loop repeats its first strand at the end.
    """
    edges, size = puzzle.graph.edges, puzzle.graph.size
    first_edge, second_edge = [-1] * size, [-1] * size  # of each strand; -1: none
    for edge in used_edges:
        for strand in edges[edge]:
            if first_edge[strand] < 0:
                first_edge[strand] = edge
            else:
                second_edge[strand] = edge
    visited = bytearray(size)

    def walk(start: int) -> Path:
        """Follow used edges from a strand to a dot, or round a loop, and mark what is visited."""
        vertices, passed_edges, strand, edge = [start], list[int](), start, first_edge[start]
        visited[start] = 1
        while edge >= 0:
            u, v = edges[edge]
            strand = v if strand == u else u
            vertices.append(strand)
            passed_edges.append(edge)
            if strand == start:
                break
            visited[strand] = 1
            edge = second_edge[strand] if first_edge[strand] == edge else first_edge[strand]  # the other
        return Path(tuple(vertices), tuple(passed_edges))

    paths = tuple([walk(start) for start, _ in puzzle.terminals])
    loops = []
    for start, edge in enumerate(first_edge):
        if edge >= 0 and not visited[start]:
            loops.append(walk(start))
    return Solution(paths), loops


def touches_of(puzzle: Puzzle, paths: Iterable[Path]) -> list[tuple[int, ...]]:
    """Return, for every path that touches itself, its edges from one strand to another that it touches."""
    size = puzzle.graph.size
    flow_of, place_of = [-1] * size, [0] * size  # of each strand: its flow, -1 without one; its place there
    edges_of: list[tuple[int, ...]] = []
    for flow, path in enumerate(paths):
        edges_of.append(path.edges)
        for place, strand in enumerate(path.vertices):
            flow_of[strand], place_of[strand] = flow, place
    touching: dict[int, tuple[int, ...]] = {}
    for u, v in puzzle.graph.edges:
        flow = flow_of[u]
        if flow == flow_of[v] and flow >= 0:
            first, last = place_of[u], place_of[v]
            if first > last:
                first, last = last, first
            if last - first > 1:  # neighbours on the board, but not on the path
                touching.setdefault(flow, edges_of[flow][first:last])
    return list(touching.values())


class LazySearch(ABC):
    """Search for solutions of one puzzle; its methods raise ``TimeIsUpError`` after the deadline.

    In clauses, ``e + 1`` means "edge ``e`` is used", ``-(e + 1)`` the opposite.
    """

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        self.puzzle = puzzle
        self.deadline = deadline
        self.loops_cut = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Free memory of the engine outside Python."""
        return

    @abstractmethod
    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges used in one way to obey degrees, colours, rules and clauses, or ``None``."""

    @abstractmethod
    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""

    def next_solution(self, rules: Rules) -> Solution | None:
        """Return a solution that obeys ``rules`` and all clauses added so far; ``None`` without one."""
        while (used_edges := self.used_edges(rules)) is not None:
            solution, loops = trace(self.puzzle, used_edges)
            cuts = self.cuts(solution, loops, rules)
            if not cuts:
                return solution
            for cut in cuts:
                self.add(cut)
        return None

    def cuts(self, solution: Solution, loops: Sequence[Path], rules: Rules) -> list[list[int]]:
        """Return clauses that rule out what keeps paths from being a solution: an edge leaves each loop."""
        self.loops_cut += len(loops)
        return [self._some_edge_out_of(set(loop.vertices)) for loop in loops]

    def _some_edge_out_of(self, strands: set[int]) -> list[int]:
        """Return the clause that an edge from these strands to others is used."""
        graph, clause = self.puzzle.graph, list[int]()
        for strand in strands:
            ways = [(edge, graph.other_end(edge, strand)) for edge in graph.incident[strand]]
            clause += [edge + 1 for edge, other in ways if other not in strands]
        return clause

    def evidence(self) -> CnfEvidence | None:
        """Return the effort so far, where the engine counts it."""
        return None

    def forbid(self, solution: Solution) -> None:
        """Rule out one solution."""
        self.add([-edge - 1 for edge in solution.edges])

    def watched(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items and check the clock now and then."""
        for number, item in enumerate(items):
            if number % 64 == 0:  # under a millisecond
                self.check_clock()
            yield item

    def check_clock(self) -> float:
        """Return the seconds left. Raises ``TimeIsUpError`` when there are none."""
        left = self.deadline - perf_counter()
        if left <= 0:
            raise TimeIsUpError
        return left


def solve_lazily(
    open_search: Callable[[Puzzle, float], LazySearch],
    puzzle: Puzzle,
    seconds: float,
    rules: Rules | None = None,
) -> Outcome:
    """Solve under ``rules``, by default strict, then free ones; prove uniqueness under the same rules.

    A free search can take long even on small boards, so cheap reasons against a solution come first.
    """
    began, is_in_time, is_free = perf_counter(), True, rules is None
    first: Solution | None = None
    second: Solution | None = None
    evidence: CnfEvidence | None = None
    rules = rules or "strict"
    try:
        with open_search(puzzle, began + seconds) as search:
            try:
                first = search.next_solution(rules)
                if first is None and is_free:
                    from flowvision.solvers.reasons import reasons  # rarely needed

                    if not reasons(puzzle):
                        rules = "free"
                        first = search.next_solution(rules)
                if first is not None:
                    search.forbid(first)
                    second = search.next_solution(rules)
            finally:
                evidence = search.evidence()
    except TimeIsUpError:
        is_in_time = False
    seconds = perf_counter() - began
    if first is None:
        return (
            Unsolvable(seconds, reason="", evidence=evidence)
            if is_in_time
            else GaveUp(seconds, rules, evidence)
        )
    unique = second is None if is_in_time else None
    return Solved(first, seconds, unique, rules, second, evidence)


def solve(
    puzzle: Puzzle,
    solver: str = "sat",
    seconds: float = SECONDS,
    board: Board | None = None,
    rules: Rules | None = None,
) -> Outcome:
    """Solve a puzzle with the engine of that name; with its ``board``, faults name rows and columns.

    ``rules``: by default strict, then free ones if there is no strict solution.
    Raises ``PuzzleInvalidError`` for an invalid puzzle, ``KeyError`` for an unknown engine, and
    ``AssertionError``, a bug, if an answer does not pass the referee.
    """
    faults = faults_in_puzzle(puzzle, board)
    if faults:
        raise PuzzleInvalidError(" ".join(faults))
    module, search = ENGINES[solver]
    open_search = getattr(import_module(f"flowvision.solvers.{module}"), search)
    outcome = refereed(puzzle, board, solver, solve_lazily(open_search, puzzle, seconds, rules))
    if isinstance(outcome, Unsolvable) and not outcome.reason and rules == "strict":
        return replace(outcome, reason="none in which no path touches itself")  # free rules may have one
    return outcome


def refereed(puzzle: Puzzle, board: Board | None, solver: str, outcome: Outcome) -> Outcome:
    """Referee an outcome; add a cheap reason where there is no solution."""
    if isinstance(outcome, Unsolvable):
        from flowvision.solvers.reasons import reasons

        return replace(outcome, reason="; ".join(reasons(puzzle, board)))
    if isinstance(outcome, Solved):
        for solution in (outcome.solution, outcome.second):
            wrong = [] if solution is None else faults_in_solution(puzzle, solution)
            if wrong:
                raise AssertionError(f"The engine {solver} broke the rules: {' '.join(wrong)}")
    return outcome
