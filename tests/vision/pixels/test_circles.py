"""Circles, where they are drawn and nowhere else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.pixels.discs import circles_in
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import Settings
from tests.vision.pixels.drawn_circles import PLACES, drawn

SETTINGS = Settings()
HOW = SETTINGS.circles.grid_view_px, SETTINGS.circles.roundness, SETTINGS.circles, SETTINGS.grid
"""How circles are looked for on boards without lines."""


@pytest.mark.parametrize("ground", [0, 70, 255])
@pytest.mark.parametrize("radius", [8, 15, 40])
@pytest.mark.parametrize("width", [-1, 2])
def test_circles_are_found_where_they_are(radius, width, ground):
    """Each once, filled or not, on any ground: a ring's two edges are one circle."""
    circles = circles_in(view_of(Screenshot(drawn(radius, width, ground)), None, 540), *HOW)
    away = np.hypot(*np.moveaxis(circles[:, None, :2] - np.array(PLACES), -1, 0))
    assert len(circles) == len(PLACES)
    assert sorted(away.argmin(axis=1).tolist()) == list(range(len(PLACES)))
    assert away.min(axis=1).max() < 1.5
    assert np.abs(circles[:, 2] - radius).max() < 2.5


def test_patterns_are_not_searched():
    """Chess boards of small squares, and noise, have no end of edges: nothing is looked for in them."""
    y, x = np.mgrid[:1200, :540]
    chess = ((((x // 6) + (y // 6)) % 2) * 255).astype(np.uint8)[..., None].repeat(3, 2)
    noise = np.random.default_rng(0).integers(0, 256, (1200, 540, 3), np.uint8)
    for bgr in (chess, noise):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cv2, "HoughCircles", None)
            assert not len(circles_in(view_of(Screenshot(bgr), None, 540), *HOW))
