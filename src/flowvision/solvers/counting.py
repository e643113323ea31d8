"""Solutions of a puzzle: their number, their common part, and those that keep drawn pipes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from time import perf_counter

from msgspec import Struct

from flowvision.puzzle.model import DrawnEdges, Puzzle, Solution, drawn_starts
from flowvision.solvers import (
    SECONDS,
    Outcome,
    Rules,
    Solved,
    TimeIsUpError,
    Unsolvable,
    refereed,
    solve_lazily,
)
from flowvision.solvers.sat import SatSearch


class Count(Struct, frozen=True):
    """Number of solutions; with ``complete`` false, there may be more."""

    number: int
    complete: bool


def count_solutions(
    puzzle: Puzzle, bound: int, seconds: float = SECONDS, rules: Rules | None = None
) -> Count:
    """Count up to ``bound`` solutions under ``rules``, by default strict, else free ones."""
    number = 0
    try:
        for _ in solutions(puzzle, seconds, rules):
            if number == bound:
                return Count(number, complete=False)
            number += 1
    except TimeIsUpError:
        return Count(number, complete=False)
    return Count(number, complete=True)


def solutions(puzzle: Puzzle, seconds: float = SECONDS, rules: Rules | None = None) -> Iterator[Solution]:
    """Yield every solution under ``rules`` once, by default the strict ones, or else the free ones.

    Raises ``TimeIsUpError``.
    """
    with SatSearch(puzzle, perf_counter() + seconds) as search:
        found_under, solution = _first(search, rules)
        while solution:
            yield solution
            search.forbid(solution)
            solution = search.next_solution(found_under)


def common(puzzle: Puzzle, seconds: float = SECONDS, rules: Rules | None = None) -> dict[int, int] | None:
    """Return the strands that one flow covers in all solutions, with that flow; ``None`` without a solution.

    Each further solution must differ in a strand that all earlier ones share, so few are needed. Raises
    ``TimeIsUpError``.
    """
    with SatSearch(puzzle, perf_counter() + seconds) as search:
        found_under, solution = _first(search, rules)
        if solution is None:
            return None
        shared = solution.flow_of
        while solution:
            flow_of = solution.flow_of
            shared = {strand: flow for strand, flow in shared.items() if flow_of.get(strand) == flow}
            search.add(search.other_colours(shared))
            solution = search.next_solution(found_under)
    return shared


def differing_strands(first: Solution, second: Solution) -> tuple[int, ...]:
    """Return the strands whose flow or edges differ between two solutions."""
    first_ways, second_ways = _ways(first), _ways(second)
    strands = sorted(first_ways.keys() | second_ways.keys())
    return tuple(strand for strand in strands if first_ways.get(strand) != second_ways.get(strand))


def _ways(solution: Solution) -> dict[int, tuple[int, frozenset[int]]]:
    """Return, per covered strand, its flow and the edges by which the path enters and leaves it."""
    ways = {}
    for flow, path in enumerate(solution.paths):
        for place, strand in enumerate(path.vertices):
            edges = path.edges[max(0, place - 1) : place + 1]
            ways[strand] = flow, frozenset(edges)
    return ways


def _first(search: SatSearch, rules: Rules | None) -> tuple[Rules, Solution | None]:
    """Return the first solution and its rules: those given, or strict ones, then free ones."""
    strict = None if rules == "free" else search.next_solution("strict")
    if strict or rules == "strict":
        return "strict", strict
    return "free", search.next_solution("free")


def continued(
    puzzle: Puzzle, drawn: DrawnEdges, solved: Solved, seconds: float = SECONDS
) -> tuple[Outcome, tuple[int, ...]]:
    """Solve a puzzle with its pipes kept; return also the flows whose pipes no solution keeps.

    ``solved``: the solution of the whole puzzle. If it is the only one, all pipes off it are wrong; if not,
    those whose removal alone allows a solution, or else all.
    """
    drawn_edges = [{*first.edges, *second.edges} for first, second in drawn_starts(puzzle, drawn)]
    pipes_and_paths = zip(drawn_edges, solved.solution.paths, strict=True)
    are_kept = [edges.issubset(path.edges) for edges, path in pipes_and_paths]
    wrong_flows = tuple(flow for flow, is_kept in enumerate(are_kept) if not is_kept)
    if not wrong_flows:
        return solved, ()
    if solved.unique:
        return Unsolvable(0.0), wrong_flows
    outcome = _outcome(puzzle, drawn_edges, solved.rules, seconds)
    if isinstance(outcome, Solved):
        return outcome, ()
    removable: list[int] = []
    for flow in wrong_flows if isinstance(outcome, Unsolvable) else ():
        others = [*drawn_edges[:flow], *drawn_edges[flow + 1 :]]
        if isinstance(_outcome(puzzle, others, solved.rules, seconds), Solved):
            removable.append(flow)
    return outcome, tuple(removable) or wrong_flows


def _outcome(puzzle: Puzzle, drawn_edges: DrawnEdges, rules: Rules, seconds: float) -> Outcome:
    """Solve a puzzle whose paths use all these edges."""

    def search_with_pipes(puzzle: Puzzle, deadline: float) -> SatSearch:
        """Open a search whose first clauses require these edges."""
        search = SatSearch(puzzle, deadline)
        for edge in chain.from_iterable(drawn_edges):
            search.add([edge + 1])
        return search

    outcome = solve_lazily(search_with_pipes, puzzle, seconds, rules=rules)
    return refereed(puzzle, board=None, solver="sat", outcome=outcome)
