"""Pipes drawn on a board: progress of play, and solutions that keep them."""

from __future__ import annotations

from msgspec.structs import replace

from flowvision.errors import FlowvisionError, UnsolvableError
from flowvision.puzzle.check import position_name
from flowvision.puzzle.model import state_of
from flowvision.reading.run import Candidate, ReadingRun, gave_up
from flowvision.solvers import GaveUp, Solved, touches_of
from flowvision.vision.assembly import Reading
from flowvision.vision.crossings.drawn_pipes import SeenBoard, drawn_edges
from flowvision.words import Hint, Without


def with_state(believed: Candidate, run: ReadingRun) -> Candidate:
    """Return the reading with its drawn pipes; if they solve the board, they are its outcome."""
    puzzle, outcome = believed.reading.puzzle, believed.outcome
    geometry = believed.source.geometry
    if geometry is None or not isinstance(outcome, Solved):
        return believed
    fit, reading = geometry.fit, believed.reading
    seen = SeenBoard(fit.view, fit.frame, reading.board, reading.palette, puzzle.terminals)
    with run.log.step("pipes", source=believed.source) as step:
        step.result = drawn = drawn_edges(seen)
    state, solution = state_of(puzzle, drawn)
    if solution is not None and solution != outcome.solution:
        curled = touches_of(puzzle, solution.paths)
        outcome = replace(
            outcome,
            solution=solution,
            second=outcome.solution,
            unique=False,
            rules="free" if curled else "strict",
        )
    return replace(believed, outcome=outcome, state=state, pipes=drawn)


def keeping_drawn(believed: Candidate, run: ReadingRun) -> Candidate:
    """Return the solution that continues the drawn pipes, or raise ``UnsolvableError``."""
    from flowvision.solvers.counting import continued

    seconds, reading, outcome = run.seconds_left, believed.reading, believed.outcome
    assert isinstance(outcome, Solved)
    with run.log.step("solve", source=believed.source) as step:
        found, wrong = continued(reading.puzzle, believed.pipes, outcome, seconds)
        step.result = found
    if isinstance(found, Solved):
        return replace(believed, outcome=found)
    error = gave_up(reading, found) if isinstance(found, GaveUp) else _not_continued(reading, wrong)
    raise run.log.fail("solve", error, believed.source)


def _not_continued(reading: Reading, wrong: tuple[int, ...]) -> FlowvisionError:
    letters, dots, names = reading.letters, reading.puzzle.terminals, reading.colour_names
    pipes = [
        f"{letters[flow]} ({names[flow]}, {position_name(dots[flow][0], reading.board)})" for flow in wrong
    ]
    which = "this pipe is" if len(pipes) == 1 else "one of these pipes is"
    return UnsolvableError(
        f"No solution continues the pipes already drawn; {which} wrong: {', '.join(pipes)}.",
        Hint("Erase it in the game, or solve without {}.", Without("keep-drawn")),
        read=reading,
    )
