"""The height of hexagons is found by the period of their lines, with most of these hidden."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.vision.kinds.hexagonal.fit import HEIGHT
from flowvision.vision.kinds.hexagonal.place import periods
from flowvision.vision.settings import Settings
from tests.vision.kinds.hexagonal.hexagon_lines import lines_of

SETTINGS = Settings()


@pytest.mark.parametrize("width_px", [24.0, 40.0, 63.0])
@pytest.mark.parametrize("kept", [1.0, 0.4])
def test_the_height_is_among_the_likeliest_periods(width_px, kept):
    """To within a pixel, also where more than half of the sides are hidden."""
    found = periods(lines_of(width_px, kept=kept), SETTINGS.hexagons, SETTINGS.grid)
    assert min(abs(height - HEIGHT * width_px) for height in found[: SETTINGS.grid.fits]) <= 1.0


def test_periods_that_are_alike_are_one():
    """To place the lattice twice would find the same."""
    found = np.array(periods(lines_of(40.0), SETTINGS.hexagons, SETTINGS.grid))
    ratio = found[:, None] / found + np.eye(len(found))
    assert (np.abs(ratio - 1) > SETTINGS.hexagons.period_alike).all()


@pytest.mark.parametrize("shape", [(1, 300), (300, 1), (1, 1), (41, 41)])
def test_views_too_small_for_hexagons_have_none(shape):
    """Not even a warning: nothing is divided by how far lines may repeat."""
    with np.errstate(all="raise"):
        assert periods(np.full(shape, 255, np.uint8), SETTINGS.hexagons, SETTINGS.grid) == []
