"""Pipes drawn on a board: progress of play, and solutions that keep them."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from flowvision.errors import FlowvisionError, UnsolvableError
from flowvision.puzzle.check import position_name
from flowvision.puzzle.model import State, state_of
from flowvision.reading.run import Believed, ReadingRun, gave_up
from flowvision.solvers import GaveUp, Solved, touches_of
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.crossings.drawn_pipes import SeenBoard, drawn_edges
from flowvision.words import Hint, Without


class Play(NamedTuple):
    """State of play of a board, and per flow the numbers of the edges under its pipes.

    ``outcome``: as solved, with the solution on the board where pipes solve it.
    """

    outcome: Solved
    state: State = "empty"
    pipes: tuple[frozenset[int], ...] = ()


def with_state(believed: Believed, run: ReadingRun) -> Believed:
    """Return the believed board with its drawn pipes; if they solve it, they are its outcome."""
    outcome, state, pipes = play_seen(believed.source, believed.outcome, run)
    return replace(believed, outcome=outcome, state=state, pipes=pipes)


def play_seen(source: Interpretation, outcome: Solved, run: ReadingRun) -> Play:
    """Look for pipes on a solved board, and return how far it is played."""
    geometry, reading = source.geometry, source.reading
    if geometry is None:
        return Play(outcome)
    fit, puzzle = geometry.fit, reading.puzzle
    seen_board = SeenBoard(fit.view, fit.frame, reading.board, reading.palette, puzzle.terminals)
    with run.step("pipes", source=source) as step:
        step.result = drawn_pipes = drawn_edges(seen_board)
    state, solution = state_of(puzzle, drawn_pipes)
    if solution is not None and solution != outcome.solution:
        touching_paths = touches_of(puzzle, solution.paths)
        outcome = replace(
            outcome,
            solution=solution,
            second=outcome.solution,
            unique=False,
            rules="free" if touching_paths else "strict",
        )
    return Play(outcome, state, drawn_pipes)


def keeping_drawn(believed: Believed, run: ReadingRun) -> Believed:
    """Return the board with the solution that continues the drawn pipes.

    Raises ``UnsolvableError`` without one, ``GaveUpError`` if no time is left.
    """
    from flowvision.solvers.counting import continued

    reading = believed.reading
    with run.step("solve", source=believed.source) as step:
        outcome, wrong_flows = continued(reading.puzzle, believed.pipes, believed.outcome, run.seconds_left)
        step.result = outcome
    if isinstance(outcome, Solved):
        return replace(believed, outcome=outcome)
    error = gave_up(reading, outcome) if isinstance(outcome, GaveUp) else _not_continued(reading, wrong_flows)
    raise run.log.fail("solve", error, believed.source)


def _not_continued(reading: Reading, wrong_flows: tuple[int, ...]) -> FlowvisionError:
    """Return the error that names the pipes which no solution keeps."""
    letters, names = reading.letters, reading.colour_names
    pipes = []
    for flow in wrong_flows:
        first_dot, _ = reading.puzzle.terminals[flow]
        place = position_name(first_dot, reading.board)
        pipes.append(f"{letters[flow]} ({names[flow]}, {place})")
    subject = "this pipe is" if len(pipes) == 1 else "one of these pipes is"
    message = f"No solution continues the pipes already drawn; {subject} wrong: {', '.join(pipes)}."
    hint = Hint("Erase it in the game, or solve without {}.", Without("keep-drawn"))
    return UnsolvableError(message, hint, read=reading)
