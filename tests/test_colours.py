import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.colours import contrast, rims_for
from flowvision.image.picture import Rgb

COLOURS = st.builds(Rgb, *[st.integers(0, 255)] * 3)
BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (BLACK, WHITE, 21.0),
        (Rgb(255, 0, 0), WHITE, 3.998),
        (Rgb(119, 119, 119), WHITE, 4.478),
        (Rgb(0, 0, 255), BLACK, 2.444),
    ],
)
def test_published_contrasts(a, b, expected):
    assert contrast(a, b) == pytest.approx(expected, abs=0.01)
    assert contrast(b, a) == contrast(a, b)


@given(COLOURS, st.lists(COLOURS, min_size=1, max_size=5))
def test_rims_stand_out_from_every_ground(colour, grounds):
    rims = rims_for(colour, grounds)
    assert 1 <= len(rims) <= 2
    for ground in grounds:
        assert max(contrast(shade, ground) for shade in rims) >= 3
