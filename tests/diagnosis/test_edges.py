"""The tilt of cells, and pictures that show nothing."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.diagnosis.edges import SQUARE, tilt_of
from flowvision.errors import FlowvisionError
from flowvision.pipeline import read_image


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


@pytest.mark.parametrize("colour", [(60, 90, 40), (0, 0, 255), (128, 128, 128)])
def test_one_colour_is_nothing_to_read(colour: tuple[int, int, int]) -> None:
    """Whatever it is: also one whose channels differ much."""
    with pytest.raises(FlowvisionError) as caught:
        read_image(np.full((500, 300, 3), colour, np.uint8))
    assert caught.value.cause.code == "faint"


def test_what_was_wanted_is_a_whole_number_of_pixels() -> None:
    """In JSON too."""
    halves = np.full((517, 303, 3), 40, np.uint8)
    halves[250:] = 120
    with pytest.raises(FlowvisionError) as caught:
        read_image(halves)
    assert caught.value.cause.code == "no-board"
    assert isinstance(caught.value.cause.facts["wanted_px"], int)
