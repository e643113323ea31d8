"""Solutions that keep the pipes already drawn, and the pipes that no solution keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.partly_played import Stumps, drawn_solution, drawn_starts, rest_of, whole_solution
from flowvision.solvers import solve
from flowvision.solvers.base import Limits, Outcome, Solved, Unsolvable


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
    stumps = drawn_starts(puzzle, drawn)
    off = tuple(
        flow
        for flow, (pair, path) in enumerate(zip(stumps, known.solution.paths, strict=True))
        if not {edge for stump in pair for edge in stump.edges} <= set(path.edges)
    )
    if not off:
        return Continuation(known)
    if known.unique and known.rules == "free":
        return Continuation(Unsolvable(0.0), off)
    allowed = limits or Limits()
    outcome = _outcome(puzzle, stumps, allowed)
    if isinstance(outcome, Solved):
        return Continuation(outcome)
    if known.unique or not isinstance(outcome, Unsolvable):
        return Continuation(outcome, off)
    alone = tuple(
        flow for flow in off if isinstance(_outcome(puzzle, _without(puzzle, stumps, flow), allowed), Solved)
    )
    return Continuation(outcome, alone or off)


def _outcome(puzzle: Puzzle, stumps: Sequence[Stumps], limits: Limits) -> Outcome:
    rest = rest_of(puzzle, stumps)
    if not rest.flows:
        done = drawn_solution(puzzle, stumps)
        return Solved(done, 0.0, True) if done else Unsolvable(0.0, "all is drawn, but not all covered")
    outcome = solve(rest.puzzle, limits=limits)
    if not isinstance(outcome, Solved):
        return outcome
    second = outcome.second and whole_solution(stumps, rest, outcome.second)
    return replace(outcome, solution=whole_solution(stumps, rest, outcome.solution), second=second)


def _without(puzzle: Puzzle, stumps: Sequence[Stumps], flow: int) -> list[Stumps]:
    bare = drawn_starts(puzzle, [() for _ in puzzle.terminals])
    return [bare[n] if n == flow else pair for n, pair in enumerate(stumps)]
