"""Corrections to a board that was read, or refused, and its new solution."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from flowvision.corrections import Draft, changed, draft_of, reading_of
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.log import find_ancestor
from flowvision.reading.doubt import Candidate, Doubt
from flowvision.reading.doubts import confidence_of, solver_doubts
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.refused import Refused
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.vision.assembly import Interpretation
from flowvision.vision.kinds.fit import BoardGeometry

LASTING = "wrong-option", "two-boards", "cut-off"
"""Doubts that corrections do not remove."""


def read_corrected(run: ReadingRun) -> Candidate:
    """Apply ``options.corrections`` to the board as it was read or refused, and solve it.

    Users look at a board that they correct: doubts become warnings and never refuse it.
    Raises ``PuzzleInvalidError`` for corrections that make no puzzle, ``UnsolvableError`` where the corrected
    board has no solution, and the error of the reader where it saw no board at all.
    """
    draft, seen, before = _draft_to_correct(run)
    by_hand = changed(draft, run.options.corrections)
    try:
        reading = reading_of(by_hand)
    except PuzzleInvalidError as error:
        raise PuzzleInvalidError(error.sentence, error.stage_hint, details={"draft": by_hand}) from None
    source, geometry = find_ancestor(seen, Interpretation), find_ancestor(seen, BoardGeometry)
    if geometry is not None:
        geometry = replace(geometry, board=reading.board, fit=geometry.fit.placed(reading.frame))
    interpretation = Interpretation(reading, geometry, source.ignored_walls if source else ())
    outcome = _solved(interpretation, by_hand, run)
    earlier, other_board = (before.doubts, before.other_board) if before else ((), None)
    kept = [new for doubt in earlier for new in _kept(doubt, draft, by_hand)]
    candidate = Candidate(interpretation, outcome, doubts=tuple(kept), other_board=other_board)
    doubts, confidence = solver_doubts(candidate), confidence_of(candidate)
    return replace(candidate, doubts=(*doubts, *kept), confidence=confidence)


def _solved(interpretation: Interpretation, by_hand: Draft, run: ReadingRun) -> Solved:
    reading, seconds = interpretation.reading, run.options.seconds
    with run.log.step("solve", source=interpretation) as step:
        step.result = outcome = solve(reading.puzzle, "sat", seconds, board=reading.board)
    if isinstance(outcome, Solved):
        return outcome
    details = {"draft": by_hand}
    if isinstance(outcome, GaveUp):
        late = GaveUpError(f"No answer: {outcome.reason}.", None, reading, details)
        raise run.log.fail("solve", late, interpretation)
    why = f": {outcome.reason}." if outcome.reason else "."
    error = UnsolvableError(
        f"With the corrections the board, {reading.size}, has no solution{why}",
        "Compare it with the screen and check every correction.",
        reading,
        details,
    )
    raise run.log.fail("solve", error, interpretation)


def _kept(doubt: Doubt, draft: Draft, by_hand: Draft) -> Iterator[Doubt]:
    if doubt.code in LASTING:
        yield doubt
    if doubt.code == "left-out":
        places = [at for at in doubt.facts["places"] if by_hand.marks.get(at) == draft.marks.get(at)]
        if places:
            yield replace(doubt, facts={"count": len(places), "places": places})


def _draft_to_correct(run: ReadingRun) -> tuple[Draft, object, Candidate | None]:
    """Return the draft of the board, the result that it shows, and the reading if one was believed.

    Raises the reader's error where no board was seen.
    """
    try:
        believed = read_larger_board(run)
    except FlowvisionError as error:
        refused = Refused(error, run.log.steps)
        if refused.draft is None:
            raise
        return refused.draft, refused.latest, None
    return draft_of(believed.reading), believed.source, believed
