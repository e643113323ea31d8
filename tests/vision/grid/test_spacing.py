import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.vision.grid.spacing import GridEvidence, Spacing, find_peaks, find_spacings, line_evidence
from flowvision.vision.pixels.lines import AXES
from tests.drawing import CORNER, LEVEL_5X5, PITCH, screenshot_of
from tests.seeing import region_of, view_in


@given(start=st.floats(5, 60), pitch=st.floats(16, 90), count=st.integers(5, 18), seed=st.integers(0, 2**16))
def test_the_lattice_is_found_among_weaker_false_lines(start, pitch, count, seed):
    """True lines lie up to half a pixel off, false ones anywhere between them."""
    rng = np.random.default_rng(seed)
    true = start + pitch * np.arange(count + 1) + rng.uniform(-0.5, 0.5, count + 1)
    false = start + pitch * (rng.integers(0, count, 3) + rng.uniform(0.15, 0.85, 3))
    heights = np.concatenate((rng.uniform(0.8, 1.0, count + 1), rng.uniform(0.1, 0.3, 3)))
    places = np.concatenate((true, false))
    order = np.argsort(places)
    best = find_spacings(places[order], heights[order])[0]
    assert best.count == count
    assert abs(best.pitch - pitch) < 0.01 * pitch + 0.3
    assert abs(best.start - start) < 0.1 * pitch


def test_the_residual_is_how_far_lines_lie_from_the_lattice():
    lines, off = np.arange(10), 0.4
    places = 20 + 40 * lines + off * (-1.0) ** lines
    best = find_spacings(places, np.full(10, 0.9))[0]
    assert best.residual == pytest.approx(off, abs=0.05)


def test_peaks_lie_where_the_profile_is_sharpest():
    profile = np.array([0, 0.9, 0.9, 0.9, 0.9, 0, 0, 0.5, 0])
    sharpness = np.array([0, 1.0, 1.0, 9.0, 1.0, 0, 0, 4.0, 0])
    places, heights = find_peaks(profile, sharpness, lower=0.1)
    assert np.allclose(places, [3, 7], atol=0.05)
    assert np.allclose(heights, [0.9, 0.5])


@pytest.mark.parametrize(("is_rim", "seen", "cells"), [(True, 0.5, 5), (True, 0.2, 3), (False, 0.5, 3)])
def test_a_cut_off_cell_counts_only_at_the_rim_of_the_picture(is_rim, seen, cells):
    """``seen``: the share of a fourth and a fifth cell, at both ends."""
    pitch = 40.0
    beside = seen * pitch
    spacing = Spacing(start=beside, pitch=pitch, count=3, score=1.0, residual=0.0)
    size = round(beside + 3 * pitch + beside) + 1
    assert spacing.extended(size, (is_rim, is_rim)).count == cells


def lines_of(view) -> GridEvidence:
    return line_evidence(region_of(np.zeros((8, 8, 3), np.uint8)), view)


def test_both_axes_are_seen_alike():
    bgr = np.random.default_rng(3).integers(0, 12, (580, 324, 3), np.uint8) + screenshot_of(LEVEL_5X5)
    upright, transposed = lines_of(view_in(bgr)), lines_of(view_in(bgr.transpose(1, 0, 2)))
    across, down = upright.axes[0], transposed.axes[1]
    assert np.array_equal(across.seen, down.seen)
    assert np.allclose(across.profile, down.profile)
    assert np.array_equal(across.mask, down.mask.T)
    counts = [spacing.count for spacing in upright.spacings[0]]
    assert counts == [spacing.count for spacing in transposed.spacings[1]]


@pytest.mark.parametrize("axis", AXES)
def test_the_spacing_is_that_of_the_lines(axis):
    evidence = lines_of(view_in(screenshot_of(LEVEL_5X5)))
    best, start = evidence.spacings[axis][0], CORNER[axis]
    assert best.count == 5
    assert best.start == pytest.approx(start, abs=0.6)
    assert best.pitch == pytest.approx(PITCH, abs=0.2)
    profile = evidence.axes[axis].profile
    middles_of_cells = start + PITCH * np.arange(5) + PITCH // 2
    assert profile[middles_of_cells].max() < 0.1 * profile.max()


def test_faint_lines_beside_bright_ones_are_seen():
    """A border on a glow keeps a quarter of its contrast and more."""
    bgr = np.zeros((400, 400, 3), np.uint8)
    bgr[:, 40:400:80] = 100
    bgr[:, 200:202] = 30  # in place of the third bright line
    across = lines_of(view_in(bgr)).axes[0]
    assert across.seen[:, 200:202].all()


def test_noise_of_as_little_contrast_is_no_line():
    noise = np.random.default_rng(1).normal(60, 8, (400, 400)).clip(0, 255).astype(np.uint8)
    seen = lines_of(view_in(np.repeat(noise[:, :, None], 3, 2))).axes[0].seen
    assert seen.mean() < 0.02


@pytest.mark.parametrize("shape", [(8, 300, 3), (300, 8, 3), (1, 1, 3)])
def test_pictures_too_small_for_lines_have_none(shape):
    assert lines_of(view_in(np.full(shape, 90, np.uint8))).spacings == ([], [])
