import pickle

import pytest

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.dots import ColourGroup, counts_in_words
from flowvision.diagnosis.edges import are_two_boards
from flowvision.errors import DotsError
from flowvision.image.picture import Screenshot
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.wording import cause_object
from tests import pictures
from tests.drawing import NONE, random_text, screenshot_of
from tests.seeing import done, dots_at, geometry_of, refusal


def test_a_diagnosis_that_fails_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(case: Diagnosis) -> Doubt:
        raise ZeroDivisionError

    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (broken,))
    error = refusal(screenshot_of(NONE, 120))
    assert error.message.startswith(str(error.sentence))
    assert error.cause.code == "unknown"


def test_a_diagnosis_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[Diagnosis] = []
    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (cases.append,))
    error = refusal(screenshot_of(pictures.COUNTERS, 120))
    assert error.message
    assert error.hint
    assert len(cases) == 1


def test_an_error_that_crosses_processes_takes_no_picture_along() -> None:
    error = refusal(pictures.hidden_dot())
    sent = pickle.dumps(error)
    back = pickle.loads(sent)
    assert len(sent) < 20_000
    assert (str(back), back.stage, back.seconds) == (str(error), error.stage, error.seconds)
    assert cause_object(back.cause) == cause_object(error.cause)
    assert (back.evidence, back.steps) == (None, ())
    assert pickle.loads(pickle.dumps(back)).hint == error.hint


@pytest.mark.parametrize("is_one", [True, False])
def test_parts_of_one_board_are_not_two(is_one: bool) -> None:
    whole = screenshot_of(random_text(9, 9, 9, seed=4), 60, (12, 140))
    parts, middle = [whole.copy(), whole.copy()], 12 + 4 * 60
    parts[0][:, middle + 4 :] = 0
    parts[1][:, : middle + 56] = 0
    if not is_one:
        whole[:, middle + 4 : middle + 56] = 0
    fits = [geometry_of(Screenshot(part)).fit for part in parts]
    steps = [done("dots", dots_at(*[(0, 0)] * 6), fit) for fit in fits]
    case = Diagnosis(DotsError("refused"), [done("decode", Screenshot(whole)), *steps], Options())
    assert (are_two_boards(case) is None) == is_one


def test_counts_in_words_begin_with_the_most() -> None:
    groups = [ColourGroup("green", (4,)), ColourGroup("yellow", (0, 1, 2))]
    assert counts_in_words(groups) == "3 yellow, 1 green"
