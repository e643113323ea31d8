import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.vision.grid.spacing import GridEvidence, Spacing, find_peaks, find_spacings, line_evidence
from tests.drawing import FIVE, screenshot_of
from tests.seeing import region_of, view_in


@given(start=st.floats(5, 60), pitch=st.floats(16, 90), count=st.integers(5, 18), seed=st.integers(0, 2**16))
def test_the_lattice_is_found_among_weaker_false_lines(start, pitch, count, seed):
    rng = np.random.default_rng(seed)
    true = start + pitch * np.arange(count + 1) + rng.uniform(-0.5, 0.5, count + 1)
    false = start + pitch * (rng.integers(0, count, 3) + rng.uniform(0.15, 0.85, 3))
    places = np.concatenate((true, false))
    heights = np.concatenate((rng.uniform(0.8, 1.0, count + 1), rng.uniform(0.1, 0.3, 3)))
    order = np.argsort(places)
    best = find_spacings(places[order], heights[order])[0]
    assert best.count == count
    assert abs(best.pitch - pitch) < 0.01 * pitch + 0.3
    assert abs(best.start - start) < 0.1 * pitch


def test_the_residual_is_how_far_lines_lie_from_the_lattice():
    lines = np.arange(10)
    best = find_spacings(20 + 40 * lines + 0.4 * (-1.0) ** lines, np.full(10, 0.9))[0]
    assert best.residual == pytest.approx(0.4, abs=0.05)


def test_peaks_lie_where_the_profile_is_sharpest():
    profile = np.array([0, 0.9, 0.9, 0.9, 0.9, 0, 0, 0.5, 0])
    sharpness = np.array([0, 1.0, 1.0, 9.0, 1.0, 0, 0, 4.0, 0])
    places, heights = find_peaks(profile, sharpness, 0.1)
    assert np.allclose(places, [3, 7], atol=0.05)
    assert np.allclose(heights, [0.9, 0.5])


def test_a_cut_off_cell_counts_only_at_the_rim_of_the_picture():
    spacing = Spacing(start=20.0, pitch=40.0, count=3, score=1.0, residual=0.0)
    assert spacing.extended(161, (True, True)).count == 5
    assert spacing.extended(161, (False, False)).count == 3


def lines_of(seen) -> GridEvidence:
    return line_evidence(region_of(np.zeros((8, 8, 3), np.uint8)), seen)


def test_both_axes_are_seen_alike():
    bgr = np.random.default_rng(3).integers(0, 12, (580, 324, 3), np.uint8) + screenshot_of(FIVE)
    seen, turned = lines_of(view_in(bgr)), lines_of(view_in(bgr.transpose(1, 0, 2)))
    across, down = seen.axes[0], turned.axes[1]
    assert np.array_equal(across.seen, down.seen)
    assert np.allclose(across.profile, down.profile)
    assert np.array_equal(across.mask, down.mask.T)
    counts, turned_counts = (
        [spacing.count for spacing in axis] for axis in (seen.spacings[0], turned.spacings[1])
    )
    assert counts == turned_counts


def test_the_spacing_is_that_of_the_lines():
    evidence = lines_of(view_in(screenshot_of(FIVE)))
    for lines, (best, *_), start in zip(evidence.axes, evidence.spacings, (12, 140), strict=True):
        assert best.count == 5
        assert best.start == pytest.approx(start, abs=0.6)
        assert best.pitch == pytest.approx(60, abs=0.2)
        middles = np.round(start + 60 * np.arange(5) + 30).astype(int)
        assert lines.profile[middles].max() < 0.1 * lines.profile.max()


def test_faint_lines_beside_bright_ones_are_seen_and_noise_is_not():
    """A border on a glow keeps a quarter of its contrast, as little as sensor noise has."""
    bgr = np.zeros((400, 400, 3), np.uint8)
    bgr[:, 40:400:80] = 100
    bgr[:, 200:202] = 30
    strong = lines_of(view_in(bgr)).axes[0].seen
    assert strong[:, 200:202].all()
    noisy = np.random.default_rng(1).normal(60, 8, bgr.shape[:2]).clip(0, 255).astype(np.uint8)
    assert lines_of(view_in(np.repeat(noisy[:, :, None], 3, 2))).axes[0].seen.mean() < 0.02


@pytest.mark.parametrize("shape", [(8, 300, 3), (300, 8, 3), (1, 1, 3)])
def test_pictures_too_small_for_lines_have_none(shape):
    assert lines_of(view_in(np.full(shape, 90, np.uint8))).spacings == ([], [])
