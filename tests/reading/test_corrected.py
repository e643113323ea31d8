from contextlib import suppress
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import errors, solve_image
from flowvision.corrections import Draft, SetBoard, SetCell, draft_of, draft_of_dots
from flowvision.diagnosis import Diagnosis, draft_of_error
from flowvision.doubts import LeftOut
from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step
from flowvision.palette import letters_for
from flowvision.pipeline import read_picture
from flowvision.puzzle.text import format_puzzle
from flowvision.reading import corrected
from flowvision.reading.corrected import Refused, _open_doubts, appeal_of, dots_on
from flowvision.reading.options import Options
from flowvision.reading.run import ReadingRun
from flowvision.solvers import GaveUp
from flowvision.vision.assembly import Interpretation
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.free.finding import fit_cells
from tests import pictures
from tests.drawing import (
    CORNER,
    DOT_MISPLACED,
    DOT_MISSED,
    LEVEL_5X5,
    LEVEL_5X5_SOLVED,
    PITCH,
    SEVERAL,
    cell_middle,
    collage,
    reading_of,
    screenshot_of,
)
from tests.seeing import assert_refused, find_boards, geometry_of, refusal, step_done, step_failed


@pytest.mark.parametrize(
    ("seen", "kind", "changes"),
    [
        (DOT_MISSED, errors.OddDotsError, (SetCell((1, 4), "O"),)),
        (DOT_MISPLACED, errors.UnsolvableError, (SetCell((1, 3), "."), SetCell((1, 4), "O"))),
        (DOT_MISPLACED, errors.UnsolvableError, (SetBoard(LEVEL_5X5),)),
    ],
)
def test_what_was_refused_can_be_corrected(seen, kind, changes):
    bgr = screenshot_of(seen)
    assert_refused(bgr, code=kind.code)
    answer = solve_image(bgr, corrections=changes)
    reading = answer.reading
    assert str(answer) == LEVEL_5X5_SOLVED
    assert reading.corrected
    assert format_puzzle(reading.board, reading.puzzle, letters_for(reading.palette)) == LEVEL_5X5
    assert answer.confidence > 0.9
    assert answer.picture.shape == bgr.shape


HOLE_IN_A_PATH, THIRD_RED_DOT = (
    Options(corrections=(SetCell(*change),)) for change in (((2, 2), "#"), ((0, 1), "R"))
)


def test_a_correction_that_leaves_no_solution_is_refused() -> None:
    assert refusal(screenshot_of(LEVEL_5X5), HOLE_IN_A_PATH, code="unsolvable").reading.corrected


def test_a_correction_that_leaves_no_puzzle_is_refused() -> None:
    assert_refused(screenshot_of(LEVEL_5X5), THIRD_RED_DOT, code="puzzle-invalid")


def test_without_a_board_there_is_nothing_to_correct() -> None:
    black = np.zeros_like(screenshot_of(LEVEL_5X5))
    assert_refused(black, THIRD_RED_DOT, code="board-not-found")


def test_several_solutions_of_a_corrected_board_are_only_a_doubt() -> None:
    one_dot_missed = SEVERAL.replace("Y..YR", "Y..Y.")
    answer = solve_image(screenshot_of(one_dot_missed), corrections=(SetCell((4, 4), "R"),))
    assert answer.outcome.unique is False
    assert "several-solutions" in [doubt.code for doubt in answer.doubts]


UNCHANGED = SetCell((0, 0), LEVEL_5X5[0])
"""A correction that changes nothing."""


def test_a_disc_that_was_read_as_no_dot_is_a_doubt_after_a_correction_too() -> None:
    corner = (20, 20)
    bgr = screenshot_of(LEVEL_5X5, PITCH, corner)
    cv2.circle(bgr, cell_middle(2, 0, PITCH, corner), 16, (20, 20, 230), -1, cv2.LINE_AA)
    (left_out,) = (doubt for doubt in solve_image(bgr).doubts if isinstance(doubt, LeftOut))
    assert left_out.places == ((2, 0),)
    corrected_elsewhere = solve_image(bgr, corrections=(UNCHANGED,))
    (left_out,) = corrected_elsewhere.doubts
    assert left_out.places == ((2, 0),)
    assert corrected_elsewhere.doubtful


def test_a_doubt_about_discs_names_those_in_cells_that_were_not_corrected() -> None:
    draft = draft_of(reading_of(LEVEL_5X5))
    one_corrected = replace(draft, marks={**draft.marks, (2, 0): "A"})
    assert list(_open_doubts([LeftOut(((2, 0), (2, 1)))], draft, one_corrected)) == [LeftOut(((2, 1),))]


def test_what_lies_beside_a_board_is_a_doubt_after_a_correction_too() -> None:
    two_boards = collage(screenshot_of(LEVEL_5X5.replace("R", ".", 1)), screenshot_of(LEVEL_5X5))
    cut_in_last_row = screenshot_of(LEVEL_5X5)[: CORNER[1] + round(4.7 * PITCH)]
    for code, bgr in {"two-boards": two_boards, "cut-off": cut_in_last_row}.items():
        before, after = solve_image(bgr), solve_image(bgr, corrections=(UNCHANGED,))
        assert [doubt.code for doubt in before.doubts] == [code]
        assert before.warnings[0] in after.warnings


def corrected_run(mark: str) -> ReadingRun:
    """A run on the first level, whose middle cell is corrected."""
    options = Options(corrections=(SetCell((2, 2), mark),))
    return ReadingRun.begin(Screenshot(screenshot_of(LEVEL_5X5)), options, Log())


def test_the_steps_lead_to_the_board_as_it_is_corrected() -> None:
    run = corrected_run("#")
    with pytest.raises(errors.UnsolvableError) as raised:
        read_picture(run)
    last, reading = run.log.steps[-1], raised.value.read
    assert last.error is raised.value
    assert last.source.reading is reading
    assert last.source.geometry.board == reading.board
    assert len(reading.board.layout.cells) == 24
    assert last.source.geometry.fit.frame == reading.frame
    as_seen = next(step.result for step in run.log.steps if step.stage == "sides").fit.frame
    assert as_seen.to_px([(0.5, 0.5)]) == pytest.approx(reading.frame.to_px([(0.5, 0.5)]))


def test_a_board_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrected, "solve", lambda *_, **__: GaveUp(0.0))
    run = corrected_run(".")
    with pytest.raises(errors.GaveUpError) as raised:
        read_picture(run)
    failure = run.log.failures[-1]
    assert (failure.stage, failure.error) == ("solve", raised.value)
    assert raised.value.read.corrected


@pytest.mark.parametrize("letter", ["B", "R"])
def test_a_dot_that_was_given_is_drawn(letter):
    row, col = divmod("".join(LEVEL_5X5.split()).index(letter), 5)
    one_dot_missed = screenshot_of(LEVEL_5X5.replace(letter, ".", 1))
    corrected = solve_image(one_dot_missed, corrections=(SetCell((row, col), letter),)).picture
    expected = solve_image(screenshot_of(LEVEL_5X5)).picture
    is_other = np.abs(corrected.astype(int) - expected).max(axis=2) > 60
    assert is_other.mean() < 1e-3


def geometry(text: str) -> BoardGeometry:
    return geometry_of(Screenshot(screenshot_of(text)))


@pytest.fixture(scope="module")
def odd() -> Any:
    """The refusal of a picture of the first level without a dot."""
    error = refusal(screenshot_of(DOT_MISSED), code="odd-dots")
    assert len(error.evidence.dots) == 9
    return error


NO_GRID = errors.GridNotFoundError("none")


def draft_after(error: errors.FlowvisionError, source: object) -> Draft | None:
    """Return the draft of a picture that was refused with this error, which arose from ``source``."""
    return Refused(error, [step_failed("pairs", error.origin, source)]).draft


def test_the_draft_of_a_refusal_holds_what_its_source_or_its_error_saw(odd) -> None:
    """``NO_GRID`` stands for any error that saw nothing itself; ``odd`` saw dots."""
    cells, dots, reading = geometry(DOT_MISSED), odd.evidence, reading_of(LEVEL_5X5)
    assert draft_after(NO_GRID, Interpretation(reading, cells)) == draft_of(reading)
    assert draft_after(NO_GRID, dots) == draft_of_dots(cells, dots)
    assert draft_after(odd, cells) == draft_of_dots(cells, dots)
    assert draft_after(NO_GRID, cells) == draft_of_dots(cells, None)
    assert draft_after(errors.BoardNotFoundError("none"), None) is None


def test_an_attempt_that_saw_no_cells_is_not_the_one_to_report() -> None:
    cells, final, came_further = (
        geometry(DOT_MISSED),
        errors.BoardNotFoundError("none"),
        errors.OddDotsError("odd"),
    )
    refused = Refused(
        final,
        [
            step_done("grid", cells.fit),
            step_failed("dots", came_further, cells),
            step_failed("board", final, None),
        ],
    )
    assert refused.draft == draft_of_dots(cells, None)
    assert refused.error is came_further


def test_of_two_boards_the_one_with_dots_is_reported(odd) -> None:
    with_dots, empty = geometry(DOT_MISSED), geometry("......\n" * 6)
    steps = [
        step_done("decode", Screenshot(screenshot_of(DOT_MISSED))),
        step_done("grid", with_dots.fit),
        step_failed("pairs", odd.origin, with_dots),
        step_done("grid", empty.fit),
        step_failed("dots", NO_GRID, empty),
    ]
    expected = draft_of_dots(with_dots, odd.evidence)
    assert Refused(NO_GRID, steps).draft == expected
    assert Diagnosis(NO_GRID, steps, Options(), read_picture).draft == expected


def test_the_board_that_was_refused_has_the_dots_of_another_look_at_it(odd) -> None:
    """Not those of a larger board of which more was read."""
    cells, dots = geometry(DOT_MISSED), odd.evidence
    larger_board = Interpretation(reading_of("R....R\nG....G\nB....B\nY....Y\nO....O\nW....W\n"), None)
    paired, of_larger = errors.GridNotFoundError("paired"), errors.GridNotFoundError("larger")
    refused = Refused(
        NO_GRID,
        [
            step_failed("pairs", paired, dots),
            step_failed("pairs", of_larger, larger_board),
            step_failed("dots", NO_GRID, cells),
        ],
    )
    assert refused.draft == draft_of_dots(cells, dots)
    assert refused.find(Dots) is dots
    assert refused.error is paired


@pytest.mark.parametrize("name", ["cut off below", "fingertip", "erased dot", "counters"])
def test_words_and_draft_are_about_one_look(name: str) -> None:
    error = refusal(pictures.BY_NAME[name].draw())
    diagnosis, draft = error.diagnosis, draft_of_error(error)
    assert diagnosis.dots is not None
    assert draft.marks == diagnosis.draft.marks
    groups = [diagnosis.places_of(group.dots) for group in diagnosis.groups]
    assert sorted(draft.seen) == sorted(place for group in groups for place in group)
    letters = [{draft.marks[place] for place in group} for group in groups]
    assert sum(map(len, letters)) == len(set().union(*letters))  # no letter is in two groups


def test_a_lattice_with_dots_appeals_more_than_an_open_one_or_shards() -> None:
    steps: list[Step] = []
    with suppress(errors.FlowvisionError):
        solve_image(pictures.hidden_dot(), observer=steps.append)
    lattice, dots = max(dots_on(steps).items(), key=lambda item: appeal_of(item[0], len(item[1].dots)))
    assert lattice.size == (5, 5)
    shards = fit_cells(next(find_boards(Screenshot(screenshot_of(LEVEL_5X5)))))
    assert shards.size is None
    appeal = appeal_of(lattice, len(dots.dots))
    assert appeal > max(
        appeal_of(shards, dot_count=0), appeal_of(replace(lattice, is_open=True), len(dots.dots))
    )
