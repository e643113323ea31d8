"""More than one solution: how many, and what is the same in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers.base import Limits, Rules, TimeIsUpError
from flowvision.solvers.loop_cutting import Trace
from flowvision.solvers.sat import SatSearch
from flowvision.value import value_type


@value_type
class Count:
    """How many solutions there are; with ``complete`` false, there may be more.

    ``rules``: which ones were counted: ``"strict"`` those in which no path touches itself, ``"free"``, where
    there is none of these, all.
    """

    number: int
    complete: bool
    rules: Rules


@value_type
class Common:
    """What all solutions under ``rules`` share; with ``complete`` false, those found so far."""

    flow_of: dict[int, int]
    """The strands that the same flow covers in every solution, and that flow."""
    edges: frozenset[int]
    """The edges that are used in every solution."""
    rules: Rules
    complete: bool


def count_solutions(
    puzzle: Puzzle, bound: int, limits: Limits | None = None, rules: Rules | None = None
) -> Count:
    """Count up to ``bound`` solutions; ``complete`` says that there are no more.

    Without ``rules``, strict solutions are counted, and if there are none, free ones.
    """
    number, current = 0, rules or "strict"
    try:
        for current, _ in solutions(puzzle, limits, rules):
            if number == bound:
                return Count(number, False, current)
            number += 1
    except TimeIsUpError:
        return Count(number, False, current)
    return Count(number, True, current)


def solutions(
    puzzle: Puzzle, limits: Limits | None = None, rules: Rules | None = None
) -> Iterator[tuple[Rules, Solution]]:
    """Every solution with the rules it keeps, each once; rules as for ``count_solutions``.

    Raises ``TimeIsUpError``.
    """
    with SatSearch(puzzle, perf_counter() + (limits or Limits()).seconds) as search:
        current, found = (rules, search.next_solution(rules)) if rules else _first(search)
        while found:
            yield current, found.solution
            search.forbid(found)
            found = search.next_solution(current)


def common(puzzle: Puzzle, limits: Limits | None = None) -> Common | None:
    """The common part of all solutions, or ``None`` when there is none.

    Each further solution must differ from all before in something that those share, so the shared part
    shrinks with every one and few are needed. Raises ``TimeIsUpError`` before the first solution.
    """
    deadline = perf_counter() + (limits or Limits()).seconds
    with SatSearch(puzzle, deadline) as search:
        rules, first = _first(search)
    if first is None:
        return None
    flow_of, edges = first.solution.flow_of, _edges(first)
    try:
        with SatSearch(puzzle, deadline) as search:
            search.add([-edge - 1 for edge in edges])
            while found := search.next_solution(rules):
                edges &= _edges(found)
                flow_of = _shared(flow_of, found)
                search.add([-edge - 1 for edge in edges])
        with SatSearch(puzzle, deadline) as search:
            search.add(search.other_colours(flow_of))
            while found := search.next_solution(rules):
                flow_of = _shared(flow_of, found)
                search.add(search.other_colours(flow_of))
    except TimeIsUpError:
        return Common(flow_of, frozenset(edges), rules, False)
    return Common(flow_of, frozenset(edges), rules, True)


def differing_strands(one: Solution, other: Solution) -> tuple[int, ...]:
    """The strands that another flow covers, or that are passed by other edges."""
    ways = [_ways(one), _ways(other)]
    return tuple(sorted(s for s in ways[0].keys() | ways[1].keys() if ways[0].get(s) != ways[1].get(s)))


def _ways(solution: Solution) -> dict[int, tuple[int, frozenset[int]]]:
    """For every covered strand its flow and its used edges."""
    return {
        strand: (flow, frozenset(path.edges[max(0, place - 1) : place + 1]))
        for flow, path in enumerate(solution.paths)
        for place, strand in enumerate(path.vertices)
    }


def _first(search: SatSearch) -> tuple[Rules, Trace | None]:
    strict = search.next_solution("strict")
    return ("strict", strict) if strict else ("free", search.next_solution("free"))


def _edges(found: Trace) -> set[int]:
    return {edge for path in found.paths for edge in path.edges}


def _shared(flow_of: dict[int, int], found: Trace) -> dict[int, int]:
    other = found.solution.flow_of
    return {strand: flow for strand, flow in flow_of.items() if other.get(strand) == flow}
