from dataclasses import replace
from time import process_time

import pytest

from flowvision.diagnosis import Diagnosis, causes
from flowvision.errors import DotsError
from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.reading_run import LEAST_SECONDS
from flowvision.words import Advice, Option
from tests.drawing import FIVE, screenshot_of
from tests.seeing import done

FIVE_TEXT = "5 rows and 5 columns with 5 pairs of dots"
SIZE = (Option("grid", "5x5"),)


def case() -> Diagnosis:
    return Diagnosis(DotsError("No dots."), [done("decode", Screenshot(screenshot_of(FIVE)))], Options())


@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_nothing_is_begun_when_time_is_up(events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Step] = []
    add = Log._add

    def watched(log: Log, step: Step) -> None:
        told.append(step)
        add(log, step)

    monkeypatch.setattr(Log, "_add", watched)
    monkeypatch.setattr(causes, "process_time", lambda: len(told))
    assert causes.read_with(case(), SIZE, end=events - 0.5) is None
    assert len(told) == events


def test_what_is_read_in_time_is_told() -> None:
    checked = causes.read_with(case(), SIZE, end=float("inf"))
    assert checked.reading.size == FIVE_TEXT


@pytest.mark.parametrize(
    ("taken", "together", "is_tried"), [(0.5, SIZE, True), (1.9, SIZE, True), (2.3, SIZE, False)]
)
def test_the_clock_runs_from_the_beginning(taken, together, is_tried, monkeypatch):
    begun: list[float] = []

    def come(_: Diagnosis, __: tuple[Advice, ...], end: float) -> None:
        begun.append(end)

    monkeypatch.setattr(causes, "process_time", lambda: 10 + taken)
    monkeypatch.setattr(causes, "read_with", come)
    causes.tried(case(), Doubt("unknown", "decode", advice=together), 12.2)
    assert begun == [12.2] * is_tried


def test_a_limit_that_has_passed_bounds_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    late, known = replace(case(), seconds=LEAST_SECONDS), Doubt("unknown", "decode", advice=SIZE)
    monkeypatch.setattr(causes, "read_with", lambda *_: pytest.fail("Advice was tried."))
    assert causes.tried(late, known, process_time() + 1).reads == ""
