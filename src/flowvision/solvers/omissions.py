"""Which one flow, left out, leaves a board without a solution exactly one: its dots may be misread.

Where a button was taken for a dot, or a dot was missed and the wrong two were paired, the other flows are
right, and their board has a solution once the flow that should not be there is gone.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.base import Limits
from flowvision.solvers.collector import CollectorPaused
from flowvision.solvers.deadline import TimeIsUpError
from flowvision.solvers.parity import shading_of
from flowvision.solvers.repairs import only_solution
from flowvision.value import value_type

QUICK = Limits(0.3)
"""On top of all else that a refusal takes; each flow takes a few milliseconds."""


@value_type
class Omissions:
    """The flows found, in order; ``complete`` is false when time was over before all were tried."""

    flows: tuple[int, ...]
    complete: bool


def omissions(puzzle: Puzzle, limits: Limits = QUICK) -> Omissions:
    """Every flow without which the puzzle has exactly one solution in which no path touches itself."""
    deadline, found = perf_counter() + limits.seconds, list[int]()
    shading = shading_of(puzzle.graph)
    try:
        with CollectorPaused():
            for flow in range(len(puzzle.terminals)):
                rest = puzzle.terminals[:flow] + puzzle.terminals[flow + 1 :]
                fewer = replace(puzzle, terminals=rest)
                if perf_counter() > deadline:
                    return Omissions(tuple(found), False)
                if rest and not shading.fault(fewer) and only_solution(fewer, deadline):
                    found.append(flow)
    except TimeIsUpError:
        return Omissions(tuple(found), False)
    return Omissions(tuple(found), True)
