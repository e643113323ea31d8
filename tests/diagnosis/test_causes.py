"""Pictures with one thing wrong: its cause is found, and advice that was tried does what it says."""

import pickle
import re
from functools import cache
from typing import Any
from unittest.mock import Mock

import pytest

from flowvision import solve_image
from flowvision.contract import cause_object
from flowvision.diagnosis import Diagnosis, causes
from flowvision.diagnosis.causes import detect_refuted, followed, repairs_of
from flowvision.doubts import Doubt, Late
from flowvision.errors import FlowvisionError, UnsolvableError
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_picture
from flowvision.reading.options import Options
from flowvision.reading.run import Candidate, gave_up
from flowvision.solvers import GaveUp, Outcome, Unsolvable
from flowvision.solvers.repairs import Repairs
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.words import COMMAND, Option, is_whole
from tests import pictures
from tests.boards import pairs_of
from tests.commands import ROOT
from tests.drawing import LEVEL_5X5, UNSOLVABLE, reading_of, screenshot_of
from tests.pictures import Spoilt
from tests.seeing import GREEN_DOT_MOVED, refusal, step_done, step_failed


@cache
def refused(spoilt: Spoilt) -> Any:
    return refusal(spoilt.draw(), spoilt.options)


TO_TRY = (ROOT / "docs/errors.md").read_text(encoding="utf-8").partition("| to try |")[2].partition("\n\n")[0]
"""A table: its rows name options, and the causes that they help against."""
DOCUMENTED = {
    (option, code)
    for row in TO_TRY.splitlines()
    for option in re.findall(r"--(\w+)", row)
    for code in re.findall(r"`([a-z-]+)`", row)
}
"""Options with the causes that the documents name for them."""
ONE_OF_EACH_CODE = {spoilt.code: spoilt for spoilt in pictures.SPOILT}.values()
OTHERS = [spoilt for spoilt in pictures.SPOILT if spoilt not in ONE_OF_EACH_CODE]


def check_cause(spoilt: Spoilt) -> None:
    """The cause is the one that the picture was spoilt with, and has the facts that are known of it."""
    cause = refused(spoilt).cause
    facts = {"advice": cause.advice, "tried": bool(cause.reads), **cause.seen}
    facts |= {"marks": len(cause.marks), "labels": {mark.label for mark in cause.marks}}
    assert (cause.code, {name: facts[name] for name in spoilt.facts}) == (spoilt.code, spoilt.facts)
    assert cause.reads or not any(map(is_whole, cause.advice))


def check_words(spoilt: Spoilt) -> None:
    """The message opens with the cause, and names no option that is given or that is not documented."""
    cause, words = refused(spoilt).cause, " ".join(refused(spoilt).words(COMMAND))
    assert words.startswith(cause.words().message)
    assert not any(sign in words for sign in "{}[]")
    given = [name for name in ("grid", "crop", "colours") if getattr(spoilt.options, name)]
    if cause.code != "wrong-option":
        assert not any(f"--{name}" in words for name in given)
        assert {(option, cause.code) for option in re.findall(r"(?<!\w)--(\w+)", words)} <= DOCUMENTED


@pytest.mark.parametrize("spoilt", ONE_OF_EACH_CODE, ids=lambda spoilt: spoilt.name)
def test_each_cause_is_found(spoilt: Spoilt) -> None:
    check_cause(spoilt)
    check_words(spoilt)


@pytest.mark.sweep(at_landing=8)
@pytest.mark.parametrize("spoilt", OTHERS, ids=lambda spoilt: spoilt.name)
def test_the_cause_of_other_pictures_is_found(spoilt: Spoilt) -> None:
    check_cause(spoilt)
    check_words(spoilt)


@pytest.mark.parametrize("name", ["wrong grid", "wrong crop", "wrong colours"])
def test_advice_that_was_tried_reads_the_board(name: str) -> None:
    spoilt = pictures.BY_NAME[name]
    cause = refused(spoilt).cause
    reading = solve_image(spoilt.draw(), followed(spoilt.options, cause.advice)).reading
    assert cause.reads == reading.size
    assert pairs_of(reading.puzzle) == pairs_of(pictures.puzzle().puzzle)


@pytest.mark.parametrize(
    ("sample", "given", "code"),
    [
        ("02.png", {"grid": "3x3"}, "grid-not-found"),  # no dots make pairs
        ("02.png", {"grid": "12x3"}, "grid-not-found"),  # no solution
        ("08.png", {"grid": "3x3"}, "grid-not-found"),  # not believed
        ("03.png", {"crop": (0, 0, 400, 700)}, "board-not-found"),
        ("03.png", {"colours": 3}, "no-dots"),
    ],
)
def test_an_option_that_does_not_fit_is_the_cause(sample: str, given: dict[str, Any], code: str) -> None:
    """The error has the stage of the step in which it arose, its ``origin``."""
    error = refusal(pictures.SAMPLES / sample, Options(**given), code=code)
    assert error.cause.option in given
    assert error.stage == next(step.stage for step in error.steps if step.error is error.origin)


def test_a_diagnosis_that_fails_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (Mock(side_effect=ZeroDivisionError),))
    error = refusal(screenshot_of(UNSOLVABLE, pitch=120))
    assert error.message.startswith(str(error.sentence))
    assert error.cause.code == "unknown"


def test_a_diagnosis_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[Diagnosis] = []
    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (cases.append,))
    error = refusal(screenshot_of(pictures.COUNTERS, pitch=120))
    assert error.message
    assert error.hint
    assert len(cases) == 1


def test_an_error_that_crosses_processes_takes_no_picture_along() -> None:
    error = refusal(pictures.hidden_dot())
    sent = pickle.dumps(error)
    received = pickle.loads(sent)
    assert len(sent) < 20_000
    assert (str(received), received.stage, received.seconds) == (str(error), error.stage, error.seconds)
    assert cause_object(received.cause) == cause_object(error.cause)
    assert (received.evidence, received.steps) == (None, ())
    sent_on = pickle.loads(pickle.dumps(received))
    assert sent_on.hint == error.hint


def cause_of(reading: Reading, error: FlowvisionError, outcome: Outcome | None = None) -> Doubt:
    """Return the cause that is found for a reading whose solver ended so."""
    read = Interpretation(reading, geometry=None)
    shot = Screenshot(screenshot_of(LEVEL_5X5))
    steps = [
        step_done("decode", shot),
        step_failed("solve", error, Candidate(read, outcome) if outcome else read),
    ]
    return detect_refuted(Diagnosis(error, steps, Options(), read_picture))


def test_the_change_that_would_give_a_solution_is_named() -> None:
    reading = reading_of(GREEN_DOT_MOVED)
    error = UnsolvableError("It has no solution.", read=reading)
    cause = cause_of(reading, error, Unsolvable(0.0))
    assert cause.change == repairs_of(reading, seconds=600).found[0].text


@pytest.mark.parametrize("count", [1, 5])
def test_other_changes_that_would_give_a_solution_are_counted(count: int, monkeypatch) -> None:
    reading = reading_of(GREEN_DOT_MOVED)
    repairs = Repairs(repairs_of(reading, seconds=600).found[:1] * count, complete=True)
    monkeypatch.setattr(causes, "repairs_of", lambda *_: repairs)
    error = UnsolvableError("It has no solution.", read=reading)
    assert cause_of(reading, error, Unsolvable(0.0)).others == count - 1


def test_a_solver_that_gave_up_may_need_more_time() -> None:
    reading, outcome = reading_of(LEVEL_5X5), GaveUp(0.01)
    cause = cause_of(reading, gave_up(reading, outcome), outcome)
    assert cause == Late(reading.size, cause.weakest, advice=(Option("limit"),))
