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


def side(ground=0.0, line=100.0, width=2):
    """(places, steps): brightness across a side that nothing hides."""
    band = np.full((len(ALONG), STEPS), ground)
    middle = STEPS // 2
    band[:, middle - width // 2 : middle + width - width // 2] = line
    return band


def strengths(*sides):
    bands = np.moveaxis(np.array(sides), 2, 0)
    return third_strongest(place_strengths(bands, above_ground(bands)))


def test_what_rings_round_a_dot_is_no_width():
    ringing = side(ground=60.0, line=76.0)
    for place, end in enumerate((73.0, 73.0, 71.0, 74.0), start=3):
        ringing[place, -5:] = (60.0, 62.0, end, 66.0, 44.0)
    *_, usual, rung = strengths(*[side(ground=60.0, line=76.0)] * 5, ringing)
    assert rung < 1.3 * usual


def test_a_faint_wide_wave_is_no_wall():
    wave = side(ground=46.0, line=53.0, width=9)
    *_, usual, seen = strengths(*[side(line=60.0)] * 5, wave)
    assert seen < 2.8 * usual


def test_the_usual_side_is_a_plain_one_though_most_are_outline():
    few = np.array([0.27, 0.27, 0.29, 1.7, 1.7, 1.7, 1.7, 0.0])
    assert usual_strength(100 * few, 2.8) < 30
    assert usual_strength(100 * np.array([0.5, 0.9, 1.0, 1.1, 1.0, 6.0]), 2.8) == 100


def test_a_line_stands_out_by_a_height_and_a_share_of_its_brightness():
    seen = strengths(side(line=5.9), side(line=6.1), side(100.0, 113.5), side(100.0, 113.8))
    assert (seen > 0).tolist() == [False, True, False, True]


def test_weight_is_brightness_times_width():
    tinted = side(ground=70.0), side(ground=80.0)
    plain, wide, bright, *faint = strengths(side(), side(width=4), side(line=200.0), *tinted)
    assert np.divide((wide, bright, *faint), plain) == pytest.approx([2, 2, 1, 0.8])


def test_a_glow_and_the_edge_of_a_tint_are_no_lines():
    tint = np.where(np.arange(STEPS) > STEPS // 2, 80.0, 0.0)
    glow = np.linspace(0, 90, STEPS)
    assert not strengths(*(np.tile(band, (len(ALONG), 1)) for band in (tint, glow))).any()


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_edge_of_a_tint_of_small_cells_is_no_wall(shift):
    steps = len(steps_across(24.0))
    tint = np.where(np.arange(steps) > steps // 2 + shift, 158.0, 0.0)
    assert not strengths(np.tile(tint, (len(ALONG), 1))).any()


def test_steps_across_a_side_are_about_a_pixel_apart():
    steps = steps_across(60.0)
    assert (len(steps), steps[0], steps[-1]) == (17, -REACH, REACH)


def test_sides_are_clear_that_are_far_from_the_limit():
    for times, expected in ((1.0, 0.5), (1.2, 1.0), (1 / 1.2, 1.0), (1.44, 1.0), (1.2**0.5, 0.75)):
        seen = np.array([0.0, 10.0, 2.8 * times])
        assert clarity(seen, 2.8) == pytest.approx(expected)
