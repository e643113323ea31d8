"""A nudge rather than the answer: the next forced steps, or one flow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, suppress
from itertools import islice
from time import perf_counter

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers.base import Limits, Rules, TimeIsUpError
from flowvision.solvers.counting import flows_of
from flowvision.solvers.lazy import touches_of
from flowvision.solvers.sat import SatSearch
from flowvision.value import value_type

NO_OTHER_WAY = "there is no other way for these"
CUT_OFF = "without this step something is cut off at once"
THINK_AHEAD = "this takes thinking ahead"
ALL_DRAWN = "all is drawn"
WHOLE_FLOW = "the whole flow"
SHORTEST_FLOW = "the shortest flow that is left"
FLOW_DRAWN = "this flow is drawn"
CODES = {
    NO_OTHER_WAY: "forced",
    CUT_OFF: "cut-off",
    THINK_AHEAD: "think-ahead",
    ALL_DRAWN: "all-drawn",
    WHOLE_FLOW: "whole-flow",
    SHORTEST_FLOW: "shortest-flow",
    FLOW_DRAWN: "flow-drawn",
}
"""Programs go by the word, people by the sentence."""


@value_type
class Hint:
    """Pieces of the solution, as edges with their flows, and how one could have seen them.

    ``causes``: per edge, the strand that has no other way; ``None`` where no single strand shows it.
    ``numbered``: the flows are to be drawn in the order given. ``code``: what ``why`` says, for programs.
    """

    edges: tuple[int, ...]
    flows: tuple[int, ...]
    why: str
    causes: tuple[int | None, ...] = ()
    numbered: bool = False

    @property
    def code(self) -> str:
        """``why`` as one word of ``CODES``."""
        return CODES.get(self.why, "several-flows")


def next_steps(
    puzzle: Puzzle, solution: Solution, known: Collection[int] = (), limits: Limits | None = None
) -> Hint:
    """The edges that follow from the rules and the ``known`` ones, the easiest first.

    First those that are forced at once (a corner; a strand with no other way left), then one that cannot be
    left out without running into a contradiction at once, then a step of the solution beside a dot or a
    known edge. ``solution`` says which flow an edge belongs to. Raises ``TimeIsUpError``.
    """
    return next(hints_in_order(puzzle, solution, known, limits), Hint((), (), ALL_DRAWN))


def hints_in_order(
    puzzle: Puzzle, solution: Solution, known: Collection[int] = (), limits: Limits | None = None
) -> Iterator[Hint]:
    """One hint after another until all is drawn, each what ``next_steps`` says when those before are drawn.

    Raises ``TimeIsUpError``.
    """
    deadline = perf_counter() + (limits or Limits()).seconds
    flow_of = flows_of(solution)
    rules: Rules = "free" if touches_of(puzzle, solution.paths) else "strict"
    found = set(known)
    wanted = {edge for path in solution.paths for edge in path.edges} - found
    search: SatSearch | None = None

    def made(edges: list[int], why: str, causes: Mapping[int, int]) -> Hint:
        flows = tuple(flow_of[puzzle.graph.edges[edge][0]] for edge in edges)
        return Hint(tuple(edges), flows, why, tuple(causes.get(edge) for edge in edges))

    with ExitStack() as stack:
        while wanted:
            causes = _only_ways(puzzle, found)
            forced, why = sorted(wanted & causes.keys()), NO_OTHER_WAY
            if not forced:
                search = search or stack.enter_context(SatSearch(puzzle, deadline, with_implied=False))
                search.check_clock()
                given = [edge + 1 for edge in sorted(found)]
                cut_off = (e for e in sorted(wanted) if not search.is_consistent(rules, [*given, -e - 1]))
                forced, why = list(islice(cut_off, 1)), CUT_OFF
            if not forced:
                beside = {dot for pair in puzzle.terminals for dot in pair}
                beside |= {strand for edge in found for strand in puzzle.graph.edges[edge]}
                steps = [edge for edge in sorted(wanted) if beside & set(puzzle.graph.edges[edge])]
                forced, why = steps[:1], THINK_AHEAD
            yield made(forced, why, causes)
            found.update(forced)
            wanted.difference_update(forced)


def _only_ways(puzzle: Puzzle, known: Collection[int]) -> dict[int, int]:
    """The edges at strands that have no more open edges than they need, and such a strand for each."""
    graph = puzzle.graph
    flow_of = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    need = [1 if strand in flow_of else 2 for strand in range(graph.size)]
    for edge in known:
        for strand in graph.edges[edge]:
            need[strand] -= 1
    is_open = {
        edge
        for edge, (u, v) in enumerate(graph.edges)
        if edge not in known
        and min(need[u], need[v]) > 0
        and (u not in flow_of or v not in flow_of or flow_of[u] == flow_of[v])
    }
    forced: dict[int, int] = {}
    for strand in range(graph.size):
        ways = is_open.intersection(graph.incident[strand])
        if strand not in puzzle.optional and len(ways) == need[strand]:
            forced |= dict.fromkeys(ways - forced.keys(), strand)
    return forced


def flow_hint(solution: Solution, flow: int | None = None, known: Collection[int] = ()) -> Hint:
    """One whole flow: the one asked for, or the shortest that is not drawn yet."""

    def left(path: Path) -> int:
        return sum(edge not in known for edge in path.edges)

    why = WHOLE_FLOW
    if flow is None:
        open_flows = [n for n, path in enumerate(solution.paths) if left(path)]
        if not open_flows:
            return Hint((), (), ALL_DRAWN)
        flow, why = min(open_flows, key=lambda n: left(solution.paths[n])), SHORTEST_FLOW
    edges = tuple(edge for edge in solution.paths[flow].edges if edge not in known)
    if not edges:
        return Hint((), (), FLOW_DRAWN)
    return Hint(edges, (flow,) * len(edges), why, (None,) * len(edges))


def several_flows(
    puzzle: Puzzle, solution: Solution, count: int, known: Collection[int] = (), limits: Limits | None = None
) -> Hint:
    """So many flows that are not drawn yet, in the order in which a person would finish them."""
    order = [
        flow
        for flow in play_order(puzzle, solution, known, limits)
        if not set(solution.paths[flow].edges) <= set(known)
    ][:count]
    if not order:
        return Hint((), (), ALL_DRAWN)
    steps = [(edge, flow) for flow in order for edge in solution.paths[flow].edges if edge not in known]
    why = "the flow that is" if len(order) == 1 else f"the {len(order)} flows that are"
    edges, flows = zip(*steps, strict=True)
    return Hint(edges, flows, f"{why} easiest to find, in that order", (None,) * len(edges), True)


def play_order(
    puzzle: Puzzle, solution: Solution, known: Collection[int] = (), limits: Limits | None = None
) -> tuple[int, ...]:
    """All flows in the order in which hints finish them; of those finished by one hint, the shortest first.

    ``known``: the edges that are drawn already; flows that they finish come first. Where the limit passes,
    the flows that are left follow by how much of them is missing.
    """
    found = set(known)
    finished: dict[int, int] = {}

    def note(number: int) -> None:
        for flow, path in enumerate(solution.paths):
            if flow not in finished and found.issuperset(path.edges):
                finished[flow] = number

    note(0)
    with suppress(TimeIsUpError):
        for number, hint in enumerate(hints_in_order(puzzle, solution, known, limits), 1):
            found.update(hint.edges)
            note(number)

    def rank(flow: int) -> tuple[int, int, int]:
        edges = solution.paths[flow].edges
        never = len(puzzle.graph.edges) + 1
        return finished.get(flow, never), sum(edge not in found for edge in edges), len(edges)

    return tuple(sorted(range(len(solution.paths)), key=rank))
