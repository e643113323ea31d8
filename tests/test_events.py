"""The seams between stages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flowvision.errors import BoardNotFoundError, GridNotFoundError
from flowvision.events import Event, StageDone, StageFailed, StageRunner, Trail
from flowvision.image.picture import Screenshot
from flowvision.pipeline import solve_image
from flowvision.solvers import Solved
from flowvision.vision.assembly import Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from tests.drawing import FIVE, screenshot_of


def test_a_stage_that_succeeds_is_announced() -> None:
    """The observer hears the stage, its result, what led to it, and the time is counted."""
    heard: list[Event] = []
    runner, before = StageRunner(heard.append), object()
    assert runner.run("dots", before, lambda a, b: a + b, 1, b=2) == 3
    (event,) = heard
    assert isinstance(event, StageDone)
    assert (event.stage, event.result, event.before) == ("dots", 3, before)
    assert runner.seconds["dots"] == event.seconds >= 0


def test_a_stage_that_fails_is_announced_and_raises() -> None:
    """The error passes through; other errors are bugs and not announced."""
    heard: list[Event] = []
    runner = StageRunner(heard.append)
    error = GridNotFoundError("none", evidence="lines")

    def fail() -> None:
        raise error

    with pytest.raises(GridNotFoundError):
        runner.run("grid", None, fail)
    assert isinstance(heard[0], StageFailed)
    assert heard[0].error is error
    assert heard[0].stage == "grid"
    assert runner.failures == heard
    with pytest.raises(ZeroDivisionError):
        runner.run("grid", None, lambda: 1 // 0)
    assert len(heard) == 1


def test_results_are_asked_for_one_at_a_time() -> None:
    """Candidates are found only as far as they are wanted; an error ends them quietly, but is kept."""
    asked = []

    def candidates() -> Iterator[int]:
        for number in range(3):
            asked.append(number)
            yield number
        raise GridNotFoundError("no more")

    runner = StageRunner()
    each = runner.each("grid", None, candidates())
    assert next(each) == 0
    assert asked == [0]
    assert list(each) == [1, 2]
    assert [failed.error.message for failed in runner.failures] == ["no more"]


def test_attempts_that_find_nothing_count() -> None:
    """Their time is told with the next event of their stage; all that is told adds up to the total."""
    heard: list[Event] = []
    runner = StageRunner(heard.append)
    assert list(runner.each("grid", None, iter(()))) == []
    assert heard == []
    assert list(runner.each("grid", None, iter((1, 2)))) == [1, 2]
    assert sum(event.seconds for event in heard) == pytest.approx(runner.seconds["grid"])


def test_events_and_trails_are_shown_in_a_line() -> None:
    """Whoever prints them sees what happened, not the pixels."""
    for shown in (Trail("x" * 1000), StageDone("board", "y" * 1000, 0.01, "x" * 1000)):
        assert len(repr(shown)) < 120


def test_a_trail_leads_from_a_result_back_to_the_picture() -> None:
    """In the order of the stages, each result the one that the next was made of."""
    events: list[Event] = []
    solve_image(screenshot_of(FIVE), observer=events.append)
    trail = events[-1].trail
    kinds = Screenshot, BoardRegion, Fit, BoardGeometry, Dots, Pairing, Reading, Solved
    assert [next(kind for kind in kinds if isinstance(one, kind)) for one in trail] == list(kinds)
    assert trail.strategy == "lattice"
    assert trail.dots.geometry.fit.region.shot is trail.shot


def test_a_trail_knows_what_was_tried_in_vain() -> None:
    """Where no fit was found there is none to ask for the strategy."""
    heard: list[Event] = []
    runner = StageRunner(heard.append)

    def fails() -> Iterator[int]:
        raise GridNotFoundError("none")
        yield 1

    assert list(runner.each("grid", None, fails(), "hexagons")) == []
    assert (heard[0].trail.strategy, list(heard[0].trail)) == ("hexagons", [])


def test_unranked_failures_are_told_but_not_kept() -> None:
    """Times are counted together, the errors are not among those to choose from."""
    heard: list[Event] = []
    runner = StageRunner(heard.append)
    unranked = runner.unranked()
    unranked.fail("grid", GridNotFoundError("none"), None, 2.0)
    assert len(heard) == 1
    assert runner.failures == []
    assert runner.seconds == {"grid": 2.0}


def test_an_error_tells_how_long_the_stages_took() -> None:
    """All that was done before it is told, also what was tried after it was noted."""
    runner = StageRunner()
    raised = runner.fail("board", BoardNotFoundError("none"), None, 1.0)
    runner.run("grid", None, lambda: None)
    error = runner.ended(raised)
    assert (type(error), error.stage, error.origin) == (BoardNotFoundError, "board", raised)
    assert error.seconds == runner.seconds
    assert set(error.seconds) == {"board", "grid"}
