"""Puzzles with several solutions: their number, and the part that all of them share."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from msgspec import Struct

from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers.base import Limits, Rules, TimeIsUpError
from flowvision.solvers.loop_cutting import Trace
from flowvision.solvers.sat import SatSearch


class Count(Struct, frozen=True):
    """Number of solutions; with ``complete`` false, there may be more."""

    number: int
    complete: bool


def count_solutions(
    puzzle: Puzzle, bound: int, limits: Limits | None = None, rules: Rules | None = None
) -> Count:
    """Count up to ``bound`` solutions, under strict rules, else under free ones."""
    number = 0
    try:
        for _ in solutions(puzzle, limits, rules):
            if number == bound:
                return Count(number, False)
            number += 1
    except TimeIsUpError:
        return Count(number, False)
    return Count(number, True)


def solutions(puzzle: Puzzle, limits: Limits | None = None, rules: Rules | None = None) -> Iterator[Solution]:
    """Yield every solution once; rules as for ``count_solutions``. Raises ``TimeIsUpError``."""
    with SatSearch(puzzle, perf_counter() + (limits or Limits()).seconds) as search:
        current, found = (rules, search.next_solution(rules)) if rules else _first(search)
        while found:
            yield found.solution
            search.forbid(found)
            found = search.next_solution(current)


def common(puzzle: Puzzle, limits: Limits | None = None) -> dict[int, int] | None:
    """Return the strands that one flow covers in all solutions, with that flow; ``None`` without a solution.

    Each further solution must differ from all before in a strand that those share, so few are needed. Raises
    ``TimeIsUpError``.
    """
    with SatSearch(puzzle, perf_counter() + (limits or Limits()).seconds) as search:
        rules, found = _first(search)
        if found is None:
            return None
        shared = found.solution.flow_of
        while found:
            flow_of = found.solution.flow_of
            shared = {strand: flow for strand, flow in shared.items() if flow_of.get(strand) == flow}
            search.add(search.other_colours(shared))
            found = search.next_solution(rules)
    return shared


def differing_strands(one: Solution, other: Solution) -> tuple[int, ...]:
    """Return the strands with another flow or other edges in the other solution."""
    ways = [_ways(one), _ways(other)]
    return tuple(sorted(s for s in ways[0].keys() | ways[1].keys() if ways[0].get(s) != ways[1].get(s)))


def _ways(solution: Solution) -> dict[int, tuple[int, frozenset[int]]]:
    return {
        strand: (flow, frozenset(path.edges[max(0, place - 1) : place + 1]))
        for flow, path in enumerate(solution.paths)
        for place, strand in enumerate(path.vertices)
    }


def _first(search: SatSearch) -> tuple[Rules, Trace | None]:
    strict = search.next_solution("strict")
    return ("strict", strict) if strict else ("free", search.next_solution("free"))
