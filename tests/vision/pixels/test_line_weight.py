import numpy as np
import pytest

from flowvision.vision.pixels.line_weight import (
    ALONG,
    REACH,
    above_ground,
    clarity,
    place_strengths,
    steps_across,
    third_strongest,
    usual_strength,
)

STEPS = 29
"""Places across a side at which its brightness is measured."""
WALL = 2.8
"""Strength from which a side is a wall, of the usual one."""


def side(ground=0.0, line=100.0, width=2):
    """Return (places, steps): brightness across a side that nothing hides."""
    band = np.full((len(ALONG), STEPS), ground)
    middle = STEPS // 2
    band[:, middle - width // 2 : middle + width - width // 2] = line
    return band


def strengths(*sides):
    """Return the strength of each side."""
    bands = np.moveaxis(np.array(sides), 2, 0)
    return third_strongest(place_strengths(bands, above_ground(bands)))


def strengths_beside(plain, odd):
    """Return the strengths of a plain side and of an odd one, among others that are plain."""
    *_, usual, strength = strengths(*[plain] * 5, odd)
    return usual, strength


def test_what_rings_round_a_dot_is_no_width():
    """Waves of a compressed picture beside a line."""
    plain = side(ground=60.0, line=76.0)
    ringing = plain.copy()
    for place, brightness in enumerate((73.0, 73.0, 71.0, 74.0), start=3):
        ringing[place, -5:] = (60.0, 62.0, brightness, 66.0, 44.0)
    usual, strength = strengths_beside(plain, ringing)
    assert strength < 1.3 * usual


def test_a_faint_wide_wave_is_no_wall():
    usual, strength = strengths_beside(side(line=60.0), side(ground=46.0, line=53.0, width=9))
    assert strength < WALL * usual


@pytest.mark.parametrize(
    ("sides", "lower", "upper"),
    [
        pytest.param([27, 27, 29, 170, 170, 170, 170, 0], 0, 30, id="most are outline"),
        pytest.param([50, 90, 100, 110, 100, 600], 100, 100, id="one is a wall"),
    ],
)
def test_the_usual_side_is_a_plain_one(sides, lower, upper):
    assert lower <= usual_strength(np.array(sides, float), WALL) <= upper


@pytest.mark.parametrize(
    ("ground", "line", "is_seen"),
    [(0.0, 5.9, False), (0.0, 6.1, True), (100.0, 113.5, False), (100.0, 113.8, True)],
)
def test_a_line_stands_out_by_a_height_and_a_share_of_its_brightness(ground, line, is_seen):
    (strength,) = strengths(side(ground, line))
    assert (strength > 0) == is_seen


@pytest.mark.parametrize(
    ("odd", "times"),
    [
        pytest.param(side(width=4), 2, id="wide"),
        pytest.param(side(line=200.0), 2, id="bright"),
        pytest.param(side(ground=70.0), 1, id="on a tint"),
        pytest.param(side(ground=80.0), 0.8, id="on a bright tint"),
    ],
)
def test_weight_is_brightness_times_width(odd, times):
    plain, strength = strengths(side(), odd)
    assert strength / plain == pytest.approx(times)


@pytest.mark.parametrize(
    "across",
    [
        pytest.param(np.where(np.arange(STEPS) > STEPS // 2, 80.0, 0.0), id="edge of a tint"),
        pytest.param(np.linspace(0, 90, STEPS), id="glow"),
    ],
)
def test_a_glow_and_the_edge_of_a_tint_are_no_lines(across):
    assert not strengths(np.tile(across, (len(ALONG), 1))).any()


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_edge_of_a_tint_of_small_cells_is_no_wall(shift):
    steps = len(steps_across(24.0))
    tint = np.where(np.arange(steps) > steps // 2 + shift, 158.0, 0.0)
    assert not strengths(np.tile(tint, (len(ALONG), 1))).any()


def test_steps_across_a_side_are_about_a_pixel_apart():
    cell_px = 60.0
    steps = steps_across(cell_px)
    assert (steps[0], steps[-1]) == (-REACH, REACH)
    assert np.diff(steps) * cell_px == pytest.approx(1.0, rel=0.15)


@pytest.mark.parametrize(
    ("times", "expected"), [(1.0, 0.5), (1.2, 1.0), (1 / 1.2, 1.0), (1.44, 1.0), (1.2**0.5, 0.75)]
)
def test_sides_are_clear_that_are_far_from_the_limit(times, expected):
    """``times``: the strength of a side, of that of a wall."""
    strength = np.array([0.0, 10.0, WALL * times])
    assert clarity(strength, WALL) == pytest.approx(expected)
