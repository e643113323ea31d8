"""A board with corrections: read, or what was refused of it, changed, and solved again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from flowvision.corrections.correction import changed
from flowvision.corrections.draft import Draft, draft_of, draft_of_dots, reading_of
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.events import STAGES, Event, StageFailed, Trail
from flowvision.reading.messages import warnings_of
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.result import Candidate, CheckedReading, confidence_of
from flowvision.reading.run import Run
from flowvision.solvers import GaveUp, Limits, Solved, solve
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.reading import Interpretation, Reading

CLEARLY_MORE = 1.25
"""Times as many pairs: so many more are no stains."""


Meant = Callable[[FlowvisionError], FlowvisionError]
"""The error of the board that a person would choose, when the reader has raised another."""


def read_corrected(run: Run, meant: Meant) -> tuple[CheckedReading, Interpretation]:
    """The board as it was read, or as it was seen when it was refused, with ``options.corrections``.

    A person who corrects a board has looked at it: doubts become warnings, and never refuse it.
    Raises ``PuzzleInvalidError`` for corrections that make no puzzle, ``UnsolvableError`` where the corrected
    board has no solution, and the error of the reader where it saw no board at all.
    """
    options, runner = run.options, run.runner
    draft, seen = _seen(run, meant)
    reading = _reading_of(changed(draft, options.corrections))
    interpretation = Interpretation(reading, _moved(seen, reading), seen.ignored_walls)
    outcome = runner.run(
        "solve", interpretation, solve, reading.puzzle, "sat", Limits(options.seconds), board=reading.board
    )
    if isinstance(outcome, GaveUp):
        raise runner.fail(
            "solve", GaveUpError(f"No answer: {outcome.reason}.", None, reading), interpretation
        )
    if not isinstance(outcome, Solved):
        why = f": {outcome.reason}." if outcome.reason else "."
        error = UnsolvableError(
            f"Read {reading.size} with the corrections; this board has no solution{why}",
            "See what was read with `flowvision read`, and correct more, or less, of it.",
            reading,
        )
        raise runner.fail("solve", error, interpretation)
    candidate = Candidate(interpretation, outcome)
    checked = CheckedReading(
        run.shot.name,
        reading,
        outcome,
        dict(runner.seconds),
        warnings_of(candidate),
        confidence_of(candidate, options.settings.reading),
    )
    return checked, interpretation


def _reading_of(draft: Draft) -> Reading:
    """The reading that a draft is by now; the error about one that is none has the ``draft``."""
    try:
        return reading_of(draft)
    except PuzzleInvalidError as error:
        raise PuzzleInvalidError(error.message, error.hint, details={"draft": draft}) from None


def _moved(seen: Trail, reading: Reading) -> Crossings | Pairing | Dots | BoardGeometry | None:
    """What was seen of a board, where it lies by now: there, pipes are looked for."""
    if seen.geometry is None:
        return None
    geometry = replace(seen.geometry, board=reading.board, fit=seen.geometry.fit.placed(reading.frame))
    dots = seen.dots.on(geometry) if seen.dots else None
    pairing = replace(seen.pairing, dots=dots) if seen.pairing and dots else None
    crossings = replace(seen.crossings, pairing=pairing) if seen.crossings and pairing else None
    return crossings or pairing or dots or geometry


def _seen(run: Run, meant: Meant) -> tuple[Draft, Trail]:
    """The board as far as it was seen, and what led to it. Raises the reader's error where none was."""
    try:
        checked, interpretation = read_larger_board(run)
    except FlowvisionError as error:
        seen = refused_draft(meant(error), run.runner.events)
        if seen is None:
            raise
        return seen
    return draft_of(checked.reading), Trail(interpretation)


def refused_draft(error: FlowvisionError, events: Iterable[Event]) -> tuple[Draft, Trail] | None:
    """What was seen of a board that was refused with this error, and what led to it; ``None``: no cells.

    It is the attempt that the error's message is about or, where that saw no cells, the one that came
    furthest. Of all attempts at the same rows and columns it is the one that saw most pairs of dots: less is
    left to a person. But where every dot has a partner, a pair or two more may be stains. Of single cells,
    any rows and columns with no fewer dots: the game's boards have them.
    """
    failures = [event for event in events if isinstance(event, StageFailed)]
    own = [failed for failed in reversed(failures) if failed.error is error.about]
    seen = next(filter(None, map(_seen_of, [*own, *_furthest(failures)])), None)
    if seen is None:
        return None
    draft = seen[0]
    attempts = [one for one in map(_seen_of, _furthest(failures)) if one and one[0].free is None]
    if draft.free is None:
        alike = [one for one in attempts if (one[0].tiling, one[0].size) == (draft.tiling, draft.size)]
        best = max([seen, *alike], key=lambda one: _pairs(one[0]))
        is_whole = 2 * _pairs(draft) == len(draft.seen)
        return seen if is_whole and _pairs(best[0]) < CLEARLY_MORE * _pairs(draft) else best
    best = max(attempts, key=lambda one: len(one[0].seen), default=seen)
    return best if len(best[0].seen) >= len(draft.seen) else seen


def _furthest(failures: Iterable[StageFailed]) -> list[StageFailed]:
    """The failures that had cells already, those that came furthest first."""
    found = [failed for failed in failures if failed.trail.geometry is not None]
    return sorted(found, key=lambda failed: -STAGES.index(failed.stage))


def _seen_of(failed: StageFailed) -> tuple[Draft, Trail] | None:
    """What one attempt saw of a board, and what led to it; ``None``: no cells."""
    trail, evidence = failed.trail, failed.error.evidence
    if trail.reading is not None:
        return draft_of(trail.reading), trail
    if trail.geometry is None:
        return None
    dots = trail.dots or (evidence if isinstance(evidence, Dots) else None)
    return draft_of_dots(trail.geometry, dots), trail


def _pairs(draft: Draft) -> int:
    """How many colours of a draft have their two dots."""
    letters = [dot.letter for dot in draft.seen.values()]
    return sum(letters.count(letter) == 2 for letter in draft.colours)
