"""The order in which boards are looked at, and when that ends."""

from __future__ import annotations

import pytest

from flowvision.events import Event, StageFailed, StageRunner, Trail
from flowvision.image.picture import Screenshot
from flowvision.reading import candidates
from flowvision.reading.options import Options
from flowvision.reading.strategies import DOTS, FITS
from flowvision.vision.dots import copies as glance
from tests.drawing import FIVE, NONE, screenshot_of
from tests.reading.invented import drawn, with_stroke


@pytest.mark.parametrize("looks", [0, 1])
def test_second_looks_end_with_the_time(looks, monkeypatch: pytest.MonkeyPatch):
    """Circles round a board may take a second: boards are looked at one by one, while there is time."""
    now, begun = 0.0, 0

    def discs(*arguments):
        nonlocal now, begun
        begun += 1
        now = 100.0 if begun == looks else now
        return as_it_was(*arguments)

    as_it_was = glance.middles_of_discs
    monkeypatch.setattr(glance, "middles_of_discs", discs)
    monkeypatch.setattr(candidates, "perf_counter", lambda: now if looks else 100.0)
    shot, runner = Screenshot(screenshot_of(NONE, 90)), StageRunner()
    assert list(candidates.candidates(shot, Options(), runner, 30.0))
    assert begun == looks


def test_the_first_reading_is_of_the_board_as_the_game_draws_it():
    """Whoever is content with it waits for nothing else."""
    shot = Screenshot(screenshot_of(FIVE))
    one = next(candidates.candidates(shot, Options(), StageRunner(), 0.0))
    trail = Trail(one)
    assert (trail.reading.lattice.rows, trail.reading.lattice.cols) == (5, 5)
    assert trail.strategy == "lattice"
    assert trail.model.name == "usual"
    assert list(trail)[-1] is one.reading


def test_every_strategy_that_is_tried_is_heard_of():
    """The observer hears of second looks as of first ones; errors of first ones alone are ranked."""
    heard: list[Event] = []
    runner = StageRunner(heard.append)
    shot = Screenshot(screenshot_of(NONE, 90))
    assert list(candidates.candidates(shot, Options(), runner, 1e9))
    strategies = {event.trail.strategy for event in heard if event.stage == "grid"}
    assert {"lattice", "hexagons", "free cells"} <= strategies <= {one.name for one in FITS} | {"circles"}
    models = {event.trail.model.name for event in heard if event.stage == "dots"}
    assert {"usual", "wide ring", "small"} <= models
    assert len(models) <= len(DOTS)
    hushed = [event for event in heard if isinstance(event, StageFailed) and event not in runner.failures]
    assert any(event.trail.strategy == "hexagons" for event in hushed)
    assert sum(runner.seconds.values()) == pytest.approx(
        sum(event.seconds for event in heard), rel=0.2, abs=0.5
    )


def test_boards_without_a_solution_are_offered_without_walls_before_other_dots():
    """After all first looks, and only those that somebody refuted; they say what was left out."""
    shot = Screenshot(with_stroke(drawn(NONE), ((1, 1), (1, 2)), 0.4))
    plain = list(candidates.candidates(shot, Options(), StageRunner(), 1e9))
    assert not any(one.ignored_walls for one in plain)
    refuted, seen = [], []
    for one in candidates.candidates(shot, Options(), StageRunner(), 1e9, lambda: refuted):
        seen.append(one)
        if not one.ignored_walls:
            refuted.append(one)
    bare = [place for place, one in enumerate(seen) if one.ignored_walls]
    assert {wall.places for place in bare for wall in seen[place].ignored_walls} == {((1, 1), (1, 2))}
    assert bare == list(range(bare[0], bare[-1] + 1))
    assert all(one.dots.hypothesis.model.name == "usual" for one in seen[: bare[0]])
    assert any(one.dots.hypothesis.model.name != "usual" for one in seen[bare[-1] + 1 :])
