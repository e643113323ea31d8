"""A board with corrections: read, or what was refused of it, changed, and solved again."""

from __future__ import annotations

from dataclasses import replace

from flowvision.corrections.correction import changed
from flowvision.corrections.draft import Draft, draft_of, draft_of_dots, reading_of
from flowvision.errors import FlowvisionError, GaveUpError, UnsolvableError
from flowvision.events import StageRunner, Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.messages import warnings_of
from flowvision.reading.options import Options
from flowvision.reading.result import Candidate, CheckedReading, confidence_of
from flowvision.reading.search import read_board
from flowvision.solvers import GaveUp, Limits, Solved, solve
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.reading import Interpretation, Reading


def read_corrected(
    shot: Screenshot, options: Options, runner: StageRunner
) -> tuple[CheckedReading, Interpretation]:
    """The board as it was read, or as it was seen when it was refused, with ``options.corrections``.

    A person who corrects a board has looked at it: doubts become warnings, and never refuse it.
    Raises ``PuzzleInvalidError`` for corrections that make no puzzle, ``UnsolvableError`` where the corrected
    board has no solution, and the error of the reader where it saw no board at all.
    """
    draft, seen = _seen(shot, options, runner)
    reading = reading_of(changed(draft, options.corrections))
    read = Interpretation(reading, _moved(seen, reading), seen.ignored_walls)
    outcome = runner.run(
        "solve", read, solve, reading.puzzle, "sat", Limits(options.seconds), board=reading.board
    )
    if isinstance(outcome, GaveUp):
        raise runner.fail("solve", GaveUpError(f"No answer: {outcome.reason}.", None, reading), read)
    if not isinstance(outcome, Solved):
        why = f": {outcome.reason}." if outcome.reason else "."
        error = UnsolvableError(
            f"Read {reading.size} with the corrections; this board has no solution{why}",
            "See what was read with `flowvision read`, and correct more, or less, of it.",
            reading,
        )
        raise runner.fail("solve", error, read)
    candidate = Candidate(read, outcome)
    checked = CheckedReading(
        shot.name,
        reading,
        outcome,
        dict(runner.seconds),
        warnings_of(candidate),
        confidence_of(candidate, options.settings.reading),
    )
    return checked, read


def _moved(seen: Trail, reading: Reading) -> Crossings | Pairing | Dots | BoardGeometry | None:
    """What was seen of a board, where it lies by now: there, pipes are looked for."""
    if seen.sides is None:
        return None
    geometry = replace(seen.sides, board=reading.board, fit=seen.sides.fit.placed(reading.frame))
    dots = seen.dots.on(geometry) if seen.dots else None
    pairing = replace(seen.pairing, dots=dots) if seen.pairing and dots else None
    crossings = replace(seen.crossings, pairing=pairing) if seen.crossings and pairing else None
    return crossings or pairing or dots or geometry


def _seen(shot: Screenshot, options: Options, runner: StageRunner) -> tuple[Draft, Trail]:
    """The board as far as it was seen, and what led to it. Raises the reader's error where none was."""
    try:
        checked, read = read_board(shot, options, runner)
    except FlowvisionError as error:
        trail = next((failed.trail for failed in runner.failures if failed.error is error), Trail())
        draft = refused_draft(error, trail)
        if draft is None:
            raise
        return draft, trail
    return draft_of(checked.reading), Trail(read)


def refused_draft(error: FlowvisionError, trail: Trail) -> Draft | None:
    """What was seen of a board that was refused, from the trail that led to the error; ``None``: no cells."""
    if trail.reading is not None:
        return draft_of(trail.reading)
    if trail.sides is None:
        return None
    dots = trail.dots or (error.evidence if isinstance(error.evidence, Dots) else None)
    return draft_of_dots(trail.sides, dots)
