"""The order in which boards are looked at, and when that ends."""

from __future__ import annotations

import pytest

from flowvision.events import Watch
from flowvision.image.picture import Screenshot
from flowvision.reading import candidates
from flowvision.reading.options import Options
from tests.drawing import FIVE, NONE, screenshot_of


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_second_looks_end_with_the_time(looks, monkeypatch: pytest.MonkeyPatch):
    """Circles round a board may take a second: they are looked for board by board, while there is time."""
    now, begun = 0.0, 0

    def discs(shot, sides, settings):
        nonlocal now, begun
        begun += 1
        now = 100.0 if begun == looks else now
        return as_it_was(shot, sides, settings)

    as_it_was = candidates._discs
    monkeypatch.setattr(candidates, "_discs", discs)
    monkeypatch.setattr(candidates, "perf_counter", lambda: now if looks else 100.0)
    offered = candidates.readings_of(Screenshot(screenshot_of(NONE, 90)), Options(), Watch(), 30.0)
    assert list(offered)
    assert begun == looks


def test_the_first_reading_is_of_the_board_as_the_game_draws_it():
    """Whoever is content with it waits for nothing else."""
    trail, reading = next(candidates.readings_of(Screenshot(screenshot_of(FIVE)), Options(), Watch(), 0.0))
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert trail[-1] is reading
