"""Pick the failed attempt that a refusal reports; apply corrections to a board, and solve it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from msgspec.structs import replace

from flowvision.corrections import Draft, changed, draft_of, draft_of_dots, reading_of
from flowvision.doubts import CutOff, Doubt, LeftOut, TwoBoards, WrongOption
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.log import STAGES, Step, find_ancestor
from flowvision.reading.doubts import all_doubts, confidence_of, with_solver_doubts
from flowvision.reading.run import Believed, Candidate, ReadingRun
from flowvision.solvers import GaveUp, Solved, Unsolvable, solve
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.settings import DOTS

T = TypeVar("T")

WITH_DOTS, OPEN, SHARDS, GIVEN = 2.0, 0.7, 0.5, 0.2
"""Factors of a fit's score: it has dots; its lines continue; its cells have any shape, as shards do; its size
was given. The product is its appeal: how much it looks like a board."""
CLEARER = 1.25
"""Factor by which the appeal of another attempt must exceed that of the one that raised the error."""
LASTING = (WrongOption, TwoBoards, CutOff)
"""Doubts that corrections do not remove."""


@dataclass(frozen=True, eq=False)
class Refused:
    """A refused picture. ``final``: the error that was raised; ``steps``: all of the run."""

    final: FlowvisionError
    steps: Sequence[Step]

    @cached_property
    def attempt(self) -> Step | None:
        """The failed step with a board that looks most like one, of equals the latest stage.

        In doubt it is the step that raised the error.
        """
        failed = [step for step in self.steps if _has_failed(step) and step.find(BoardGeometry) is not None]
        origin = self.final.origin
        raising_step = next((step for step in reversed(self.steps) if step.error is origin), None)
        dots_by_fit = dots_on(self.steps)

        def rank(step: Step) -> tuple[float, int]:
            """Return the appeal of its fit, and the number of its stage."""
            fit = step.find(Fit)
            assert fit is not None
            appeal = appeal_of(fit, len(dots_by_fit[fit].dots) if fit in dots_by_fit else 0)
            return (CLEARER if step is raising_step else 1.0) * appeal, STAGES.index(step.stage)

        return max(failed, key=rank, default=raising_step)

    @property
    def error(self) -> FlowvisionError:
        """The error of the attempt; if that has none, the one that was raised first."""
        return (self.attempt and self.attempt.error) or self.final.origin

    @cached_property
    def latest(self) -> object:
        """The last result of the attempt: a candidate, an interpretation, pairs, dots, or what led to it."""
        return _latest(self.attempt) if self.attempt else None

    def find(self, kind: type[T]) -> T | None:
        """Return the latest result of a type in the attempt."""
        return find_ancestor(self.latest, kind)

    @cached_property
    def reading(self) -> Reading | None:
        """The board that was read whole."""
        interpretation = self.find(Interpretation)
        return interpretation.reading if interpretation else None

    @cached_property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, open for changes; ``None``: no cells."""
        if self.reading is not None:
            return draft_of(self.reading)
        geometry = self.find(BoardGeometry)
        return None if geometry is None else draft_of_dots(geometry, self.find(Dots))


def _has_failed(step: Step) -> bool:
    """Return whether a step raised an error or found no solution, and is not about a guess."""
    return (step.error is not None or isinstance(step.result, Unsolvable)) and not _is_guess(step)


def _is_guess(step: Step) -> bool:
    """Return whether the step is about a guess at dots or cells."""
    hypothesis = step.find(DotHypothesis)
    return hypothesis is not None and hypothesis.is_guess


def dots_on(steps: Iterable[Step]) -> dict[Fit, Dots]:
    """Return the most dots that were seen on each fit."""
    fullest: dict[Fit, Dots] = {}
    for step in steps:
        fit, dots = step.find(Fit), step.find(Dots)
        if fit is None or dots is None or _is_guess(step):
            continue
        if fit not in fullest or len(dots.dots) > len(fullest[fit].dots):
            fullest[fit] = dots
    return fullest


def appeal_of(fit: Fit, dot_count: int) -> float:
    """Return how much a fit looks like a board: its score, 0 to 1, times factors of what was seen on it."""
    appeal = fit.score
    if dot_count >= DOTS.count_min:
        appeal *= WITH_DOTS
    if fit.is_given:
        appeal *= GIVEN
    if not fit.is_regular:
        appeal *= SHARDS
    elif fit.is_open:
        appeal *= OPEN
    return appeal


def _latest(step: Step) -> object:
    """Return the result of a failed step, as far as it came, else the one that it began with."""
    if isinstance(step.source, Interpretation) and isinstance(step.result, Unsolvable):
        return Candidate(step.source, step.result)
    return step.own if isinstance(step.own, Dots | Pairing) else step.source


def corrected(before: Believed | FlowvisionError, run: ReadingRun) -> Believed:
    """Apply ``options.corrections`` to the board as it was read or refused before, and solve it.

    Users look at a board that they correct: doubts become warnings and never refuse it.
    Raises ``PuzzleInvalidError`` for corrections that make no puzzle, ``UnsolvableError`` where the corrected
    board has no solution, and the error of the reader where it saw no board at all.
    """
    seen_draft, last_result = _draft_to_correct(before, run)
    corrected_draft = changed(seen_draft, run.options.corrections)
    try:
        reading = reading_of(corrected_draft)
    except PuzzleInvalidError as error:
        raise PuzzleInvalidError(error.sentence, error.stage_hint, draft=corrected_draft) from None
    geometry = find_ancestor(last_result, BoardGeometry)
    if geometry is not None:
        # The corrected board has a frame of its own: the cells of a lattice are 1.0 apart in it.
        geometry = replace(geometry, board=reading.board, fit=geometry.fit.placed(reading.frame))
    uncorrected = find_ancestor(last_result, Interpretation)
    ignored_walls = uncorrected.ignored_walls if uncorrected else ()
    interpretation = Interpretation(reading, geometry, ignored_walls=ignored_walls)
    outcome = _solved(interpretation, corrected_draft, run)
    believed = before if isinstance(before, Believed) else None
    open_doubts = tuple(_open_doubts(believed.doubts, seen_draft, corrected_draft)) if believed else ()
    other_board = believed.other_board if believed else None
    candidate = with_solver_doubts(Candidate(interpretation, outcome, open_doubts))
    return Believed(interpretation, outcome, all_doubts(candidate), confidence_of(candidate), other_board)


def _solved(interpretation: Interpretation, corrected_draft: Draft, run: ReadingRun) -> Solved:
    """Solve the corrected board. Raises ``GaveUpError`` or ``UnsolvableError``."""
    reading, seconds = interpretation.reading, run.seconds_left
    with run.step("solve", source=interpretation) as step:
        step.result = outcome = solve(reading.puzzle, "sat", seconds, board=reading.board)
    if isinstance(outcome, Solved):
        return outcome
    if isinstance(outcome, GaveUp):
        late = GaveUpError(f"No answer: {outcome.reason}.", read=reading, draft=corrected_draft)
        raise run.log.fail("solve", late, interpretation)
    why = f": {outcome.reason}." if outcome.reason else "."
    error = UnsolvableError(
        f"With the corrections the board, {reading.size}, has no solution{why}",
        "Compare it with the screen and check every correction.",
        read=reading,
        draft=corrected_draft,
    )
    raise run.log.fail("solve", error, interpretation)


def _open_doubts(doubts: Iterable[Doubt], seen_draft: Draft, corrected_draft: Draft) -> Iterator[Doubt]:
    """Yield the doubts about a board that its corrections leave open."""
    for doubt in doubts:
        if isinstance(doubt, LASTING):
            yield doubt
        if isinstance(doubt, LeftOut):
            marks, new_marks = seen_draft.marks, corrected_draft.marks
            unchanged = tuple(place for place in doubt.places if new_marks.get(place) == marks.get(place))
            if unchanged:
                yield replace(doubt, places=unchanged)


def _draft_to_correct(before: Believed | FlowvisionError, run: ReadingRun) -> tuple[Draft, object]:
    """Return the board to correct, and the last result that led to it. Raises the error without a board."""
    if isinstance(before, Believed):
        return draft_of(before.reading), before.source
    refused = Refused(before, run.log.steps)
    if refused.draft is None:
        raise before
    return refused.draft, refused.latest
