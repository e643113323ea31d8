from collections.abc import Iterator

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
from tests.drawing import FIVE, screenshot_of


def test_a_step_has_its_result_its_source_and_its_time() -> None:
    heard: list[Step] = []
    log, source = Log(heard.append), object()
    with log.step("dots", "usual dots", source) as step:
        step.result = 3
    assert heard == log.steps == [step]
    assert (step.stage, step.name, step.result, step.source) == ("dots", "usual dots", 3, source)
    assert log.seconds == {"dots": round(step.seconds, 6)}
    assert 0 < step.seconds < 60


def test_time_counts_once_and_in_trials_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(log_module, "perf_counter", lambda: float(next(ticks)))
    log = Log()
    with log.step("doubts"), log.step("board"):
        pass
    assert log.seconds == {"board": 1.0, "doubts": 2.0}
    trial = log.trial()
    with trial.step("grid"):
        pass
    assert (log.seconds["grid"], len(log.steps)) == (1.0, 2)
    log.adopt(trial)
    assert (log.seconds["grid"], len(log.steps)) == (1.0, 3)


def test_a_step_that_fails_has_its_error() -> None:
    log, error = Log(), GridNotFoundError("none", evidence="lines")
    with pytest.raises(GridNotFoundError), log.step("grid") as step:
        raise error
    with pytest.raises(KeyError), log.step("grid"):
        raise KeyError("a bug")
    assert log.failures.pop().error.code == "crashed"
    with pytest.raises(GridNotFoundError), log.step("grid", is_telling=False):
        raise GridNotFoundError("not among those to choose from")
    assert log.steps[:1] == log.failures == [step]
    assert (step.error, step.own, len(log.steps)) == (error, "lines", 3)
    assert 0 < step.seconds < 60


def test_results_are_taken_one_at_a_time() -> None:
    begun = []

    def candidates() -> Iterator[int]:
        for number in range(3):
            begun.append(number)
            yield number
        raise GridNotFoundError("no more")

    log = Log()
    each = log.each("grid", candidates(), "hexagons")
    assert (next(each), begun) == (0, [0])
    assert list(each) == [1, 2]
    assert [(step.name, step.result) for step in log.steps] == [("hexagons", n) for n in (0, 1, 2, None)]
    assert [step.error.message for step in log.failures] == ["no more"]
    assert list(log.each("grid", iter(()))) == []
    assert (log.steps[-1].result, log.steps[-1].error) == (None, None)


def test_a_result_leads_back_to_the_picture() -> None:
    steps: list[Step] = []
    solve_image(screenshot_of(FIVE), observer=steps.append)
    kinds = Screenshot, BoardRegion, Fit, BoardGeometry, Dots, Pairing, Interpretation
    found = [kind for one in ancestors(steps[-1].source) for kind in kinds if isinstance(one, kind)]
    assert found[::-1] == list(kinds)
    assert steps[-1].find(Fit).strategy == "lattice"
    assert len(repr(steps[1])) < 120


def test_an_error_that_ends_a_run_has_its_stage_and_the_times() -> None:
    log = Log()
    raised = log.fail("board", BoardNotFoundError("none"), None)
    with log.step("grid"):
        pass
    error = raised.ended(log)
    assert (type(error), error.stage, error.origin) == (BoardNotFoundError, "board", raised)
    assert set(error.seconds) == {"board", "grid"}
