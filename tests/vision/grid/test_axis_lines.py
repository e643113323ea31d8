"""What is seen across one axis is what is seen across the other one of the picture's transpose."""

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.grid.axis_lines import AxisLines, GridEvidence, line_evidence
from flowvision.vision.settings import Settings
from tests.drawing import FIVE, screenshot_of
from tests.seeing import view_in, whole_picture

SETTINGS = Settings()


def lines_of(seen, **known) -> GridEvidence:
    region = whole_picture(Screenshot(np.zeros((8, 8, 3), np.uint8)), SETTINGS)
    return line_evidence(region, seen, SETTINGS.lines, SETTINGS.grid, **known)


def see_lines(view, axis) -> AxisLines:
    return lines_of(view).axes[axis]


def test_both_axes_are_seen_alike():
    bgr = np.random.default_rng(3).integers(0, 12, (580, 324, 3), np.uint8) + screenshot_of(FIVE)
    across = see_lines(view_in(bgr), 0)
    down = see_lines(view_in(bgr.transpose(1, 0, 2)), 1)
    assert np.array_equal(across.strong, down.strong)
    assert np.allclose(across.profile, down.profile)
    assert np.array_equal(across.mask, down.mask.T)
    assert across.tilted == down.tilted
    assert [spacing.count for spacing in across.spacings] == [spacing.count for spacing in down.spacings]


def test_the_spacing_is_that_of_the_lines():
    """Start and pitch to within half a pixel; the profile is high there, and nowhere else."""
    for lines, start in zip(lines_of(view_in(screenshot_of(FIVE))).axes, (12, 140), strict=True):
        best = lines.spacings[0]
        assert best.count == 5
        assert best.start == pytest.approx(start, abs=0.6)
        assert best.pitch == pytest.approx(60, abs=0.2)
        middles = np.round(start + 60 * np.arange(5) + 30).astype(int)
        assert lines.profile[middles].max() < 0.1 * lines.profile.max()
        assert not lines.tilted


def test_a_tilt_of_a_degree_is_noticed():
    bgr = np.pad(screenshot_of(FIVE), ((0, 0), (60, 60), (0, 0)))
    turn = cv2.getRotationMatrix2D((222, 290), 1.0, 1)
    assert see_lines(view_in(cv2.warpAffine(bgr, turn, (444, 580))), 0).tilted


def test_faint_lines_beside_bright_ones_are_seen_and_noise_is_not():
    """A border on a glow keeps a quarter of its contrast; sensor noise has the contrast of faint lines."""
    bgr = np.zeros((400, 400, 3), np.uint8)
    bgr[:, 40:400:80] = 100
    bgr[:, 200:202] = 30
    strong = see_lines(view_in(bgr), 0).strong
    assert strong[:, 200:202].all()
    noisy = np.random.default_rng(1).normal(60, 8, bgr.shape[:2]).clip(0, 255).astype(np.uint8)
    assert see_lines(view_in(np.repeat(noisy[:, :, None], 3, 2)), 0).strong.mean() < 0.02


@pytest.mark.parametrize("shape", [(8, 300, 3), (300, 8, 3), (1, 1, 3)])
def test_pictures_too_small_for_lines_have_none(shape):
    for lines in lines_of(view_in(np.full(shape, 90, np.uint8))).axes:
        assert lines.spacings == ()
