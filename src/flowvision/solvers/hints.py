"""A nudge rather than the answer: the next forced steps, or one flow."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from time import perf_counter

from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.solvers.base import Limits, Rules
from flowvision.solvers.counting import flows_of
from flowvision.solvers.sat import SatSearch
from flowvision.solvers.trace import touches_of


@dataclass(frozen=True, slots=True)
class Hint:
    """Pieces of the solution, as edges with their flows, and how one could have seen them."""

    edges: tuple[int, ...]
    flows: tuple[int, ...]
    why: str


def next_steps(
    puzzle: Puzzle, solution: Solution, known: Collection[int] = (), limits: Limits | None = None
) -> Hint:
    """The edges that follow from the rules and the ``known`` ones, the easiest first.

    First those that are forced at once (a corner; a strand with no other way left), then one that cannot be
    left out without running into a contradiction at once, then a step of the solution beside a dot or a
    known edge. ``solution`` says which flow an edge belongs to. Raises ``TimeIsUpError``.
    """
    deadline = perf_counter() + (limits or Limits()).seconds
    flow_of = flows_of(solution)
    rules: Rules = "free" if touches_of(puzzle, solution.paths) else "strict"
    wanted = {edge for path in solution.paths for edge in path.edges} - set(known)

    def made(edges: list[int], why: str) -> Hint:
        return Hint(tuple(edges), tuple(flow_of[puzzle.graph.edges[edge][0]] for edge in edges), why)

    forced = sorted(_only_ways(puzzle, known) & wanted)
    if forced:
        return made(forced, "there is no other way for these")
    with SatSearch(puzzle, deadline) as search:
        given = [edge + 1 for edge in known]
        for edge in sorted(wanted):
            if not search.is_consistent(rules, [*given, -edge - 1]):
                return made([edge], "without this step something is cut off at once")
    beside = {dot for pair in puzzle.terminals for dot in pair}
    beside |= {strand for edge in known for strand in puzzle.graph.edges[edge]}
    steps = [edge for edge in sorted(wanted) if beside & set(puzzle.graph.edges[edge])]
    return made(steps[:1], "this takes thinking ahead") if steps else made([], "all is drawn")


def _only_ways(puzzle: Puzzle, known: Collection[int]) -> set[int]:
    """The edges at strands that have no more open edges than they need."""
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
    forced: set[int] = set()
    for strand in set(range(graph.size)) - puzzle.optional:
        ways = is_open.intersection(graph.incident[strand])
        if len(ways) == need[strand]:
            forced |= ways
    return forced


def flow_hint(solution: Solution, flow: int | None = None, known: Collection[int] = ()) -> Hint:
    """One whole flow: the one asked for, or the shortest that is not drawn yet."""

    def left(path: Path) -> int:
        return sum(edge not in known for edge in path.edges)

    why = "the whole flow"
    if flow is None:
        open_flows = [n for n, path in enumerate(solution.paths) if left(path)]
        if not open_flows:
            return Hint((), (), "all is drawn")
        flow, why = min(open_flows, key=lambda n: left(solution.paths[n])), "the shortest flow that is left"
    edges = tuple(edge for edge in solution.paths[flow].edges if edge not in known)
    return Hint(edges, (flow,) * len(edges), why)
