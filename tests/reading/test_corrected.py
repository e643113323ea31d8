from contextlib import suppress

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.corrections import Draft, SetBoard, SetCell, draft_of, draft_of_dots
from flowvision.diagnosis import Diagnosis, draft_of_error
from flowvision.doubts import LeftOut
from flowvision.errors import (
    BoardNotFoundError,
    FlowvisionError,
    GaveUpError,
    GridNotFoundError,
    OddDotsError,
    UnsolvableError,
)
from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step
from flowvision.palette import letters_for
from flowvision.pipeline import read_picture
from flowvision.puzzle.text import format_puzzle
from flowvision.reading import corrected
from flowvision.reading.corrected import Refused, _kept, appeal_of, dots_on
from flowvision.reading.options import Options
from flowvision.reading.run import ReadingRun
from flowvision.solvers import GaveUp
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import find_boards
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.free.finding import fit_cells
from tests import pictures
from tests.drawing import FIVE, FIVE_SOLVED, MISPLACED, MISSED, SEVERAL, page_of, reading_of, screenshot_of
from tests.seeing import done, failed, geometry_of, refusal


@pytest.mark.parametrize(
    ("seen", "kind", "changes"),
    [
        (MISSED, OddDotsError, [SetCell((1, 4), "O")]),
        (MISPLACED, UnsolvableError, [SetCell((1, 3), "."), SetCell((1, 4), "O")]),
        (MISPLACED, UnsolvableError, [SetBoard(FIVE)]),
    ],
)
def test_what_was_refused_can_be_corrected(seen, kind, changes):
    bgr = screenshot_of(seen)
    refusal(bgr, code=kind.code)
    answer = solve_image(bgr, Options(corrections=tuple(changes)))
    read = answer.reading
    assert str(answer) == FIVE_SOLVED
    assert read.corrected
    assert answer.picture.shape == bgr.shape
    assert answer.confidence > 0.9
    assert format_puzzle(read.board, read.puzzle, letters_for(read.palette)) == FIVE


def test_corrections_that_make_no_puzzle_are_refused() -> None:
    hole = Options(corrections=(SetCell((2, 2), "#"),))
    assert refusal(screenshot_of(FIVE), hole, code="unsolvable").reading.corrected
    refusal(screenshot_of(FIVE), Options(corrections=(SetCell((0, 1), "R"),)), code="puzzle-invalid")
    options = Options(corrections=(SetCell((0, 1), "R"),))
    refusal(screenshot_of(FIVE) * 0, options, code="board-not-found")


def test_what_casts_doubt_on_a_corrected_board_only_warns() -> None:
    seen = SEVERAL.replace("Y..YR", "Y..Y.")
    answer = solve_image(screenshot_of(seen), Options(corrections=(SetCell((4, 4), "R"),)))
    assert answer.outcome.unique is False
    assert "several-solutions" in [doubt.code for doubt in answer.doubts]


def test_a_disc_that_was_read_as_no_dot_is_a_doubt_after_a_correction_too() -> None:
    bgr = screenshot_of(FIVE, 60, (20, 20))
    cv2.circle(bgr, (20 + 30, 20 + 150), 16, (20, 20, 230), -1, cv2.LINE_AA)
    (left_out,) = (doubt for doubt in solve_image(bgr).doubts if isinstance(doubt, LeftOut))
    assert left_out.places == ((2, 0),)
    corrected_elsewhere = solve_image(bgr, Options(corrections=(SetCell((0, 0), FIVE[0]),)))
    (left_out,) = corrected_elsewhere.doubts
    assert (left_out.places, corrected_elsewhere.doubtful) == (((2, 0),), True)
    draft = draft_of(reading_of(FIVE))
    doubt = LeftOut(((2, 0), (2, 1)))
    (left,) = _kept(doubt, draft, replace(draft, marks={**draft.marks, (2, 0): "A"}))
    assert left == LeftOut(((2, 1),))


def test_what_lies_beside_a_board_is_a_doubt_after_a_correction_too() -> None:
    both = page_of(screenshot_of(FIVE.replace("R", ".", 1)), screenshot_of(FIVE))
    for bgr, code in ((both, "two-boards"), (screenshot_of(FIVE)[:422], "cut-off")):
        before = solve_image(bgr)
        after = solve_image(bgr, Options(corrections=(SetCell((0, 0), FIVE[0]),)))
        assert [doubt.code for doubt in before.doubts] == [code]
        assert before.warnings[0] in after.warnings


def corrected_run(mark: str) -> ReadingRun:
    """A run on the first level, whose middle cell is corrected."""
    options = Options(corrections=(SetCell((2, 2), mark),))
    return ReadingRun.begin(Screenshot(screenshot_of(FIVE)), options, Log())


def test_the_steps_lead_to_the_board_as_it_is_corrected() -> None:
    run = corrected_run("#")
    with pytest.raises(UnsolvableError) as raised:
        read_picture(run)
    log = run.log
    last, reading = log.steps[-1], raised.value.read
    assert last.error is raised.value
    assert last.source.reading is reading
    assert last.source.geometry.board == reading.board
    assert len(reading.board.layout.cells) == 24
    assert last.source.geometry.fit.frame == reading.frame
    before = next(step.result for step in log.steps if step.stage == "sides")
    assert before.fit.frame.to_px([(0.5, 0.5)]) == pytest.approx(reading.frame.to_px([(0.5, 0.5)]))


def test_a_board_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrected, "solve", lambda *_, **__: GaveUp(0.0))
    run = corrected_run(".")
    with pytest.raises(GaveUpError) as raised:
        read_picture(run)
    assert (run.log.failures[-1].stage, raised.value.read.corrected) == ("solve", True)
    assert run.log.failures[-1].error is raised.value


@pytest.mark.parametrize("letter", ["B", "R"])
def test_a_dot_that_was_given_is_drawn(letter):
    row, col = divmod("".join(FIVE.split()).index(letter), 5)
    shown = screenshot_of(FIVE.replace(letter, ".", 1))
    solved = solve_image(shown, Options(corrections=(SetCell((row, col), letter),))).picture
    expected = solve_image(screenshot_of(FIVE)).picture
    assert (np.abs(solved.astype(int) - expected).max(axis=2) > 60).mean() < 1e-3


def geometry(text: str) -> BoardGeometry:
    return geometry_of(Screenshot(screenshot_of(text)))


def test_a_refused_board_is_as_far_as_it_was_seen() -> None:
    sides, reading = geometry(MISSED), reading_of(FIVE)
    error = GridNotFoundError("none")

    def seen(error: FlowvisionError, before: object) -> Draft | None:
        return Refused(error, [failed("pairs", error.origin, before)]).draft

    assert seen(error, Interpretation(reading, sides)) == draft_of(reading)
    odd = refusal(screenshot_of(MISSED), code="odd-dots")
    dots = odd.evidence
    assert len(dots.dots) == 9
    assert seen(error, dots) == draft_of_dots(sides, dots)
    assert seen(odd, sides) == draft_of_dots(sides, dots)
    assert seen(error, sides) == draft_of_dots(sides, None)
    assert seen(BoardNotFoundError("none"), None) is None


def test_where_the_refused_attempt_saw_no_cells_it_is_the_one_that_came_furthest() -> None:
    sides = geometry(MISSED)
    final, other = BoardNotFoundError("none"), OddDotsError("odd")
    look = Refused(
        final, [done("grid", sides.fit), failed("dots", other, sides), failed("board", final, None)]
    )
    assert look.draft == draft_of_dots(sides, None)
    assert look.error is other


def test_of_two_boards_it_is_the_one_that_a_person_would_choose() -> None:
    odd, final = refusal(screenshot_of(MISSED), code="odd-dots"), GridNotFoundError("none")
    clear, empty = geometry(MISSED), geometry("......\n" * 6)
    events = [
        done("decode", Screenshot(screenshot_of(MISSED))),
        done("grid", clear.fit),
        failed("pairs", odd.origin, clear),
        done("grid", empty.fit),
        failed("dots", final, empty),
    ]
    assert Refused(final, events).draft == draft_of_dots(clear, odd.evidence)
    assert Diagnosis(final, events, Options(), read_picture).draft == draft_of_dots(clear, odd.evidence)


def test_a_refused_board_has_the_dots_of_the_look_that_paired_most() -> None:
    sides, (error, other, larger) = geometry(MISSED), map(GridNotFoundError, ("none", "other", "larger"))
    dots = refusal(screenshot_of(MISSED), code="odd-dots").evidence
    six = Interpretation(reading_of("R....R\nG....G\nB....B\nY....Y\nO....O\nW....W\n"), None)
    look = Refused(
        error, [failed("pairs", other, dots), failed("pairs", larger, six), failed("dots", error, sides)]
    )
    assert look.draft == draft_of_dots(sides, dots)
    assert look.find(Dots) is dots
    assert look.error is other


@pytest.mark.parametrize("name", ["cut off below", "fingertip", "erased dot", "counters"])
def test_words_and_draft_are_about_one_look(name: str) -> None:
    error = refusal(pictures.BY_NAME[name].draw())
    seen, draft = error.diagnosis, draft_of_error(error)
    assert seen.dots is not None
    assert draft.marks == seen.draft.marks
    places = [seen.places_of(group.dots) for group in seen.groups]
    letters = [{draft.marks[place] for place in of_one} for of_one in places]
    assert len(set.union(set(), *letters)) == sum(map(len, letters))
    assert sorted(draft.seen) == sorted(place for of_one in places for place in of_one)


def test_a_person_chooses_the_lattice_not_the_shards() -> None:
    steps: list[Step] = []
    with suppress(FlowvisionError):
        solve_image(pictures.hidden_dot(), observer=steps.append)
    lattice, dots = max(dots_on(steps).items(), key=lambda item: appeal_of(item[0], len(item[1].dots)))
    assert lattice.size == (5, 5)
    region = next(find_boards(Screenshot(screenshot_of(FIVE))))
    shards = fit_cells(region)
    assert shards.size is None
    assert appeal_of(shards, 0) < appeal_of(lattice, len(dots.dots))
