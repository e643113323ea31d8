import numpy as np

from flowvision.vision.pixels.line_weight import (
    ALONG,
    above_ground,
    place_strengths,
    third_strongest,
    usual_strength,
)
from flowvision.vision.settings import LineWeightSettings

STEPS = 29
WEIGHT = LineWeightSettings()


def side(ground=0.0, line=100.0, width=2):
    """(places, steps): brightness across a side that nothing hides."""
    band = np.full((len(ALONG), STEPS), ground)
    middle = STEPS // 2
    band[:, middle - width // 2 : middle + width - width // 2] = line
    return band


def strengths(*sides):
    bands = np.moveaxis(np.array(sides), 2, 0)
    return third_strongest(place_strengths(bands, above_ground(bands), WEIGHT))


def test_a_line_on_a_tint_is_as_strong_as_one_on_black():
    plain, tinted = strengths(side(), side(ground=70.0))
    assert tinted == plain


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
    assert usual_strength(100 * few, 2.8, WEIGHT) < 30
    assert usual_strength(100 * np.array([0.5, 0.9, 1.0, 1.1, 1.0, 6.0]), 2.8, WEIGHT) == 100
