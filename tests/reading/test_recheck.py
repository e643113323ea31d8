"""Boards that are corrected and solved again, refused before or not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from flowvision.corrections.correction import AddLine, Correction, SetBoard, SetCell
from flowvision.corrections.draft import Draft, draft_of, draft_of_dots
from flowvision.errors import (
    BoardNotFoundError,
    Failure,
    FlowvisionError,
    GaveUpError,
    GridNotFoundError,
    OddDotsError,
    PuzzleInvalidError,
    UnsolvableError,
)
from flowvision.events import StageDone, StageFailed, StageRunner
from flowvision.image.picture import Screenshot
from flowvision.palette import letters_for
from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle.text import format_puzzle, read_drawn
from flowvision.reading import recheck
from flowvision.reading.options import Options
from flowvision.reading.recheck import read_corrected, refused_draft
from flowvision.reading.run import Run
from flowvision.solvers import GaveUp
from flowvision.vision.reading import Interpretation
from tests import seeing
from tests.drawing import FIVE, FIVE_SOLVED, SEVERAL, reading_of, screenshot_of

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
        read_corrected(Run.begin(shot, options, StageRunner(events.append)), lambda error: error)
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
    monkeypatch.setattr(recheck, "solve", lambda *_, **__: GaveUp(0.0, "time ran out"))
    runner, shot = StageRunner(), Screenshot(screenshot_of(FIVE))
    with pytest.raises(GaveUpError, match="time ran out") as raised:
        read_corrected(
            Run.begin(shot, Options(corrections=(SetCell((2, 2), "."),)), runner), lambda error: error
        )
    assert (runner.failures[-1].stage, raised.value.evidence.corrected) == ("solve", True)
    assert runner.failures[-1].error is raised.value


def test_a_refused_board_is_as_far_as_it_was_seen() -> None:
    """A reading where there is one, else its dots, else those that the error has, else none but cells."""
    sides, reading = seeing.geometry_of(Screenshot(screenshot_of(MISSED))), reading_of(FIVE)
    error = GridNotFoundError("none")

    def seen(error: FlowvisionError, before: object) -> Draft | None:
        found = refused_draft(error, [StageFailed("pairs", error, 0.0, before)])
        return found and found[0]

    assert seen(error, Interpretation(reading, sides)) == draft_of(reading)
    with pytest.raises(OddDotsError) as raised:
        read_image(screenshot_of(MISSED))
    dots = raised.value.evidence
    assert len(dots.dots) == 9
    assert seen(error, dots) == draft_of_dots(sides, dots)
    assert seen(raised.value, sides) == draft_of_dots(sides, dots)
    assert seen(error, sides) == draft_of_dots(sides, None)
    assert seen(BoardNotFoundError("none"), None) is None


def test_where_the_refused_look_saw_no_cells_it_is_the_one_that_came_furthest() -> None:
    """The page, `read` and corrections begin with the same board, whatever look the error is about."""
    geometry = seeing.geometry_of(Screenshot(screenshot_of(MISSED)))
    final, other = BoardNotFoundError("none"), OddDotsError("odd")
    failures = [StageFailed("dots", other, 0.0, geometry), StageFailed("board", final, 0.0, None)]
    found = refused_draft(final, failures)
    assert found is not None
    assert found[0] == draft_of_dots(geometry, None)


def test_a_refused_board_is_the_one_that_its_message_is_about() -> None:
    """Of two boards the one that a person would choose: the cells that the message names are on it."""
    boards = ["R..R\nG..G\nB..B\n", FIVE]
    sides = [seeing.geometry_of(Screenshot(screenshot_of(board))) for board in boards]
    final, meant = GridNotFoundError("final"), OddDotsError("meant")
    failures = [StageFailed("dots", error, 0.0, on) for error, on in zip((final, meant), sides, strict=True)]

    def board_of(explanation: Any) -> Draft | None:
        failure = Failure(final, "dots", {}, tuple(failures), explanation)
        found = refused_draft(final.ending(failure), failures)
        return found and found[0]

    assert board_of(SimpleNamespace(about=meant)) == draft_of_dots(sides[1], None)
    assert board_of(None) == draft_of_dots(sides[0], None)


def test_corrections_are_made_to_the_board_that_is_told() -> None:
    """It is asked which that is, when the reader has given up."""
    shot, asked = Screenshot(screenshot_of(MISSED)), list[FlowvisionError]()

    def meant(error: FlowvisionError) -> FlowvisionError:
        asked.append(error)
        return error

    read_corrected(Run.begin(shot, Options(corrections=(SetCell((1, 4), "O"),)), StageRunner()), meant)
    assert [type(error) for error in asked] == [OddDotsError]


def test_a_refused_board_has_the_dots_of_the_look_that_paired_most() -> None:
    """Whatever look was refused last; one at other rows and columns is another board."""
    geometry = seeing.geometry_of(Screenshot(screenshot_of(MISSED)))
    error, other, larger = GridNotFoundError("none"), GridNotFoundError("other"), GridNotFoundError("larger")
    with pytest.raises(OddDotsError) as raised:
        read_image(screenshot_of(MISSED))
    six = Interpretation(reading_of("R....R\nG....G\nB....B\nY....Y\nO....O\nW....W\n"), None)
    failures = [
        StageFailed("pairs", other, 0.0, raised.value.evidence),
        StageFailed("pairs", larger, 0.0, six),
        StageFailed("dots", error, 0.0, geometry),
    ]
    draft, trail = refused_draft(error, failures) or (None, None)
    assert draft == draft_of_dots(geometry, raised.value.evidence)
    assert trail is not None
    assert trail.dots is raised.value.evidence


@pytest.mark.parametrize(("more", "is_other"), [("", False), ("R", False), ("RG", True)])
def test_where_every_dot_has_a_partner_a_pair_more_may_be_a_stain(more: str, is_other: bool) -> None:
    """The look that was refused is kept, and with it what is advised; clearly more are another board."""
    colours = ("CMPNW" + more, "CMPNW")
    boards = [
        "".join(f"{letter}....{letter}\n" for letter in of) + "......\n" * (7 - len(of)) for of in colours
    ]
    sides = [seeing.geometry_of(Screenshot(screenshot_of(board))) for board in boards]
    looks = [Interpretation(reading_of(board), on) for board, on in zip(boards, sides, strict=True)]
    errors = GridNotFoundError("other"), GridNotFoundError("own")
    failures = [StageFailed("solve", e, 0.0, look) for e, look in zip(errors, looks, strict=True)]
    found = refused_draft(errors[1], failures)
    assert found is not None
    assert found[0] == draft_of(looks[0 if is_other else 1].reading)


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
