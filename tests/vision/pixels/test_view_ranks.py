"""The median and percentiles are NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flowvision.vision.pixels.view import median, percentile, percentiles

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@given(NUMBERS)
def test_the_median_is_that_of_numpy(numbers: list[float]) -> None:
    """Of any numbers, in any order."""
    assert median(np.array(numbers)) == np.median(numbers)


@given(NUMBERS, st.integers(0, 100))
def test_a_percentile_is_that_of_numpy(numbers: list[float], percent: int) -> None:
    """From the least number to the greatest."""
    assert percentile(np.array(numbers), percent) == np.percentile(numbers, percent)


@given(st.floats(0, 100))
def test_percentiles_are_those_of_numpy(percent: float) -> None:
    """Along axis 1, of any percentage."""
    values = np.random.default_rng(1).random((4, 12, 3))
    np.testing.assert_allclose(percentiles(values, percent), np.percentile(values, percent, axis=1))
