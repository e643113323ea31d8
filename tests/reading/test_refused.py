"""The look at a refused board that its words, its draft and its pictures are about."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from flowvision.contract import error_object
from flowvision.corrections.draft import Draft, draft_of, draft_of_dots
from flowvision.diagnosis import Diagnosis
from flowvision.errors import BoardNotFoundError, DotsError, FlowvisionError, GridNotFoundError, OddDotsError
from flowvision.events import StageDone, StageFailed
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from flowvision.reading.refused import refused_attempt
from flowvision.vision.assembly import Interpretation
from flowvision.vision.dots.detection import Dots
from tests import seeing
from tests.diagnosis import refused
from tests.drawing import FIVE, reading_of, screenshot_of
from tests.reading.test_corrected import MISSED


def test_a_refused_board_is_as_far_as_it_was_seen() -> None:
    """A reading where there is one, else its dots, else those that the error has, else none but cells."""
    sides, reading = seeing.geometry_of(Screenshot(screenshot_of(MISSED))), reading_of(FIVE)
    error = GridNotFoundError("none")

    def seen(error: FlowvisionError, before: object) -> Draft | None:
        return refused_attempt(error, [StageFailed("pairs", error, 0.0, before)]).draft

    assert seen(error, Interpretation(reading, sides)) == draft_of(reading)
    with pytest.raises(OddDotsError) as raised:
        read_image(screenshot_of(MISSED))
    dots = raised.value.evidence
    assert len(dots.dots) == 9
    assert seen(error, dots) == draft_of_dots(sides, dots)
    assert seen(raised.value, sides) == draft_of_dots(sides, dots)
    assert seen(error, sides) == draft_of_dots(sides, None)
    assert seen(BoardNotFoundError("none"), None) is None


def test_where_the_refused_attempt_saw_no_cells_it_is_the_one_that_came_furthest() -> None:
    """The page, `read` and corrections begin with the same board, whatever look the error is about."""
    geometry = seeing.geometry_of(Screenshot(screenshot_of(MISSED)))
    final, other = BoardNotFoundError("none"), OddDotsError("odd")
    events = [
        StageDone("grid", geometry.fit, 0.0),
        StageFailed("dots", other, 0.0, geometry),
        StageFailed("board", final, 0.0, None),
    ]
    look = refused_attempt(final, events)
    assert look.draft == draft_of_dots(geometry, None)
    assert look.error is other


def test_of_two_boards_it_is_the_one_that_a_person_would_choose() -> None:
    """Also where the error that was raised is about the other one, with cells of its own and no dots."""
    with pytest.raises(OddDotsError) as raised:
        read_image(screenshot_of(MISSED))
    odd, final = raised.value, GridNotFoundError("none")
    clear, empty = (seeing.geometry_of(Screenshot(screenshot_of(text))) for text in (MISSED, "......\n" * 6))
    events = [
        StageDone("decode", Screenshot(screenshot_of(MISSED)), 0.0),
        StageDone("grid", clear.fit, 0.0),
        StageFailed("pairs", odd.origin, 0.0, clear),
        StageDone("grid", empty.fit, 0.0),
        StageFailed("dots", final, 0.0, empty),
    ]
    assert refused_attempt(final, events).draft == draft_of_dots(clear, odd.evidence)
    assert Diagnosis(final, events, Options()).seen.draft == draft_of_dots(clear, odd.evidence)


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
    look = refused_attempt(error, failures)
    assert look.draft == draft_of_dots(geometry, raised.value.evidence)
    assert look.trail.dots is raised.value.evidence
    assert look.error is other


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
    look = refused_attempt(errors[1], failures)
    assert look.draft == draft_of(looks[0 if is_other else 1].reading)


@pytest.mark.parametrize(
    "name", ["cut_board", "hidden_dot", "erased_dot", "recoloured_dot", "counters", "letters"]
)
def test_words_and_draft_are_about_one_look(name: str) -> None:
    """What is printed to be put right is the board of the sentence: its size, its dots and their colours."""
    with pytest.raises(FlowvisionError) as raised:
        read_image(getattr(refused, name)())
    failure = raised.value.failure
    assert failure is not None
    assert isinstance(failure.explanation, Diagnosis)
    seen, draft = failure.explanation.seen, refused_attempt(raised.value, failure.events).draft
    assert draft is not None
    assert seen.dots is not None
    assert draft.marks == seen.draft.marks
    places = [[seen.place_of_dot(n) for n in group.dots] for group in seen.groups]
    letters = [{draft.marks[place] for place in of_one} for of_one in places]
    assert len(set.union(set(), *letters)) == sum(map(len, letters))
    assert sorted(draft.seen) == sorted(place for of_one in places for place in of_one)


def test_the_board_in_json_is_that_of_the_words() -> None:
    """Where the error that was raised is about another look than its words, that one's board is not told."""
    with pytest.raises(FlowvisionError) as raised:
        read_image(refused.cut_board())
    failure = raised.value.failure
    assert failure is not None
    assert isinstance(failure.explanation, Diagnosis)
    assert failure.explanation.cause.code == "cut-off"
    other = FlowvisionError("refused", None, reading_of(FIVE), failure=failure)
    assert other.reading is None
    assert "board" not in error_object("cut.png", other)
    assert pickle.loads(pickle.dumps(other)).reading is None
    assert FlowvisionError("refused", None, reading_of(FIVE)).reading == reading_of(FIVE)


def test_where_no_dots_were_seen_others_may_be_anything() -> None:
    """Digits, say, which a look at discs of another kind takes for dots."""
    geometry = seeing.geometry_of(Screenshot(screenshot_of(MISSED)))
    with pytest.raises(OddDotsError) as raised:
        read_image(screenshot_of(MISSED))
    seen = raised.value.evidence
    assert isinstance(seen, Dots)
    final = DotsError("none", None, replace(seen, dots=()))
    failures = [StageFailed("pairs", raised.value, 0.0, seen), StageFailed("dots", final, 0.0, geometry)]
    look = refused_attempt(final, failures)
    assert look.error is final
    assert look.draft is not None
    assert not look.draft.seen
