"""Even spacings are found among false peaks, and carried on to the picture's rim."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flowvision.vision.grid.spacing import Spacing, find_peaks, find_spacings
from flowvision.vision.settings import GridSettings

GRID = GridSettings()


@given(start=st.floats(5, 60), pitch=st.floats(16, 90), count=st.integers(5, 18), seed=st.integers(0, 2**16))
def test_the_lattice_is_found_among_weaker_false_lines(start, pitch, count, seed):
    """Lines displaced by up to half a pixel, and false ones a third as high, leave count and pitch right."""
    rng = np.random.default_rng(seed)
    true = start + pitch * np.arange(count + 1) + rng.uniform(-0.5, 0.5, count + 1)
    false = start + pitch * (rng.integers(0, count, 3) + rng.uniform(0.15, 0.85, 3))
    places = np.concatenate((true, false))
    heights = np.concatenate((rng.uniform(0.8, 1.0, count + 1), rng.uniform(0.1, 0.3, 3)))
    order = np.argsort(places)
    best = find_spacings(places[order], heights[order], GRID)[0]
    assert best.count == count
    assert abs(best.pitch - pitch) < 0.01 * pitch + 0.3
    assert abs(best.start - start) < 0.1 * pitch


def test_peaks_lie_where_the_profile_is_sharpest():
    """A wide flat peak is placed by its sharp middle, and two peaks are not one."""
    profile = np.array([0, 0.9, 0.9, 0.9, 0.9, 0, 0, 0.5, 0])
    sharpness = np.array([0, 1.0, 1.0, 9.0, 1.0, 0, 0, 4.0, 0])
    places, heights = find_peaks(profile, sharpness, 0.1)
    assert np.allclose(places, [3, 7], atol=0.05)
    assert np.allclose(heights, [0.9, 0.5])


def test_a_cut_off_cell_counts_only_at_the_rim_of_the_picture():
    """Half a cell beyond the last line is a cell where the picture ends, nothing where only the view does."""
    spacing = Spacing(start=20.0, pitch=40.0, count=3, score=1.0, residual=0.0)
    assert spacing.extended(161, (True, True), 0.25).count == 5
    assert spacing.extended(161, (False, False), 0.25).count == 3


def test_every_second_line_is_a_lattice_of_twice_the_pitch_from_either_start():
    """All lines belong to one of the two, none to both, and neither goes beyond the last."""
    spacing = Spacing(10.0, 20.0, 8, 1.0, 0.5)
    parts = [spacing.every_second(first, GRID.half_score) for first in (0, 1)]
    lines = [{part.start + part.pitch * n for n in range(part.count + 1)} for part in parts]
    assert sorted(lines[0] | lines[1]) == [10.0 + 20.0 * n for n in range(9)]
    assert not lines[0] & lines[1]
