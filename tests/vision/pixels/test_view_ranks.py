"""The median and percentiles are NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flowvision.vision.pixels.view import median, percentile

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@given(NUMBERS)
def test_the_median_is_that_of_numpy(numbers: list[float]) -> None:
    """Of any numbers, in any order."""
    assert median(np.array(numbers)) == np.median(numbers)


@given(NUMBERS, st.integers(0, 100))
def test_a_percentile_is_that_of_numpy(numbers: list[float], percent: int) -> None:
    """From the least number to the greatest."""
    assert percentile(np.array(numbers), percent) == np.percentile(numbers, percent)
