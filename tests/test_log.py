from collections.abc import Iterator
from itertools import count

import pytest

from flowvision import log as log_module
from flowvision import solve_image
from flowvision.errors import BoardNotFoundError, GridNotFoundError
from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step, ancestors
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from tests.drawing import LEVEL_5X5, screenshot_of


def test_a_step_has_its_result_its_source_and_its_time() -> None:
    observed: list[Step] = []
    log, source = Log(observed.append), object()
    with log.step("dots", "usual dots", source) as step:
        step.result = 3
    assert observed == log.steps == [step]
    assert (step.stage, step.name, step.result, step.source) == ("dots", "usual dots", 3, source)
    assert log.seconds == {"dots": round(step.seconds, 6)}
    assert 0 < step.seconds < 60


def tick_at_each_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the log is one second later at each look."""
    monkeypatch.setattr(log_module, "perf_counter", count(0.0).__next__)


def test_the_time_of_a_step_within_another_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tick_at_each_look(monkeypatch)
    log = Log()
    with log.step("doubts"), log.step("board"):
        pass
    assert log.seconds == {"board": 1.0, "doubts": 2.0}


def test_the_time_of_a_trial_counts_before_its_steps_are_adopted(monkeypatch: pytest.MonkeyPatch) -> None:
    tick_at_each_look(monkeypatch)
    log = Log()
    trial = log.trial()
    with trial.step("grid"):
        pass
    assert (log.seconds, log.steps) == ({"grid": 1.0}, [])
    log.adopt(trial)
    assert (log.seconds, len(log.steps)) == ({"grid": 1.0}, 1)


def test_a_step_that_fails_has_its_error() -> None:
    log, error = Log(), GridNotFoundError("none", evidence="lines")
    with pytest.raises(GridNotFoundError), log.step("grid") as step:
        raise error
    assert log.steps == log.failures == [step]
    assert (step.error, step.own) == (error, "lines")
    assert 0 < step.seconds < 60
    with pytest.raises(KeyError), log.step("grid"):
        raise KeyError("a bug")
    assert log.failures[-1].error.code == "crashed"


def test_a_step_that_tells_nothing_is_no_failure() -> None:
    log = Log()
    with pytest.raises(GridNotFoundError), log.step("grid", is_telling=False):
        raise GridNotFoundError("not among those to choose from")
    assert (len(log.steps), log.failures) == (1, [])


def test_results_are_taken_one_at_a_time() -> None:
    begun = []

    def candidates() -> Iterator[int]:
        for number in range(3):
            begun.append(number)
            yield number
        raise GridNotFoundError("no more")

    log = Log()
    results = log.each("grid", candidates(), "hexagons")
    assert (next(results), begun) == (0, [0])
    assert list(results) == [1, 2]
    assert [(step.name, step.result) for step in log.steps] == [("hexagons", n) for n in (0, 1, 2, None)]
    assert [step.error.message for step in log.failures] == ["no more"]
    assert list(log.each("grid", iter(()))) == []
    without_results = log.steps[-1]
    assert (without_results.result, without_results.error) == (None, None)


def test_a_result_leads_back_to_the_picture() -> None:
    steps: list[Step] = []
    solve_image(screenshot_of(LEVEL_5X5), observer=steps.append)
    kinds = Screenshot, BoardRegion, Fit, BoardGeometry, Dots, Pairing, Interpretation
    chain = [kind for result in ancestors(steps[-1].source) for kind in kinds if isinstance(result, kind)]
    assert chain[::-1] == list(kinds)
    assert steps[-1].find(Fit).strategy == "lattice"


def test_a_step_is_shown_without_its_result() -> None:
    step = Step("dots", "usual dots")
    step.result = "x" * 1000
    assert repr(step) == "<Step dots usual dots: str, 0.0 ms>"


def test_an_error_that_ends_a_run_has_its_stage_and_the_times() -> None:
    log = Log()
    raised = log.fail("board", BoardNotFoundError("none"), None)
    with log.step("grid"):
        pass
    error = raised.ended(log)
    assert (type(error), error.stage, error.origin) == (BoardNotFoundError, "board", raised)
    assert set(error.seconds) == {"board", "grid"}
