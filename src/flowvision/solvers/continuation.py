"""Solutions that keep the pipes already drawn, and the pipes that no solution keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from time import perf_counter

from msgspec import Struct

from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.partly_played import drawn_starts
from flowvision.solvers import refereed
from flowvision.solvers.base import Limits, Outcome, Rules, Solved, TimeIsUpError, Unsolvable, gave_up
from flowvision.solvers.sat import SatSearch


class Continuation(Struct, frozen=True):
    """The outcome with the pipes kept; ``wrong``: the flows whose pipes no solution keeps."""

    outcome: Outcome
    wrong: tuple[int, ...] = ()


def continued(
    puzzle: Puzzle, drawn: Sequence[Collection[int]], known: Solved, limits: Limits | None = None
) -> Continuation:
    """Solve a puzzle with its pipes kept; ``drawn``: per flow, the edges under its pipes.

    ``known``: the solution of the whole puzzle. If it is the only one, pipes off it are wrong; otherwise
    those of single flows without which there is a solution, or all pipes off it.
    """
    kept = [{edge for stump in pair for edge in stump.edges} for pair in drawn_starts(puzzle, drawn)]
    pairs = enumerate(zip(kept, known.solution.paths, strict=True))
    off = tuple(flow for flow, (edges, path) in pairs if not edges <= set(path.edges))
    if not off:
        return Continuation(known)
    if known.unique:
        return Continuation(Unsolvable(0.0), off)
    allowed = limits or Limits()
    outcome = _outcome(puzzle, kept, known.rules, allowed)
    if isinstance(outcome, Solved):
        return Continuation(outcome)
    alone = tuple(
        flow
        for flow in (off if isinstance(outcome, Unsolvable) else ())
        if isinstance(_outcome(puzzle, [*kept[:flow], *kept[flow + 1 :]], known.rules, allowed), Solved)
    )
    return Continuation(outcome, alone or off)


def _outcome(puzzle: Puzzle, kept: Sequence[Collection[int]], rules: Rules, limits: Limits) -> Outcome:
    began = perf_counter()
    try:
        with SatSearch(puzzle, began + limits.seconds) as search:
            for edge in chain.from_iterable(kept):
                search.add([edge + 1])
            first, second = search.two_solutions(rules)
    except TimeIsUpError:
        return gave_up(perf_counter() - began, rules)
    seconds = perf_counter() - began
    if first is None:
        return Unsolvable(seconds)
    other = second.solution if second else None
    return refereed(puzzle, None, "sat", Solved(first.solution, seconds, second is None, rules, other))
