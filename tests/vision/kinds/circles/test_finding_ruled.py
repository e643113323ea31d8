"""Lines between the cells of a board of circles are noticed, bright or dark."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.grid.spacing import Spacing
from flowvision.vision.kinds.circles.finding import is_ruled
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import Settings

SETTINGS = Settings()
PITCH = 60
LATTICE = Spacing(30.0, PITCH, 5, 1.0, 0.0), Spacing(30.0, PITCH, 5, 1.0, 0.0)


def circles(ground: int = 0, radius: int = 18, width: int = -1) -> np.ndarray:
    """Grey circles in the middles of all cells."""
    bgr = np.full((360, 360, 3), ground, np.uint8)
    for row in range(5):
        for col in range(5):
            cv2.circle(bgr, (60 + col * PITCH, 60 + row * PITCH), radius, (120, 140, 130), width, cv2.LINE_AA)
    return bgr


def ruled(bgr: np.ndarray) -> bool:
    """Whether lines part the cells of ``LATTICE``."""
    return is_ruled(view_of(Screenshot(bgr), None, 360), LATTICE, SETTINGS)


@pytest.mark.parametrize("ground", [0, 60, 255])
@pytest.mark.parametrize(("radius", "width"), [(18, -1), (18, 2), (27, -1)])
def test_circles_alone_are_not_ruled(ground, radius, width):
    """Small or so large that the ground between two of them is as narrow as a line."""
    assert not ruled(circles(ground, radius, width))


@pytest.mark.parametrize(("ground", "line"), [(0, 90), (60, 0), (255, 120)])
def test_a_grid_is_noticed(ground, line):
    """Brighter than the ground or darker."""
    bgr = circles(ground)
    for place in range(30, 331, PITCH):
        cv2.line(bgr, (30, place), (330, place), (line,) * 3, 2)
        cv2.line(bgr, (place, 30), (place, 330), (line,) * 3, 2)
    assert ruled(bgr)


def test_one_wall_is_enough():
    """A single side that is seen whole: where one wall is, there may be others."""
    bgr = circles()
    cv2.line(bgr, (150, 90), (150, 150), (100, 100, 100), 4)
    assert ruled(bgr)


def test_a_frame_round_the_board_is_no_ruling():
    """Only lines inside part cells."""
    bgr = circles()
    cv2.rectangle(bgr, (30, 30), (330, 330), (110, 110, 110), 2)
    assert not ruled(bgr)
