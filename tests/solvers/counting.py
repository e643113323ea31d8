"""An independent oracle: count every solution of a small puzzle by trying each way a path can go."""

from __future__ import annotations

import itertools

from flowvision.puzzle.check import touches_itself
from flowvision.puzzle.model import Puzzle
from flowvision.solvers import Solved, Unsolvable, solve


def count_solutions(puzzle: Puzzle, strict: bool) -> int:
    """How many sets of paths cover the board; under ``strict`` no path may touch itself."""
    graph = puzzle.graph
    neighbours = [[(edge, graph.other_end(edge, s)) for edge in graph.incident[s]] for s in range(graph.size)]

    def extend(flow: int, path: list[int], used: set[int]) -> int:
        here, goal = path[-1], puzzle.terminals[flow][1]
        if here == goal:
            if strict and touches(path):
                return 0
            return start(flow + 1, used)
        total = 0
        for _, there in neighbours[here]:
            if there in used and there != goal:
                continue
            if there in path or (there == goal and there in used - {goal}):
                continue
            total += extend(flow, [*path, there], used | {there})
        return total

    def touches(path: list[int]) -> bool:
        near = {frozenset(pair) for pair in itertools.pairwise(path)}
        on = set(path)
        return any(
            there in on and frozenset((s, there)) not in near for s in path for _, there in neighbours[s]
        )

    def start(flow: int, used: set[int]) -> int:
        if flow == len(puzzle.terminals):
            return int(len(used) == graph.size)
        first = puzzle.terminals[flow][0]
        return extend(flow, [first], used | {first})

    dots = {dot for pair in puzzle.terminals for dot in pair}
    return start(0, dots)


def check(puzzle: Puzzle, engine: str) -> None:
    """The verdict of an engine against the count."""
    strict, free = count_solutions(puzzle, True), count_solutions(puzzle, False)
    outcome = solve(puzzle, engine)
    if free == 0:
        assert isinstance(outcome, Unsolvable)
        return
    assert isinstance(outcome, Solved)
    assert outcome.rules == ("strict" if strict else "free")
    assert outcome.unique is ((strict or free) == 1)
    assert (outcome.second is None) == outcome.unique
    assert outcome.second != outcome.solution
    touches = any(touches_itself(puzzle, path) for path in outcome.solution.paths)
    assert touches == (outcome.rules == "free")
