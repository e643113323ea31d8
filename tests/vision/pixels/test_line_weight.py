import numpy as np
import pytest

from flowvision.vision.pixels import line_weight

STEPS = 29
"""Places across a side at which its brightness is measured."""
WALL = 2.8
"""Strength from which a side is a wall, of the usual one."""


def side(ground=0.0, line=100.0, width=2):
    """Return (places, steps): brightness across a side that nothing hides."""
    band = np.full((len(line_weight.ALONG), STEPS), ground)
    middle = STEPS // 2
    band[:, middle - width // 2 : middle + width - width // 2] = line
    return band


def strengths(*sides):
    """Return the strength of each side."""
    bands = np.moveaxis(np.array(sides), 2, 0)
    return line_weight.third_strongest(line_weight.place_strengths(bands, line_weight.above_ground(bands)))


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


def test_the_usual_side_is_a_plain_one_though_most_are_outline():
    mostly_outline = np.array([27.0, 27.0, 29.0, 170.0, 170.0, 170.0, 170.0, 0.0])
    with_a_wall = np.array([50.0, 90.0, 100.0, 110.0, 100.0, 600.0])
    assert line_weight.usual_strength(mostly_outline, WALL) < 30
    assert line_weight.usual_strength(with_a_wall, WALL) == 100
    assert line_weight.usual_strength(np.zeros(4), WALL) == 1


def test_a_line_stands_out_by_a_height_and_a_share_of_its_brightness():
    for ground, too_faint, enough in ((0.0, 5.9, 6.1), (100.0, 113.5, 113.8)):
        faint, seen = strengths(side(ground, too_faint), side(ground, enough))
        assert faint == 0 < seen


def test_weight_is_brightness_times_width():
    wide, bright, on_tint, on_bright_tint = (
        side(width=4), side(line=200.0), side(ground=70.0), side(ground=80.0)
    )  # fmt: skip
    plain, *others = strengths(side(), wide, bright, on_tint, on_bright_tint)
    assert np.divide(others, plain) == pytest.approx([2, 2, 1, 0.8])


def test_a_glow_and_the_edge_of_a_tint_are_no_lines():
    edge_of_tint = np.where(np.arange(STEPS) > STEPS // 2, 80.0, 0.0)
    glow = np.linspace(0, 90, STEPS)
    for across in (edge_of_tint, glow):
        assert not strengths(np.tile(across, (len(line_weight.ALONG), 1))).any()


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_edge_of_a_tint_of_small_cells_is_no_wall(shift):
    steps = len(line_weight.steps_across(24.0))
    tint = np.where(np.arange(steps) > steps // 2 + shift, 158.0, 0.0)
    assert not strengths(np.tile(tint, (len(line_weight.ALONG), 1))).any()


def test_steps_across_a_side_are_about_a_pixel_apart():
    cell_px = 60.0
    steps = line_weight.steps_across(cell_px)
    assert (steps[0], steps[len(steps) // 2], steps[-1]) == (-line_weight.REACH, 0, line_weight.REACH)
    assert np.diff(steps) * cell_px == pytest.approx(1.0, rel=0.15)


def test_sides_are_clear_that_are_far_from_the_limit():
    expected = {1.0: 0.5, 1.2: 1.0, 1 / 1.2: 1.0, 1.44: 1.0, 1.2**0.5: 0.75}
    for times_wall, clear in expected.items():
        assert line_weight.clarity(np.array([0.0, 10.0, WALL * times_wall]), WALL) == pytest.approx(clear)
