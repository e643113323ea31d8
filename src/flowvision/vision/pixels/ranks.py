"""The median and percentiles of numbers, to the last bit as NumPy has them.

NumPy's own import masked arrays when they are first used on floats: 5 ms, which a single screenshot never
earns back; and on a few hundred numbers they take five times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowvision.vision.pixels.view import Floats


def median(values: NDArray[Any]) -> float:
    """The number in the middle, or half-way between both; ``values`` of any shape, at least one."""
    middle = (values.size - 1) // 2, values.size // 2
    low, high = np.partition(values, middle, axis=None)[list(middle)].tolist()
    return float(low + high) / 2


def percentile(values: Floats, percent: float) -> float:
    """The number that so many per cent are below, on the line between its neighbours by rank."""
    ordered = np.sort(values, axis=None)
    place = percent / 100 * (ordered.size - 1)
    before = int(place)
    low, high = float(ordered[before]), float(ordered[min(before + 1, ordered.size - 1)])
    share = place - before
    # From the nearer of both, as NumPy does.
    return low + (high - low) * share if share < 0.5 else high - (high - low) * (1 - share)
