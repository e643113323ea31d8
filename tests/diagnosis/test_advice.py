"""Advice is tried within bounds."""

from __future__ import annotations

import pytest

from flowvision.diagnosis import advice
from flowvision.diagnosis.cause import Advice
from flowvision.diagnosis.seen import Seen
from flowvision.errors import DotsError
from flowvision.events import Event, StageRunner, Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.options import Options
from tests.drawing import FIVE, screenshot_of

FIVE_TEXT = "5 rows and 5 columns with 5 pairs of dots"
SIZE = (Advice("--grid", "5x5"),)


def seen() -> Seen:
    """A plain board, as if it had been refused."""
    shot, error = Screenshot(screenshot_of(FIVE)), DotsError("No dots.")
    return Seen(shot, Trail(shot), error, error, Options())


@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_nothing_is_begun_when_time_is_up(events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stage it ends at: also where the next thing is tried after an error of Flowvision."""
    told: list[Event] = []
    tell = StageRunner._tell

    def watched(runner: StageRunner, event: Event) -> None:
        told.append(event)
        tell(runner, event)

    monkeypatch.setattr(StageRunner, "_tell", watched)
    monkeypatch.setattr(advice, "process_time", lambda: len(told))
    assert advice._come(seen(), SIZE, end=events - 0.5) == ("gave-up", "")
    assert len(told) == events


def test_what_is_read_in_time_is_told() -> None:
    """With what was read."""
    assert advice._come(seen(), SIZE, end=float("inf")) == ("solved", FIVE_TEXT)
