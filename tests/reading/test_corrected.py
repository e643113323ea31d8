"""Boards that are corrected and solved again, refused before or not."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.corrections.correction import AddLine, Correction, SetBoard, SetCell
from flowvision.errors import FlowvisionError, GaveUpError, OddDotsError, PuzzleInvalidError, UnsolvableError
from flowvision.events import StageDone, StageRunner
from flowvision.image.picture import Screenshot
from flowvision.palette import letters_for
from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle.text import format_puzzle, read_drawn
from flowvision.reading import corrected
from flowvision.reading.corrected import read_corrected
from flowvision.reading.options import Options
from flowvision.reading.reading_run import ReadingRun
from flowvision.solvers import GaveUp
from tests.drawing import FIVE, FIVE_SOLVED, SEVERAL, screenshot_of

MISSED = FIVE.replace("..B.O", "..B..")
"""One dot was not seen."""
MOVED = FIVE.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""


@pytest.mark.parametrize(
    ("seen", "kind", "changes"),
    [
        (MISSED, OddDotsError, [SetCell((1, 4), "O")]),
        (MOVED, UnsolvableError, [SetCell((1, 3), "."), SetCell((1, 4), "O")]),
        (MOVED, UnsolvableError, [SetBoard(read_drawn(FIVE))]),
    ],
)
def test_what_was_refused_can_be_corrected(
    seen: str, kind: type[FlowvisionError], changes: list[Correction]
) -> None:
    """A dot that was missed or misplaced: refused without the correction, solved with it."""
    bgr = screenshot_of(seen)
    with pytest.raises(kind):
        solve_image(bgr)
    answer = solve_image(bgr, Options(corrections=tuple(changes)))
    assert str(answer) == FIVE_SOLVED
    assert answer.reading.corrected
    assert answer.picture.shape == bgr.shape
    assert answer.checked.confidence > 0.9
    read = read_image(bgr, Options(corrections=tuple(changes))).reading
    assert format_puzzle(read.board, read.puzzle, letters_for(read.palette)) == FIVE


def test_corrections_that_make_no_puzzle_are_refused() -> None:
    """A board without a solution, with the reason; what is no picture of a board stays none."""
    with pytest.raises(UnsolvableError, match="with the corrections; this board has no solution"):
        solve_image(screenshot_of(FIVE), Options(corrections=(SetCell((2, 2), "#"),)))
    with pytest.raises(PuzzleInvalidError):
        solve_image(screenshot_of(FIVE), Options(corrections=(SetCell((0, 1), "R"),)))
    with pytest.raises(FlowvisionError) as raised:
        solve_image(screenshot_of(FIVE) * 0, Options(corrections=(SetCell((0, 1), "R"),)))
    assert raised.value.code == "board-not-found"


def test_what_casts_doubt_on_a_corrected_board_is_only_said() -> None:
    """Its user has looked at it: several solutions are a warning."""
    seen = SEVERAL.replace("Y..YR", "Y..Y.")
    answer = solve_image(screenshot_of(seen), Options(corrections=(SetCell((4, 4), "R"),)))
    assert answer.outcome.unique is False
    assert any("more than one solution" in warning for warning in answer.checked.warnings)


def test_the_trail_leads_to_the_board_as_it_is_corrected() -> None:
    """Pipes are looked for where its cells lie by now; what was seen in the picture stays what it was."""
    events, shot = [], Screenshot(screenshot_of(FIVE))
    options = Options(corrections=(AddLine("top"), SetCell((0, 2), "#")))
    with pytest.raises(UnsolvableError, match="with the corrections") as raised:
        read_corrected(ReadingRun.begin(shot, options, StageRunner(events.append)))
    trail = events[-1].trail
    assert events[-1].error is raised.value
    assert trail.reading is raised.value.evidence
    assert trail.geometry.board == trail.reading.board
    assert len(trail.reading.board.layout.cells) == 29
    assert trail.geometry.fit.frame == trail.reading.frame
    before = next(e.result for e in events if isinstance(e, StageDone) and e.stage == "sides")
    assert before.fit.frame.to_px([(0.5, 0.5)]) == pytest.approx(trail.reading.frame.to_px([(0.5, 1.5)]))


def test_a_board_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a failure of solving that names what was read; the search for the first reading has its own time."""
    monkeypatch.setattr(corrected, "solve", lambda *_, **__: GaveUp(0.0, "time ran out"))
    runner, shot = StageRunner(), Screenshot(screenshot_of(FIVE))
    with pytest.raises(GaveUpError, match="time ran out") as raised:
        read_corrected(ReadingRun.begin(shot, Options(corrections=(SetCell((2, 2), "."),)), runner))
    assert (runner.failures[-1].stage, raised.value.evidence.corrected) == ("solve", True)
    assert runner.failures[-1].error is raised.value


@pytest.mark.parametrize("letter", ["B", "R"])
def test_a_dot_that_was_given_is_drawn(letter):
    """As large as the others, in its flow's colour, where the picture shows none."""
    whole = screenshot_of(FIVE)
    rows = FIVE.split()
    row, col = next((r, c) for r in range(5) for c in range(5) if rows[r][c] == letter)
    erased = FIVE.split()
    erased[row] = erased[row][:col] + "." + erased[row][col + 1 :]
    shown = screenshot_of("\n".join(erased))
    solved = solve_image(shown, Options(corrections=(SetCell((row, col), letter),))).picture
    expected = solve_image(whole).picture
    assert (np.abs(solved.astype(int) - expected).max(axis=2) > 60).mean() < 1e-3
