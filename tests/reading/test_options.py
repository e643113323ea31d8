from math import inf, nan
from typing import Any

import pytest

from flowvision import SetCell
from flowvision.reading.options import Options


def test_a_size_has_columns_first_and_is_text() -> None:
    assert Options(grid="6x8").rows_and_cols == (8, 6)
    assert Options(grid=(6, 8)) == Options(grid="6x8")
    assert Options().rows_and_cols is None
    for size in ((8, 6, 4), 7.0):
        with pytest.raises(TypeError, match='columns first, such as "8x10"'):
            Options(grid=size)
    for wrong in ("8x", "1x5", "axb"):
        with pytest.raises(ValueError, match=wrong):
            Options(grid=wrong)


@pytest.mark.parametrize(
    "given",
    [
        {"colours": 0}, {"colours": 401}, {"seconds": 0}, {"seconds": -1.0}, {"seconds": nan},
        {"colours": "6"}, {"colours": True}, {"seconds": "5"}, {"trust": "no"}, {"keep_drawn": None},
        {"rotate": "90"}, {"crop": 5}, {"corrections": "R"}, {"corrections": SetCell((0, 0), "R")},
        {"rotate": nan}, {"rotate": inf}, {"crop": (1, 2, 3)}, {"crop": (0.5, 0, 90, 90)}, {"crop": "all"},
    ],
)  # fmt: skip
def test_values_that_mean_nothing_are_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{next(iter(given))} is "):
        Options(**given)
