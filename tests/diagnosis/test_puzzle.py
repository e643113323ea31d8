import pytest

from flowvision.diagnosis import Diagnosis, causes
from flowvision.diagnosis.causes import is_refuted, repairs_of
from flowvision.errors import FlowvisionError, UnsolvableError
from flowvision.image.picture import Screenshot
from flowvision.reading.doubt import Candidate, Doubt, gave_up
from flowvision.reading.options import Options
from flowvision.solvers import GaveUp, Outcome, Unsolvable
from flowvision.solvers.repairs import Repairs
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.words import Option
from tests.drawing import FIVE, reading_of, screenshot_of
from tests.seeing import MOVED, done, failed


def cause_of(reading: Reading, error: FlowvisionError, outcome: Outcome | None = None) -> Doubt:
    read = Interpretation(reading, None)
    shot = Screenshot(screenshot_of(FIVE))
    steps = [done("decode", shot), failed("solve", error, Candidate(read, outcome) if outcome else read)]
    return is_refuted(Diagnosis(error, steps, Options()))


def test_the_change_that_would_give_a_solution_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = reading_of(MOVED)
    offered = repairs_of(reading, 600)
    error = UnsolvableError("It has no solution.", None, reading)
    assert cause_of(reading, error, Unsolvable(0.0)).facts["change"] == offered.found[0].text
    for count in (1, 5):
        several = Repairs(offered.found[:1] * count, True)
        monkeypatch.setattr(causes, "repairs_of", lambda *_, several=several: several)
        assert cause_of(reading, error, Unsolvable(0.0)).facts["others"] == count - 1


def test_a_solver_that_gave_up_may_need_more_time() -> None:
    reading, outcome = reading_of(FIVE), GaveUp(0.01)
    cause = cause_of(reading, gave_up(reading, outcome), outcome)
    assert (cause.code, cause.advice) == ("late", (Option("limit"),))
