"""Hints as people ask for them, and why their steps are forced, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers.base import Limits, TimeIsUpError
from flowvision.solvers.hints import CUT_OFF, Hint, flow_hint, next_steps, several_flows
from flowvision.words import quoted, whole_number

LISTED = 12
"""Reasons that are given one by one."""


def hint_of(
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    kind: str,
    known: Collection[int] = (),
    limits: Limits | None = None,
) -> Hint:
    """The hint of a kind: ``next``, ``flow``, the letter of a flow, or how many flows, such as ``3``.

    ``known``: the edges that are drawn already. Raises ``PuzzleInvalidError`` for another kind, and
    ``GaveUpError`` when the limit passes.
    """
    limits = limits or Limits()
    try:
        if kind == "next":
            return next_steps(puzzle, solution, known, limits)
        if kind == "flow":
            return flow_hint(solution, None, known)
        if kind in letters and kind != "?":
            return flow_hint(solution, letters.index(kind), known)
        if number := whole_number(kind):
            return several_flows(puzzle, solution, number, known, limits)
    except TimeIsUpError:
        raise GaveUpError(f"No hint within {limits.seconds:g} s.") from None
    raise PuzzleInvalidError(
        f"There is no flow {quoted(kind)}.",
        f"Its flows are {' '.join(letters)}; `next`, `flow` and a number of flows are hints as well.",
    )


def words_of(hint: Hint, puzzle: Puzzle, board: Board, letters: Sequence[str]) -> list[str]:
    """Why the steps of a hint are forced, a sentence for every cell that shows it."""
    if not hint.edges or not any(cause is not None for cause in hint.causes):
        return [_step_in_words(hint, puzzle, board, letters)] if hint.why == CUT_OFF else []
    ways: dict[int, list[int]] = {}
    for edge, cause in zip(hint.edges, hint.causes, strict=True):
        if cause is not None:
            ways.setdefault(cause, []).append(puzzle.graph.other_end(edge, cause))
    flow_of = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    said = []
    for strand, others in ways.items():
        here, there = _place(strand, board), " and ".join(position_name(o, board) for o in others)
        if strand in flow_of:
            said.append(f"The dot {letters[flow_of[strand]]} in {here} has one way out: to {there}.")
        elif len(others) == 2:
            said.append(f"A path through {here} has one way: between {there}.")
        else:
            said.append(f"The path in {here} has one way on: to {there}.")
    left = len(said) - LISTED
    return said if left <= 1 else [*said[:LISTED], f"And {left} cells more have one way."]


def _place(strand: int, board: Board) -> str:
    """Where a strand is; on a bridge there are two of them."""
    layout = board.layout
    is_bridge = layout.cell_of[strand] in layout.cell_of[len(layout.cells) :]
    return f"{'the bridge in ' if is_bridge else ''}{position_name(strand, board)}"


def _step_in_words(hint: Hint, puzzle: Puzzle, board: Board, letters: Sequence[str]) -> str:
    a, b = (position_name(strand, board) for strand in puzzle.graph.edges[hint.edges[0]])
    return f"If {letters[hint.flows[0]]} did not go between {a} and {b}, something would be cut off."
