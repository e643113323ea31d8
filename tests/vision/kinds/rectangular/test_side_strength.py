"""How strong sides are: thicker and brighter lines more, whatever lies beyond the border."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.kinds.rectangular.fit import GridFit, side_places
from flowvision.vision.pixels.line_weight import third_strongest
from flowvision.vision.pixels.lines import AXES
from flowvision.vision.pixels.view import view_of
from tests import seeing
from tests.drawing import random_text, screenshot_of
from tests.seeing import SETTINGS

PITCH, LEFT, TOP = 60, 12, 140


def board_of(rows: int, cols: int) -> np.ndarray:
    """A board without dots, grey in grey."""
    return np.repeat(screenshot_of(random_text(rows, cols, pairs=0), PITCH).max(axis=2)[..., None], 3, axis=2)


def strengths(bgr: np.ndarray, fit: GridFit, channel: str = "brightest") -> list[np.ndarray]:
    """The strengths of both axes, of a picture of the board that ``fit`` was found on."""
    view = view_of(Screenshot(bgr), None, 10_000, channel)
    return [
        third_strongest(side_places(view, fit, axis, SETTINGS.walls, SETTINGS.line_weight).strength)
        for axis in AXES
    ]


def fit_of(bgr: np.ndarray) -> GridFit:
    """The lattice of a picture."""
    fit = seeing.sides_of(Screenshot(bgr)).fit
    assert isinstance(fit, GridFit)
    return fit


def test_every_side_is_measured():
    """One more upright side than columns, one more level one than rows; equal lines are equally strong."""
    bgr = board_of(4, 6)
    upright, level = strengths(bgr, fit_of(bgr))
    assert (upright.shape, level.shape) == ((4, 7), (5, 6))
    assert upright[:, 1:-1] == pytest.approx(upright[0, 1], rel=0.1)
    assert level[1:-1] == pytest.approx(level[1, 0], rel=0.1)


@pytest.mark.parametrize("width", [4, 6, 8])
def test_thicker_lines_are_stronger_by_their_width(width):
    """The weight of a line is its brightness times its width; no other side changes."""
    plain = board_of(5, 5)
    thick, fit = plain.copy(), fit_of(plain)
    x = LEFT + 2 * PITCH
    thick[TOP + PITCH + 2 : TOP + 2 * PITCH - 1, x - width // 2 : x + width - width // 2] = plain.max()
    before, after = strengths(plain, fit), strengths(thick, fit)
    ratio = after[0] / before[0]
    assert ratio[1, 2] == pytest.approx(width / 3, rel=0.25)
    ratio[1, 2] = 1
    assert ratio == pytest.approx(1.0, rel=0.05)
    assert after[1] == pytest.approx(before[1], rel=0.05)


def test_dark_lines_count_by_how_far_they_are_from_white():
    """A board and its negative have the same strengths."""
    bgr = board_of(5, 4)
    fit = fit_of(bgr)
    for one, other in zip(strengths(bgr, fit), strengths(255 - bgr, fit, "negative"), strict=True):
        assert np.array_equal(one, other)


def test_what_lies_beyond_the_border_does_not_count():
    """Text and tints there leave the border as strong as it is."""
    plain = board_of(5, 5)
    fit, beside = fit_of(plain), plain.copy()
    gap = 6
    beside[: TOP - gap] = beside[TOP + 5 * PITCH + gap :] = 255
    beside[:, LEFT + 5 * PITCH + gap :] = 255
    for one, other in zip(strengths(plain, fit), strengths(beside, fit), strict=True):
        assert np.array_equal(one, other)


def test_the_reach_of_the_border_is_a_setting():
    """With one that reaches far beyond the board, what stands there counts."""
    plain = board_of(5, 5)
    fit, beside = fit_of(plain), plain.copy()
    beside[TOP - 6 : TOP - 3] = 255
    view = view_of(Screenshot(beside), None, 10_000)
    near, far = (
        third_strongest(
            side_places(
                view, fit, 1, replace(SETTINGS.walls, border_reach=reach), SETTINGS.line_weight
            ).strength
        )
        for reach in (0.002, 0.1)
    )
    assert far[0].min() > 1.2 * near[0].max()
