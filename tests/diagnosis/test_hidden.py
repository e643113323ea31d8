"""Things that lie over a board."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from flowvision.diagnosis.hidden import is_behind_a_window
from flowvision.image.picture import Screenshot
from flowvision.reading.doubt import corners_of
from flowvision.vision.pixels.view import Floats


def window_with(corners: Floats) -> SimpleNamespace:
    """Cells of 40 pixels round a window with this outline."""
    bgr = np.zeros((400, 400, 3), np.uint8)
    bgr[60:341, 60:341] = 255
    places = [(x, y) for x in range(0, 400, 40) for y in range(0, 400, 40) if {x, y} & {0, 360}]
    cells = [corners_of(place, np.add(place, 40)) for place in places]
    geometry = SimpleNamespace(
        shapes=np.array([*(np.eye(2) for _ in cells), 7 * np.eye(2)]), fit=SimpleNamespace(pitch_px=40.0)
    )
    return SimpleNamespace(
        find=lambda _: geometry,
        lattice=None,
        reading=None,
        geometry=geometry,
        outlines_px=[*cells, corners],
        shot=Screenshot(bgr),
        ground=np.zeros(3),
        size_px=(400, 400),
    )


@pytest.mark.parametrize("more", [0, 200])
def test_a_window_is_measured_in_its_middle(more: int) -> None:
    """Also where letters on one side of its outline make most of its corners."""
    beside = np.column_stack((np.full(more, 60.0), np.linspace(300, 100, more)))
    cause = is_behind_a_window(window_with(np.concatenate((corners_of((60, 60), (340, 340)), beside))))
    assert cause is not None
    assert cause.code == "covered"
    low, _, high, _ = cause.marks[0].points_px
    assert (low, high) == (pytest.approx((60, 60), abs=3), pytest.approx((340, 340), abs=3))
