"""The tilt of cells."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.diagnosis.framing import SQUARE, tilt_of


@pytest.mark.parametrize("degrees", [-40, -12, 0, 5, 30, 44])
def test_the_tilt_of_squares(degrees: float) -> None:
    """It is the angle they were turned by, and all sides agree."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * 50
    tilt, agreement = tilt_of([square @ turn + shift for shift in (0, 100, 300)])
    assert tilt == pytest.approx(degrees)
    assert agreement == pytest.approx(1)


def test_triangles_have_no_tilt() -> None:
    """Their sides do not agree on one."""
    triangle = np.array([(0, 0), (1, 0), (0.5, 0.75**0.5)]) * 50
    assert tilt_of([triangle])[1] < SQUARE
