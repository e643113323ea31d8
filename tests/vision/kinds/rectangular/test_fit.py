"""A lattice is as sure as the weaker of how much of it is seen and how straight it is."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.board import whole_picture
from flowvision.vision.kinds.rectangular.lattice import even_fit, upright_grids
from flowvision.vision.settings import Settings
from tests.drawing import FIVE, screenshot_of

SETTINGS = Settings()


def fit_of(bgr: np.ndarray):
    """The best lattice of a whole picture."""
    return next(upright_grids(whole_picture(Screenshot(bgr), SETTINGS.lines), SETTINGS))


def test_a_lattice_of_plain_lines_is_sure():
    """All of it is seen, and straight."""
    assert fit_of(screenshot_of(FIVE)).quality > 0.97


def test_lost_lines_make_a_lattice_unsure():
    """By as much as is lost, and no more."""
    bgr = screenshot_of(FIVE)
    whole = fit_of(bgr).quality
    bgr[200:320, 130:134] = 0
    bgr[258:262, 72:130] = 0
    lost = fit_of(bgr).quality
    sides = 5 * 6 + 5 * 6
    assert whole - lost == pytest.approx(3 / sides, abs=0.02)


def test_a_lattice_that_was_given_is_not_doubted():
    """Somebody counted its rows and columns; what is seen of lines says nothing against them."""
    region = whole_picture(Screenshot(np.zeros((300, 300, 3), np.uint8)), SETTINGS.lines)
    assert even_fit(region, 5, 5, SETTINGS).quality == 1.0


def test_hough_lines_are_those_of_the_picture():
    """Six across and six down, through where they were drawn, and tilted no more than was asked for."""
    fit = fit_of(screenshot_of(FIVE))
    for lines, start in zip(fit.evidence.hough, (12, 140), strict=True):
        places, tilts = lines.T
        steps = (places - start) / 60
        assert np.abs(tilts).max() <= SETTINGS.grid.tilt_small
        assert set(np.round(steps).astype(int).tolist()) == set(range(6))
        assert np.abs(steps - np.round(steps)).max() < 0.1
