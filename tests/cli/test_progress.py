"""How far a run is."""

from __future__ import annotations

import pytest

from flowvision.batch.jobs import Outcome
from flowvision.cli.progress import Progress, duration

DONE = Outcome(0, "a.png", "", {"ok": True})


def failed(source: str, code: str, message: str) -> Outcome:
    """A failure."""
    return Outcome(1, source, "", {"ok": False, "error": {"code": code, "message": message}})


FAILED = failed("b\x1b[2J\udcff.png", "no-dots", "No\ndots.")


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_rate_and_time_left_are_of_what_is_new() -> None:
    """Outcomes of an earlier run count as done, but not as fast."""
    clock = Clock()
    progress = Progress(100, clock)
    assert progress.seconds_left is None
    for _ in range(40):
        progress.add(DONE, reused=True)
    assert progress.seconds_left is None
    for _ in range(20):
        clock.now += 0.5
        progress.add(DONE, reused=False)
    assert progress.rate == pytest.approx(2.0)
    assert progress.seconds_left == pytest.approx(20.0)
    assert progress.line() == "60 of 100, 60 solved, 0 failed, 2.0 a second, 20 s left"


def test_the_rate_is_that_of_the_last_minutes() -> None:
    """Ten minutes of quick pictures do not promise that slow ones will be quick."""
    clock = Clock()
    progress = Progress(100_000, clock)
    for _ in range(6000):
        clock.now += 0.1
        progress.add(DONE, reused=False)
    for _ in range(20):
        clock.now += 10
        progress.add(DONE, reused=False)
    assert progress.rate == pytest.approx(0.1)


def test_failures_are_counted_by_code() -> None:
    """And the last is kept, without signs that would move a terminal's cursor."""
    progress = Progress(4)
    progress.add(FAILED, reused=False)
    progress.add(DONE, reused=True)
    assert progress.failure(80) == r"b\x1b[2J\udcff.png: No\ndots."
    assert progress.summary() == ("1 of 4 solved, 1 failed (1 no dots), 2 not reached; 1 were done before")


def test_looking_through_an_earlier_run_takes_no_time_of_the_new_pictures() -> None:
    """A minute of finding what is done does not make the first new picture seem slow."""
    clock = Clock()
    progress = Progress(1_000, clock)
    for _ in range(500):
        clock.now += 0.1
        progress.add(DONE, reused=True)
    clock.now += 0.5
    progress.add(DONE, reused=False)
    assert progress.seconds_left == pytest.approx(499 * 0.5)


def test_the_reason_shows_behind_a_long_path() -> None:
    """On a terminal of 80 columns the end of the path and the reason stand in one line."""
    progress = Progress(4)
    progress.add(failed(f"{'a/' * 100}shot.png", "dark", "The picture is too dark."), False)
    line = progress.failure(80)
    assert "a/shot.png: The picture is too dark." in line
    assert len(line) <= 80


@pytest.mark.parametrize(
    ("seconds", "words"), [(9.4, "9 s"), (59.6, "1 min 00 s"), (200, "3 min 20 s"), (18_420, "5 h 07 min")]
)
def test_durations(seconds: float, words: str) -> None:
    """In the two largest units."""
    assert duration(seconds) == words
