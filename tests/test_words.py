"""English with numbers in it."""

from __future__ import annotations

import pytest

from flowvision.words import count_of, times


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 dots"), (1, "1 dot"), (2, "2 dots"), (1200, "1,200 dots")]
)
def test_one_is_singular(number: int, said: str) -> None:
    """And nothing else is."""
    assert count_of(number, "dot") == said


@pytest.mark.parametrize(("number", "said"), [(0, "0 times"), (1, "once"), (2, "twice"), (3, "3 times")])
def test_how_often(number: int, said: str) -> None:
    """Nobody says ``1 times``."""
    assert times(number) == said
