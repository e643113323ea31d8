"""The watch at the seams between stages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flowvision.errors import GridNotFoundError
from flowvision.events import Event, StageDone, StageFailed, Watch


def test_a_stage_that_succeeds_is_announced() -> None:
    """The observer hears the stage, its result, what led to it, and the time is counted."""
    heard: list[Event] = []
    watch = Watch(heard.append)
    assert watch.run("marks", ("before",), lambda a, b: a + b, 1, b=2) == 3
    (event,) = heard
    assert isinstance(event, StageDone)
    assert (event.stage, event.result, event.trail) == ("marks", 3, ("before",))
    assert watch.seconds["marks"] == event.seconds >= 0


def test_a_stage_that_fails_is_announced_and_raises() -> None:
    """The error passes through with its stage filled in; other errors are bugs and not announced."""
    heard: list[Event] = []
    watch = Watch(heard.append)
    error = GridNotFoundError("none", evidence="lines")

    def fail() -> None:
        raise error

    with pytest.raises(GridNotFoundError):
        watch.run("grid", (), fail)
    assert isinstance(heard[0], StageFailed)
    assert heard[0].error is error
    assert error.stage == "grid"
    assert watch.failures == heard
    with pytest.raises(ZeroDivisionError):
        watch.run("grid", (), lambda: 1 // 0)
    assert len(heard) == 1


def test_results_are_asked_for_one_at_a_time() -> None:
    """Candidates are found only as far as they are wanted; an error ends them quietly, but is kept."""
    asked = []

    def candidates() -> Iterator[int]:
        for number in range(3):
            asked.append(number)
            yield number
        raise GridNotFoundError("no more")

    watch = Watch()
    each = watch.each("grid", (), candidates())
    assert next(each) == 0
    assert asked == [0]
    assert list(each) == [1, 2]
    assert [failed.error.message for failed in watch.failures] == ["no more"]
